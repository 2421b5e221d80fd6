"""For scripts and for Blender without a window: wait for jobs, follow them, and get at what they gave.

with scripting.watching(lambda job: print(job.text, job.progress)):
    bpy.ops.assetgen.decimate(face_limit=5000)
job = scripting.last_job()              # a JobView: steps with task ids, credits and seconds, files, an answer
objects = scripting.result_objects()    # what its result is in the scene
images = scripting.result_images()      # and among the images
bpy.ops.assetgen.storage_scan()
bpy.ops.assetgen.run_recipe(recipe="game_asset", folder="//results")
recipe = scripting.last_recipe()        # a RecipeEnd: files, the picture of all results, what went wrong
report = scripting.storage_report()     # a StorageReport: what every result takes, and whether it was ever used
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import bpy

from ..core.jobs.job import ENDED, JobView, Stage
from . import idle, pump, storage
from .arrivals import arrivals
from .placeholders import placeholders
from .recipe_runs import recipe_runs
from .results.open_file import open_file
from .state import state

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ..core.recipes.background_run import RecipeEnd
    from ..core.storage.report import StorageReport

LOOK_SECONDS = 0.05
SHORT_LOOK_SECONDS = 0.005

Result = TypeVar("Result")

Watcher = Callable[[JobView], None]


class _State:
    """Who watches, and the job that was started last."""

    def __init__(self) -> None:
        self.watchers: list[Watcher] = []
        self.last_job = ""
        self.last_jobs: list[str] = []


_state = _State()


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Calls ``watcher`` with the job whenever one that is waited for looks different."""
    _state.watchers.append(watcher)
    try:
        yield
    finally:
        _state.watchers.remove(watcher)


def remember_jobs(job_ids: list[str]) -> None:
    """Remembers the jobs that one call has started last."""
    _state.last_job, _state.last_jobs = job_ids[-1], job_ids


def last_job() -> JobView | None:
    """The job that the last operator started, as it looks now; None when there is none."""
    return state.jobs.get(_state.last_job)


def last_jobs() -> list[JobView]:
    """The jobs that the last operator started, as they look now: with ``each=True`` there may be several."""
    return [state.jobs[job_id] for job_id in _state.last_jobs if job_id in state.jobs]


def result_objects(job_id: str = "") -> list[bpy.types.Object]:
    """The objects that a job (the last one, when left out) has in the scene, as far as they are still there."""
    return open_file.objects_of(job_id or _state.last_job)


def result_images(job_id: str = "") -> list[bpy.types.Image]:
    """The images that a job (the last one, when left out) has in the file, as far as they are still there."""
    return open_file.images_of(job_id or _state.last_job)


def placeholder(job_id: str = "") -> bpy.types.Object | None:
    """The empty that stands where the result of a job (the last one, when left out) will be, while it runs and if that
    was wanted; what is done with it is done with the result.
    """
    return placeholders.item_of(job_id or _state.last_job)


def last_recipe() -> RecipeEnd | None:
    """How the recipe that was run last has ended; None as long as none has."""
    return recipe_runs.end


def storage_report() -> StorageReport | None:
    """What the last scan has found in the data folder; None before the first one."""
    return storage.report()


def wait(
    job_ids: Iterable[str], on_change: Watcher | None = None, *, stopped: Callable[[], bool] = lambda: False
) -> dict[str, JobView]:
    """Drives the pump until the jobs have ended or cannot go on by themselves, and returns them.

    Args:
        job_ids: The jobs to wait for.
        on_change: Called with a job whenever it looks different; beside the watchers of :func:`watching`.
        stopped: Asked often; when it says True the wait ends, and the jobs go on.
    """
    followed = list(job_ids)
    seen: dict[str, JobView] = {}
    while not stopped():
        pump.tick()
        for job_id in followed:
            job = state.jobs.get(job_id)
            if job is not None and job != seen.get(job_id):
                seen[job_id] = job
                for watcher in [*_state.watchers, *([on_change] if on_change else [])]:
                    watcher(job)
        if all(job_id in seen and _rests(seen[job_id]) for job_id in followed):
            break
        time.sleep(LOOK_SECONDS)
    return seen


def result_of(future: Future[Result]) -> Result:
    """Drives the pump until a worker has done what it was asked for; returns that, or raises its error."""
    while not future.done():
        pump.tick()
        time.sleep(SHORT_LOOK_SECONDS)
    pump.tick()  # what has changed by it is known before the answer
    return future.result()


def _rests(job: JobView) -> bool:
    if job.stage is Stage.READY:
        # It is applied with the next tick, unless it belongs to another file or was tried in vain. Without a window
        # nobody but the caller can leave a mode, and a watcher of the caller's has heard by now that the job is ready.
        if bpy.app.background and not job.answer and idle.busy_reason():
            return True
        return not arrivals.will_apply(job) and not arrivals.is_coming(job.id)
    if arrivals.is_coming(job.id):
        return False  # what became of its result is being recorded
    return job.stage in ENDED or job.stage is Stage.UNCERTAIN
