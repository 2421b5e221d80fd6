"""Results as assets: Blender's asset libraries, what is saved into them, and the Asset Browsers that show them."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from ..core.errors import CoreError, Refused
from ..core.jobs.job import JobView, SnapshotObject
from ..core.paths import Locations
from . import prefs
from .objects import provenance, transforms, unsaved_images
from .results import show
from .results.open_file import open_file
from .session import session
from .state import state

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ..core.library.save_asset import AssetObjects

NAME = "Generated"
"""What a library is called that is made for results."""


class _State:
    """The jobs whose results are being saved, and whether that shall end."""

    def __init__(self) -> None:
        self.saving: set[str] = set()
        self.stopping = threading.Event()


_state = _State()


def libraries() -> list[Any]:
    """The asset libraries of the preferences that are folders on this machine."""
    listed = bpy.context.preferences.filepaths.asset_libraries
    return [item for item in listed if item.path and not getattr(item, "use_remote_url", False)]


def chosen_name() -> str:
    """The library that results are saved into; empty where none is chosen, or it is not there any more."""
    values = prefs.preferences()
    name = values.asset_library if values is not None else ""
    return name if any(item.name == name for item in libraries()) else ""


def choose(name: str) -> None:
    """Has results saved into a library from now on."""
    values = prefs.preferences()
    if values is not None and values.asset_library != name:
        values.asset_library = name
        bpy.context.preferences.is_dirty = True  # so that Blender keeps it


def make_library(folder: Path) -> str:
    """Makes a folder an asset library, unless it is one, and has results saved into it; returns its name.

    Raises:
        Refused: The folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(f"The folder {folder} cannot be made: {error.strerror or error}", "Choose another one") from error
    known = next((item for item in libraries() if _folder(item) == folder), None)
    if known is None:
        known = bpy.context.preferences.filepaths.asset_libraries.new(name=NAME, directory=str(folder))
        bpy.context.preferences.is_dirty = True
    choose(known.name)
    return str(known.name)


def folder_of(name: str) -> Path:
    """The folder of an asset library.

    Raises:
        Refused: There is no such library.
    """
    found = next((item for item in libraries() if item.name == name), None)
    if found is None:
        said = f'There is no asset library "{name}"' if name else "No asset library is chosen"
        raise Refused(said, "Choose one in the preferences, or make one there")
    return _folder(found)


def job_of(item: bpy.types.Object | None) -> JobView | None:
    """The job in the list that an object is the result of."""
    if item is None:
        return None
    uid = item.session_uid
    for job_id, uids in open_file.objects.items():
        if uid in uids and job_id in state.jobs:
            return state.jobs[job_id]
    task = provenance.common_task([item])
    if task is None:
        return None
    jobs = state.newest_first()
    return next((job for job in jobs if job.steps and job.steps[-1].task_id == task.task_id), None)


def is_saving(job_id: str) -> bool:
    """Whether the result of a job is being saved."""
    return job_id in _state.saving


def save(job: JobView, name: str) -> Future[Path]:
    """Begins to save the result of a job into an asset library: as it is in the scene, else as it was fetched.

    Raises:
        Refused: There is nothing to be saved, or nowhere to save it.
    """
    from concurrent.futures import Future  # here: enabling the extension need not wait for it

    if job.id in _state.saving:
        raise Refused("It is being saved already")
    folder = folder_of(name)
    staged, found = _find(job)
    values = prefs.settings()
    future: Future[Path] = Future()
    stopping = _state.stopping
    _state.saving.add(job.id)

    def run() -> None:
        from ..core.jobs.late_files import late_files
        from ..core.jobs.staged_files import remove_folder
        from ..core.library.save_asset import save_asset

        try:
            if staged is not None:
                late_files.wait_for(staged)
            locations = Locations(values.data_dir)
            future.set_result(save_asset(job, found, folder, values.blender, locations, stopped=stopping.is_set))
        except BaseException as error:
            future.set_exception(error)
        finally:
            _state.saving.discard(job.id)
            if staged is not None:
                remove_folder(staged)

    threading.Thread(target=run, daemon=True, name="assetgen-library").start()
    return future


def refresh_browsers() -> None:
    """Has the Asset Browsers that are open look into their libraries again."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.ui_type == "ASSETS":
                region = next((region for region in area.regions if region.type == "WINDOW"), None)
                with (
                    contextlib.suppress(RuntimeError),
                    bpy.context.temp_override(window=window, area=area, region=region),
                ):
                    bpy.ops.asset.library_refresh()


def stop() -> None:
    """Ends what is being saved: Blender ends, or the extension is disabled."""
    _state.stopping.set()
    _state.stopping = threading.Event()
    _state.saving = set()


def _folder(library: Any) -> Path:
    return Path(bpy.path.abspath(library.path)).absolute()


def _find(job: JobView) -> tuple[Path | None, AssetObjects]:
    """The result of a job, and the folder that it was written to from the scene."""
    from ..core.library.save_asset import AssetObjects  # here: it needs the contract

    # Not of an earlier step: that may be the upload of the source.
    known = open_file.objects_of(job.id) or show.objects_of_tasks([step.task_id for step in job.steps[-1:]])
    objects = [item for item in known if item.users_scene]
    if objects:
        staged = session.staging_folder()
        try:
            return staged, _write(objects, staged / "asset.blend")
        except CoreError:
            session.remove_staged(staged)
            raise
    if not job.blend:
        raise Refused(f"{job.name} has no model that can be an asset")
    if not Path(job.blend).is_file():
        raise Refused("The files of this job were deleted", "Retry fetches the result again, without paying")
    return None, AssetObjects(Path(job.blend))


def _write(objects: list[bpy.types.Object], path: Path) -> AssetObjects:
    from ..core.library.save_asset import AssetObjects
    from .objects import snapshot  # here, as it: enabling the extension need not wait for it

    for item in objects:
        if item.mode == "EDIT":
            item.update_from_editmode()
    try:
        with snapshot.local_objects(objects) as here:
            names = [item.name for item in here]
            bpy.data.libraries.write(str(path), set(here), path_remap="ABSOLUTE", fake_user=False)
        images = unsaved_images.save_unsaved(unsaved_images.images_of_objects(objects), path)
    except (OSError, RuntimeError) as error:
        raise Refused(f"The result could not be written to {path.parent}: {error}", "Make room on the disk") from error
    entries = tuple(
        SnapshotObject(name, item.name, transforms.to_numbers(item.matrix_world))
        for name, item in zip(names, objects, strict=True)
    )
    name = objects[0].name if len(objects) == 1 else ""
    return AssetObjects(path, entries, images, name, provenance.looks_edited(objects))
