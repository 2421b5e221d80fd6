"""Puts what a job made where its recipe wants it: as it is, as a .blend, or as a picture."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ....vendor.assetgen.contract import Gives, capability, extension_of
from ..errors import BrokenResult, NotSaved
from ..jobs.job import ReplaceableFile
from ..paths import Locations, file_name, make_private
from ..stages import zip_files
from ..stages.converter import Converter
from ..stages.save_as import save_as
from ..stages.save_result import IMAGE, MODEL, unpacked
from ..status.job_words import PICTURE as RENDERED
from .pictures import PictureMaker
from .recipe_plan import PlannedJob
from .run_state import WrittenFile
from .step_checks import BLEND, PICTURE


class JobFiles(NamedTuple):
    """What a job made: its id, its name, and its files by key."""

    job_id: str
    name: str
    files: Mapping[str, str]

    @property
    def are_there(self) -> bool:
        """Whether all files are still there, and there are any."""
        return bool(self.files) and all(Path(path).is_file() for path in self.files.values())


class OutputWriter:
    """Writes results.

    Args:
        locations: Of the data folder, in which each job has a folder.
        converter: Makes a .blend of a model, and a picture of it.
        pictures: Makes a PNG of any image.
    """

    def __init__(self, locations: Locations, converter: Converter, pictures: PictureMaker) -> None:
        self._locations = locations
        self._converter = converter
        self._pictures = pictures

    def write(self, job: PlannedJob, made: JobFiles, before: tuple[WrittenFile, ...]) -> tuple[WrittenFile, ...]:
        """Writes all files of a job that are not there.

        Args:
            job: The job.
            made: What it made.
            before: What was written for it before; that may be overwritten where nobody has changed it.

        Raises:
            NotSaved: A file could not be written.
            BrokenResult: What came cannot be used for it.
            BlenderTrouble: It could not be made from what came.
        """
        written: list[WrittenFile] = []
        for number, target in enumerate(job.outputs):
            known = [item for item in before if item.wanted == str(target)]
            for place, (path, name) in enumerate(self._sources(job, made, target)):
                folder = make_private(self._locations.results(made.job_id)) / f"{made.job_id}-{number}-{place}"
                replaceable = [item.replaceable for item in known if Path(item.path).parent == target.parent]
                final = _saved(path, target.with_name(name), replaceable, folder)
                seen = final.stat()
                written.append(WrittenFile(str(target), str(final), seen.st_size, seen.st_mtime_ns))
        return tuple(written)

    def _sources(self, job: PlannedJob, made: JobFiles, target: Path) -> list[tuple[Path, str]]:
        """The files that an output is made of, each with the name that it gets."""
        gives = capability(job.capability).gives
        if gives is Gives.IMAGES:
            return self._images(made, target)
        ending = target.suffix.lower()
        if ending == BLEND:
            return [(self._blend(made), target.name)]
        if ending == PICTURE:
            return [(self.picture(made), target.name)]
        return [(Path(made.files[MODEL]), target.name)]

    def _images(self, made: JobFiles, target: Path) -> list[tuple[Path, str]]:
        pictures = {key: Path(path) for key, path in made.files.items()}
        main = IMAGE if IMAGE in pictures else next(iter(pictures)) if len(pictures) == 1 else ""
        if main:
            return [(self._png(pictures[main], made), target.name)]
        return [
            (self._png(path, made), f"{target.stem}_{file_name(key)}{target.suffix}") for key, path in pictures.items()
        ]

    def _blend(self, made: JobFiles) -> Path:
        out = self._results(made) / "output.blend"
        if not out.is_file():
            self._convert(made, out, None)
        return out

    def picture(self, made: JobFiles) -> Path:
        """A picture (PNG) of what a job made: that of the service, else one that is drawn here.

        Raises:
            BrokenResult: There is nothing to be seen.
            BlenderTrouble: It could not be drawn.
        """
        if RENDERED in made.files:
            return self._png(Path(made.files[RENDERED]), made)
        picture = self._results(made) / "output.png"
        if not picture.is_file():
            part = picture.with_name("output.part.png")
            self._convert(made, self._results(made) / "output.blend", part)
            if not part.is_file():
                raise BrokenResult(f"There is nothing to be seen of {made.name}")
            os.replace(part, picture)
        return picture

    def _convert(self, made: JobFiles, out: Path, picture: Path | None) -> None:
        model = unpacked(Path(made.files[MODEL]))
        part = out.with_name("output.part.blend")
        self._converter.to_blend(model, part, made.name, lambda fraction, text: None, lambda: False, picture=picture)
        os.replace(part, out)

    def _png(self, path: Path, made: JobFiles) -> Path:
        """A picture as a PNG."""
        if extension_of(path) == "png":
            if path.suffix.lower() == PICTURE:
                return path
            copy = self._results(made) / f"{path.stem}{PICTURE}"
            shutil.copyfile(path, copy)
            return copy
        out = self._results(made) / f"{path.stem}-as{PICTURE}"
        if not out.is_file():
            part = out.with_name(f"{path.stem}.part{PICTURE}")
            self._pictures.to_png(path, part)
            os.replace(part, out)
        return out

    def _results(self, made: JobFiles) -> Path:
        return make_private(self._locations.results(made.job_id))


def _saved(source: Path, target: Path, replaceable: list[ReplaceableFile], folder: Path) -> Path:
    """Copies a result with all that belongs to it; returns the path that it got, with a number where that was taken."""
    model = unpacked(source)
    inside = zip_files.unpacked_folder(source)
    companions = [
        path
        for path in (sorted(inside.rglob("*")) if model != source else ())
        if path.is_file() and path.suffix.lower() not in zip_files.MODELS
    ]
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return save_as(model, companions, target, replaceable, folder)[0]
    except OSError as error:
        reason = (error.strerror or str(error)).rstrip(".")
        raise NotSaved(
            f"{target} could not be written: {reason}", f"Run the recipe again. The result is kept as {source}"
        ) from None
