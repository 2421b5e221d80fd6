"""For scripts inside Blender, with a window and without: start jobs, wait for them, and get at what they gave.

jobs = [scripting.start("texture", objects=[item], text="rusty iron") for item in bpy.context.selected_objects]
scripting.wait(jobs, timeout=600)       # scripting.JobFailed (with the job and its exit code) when one did not end well
for job in jobs:
    print(scripting.results(job).objects, scripting.results(job).files)

An operator does the same and blocks where there is no window; these tell of the job that it started:

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
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import bpy

from ..core.errors import BadRequest, CoreError, Refused
from ..core.jobs.job import ENDED, JobView, Stage
from ..core.jobs.job_errors import JobFailed, StillRunning
from . import idle, operator_call, pump, storage
from .arrivals import arrivals
from .placeholders import placeholders
from .recipe_runs import recipe_runs
from .results.open_file import open_file
from .session import session
from .state import state

if TYPE_CHECKING:
    from ..core.recipes.background_run import RecipeEnd
    from ..core.storage.report import StorageReport

__all__ = [
    "BadRequest",
    "CoreError",
    "JobFailed",
    "JobResults",
    "JobView",
    "Refused",
    "StillRunning",
    "follow",
    "last_job",
    "last_jobs",
    "last_recipe",
    "placeholder",
    "result_images",
    "result_objects",
    "results",
    "start",
    "start_each",
    "storage_report",
    "wait",
    "watching",
]

LOOK_SECONDS = 0.05

Watcher = Callable[[JobView], None]


class JobResults(NamedTuple):
    """What a job gave.

    Attributes:
        job: The job, with its steps, task ids, credits and seconds.
        objects: Its objects in the scene, as far as they are still there.
        images: Its images in the file, likewise.
        files: The files that were fetched, by what they are ("model", "rendered_image", ...).
        answer: What a question was answered; empty for all others.
        task_id: The last task; the fields that take the task of another operation take it.
    """

    job: JobView
    objects: list[bpy.types.Object]
    images: list[bpy.types.Image]
    files: dict[str, Path]
    answer: str
    task_id: str


class _State:
    """Who watches, and the job that was started last."""

    def __init__(self) -> None:
        self.watchers: list[Watcher] = []
        self.last_job = ""
        self.last_jobs: list[str] = []


_state = _State()


def start(capability: str, *, objects: Sequence[bpy.types.Object] | None = None, **fields: Any) -> str:
    """Starts a job and returns its id at once, also where there is no window. The same operator does it as a button.

    Args:
        capability: The name of an operator, such as ``"texture"``.
        objects: What it works on; the selection when left out, which stays as it is in any case.
        fields: What the operator takes: the fields of the request, a file as its path, and where the result goes.

    Raises:
        BadRequest: There is no such operation, or a field is wrong, missing or unknown.
        Refused: It cannot be started; the message says what to do.
    """
    (job_id,) = operator_call.start_jobs(capability, objects, fields)
    return job_id


def start_each(capability: str, *, objects: Sequence[bpy.types.Object] | None = None, **fields: Any) -> list[str]:
    """Starts a job for each of the objects (or of what is selected); returns their ids. See :func:`start`.

    What came from one task together gets one job.
    """
    return operator_call.start_jobs(capability, objects, {**fields, "each": True})


@overload
def wait(jobs: str, on_change: Watcher | None = None, *, timeout: float | None = None) -> JobView: ...
@overload
def wait(
    jobs: Iterable[str], on_change: Watcher | None = None, *, timeout: float | None = None
) -> dict[str, JobView]: ...
def wait(
    jobs: str | Iterable[str], on_change: Watcher | None = None, *, timeout: float | None = None
) -> JobView | dict[str, JobView]:
    """Waits until jobs are done and their results are in the scene. With a window, Blender stands still meanwhile.

    Args:
        jobs: The id of a job, or several.
        on_change: Called with a job whenever it looks different.
        timeout: Seconds; as long as it takes when left out.

    Returns:
        The job as it looks at its end; of several, all of them by their ids.

    Raises:
        JobFailed: One did not come to a good end; the others have come to theirs.
        StillRunning: They are not done in time; they go on.
        Refused: There is no such job.
    """
    job_ids = [jobs] if isinstance(jobs, str) else list(jobs)
    until = None if timeout is None else time.monotonic() + timeout
    ended = follow(job_ids, on_change, stopped=lambda: until is not None and time.monotonic() > until)
    running = [job_id for job_id in job_ids if job_id not in ended or not _rests(ended[job_id])]
    if running:
        raise StillRunning(running, timeout or 0.0)
    for job in ended.values():
        if job.stage is not Stage.APPLIED:
            raise JobFailed(job)
    return ended[jobs] if isinstance(jobs, str) else ended


def results(job_id: str = "") -> JobResults:
    """What a job (the last one, when left out) gave.

    Raises:
        JobFailed: It did not come to a good end.
        StillRunning: It is not done.
        Refused: There is no such job.
    """
    job_id = job_id or _state.last_job
    job = state.jobs.get(job_id)
    if job is None:
        raise _unknown(job_id)
    if job.stage is not Stage.APPLIED:
        raise JobFailed(job) if _rests(job) else StillRunning([job_id], job.seconds)
    files = {name: Path(path) for name, path in job.files}
    task_id = job.steps[-1].task_id if job.steps else ""
    return JobResults(job, result_objects(job_id), result_images(job_id), files, job.answer, task_id)


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


def follow(
    job_ids: Iterable[str], on_change: Watcher | None = None, *, stopped: Callable[[], bool] = lambda: False
) -> dict[str, JobView]:
    """Drives the pump until the jobs have ended or cannot go on by themselves, and returns them however they ended.

    Args:
        job_ids: The jobs to wait for.
        on_change: Called with a job whenever it looks different; beside the watchers of :func:`watching`.
        stopped: Asked often; when it says True the wait ends, and the jobs go on.

    Raises:
        Refused: There is no such job.
    """
    followed = list(job_ids)
    seen: dict[str, JobView] = {}
    while not stopped():
        all_told = session.news.empty()
        wanted = pump.tick()
        for job_id in followed:
            if all_told and _is_unknown(job_id):
                raise _unknown(job_id)
            job = state.jobs.get(job_id)
            if job is not None and job != seen.get(job_id):
                seen[job_id] = job
                for watcher in [*_state.watchers, *([on_change] if on_change else [])]:
                    watcher(job)
        if all(job_id in seen and _rests(seen[job_id]) for job_id in followed):
            break
        # A result comes in piece by piece, one with each call.
        time.sleep(pump.SHORT_LOOK_SECONDS if wanted == pump.QUICK_INTERVAL else LOOK_SECONDS)
    return seen


def _is_unknown(job_id: str) -> bool:
    """Whether there is no such job, as far as that can be told by now."""
    runtime = session.ready
    return job_id not in state.jobs and runtime is not None and runtime.is_open and not runtime.busy


def _unknown(job_id: str) -> Refused:
    return Refused(f'There is no job "{job_id}"' if job_id else "No job was started yet")


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
