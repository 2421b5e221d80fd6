"""Runs a recipe: each of its jobs once, in their order, and only those that are missing or have changed.

Nothing here waits: :meth:`RecipeRun.advance` does what can be done now. Whoever has it calls it again when jobs have
moved on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ....vendor.background_blender import BlenderTrouble
from ..errors import CoreError, Refused
from ..jobs.job import RESTING, Action, Delivery, JobPlan, JobView, Source, SourceKind, Stage, StepPlan
from ..jobs.job_ids import new_job_id
from ..requests.prices import Price
from ..status.error_messages import ExitCode, present
from .fingerprints import Fingerprints
from .output_files import JobFiles, OutputWriter
from .recipe_plan import PlannedJob, RecipePlan
from .run_state import JobState, RunState

_ENDED_WELL = frozenset({Stage.APPLIED, Stage.READY})


class Jobs(Protocol):
    """The jobs of a data folder, as a :class:`.runtime.runtime.Runtime` has them."""

    def submit(self, plan: JobPlan, *, job_id: str = "") -> str:
        """Enters a job."""

    def known_job(self, job_id: str) -> JobView:
        """A job, on the list or not; LookupError where there is none."""

    def act(self, job_id: str, action: Action) -> None:
        """Does something with a job that rests."""

    def price_of(self, capability: str, fields: Mapping[str, Any]) -> Price | None:
        """What a task will cost; None where nothing is known."""


class Progress(StrEnum):
    """Where a job of a recipe stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    UNCHANGED = "unchanged"
    FAILED = "failed"
    SKIPPED = "skipped"


class JobOutcome(NamedTuple):
    """How far a job of a recipe is.

    Attributes:
        progress: Where it stands.
        job_id: Of the journal; empty as long as there is none.
        files: Where its results are, once they are written.
        made: What it gave, in its own folder, by key.
        error: Why it did not end well, in a sentence, and its exit code.
        exit_code: 0 for one that did.
        credits: What it was charged in this run; empty where that is not known.
    """

    progress: Progress = Progress.WAITING
    job_id: str = ""
    files: tuple[str, ...] = ()
    made: Mapping[str, str] = {}
    error: str = ""
    exit_code: int = 0
    credits: str = ""


class RecipeRun:
    """One run of a recipe. Belongs to one thread.

    Args:
        plan: The recipe with its values.
        jobs: The jobs of the data folder.
        state: What is known of earlier runs; locked.
        writer: Writes results.
        service_id: The service that is asked.
        max_credits: Nothing is started that would make the sum larger; None for no limit.
        delivery: Where the result of a job goes beside its files.
        new_id: Names the next job.
    """

    def __init__(
        self,
        plan: RecipePlan,
        jobs: Jobs,
        state: RunState,
        writer: OutputWriter,
        service_id: str,
        *,
        max_credits: Decimal | None = None,
        delivery: Callable[[PlannedJob], Delivery] = lambda job: Delivery(),
        new_id: Callable[[], str] = new_job_id,
    ) -> None:
        self.plan = plan
        self._jobs = jobs
        self._state = state
        self._writer = writer
        self._fingerprints = Fingerprints(service_id)
        self._max_credits = max_credits
        self._delivery = delivery
        self._new_id = new_id
        self._prints: dict[str, str] = {}
        self.outcomes: dict[str, JobOutcome] = {job.key: JobOutcome() for job in plan.jobs}

    def fingerprint(self) -> None:
        """Reads all files that jobs depend on. It is done by the first :meth:`advance` where it was not before.

        Raises:
            Refused: One cannot be read.
        """
        for job in self.plan.jobs:
            if job.key not in self._prints:
                try:
                    print_ = self._fingerprints.of(job)
                except OSError as error:
                    raise Refused(f"{error.filename} cannot be read: {error.strerror or error}") from error
                if print_ is not None:
                    self._prints[job.key] = print_

    def fingerprint_of(self, job: PlannedJob) -> str:
        """Of a job that can be started: tells whether its result would be the same."""
        return self._prints[job.key]

    def is_unchanged(self, job: PlannedJob) -> bool:
        """Whether the result of a job is there already, so that nothing is started for it."""
        self.fingerprint()
        known = self._state.job(job.key)
        if known is None or known.fingerprint != self._prints.get(job.key) or not known.is_done:
            return False
        return self._is_written(job, known) or JobFiles(known.job_id, job.title, known.files).are_there

    def advance(self, *, begins: bool = True) -> bool:
        """Starts what can be started and takes what has ended; whether there is something to wait for.

        Args:
            begins: Whether anything may be started; without it, what runs is all that there is to wait for.

        Raises:
            OSError: The state cannot be written.
        """
        self.fingerprint()
        for job in self.plan.jobs:
            outcome = self.outcomes[job.key]
            if outcome.progress is Progress.WAITING and begins:
                before = [self.outcomes[key].progress for key in job.waits_for]
                if any(progress in (Progress.FAILED, Progress.SKIPPED) for progress in before):
                    self.outcomes[job.key] = JobOutcome(Progress.SKIPPED)
                elif all(progress in (Progress.DONE, Progress.UNCHANGED) for progress in before):
                    self._begin(job)
            elif outcome.progress is Progress.RUNNING:
                self._follow(job)
        open_ = (Progress.WAITING, Progress.RUNNING) if begins else (Progress.RUNNING,)
        return any(outcome.progress in open_ for outcome in self.outcomes.values())

    @property
    def exit_code(self) -> int:
        """0 when all went well, else that of the first job that did not."""
        codes = [outcome.exit_code for outcome in self.outcomes.values() if outcome.exit_code]
        return codes[0] if codes else ExitCode.DONE

    @property
    def credits(self) -> Decimal:
        """What the jobs of this run were charged, as far as the service has said."""
        return sum((Decimal(item.credits) for item in self.outcomes.values() if item.credits), Decimal(0))

    # A job

    def _begin(self, job: PlannedJob) -> None:
        self.fingerprint()  # a selection that was uploaded has one now
        known = self._state.job(job.key)
        if known is not None and known.fingerprint == self._prints[job.key]:
            if known.is_done:
                if self.is_unchanged(job):
                    self._finish(job, known, Progress.UNCHANGED)
                    return
            elif self._resume(job, known):
                return
        self._start(job, JobState(self._prints[job.key], self._new_id(), written=known.written if known else ()))

    def _resume(self, job: PlannedJob, known: JobState) -> bool:
        """Goes on with a job that an earlier run has started; False where a new one is needed."""
        try:
            view = self._jobs.known_job(known.job_id)
        except LookupError:  # the run ended before the job was entered
            self._start(job, known)
            return True
        self.outcomes[job.key] = JobOutcome(Progress.RUNNING, known.job_id)
        if view.stage in RESTING and view.stage not in _ENDED_WELL and Action.RETRY in view.actions:
            with contextlib.suppress(Refused, LookupError):
                self._jobs.act(known.job_id, Action.RETRY)
                return True
        if view.stage in (Stage.FAILED, Stage.STOPPED):
            return False
        self._follow(job)
        return True

    def _start(self, job: PlannedJob, state: JobState) -> None:
        if sentence := self._too_much(job):
            self._fail(job, sentence, ExitCode.NO_CREDITS)
            return
        self._state.put(job.key, state)  # before the job is entered: a run that is killed now finds it again
        try:
            self._jobs.submit(self._job_plan(job), job_id=state.job_id)
        except CoreError as error:
            message = present(error)
            self._fail(job, str(message), message.exit_code)
            return
        self.outcomes[job.key] = JobOutcome(Progress.RUNNING, state.job_id)

    def _follow(self, job: PlannedJob) -> None:
        outcome = self.outcomes[job.key]
        try:
            view = self._jobs.known_job(outcome.job_id)
        except LookupError:
            self._fail(job, "The job was removed while it was followed", ExitCode.FAILED)
            return
        if view.stage not in RESTING:
            return
        self.outcomes[job.key] = outcome._replace(credits=view.credits)
        if view.stage not in _ENDED_WELL:
            self._fail(job, view.error or view.text, view.exit_code or _code_of(view))
            return
        files = dict(view.files) or ({"model": view.result} if view.result else {})
        tasks = [step.task_id for step in view.steps if step.task_id]
        known = self._state.job(job.key)
        assert known is not None
        done = known._replace(is_done=True, task_id=tasks[-1] if tasks else "", files=files, credits=view.credits)
        self._finish(job, done, Progress.DONE)

    def _finish(self, job: PlannedJob, state: JobState, progress: Progress) -> None:
        """Writes what is missing of a result."""
        outcome = self.outcomes[job.key]
        made = JobFiles(state.job_id, job.title, state.files)
        try:
            if progress is Progress.DONE or not self._is_written(job, state):
                state = state._replace(written=self._writer.write(job, made, state.written))
        except (CoreError, BlenderTrouble) as error:
            message = present(error)
            self._state.put(job.key, state)
            self._fail(job, str(message), message.exit_code)
            return
        if state != self._state.job(job.key):
            self._state.put(job.key, state)
        self._fingerprints.uploaded(job, state.task_id)
        self.outcomes[job.key] = outcome._replace(
            progress=progress,
            job_id=state.job_id,
            files=tuple(item.path for item in state.written),
            made=state.files,
        )

    def _fail(self, job: PlannedJob, sentence: str, code: int) -> None:
        outcome = self.outcomes[job.key]
        self.outcomes[job.key] = outcome._replace(progress=Progress.FAILED, error=sentence, exit_code=int(code))

    def _is_written(self, job: PlannedJob, known: JobState) -> bool:
        there = {item.wanted for item in known.written if item.is_there}
        gone = {item.wanted for item in known.written if not item.is_there}
        return all(str(path) in there - gone for path in job.outputs)

    def _too_much(self, job: PlannedJob) -> str:
        """Why a job is not started although all before it is there; empty where it may be."""
        if self._max_credits is None:
            return ""
        expected = Decimal(0)
        for other in self.plan.jobs:
            outcome = self.outcomes[other.key]
            if other is job or (outcome.progress is Progress.RUNNING and not outcome.credits):
                price = self._jobs.price_of(other.capability, other.fields)
                expected += Decimal(price.credits) if price is not None else 0
        if self.credits + expected <= self._max_credits:
            return ""
        return f"It would cost more than {self._max_credits:f} credits in all, so it was not started"

    def _job_plan(self, job: PlannedJob) -> JobPlan:
        source = job.source or Source(SourceKind.NOTHING)
        if job.after:
            before = self._state.job(job.after)
            assert before is not None
            maker = next(other.capability for other in self.plan.jobs if other.key == job.after)
            source = Source(SourceKind.TASK, task_id=before.task_id, capability=maker)
        fields = {name: list(value) if isinstance(value, list) else value for name, value in job.fields.items()}
        for use in job.images:
            state = self._state.job(use.key)
            image = _main_image(state.files if state is not None else {})
            if use.place < 0:
                fields[use.field] = image
            else:
                fields[use.field][use.place] = image
        return JobPlan(job.title, source, (StepPlan(job.capability, fields),), self._delivery(job))


def _main_image(files: Mapping[str, str]) -> str:
    return next(iter(files.values()), "")


def _code_of(view: JobView) -> int:
    return ExitCode.UNCERTAIN if view.stage is Stage.UNCERTAIN else ExitCode.FAILED


def state_path(plan: RecipePlan) -> Path:
    """The file of the state of a recipe's runs, beside its results."""
    return plan.folder / f".{plan.recipe.path.stem}.run.json"
