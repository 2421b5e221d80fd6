"""Writes a model as the file that the user named, as Blender's exporters do, with what belongs to it beside it.

Only what the user has seen there is overwritten: whatever came since stays, and the model gets a free name beside it.
Nothing is there half. The names are noted in the job's own folder before they are given, as in :mod:`.save_copies`.
"""

from __future__ import annotations

import errno
import filecmp
import itertools
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ..jobs.job import ReplaceableFile
from ..paths import file_name, make_private, sync_folder
from .obj_names import copy_mtl, copy_obj
from .save_copies import copy_whole, move_to_free, read_notes, write_notes

_OBJ = ".obj"
_LIBRARY = ".mtl"


class _Piece(NamedTuple):
    """A file under its hidden name, and the name that it is to get."""

    part: Path
    target: Path


def save_as(
    model: Path, companions: Sequence[Path], target: Path, replaceable: Iterable[ReplaceableFile], job_folder: Path
) -> list[Path]:
    """Writes a model and the files that belong to it.

    An OBJ's library and textures are named after it and lie beside it. What belongs to a model of another kind keeps
    its name, since the model refers to it by that.

    Args:
        model: The model.
        companions: Files in its folder or below that belong to it.
        target: The path that the user named. The model's own ending counts where that is another one.
        replaceable: Files there that may be overwritten while they are as they were.
        job_folder: The job's own, whose name is no other job's.

    Returns:
        The paths written, the model's first.

    Raises:
        OSError: They could not be written; what was overwritten until then has its new content.
    """
    folder = target.parent
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, "The folder is not there", str(folder))
    if target.suffix.lower() != model.suffix.lower():
        target = target.with_name(target.stem + model.suffix)
    writer = _Writer(model, companions, replaceable, folder, job_folder)
    for number in itertools.count(1):
        name = target.name if number == 1 else f"{target.stem}-{number}{target.suffix}"
        try:
            if pieces := writer.pieces(name, number):
                write_notes(writer.notes, [piece.target for piece in pieces])
                if writer.publish(pieces):
                    return [piece.target for piece in reversed(pieces)]
        finally:
            writer.clear()
    raise AssertionError("unreachable: there is always another number")


class _Writer:
    """One saving, try by try."""

    def __init__(
        self,
        model: Path,
        companions: Sequence[Path],
        replaceable: Iterable[ReplaceableFile],
        folder: Path,
        job_folder: Path,
    ) -> None:
        self._model = model
        self._companions = companions
        self._replaceable = {folder / item.name: item for item in replaceable}
        self._folder = folder
        self._job_folder = make_private(job_folder)
        self._parts: list[Path] = []
        self.notes = self._job_folder / "copies.json"
        self._noted = read_notes(self.notes)

    def pieces(self, name: str, number: int) -> list[_Piece]:
        """All files under hidden names, the model last; nothing when its name is taken."""
        is_obj = self._model.suffix.lower() == _OBJ
        if self._is_taken(self._folder / name, None if is_obj else self._model):
            return []
        return self._obj_pieces(name) if is_obj else self._plain_pieces(name, number)

    def publish(self, pieces: Sequence[_Piece]) -> bool:
        """Gives all files their names; False when another's has come to one of them."""
        made: list[Path] = []
        replaced = False
        try:
            for part, target in pieces:
                target.parent.mkdir(exist_ok=True)
                if target.exists() and filecmp.cmp(part, target, shallow=False):
                    continue
                if self._may_replace(target):
                    os.replace(part, target)
                    replaced = True
                else:
                    move_to_free(part, target)
                    made.append(target)
        except BaseException as error:
            for target in () if replaced else made:  # what was replaced may refer to them by now
                target.unlink(missing_ok=True)
            if isinstance(error, FileExistsError):
                return False
            raise
        sync_folder(pieces[-1].target.parent)
        return True

    def clear(self) -> None:
        """Removes what got no name."""
        for part in self._parts:
            part.unlink(missing_ok=True)
        self._parts.clear()

    def _plain_pieces(self, name: str, number: int) -> list[_Piece]:
        """The files as they are; in a folder of their own when one of their names is taken."""
        names = [_relative(path, self._model.parent) for path in self._companions]
        folder = self._folder
        if number > 1 and names:
            folder /= Path(name).stem
            if folder.exists():
                return []
        targets = [*(folder / relative for relative in names), folder / name]
        sources = [*self._companions, self._model]
        if any(self._is_taken(target, source) for target, source in zip(targets, sources, strict=True)):
            return []
        pieces = [_Piece(self._new_part(), target) for target in targets]
        for piece, source in zip(pieces, sources, strict=True):
            copy_whole(source, piece.part)
        return pieces

    def _obj_pieces(self, name: str) -> list[_Piece]:
        """The OBJ with its libraries and textures, which are named after it and refer to each other by these names."""
        stem = Path(name).stem
        libraries = [path for path in self._companions if path.suffix.lower() == _LIBRARY]
        pieces: list[_Piece] = []
        texture_names: dict[str, str] = {}
        for path in self._companions:
            if path not in libraries:
                part = self._new_part()
                copy_whole(path, part)
                wanted = f"{stem}_{file_name(path.stem)}{path.suffix}"
                pieces.append(_Piece(part, self._free(wanted, part, pieces)))
                texture_names[_relative(path, self._model.parent).as_posix()] = pieces[-1].target.name
        library_names: dict[str, str] = {}
        for path in libraries:
            part = self._new_part()
            copy_mtl(path, part, texture_names)
            wanted = f"{stem}{_LIBRARY}" if len(libraries) == 1 else f"{stem}_{file_name(path.stem)}{_LIBRARY}"
            pieces.append(_Piece(part, self._free(wanted, part, pieces)))
            library_names[_relative(path, self._model.parent).as_posix()] = pieces[-1].target.name
        part = self._new_part()
        copy_obj(self._model, part, library_names)
        target = self._folder / name
        return [] if self._is_taken(target, part) else [*pieces, _Piece(part, target)]

    def _free(self, name: str, part: Path, others: Sequence[_Piece]) -> Path:
        """The name, or that with a number, which nobody has but a file with the same content."""
        taken = {piece.target for piece in others}
        path = Path(name)
        for number in itertools.count(1):
            target = self._folder / (name if number == 1 else f"{path.stem}-{number}{path.suffix}")
            if target not in taken and not self._is_taken(target, part):
                return target
        raise AssertionError("unreachable: there is always another number")

    def _is_taken(self, target: Path, content: Path | None) -> bool:
        """Whether a file has this name that is neither ours nor to be overwritten nor the same.

        Args:
            target: The name.
            content: What is to have it; None where that is not made yet, so that a file of ours will do.
        """
        if not target.exists() or self._may_replace(target):
            return False
        if content is None:
            return str(target) not in self._noted
        return not target.is_file() or not filecmp.cmp(content, target, shallow=False)

    def _may_replace(self, target: Path) -> bool:
        """Whether a file is one that the user wants overwritten, or what a job that was killed left of a name."""
        try:
            stat = target.stat()
        except OSError:
            return False
        if str(target) in self._noted and stat.st_size == 0:
            return True
        seen = self._replaceable.get(target)
        return seen is not None and (seen.size, seen.modified_ns) == (stat.st_size, stat.st_mtime_ns)

    def _new_part(self) -> Path:
        part = self._folder / f".{self._job_folder.name}-{len(self._parts)}.part"
        part.unlink(missing_ok=True)  # it may be a second name of a finished file, from before the job was killed
        self._parts.append(part)
        return part


def _relative(path: Path, folder: Path) -> Path:
    return path.relative_to(folder) if path.is_relative_to(folder) else Path(path.name)
