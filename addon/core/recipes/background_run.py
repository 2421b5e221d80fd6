"""A run of a recipe on a thread of its own, while Blender goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from ....vendor.background_blender import BlenderTrouble
from ..errors import CoreError, Refused
from ..jobs.job import Action, Delivery, JobPlan, JobView, SourceKind
from ..jobs.staged_files import bring_in, with_moved_files
from ..log import logger
from ..paths import Locations
from ..requests.prices import Price
from ..settings import Settings
from ..stages.converter import BackgroundConverter
from .contact_sheet import write_contact_sheet
from .output_files import OutputWriter
from .pictures import BackgroundPictures
from .planning import make_plan
from .recipe import ModelInput
from .recipe_file import read_recipe
from .recipe_plan import PlannedJob, RecipePlan
from .run import Jobs, Progress, RecipeRun, state_path
from .run_state import RunState

log = logger(__name__)

Result = TypeVar("Result")

_LOOK_SECONDS = 0.3


class RecipeCall(NamedTuple):
    """What was asked for.

    Attributes:
        path: The recipe.
        given: The values of its variables; see :func:`.planning.make_plan`.
        folder: Where results go.
        delivery: Where the source is in the scene, and where results go there; None for a recipe without a source.
        into_scene: Whether they go there.
    """

    path: Path
    given: Mapping[str, Any]
    folder: Path
    delivery: Delivery | None = None
    into_scene: bool = True


def brought_in(call: RecipeCall, staged: Path, data_dir: Path) -> RecipeCall:
    """The call as it reads when the files that were written for it lie in the data folder, where they are put.

    Raises:
        Refused: They cannot be put there.
    """
    given = dict(call.given)
    for name, value in given.items():
        if isinstance(value, ModelInput):
            plan, moves = with_moved_files(JobPlan("", value.source, (), Delivery()), staged, data_dir)
            bring_in(moves)
            given[name] = value._replace(source=plan.source)
    return call._replace(given=given)


class RecipeProgress(NamedTuple):
    """How far a run is: jobs that have ended, and all; a few words; and the jobs of it that there are."""

    ended: int
    total: int
    words: str
    job_ids: tuple[str, ...]


class RecipeEnd(NamedTuple):
    """How a run ended: its files, the picture of all, what went wrong in sentences, and what it was charged."""

    name: str
    files: tuple[str, ...]
    picture: str
    errors: tuple[str, ...]
    unchanged: int
    total: int
    job_ids: tuple[str, ...]
    exit_code: int


class WithRuntime(Protocol):
    """Who has a runtime that another thread works with."""

    def with_runtime(self, command: Callable[[Any], Result]) -> Future[Result]:
        """Does something with the runtime on its thread."""


class Stopped(Exception):
    """Blender ends, or another data folder was chosen. The jobs go on by themselves."""


class _RuntimeJobs:
    """The jobs of a runtime that belongs to another thread."""

    def __init__(self, owner: WithRuntime, stopped: Callable[[], bool]) -> None:
        self._owner = owner
        self._stopped = stopped

    def submit(self, plan: JobPlan, *, job_id: str = "") -> str:
        return str(self._ask(lambda runtime: runtime.submit(plan, job_id=job_id)))

    def known_job(self, job_id: str) -> JobView:
        view: JobView = self._ask(lambda runtime: runtime.known_job(job_id))
        return view

    def act(self, job_id: str, action: Action) -> None:
        self._ask(lambda runtime: runtime.act(job_id, action))

    def price_of(self, capability: str, fields: Mapping[str, Any]) -> Price | None:
        price: Price | None = self._ask(lambda runtime: runtime.price_of(capability, fields))
        return price

    def _ask(self, command: Callable[[Any], Any]) -> Any:
        future = self._owner.with_runtime(command)
        while not self._stopped():
            try:
                return future.result(_LOOK_SECONDS)
            except TimeoutError:
                if future.done():
                    raise
        raise Stopped


def carry_out(
    call: RecipeCall,
    settings: Settings,
    owner: WithRuntime,
    tell: Callable[[RecipeProgress], None],
    stopped: Callable[[], bool],
) -> RecipeEnd:
    """Runs a recipe to its end. To be called on a thread that may wait.

    Args:
        call: What was asked for.
        settings: The connection and the data folder.
        owner: Has the runtime.
        tell: Takes how far it is.
        stopped: Whether to leave off.

    Raises:
        CoreError: It cannot be started; nothing was sent.
        Stopped: It was left off.
    """
    plan = make_plan(read_recipe(call.path), call.given, call.folder, region=settings.region)
    pictures = BackgroundPictures(lambda: settings.blender)
    writer = OutputWriter(Locations(settings.data_dir), BackgroundConverter(lambda: settings.blender), pictures)
    jobs: Jobs = _RuntimeJobs(owner, stopped)
    state = RunState(state_path(plan))
    state.lock()
    try:
        run = RecipeRun(plan, jobs, state, writer, settings.service_id, delivery=lambda job: _delivery(call, plan, job))
        try:
            while run.advance():
                tell(_progress(run))
                if stopped():
                    raise Stopped
                time.sleep(_LOOK_SECONDS)
        except OSError as error:
            raise Refused(f"{call.folder} cannot be written: {error.strerror or error}") from error
        return _end(run, _picture(run, writer, pictures))
    finally:
        state.close()


def _delivery(call: RecipeCall, plan: RecipePlan, job: PlannedJob) -> Delivery:
    """Into the scene comes what nothing else is made of, but for files of another kind."""
    from ....vendor.assetgen.contract import capability

    if call.delivery is not None and job.source is not None and job.source.kind is SourceKind.SELECTION:
        return call.delivery  # nothing comes in, but the objects are known to be what this task has
    if call.delivery is None or not call.into_scene or capability(job.capability).file_kinds is not None:
        return Delivery()
    follows = [other for other in plan.jobs if job.key in other.waits_for]
    if any(capability(other.capability).file_kinds is None for other in follows):
        return Delivery()
    return call.delivery


def _progress(run: RecipeRun) -> RecipeProgress:
    outcomes = run.outcomes.values()
    ended = sum(item.progress not in (Progress.WAITING, Progress.RUNNING) for item in outcomes)
    running = next((key for key, item in run.outcomes.items() if item.progress is Progress.RUNNING), "")
    return RecipeProgress(ended, len(run.outcomes), running, _job_ids(run))


def _end(run: RecipeRun, picture: Path | None) -> RecipeEnd:
    outcomes = run.outcomes
    return RecipeEnd(
        run.plan.recipe.name,
        tuple(path for outcome in outcomes.values() for path in outcome.files),
        str(picture or ""),
        tuple(f"{key}: {outcome.error}" for key, outcome in outcomes.items() if outcome.error),
        sum(outcome.progress is Progress.UNCHANGED for outcome in outcomes.values()),
        len(outcomes),
        _job_ids(run),
        int(run.exit_code),
    )


def _job_ids(run: RecipeRun) -> tuple[str, ...]:
    """The jobs that are of this run and of no earlier one."""
    return tuple(
        outcome.job_id
        for outcome in run.outcomes.values()
        if outcome.job_id and outcome.progress is not Progress.UNCHANGED
    )


def _picture(run: RecipeRun, writer: OutputWriter, pictures: BackgroundPictures) -> Path | None:
    try:
        return write_contact_sheet(run, writer, pictures)
    except (CoreError, BlenderTrouble, OSError) as error:  # the results are there all the same
        log.warning("there is no picture of all results: %s", error)
        return None
