"""Saves a result into a library folder of Blender's: one .blend with one asset in it. On a worker thread.

A file that is there is overwritten only if the same job has written it into the same folder, and nobody has changed it
since. What was written is noted in the data folder for that.
"""

from __future__ import annotations

import itertools
import json
import os
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ....vendor.background_blender import BlenderCommand, BlenderStopped, BlenderTrouble, run
from ..errors import NotSaved
from ..jobs.job import JobView, ReplaceableFile, SnapshotObject
from ..jobs.replaceable import replaceable_files
from ..paths import Locations, file_name, make_private, sync_folder
from ..stages.save_copies import copy_whole, move_to_free
from ..status.error_messages import is_full_disk
from . import catalogs
from .asset import asset_of

_SCRIPT = Path(__file__).resolve().parents[2] / "headless" / "save_asset.py"
_MOST_NOTES = 2000
_writing = threading.Lock()

Fraction = Callable[[float, str], None]


class AssetObjects(NamedTuple):
    """Where the objects of a result are.

    Attributes:
        blend: The .blend that they are in.
        objects: Their names there, and where they stand; empty for all of its one collection.
        images: Names of images whose pixels it lacks, and the files that have them.
        name: What the one object is called, where it is one.
        is_edited: Whether they are no longer what the job's picture shows.
    """

    blend: Path
    objects: tuple[SnapshotObject, ...] = ()
    images: Mapping[str, str] = MappingProxyType({})
    name: str = ""
    is_edited: bool = False


def save_asset(
    job: JobView,
    found: AssetObjects,
    library: Path,
    blender: BlenderCommand,
    locations: Locations,
    *,
    on_progress: Fraction | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Path:
    """Saves the result of a job as an asset, and has its operation's catalog in the library.

    Args:
        job: The job.
        found: Its result, as it is in the scene or as it was fetched.
        library: The folder of the asset library.
        blender: What writes the .blend.
        locations: The data folder.
        on_progress: Called with a fraction from 0 to 1 and a few words.
        stopped: Asked often; when it says True nothing is written.

    Returns:
        The file.

    Raises:
        NotSaved: It could not be written; the sentence says why.
    """
    if not library.is_dir():
        raise NotSaved(f"The folder of the asset library, {library}, is not there", "Choose another asset library")
    asset = asset_of(job, found.name)
    catalog = catalogs.found_catalog(catalogs.read(library), asset.catalog) or asset.catalog
    with tempfile.TemporaryDirectory(prefix="assetgen-", ignore_cleanup_errors=True) as folder:
        made = Path(folder) / "asset.blend"
        request = {
            "blend": str(found.blend),
            "objects": [item._asdict() for item in found.objects],
            "images": dict(found.images),
            "name": asset.name,
            "catalog": catalog.id,
            "tags": asset.tags,
            "description": asset.description,
            "picture": str(asset.picture) if asset.picture is not None and not found.is_edited else "",
            "out": str(made),
        }
        try:
            run(blender, _SCRIPT, request, on_progress=on_progress, stopped=stopped)
            with _writing:
                catalogs.add(library, catalog)
                return _publish(made, library, file_name(asset.name), job.id, locations)
        except (OSError, BlenderTrouble) as error:
            raise _not_saved(library, error) from error


def _publish(made: Path, library: Path, stem: str, job_id: str, locations: Locations) -> Path:
    """Gives a finished .blend a name in the library: that of the same job from before, else a free one."""
    part = library / f".{job_id}.part"
    try:
        copy_whole(made, part)
        target = _own_file(library, job_id, locations)
        if target is not None:
            os.replace(part, target)
        else:
            for number in itertools.count(1):
                target = library / f"{stem}{'' if number == 1 else f'-{number}'}.blend"
                try:
                    move_to_free(part, target)
                    break
                except FileExistsError:
                    continue
        sync_folder(library)
    finally:
        part.unlink(missing_ok=True)
    assert target is not None
    _note(target, job_id, locations)
    return target


def _own_file(library: Path, job_id: str, locations: Locations) -> Path | None:
    """What this job has written into the library before, if it is still as it was."""
    for key, note in _read_notes(locations.saved_assets).items():
        path = Path(key)
        if note[0] == job_id and path.parent == library:
            seen = next(iter(replaceable_files(path)), None)
            if seen == ReplaceableFile(path.name, note[1], note[2]):
                return path
    return None


def _note(target: Path, job_id: str, locations: Locations) -> None:
    """Notes what was written. Without the note the next saving takes another name, so that it fails is no failure."""
    notes = _read_notes(locations.saved_assets)
    notes.pop(str(target), None)
    seen = next(iter(replaceable_files(target)), None)
    if seen is None:
        return
    notes[str(target)] = (job_id, seen.size, seen.modified_ns)
    kept = dict(itertools.islice(reversed(notes.items()), _MOST_NOTES))
    part = locations.saved_assets.with_suffix(".part")
    try:
        make_private(locations.data_dir)
        part.write_text(json.dumps(dict(reversed(kept.items()))), encoding="utf-8")
        os.replace(part, locations.saved_assets)
    except OSError:
        part.unlink(missing_ok=True)


def _read_notes(path: Path) -> dict[str, tuple[str, int, int]]:
    try:
        notes = json.loads(path.read_bytes())
        return {str(key): (str(job), int(size), int(modified)) for key, (job, size, modified) in notes.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _not_saved(library: Path, error: Exception) -> NotSaved:
    if isinstance(error, BlenderStopped):
        return NotSaved("The asset was not saved: it was stopped")
    if is_full_disk(error):
        return NotSaved(f"The asset could not be saved in {library}: the disk is full", "Make room on the disk")
    if isinstance(error, PermissionError):
        return NotSaved(
            f"The asset could not be saved: nothing may be written in {library}",
            "Choose another asset library, or allow it",
        )
    reason = (getattr(error, "strerror", None) or str(error)).strip().rstrip(".")
    return NotSaved(f"The asset could not be saved in {library}: {reason}")
