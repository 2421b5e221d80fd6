"""A row that runs a whole recipe: its steps are jobs, and the state of the recipe lies among the row's results."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

from ..claims import begun as begun_file
from ..claims import claim_file
from ..claims.claim_file import Claim
from ..errors import CoreError, Refused
from ..jobs.job import RESTING, Action, Delivery, JobView, Stage
from ..jobs.job_ids import new_job_id
from ..jobs.records import JobRecord
from ..recipes.output_files import OutputWriter
from ..recipes.recipe_plan import PlannedJob, RecipePlan
from ..recipes.run import JobOutcome, Progress, RecipeRun, state_path
from ..recipes.run_state import JobState, RunState
from ..requests.prices import credits_text
from ..runtime.runtime import Runtime
from ..status.error_messages import ExitCode
from ..status.job_words import PICTURE
from .folder import BatchFolder, RowResult, RowState, write_result
from .left_over import clear
from .rows import Row
from .step_claims import StepSubmission, step_delivery, step_folder

_GOOD = (Progress.DONE, Progress.UNCHANGED)
_PICTURES = (".png", ".jpg", ".jpeg", ".webp")


def begun_job(runtime: Runtime, plan: RecipePlan) -> str:
    """A job of an earlier run of a row's recipe that this computer knows; empty for none."""
    state = RunState(state_path(plan))
    known = (state.job(job.key) for job in plan.jobs)
    return next((item.job_id for item in known if item is not None and runtime.record(item.job_id) is not None), "")


class RowSteps:
    """The run of a row's recipe by this program. Belongs to one thread.

    Args:
        runtime: Started.
        folder: The batch's.
        row: With a recipe; claimed.
        claim: On it.
        writer: Writes results.
        service_id: The service that is asked.
        entering: Hears of the id of each job before it is entered.

    Raises:
        Refused: Another process runs the recipe into the folder.
        OSError: The folder cannot be used.
    """

    def __init__(
        self,
        runtime: Runtime,
        folder: BatchFolder,
        row: Row,
        claim: Claim,
        writer: OutputWriter,
        service_id: str,
        entering: Callable[[str], None],
    ) -> None:
        assert row.recipe is not None
        self._runtime = runtime
        self._folder = folder
        self._row = row
        self._plan = row.recipe
        self._began_at = time.monotonic()
        self._ids = [claim.job_id] if runtime.record(claim.job_id) is None else []
        self._is_stopping = False
        self._state = RunState(state_path(self._plan))
        self._state.lock()
        try:
            jobs = StepSubmission(runtime, folder, row, claim, entering)
            self._run = RecipeRun(
                self._plan, jobs, self._state, writer, service_id, delivery=self._delivery, new_id=self._new_id
            )
            for job in self._plan.jobs:
                if (known := self._state.job(job.key)) is not None:
                    entering(self._prepare(job, known).job_id)
        except BaseException:
            self._state.close()
            raise

    def advance(self) -> bool:
        """Goes on with the recipe as far as that can be done now; whether there is something to wait for.

        Raises:
            Refused: A file cannot be read.
            OSError: The state cannot be written.
        """
        return self._run.advance(begins=not self._is_stopping)

    def stop(self, *, only_unpaid: bool) -> None:
        """Begins no more steps, and stops those that run.

        Args:
            only_unpaid: Whether those that are paid may go on to their ends.
        """
        self._is_stopping = True
        for outcome in self._run.outcomes.values():
            record = self._record(outcome)
            if outcome.progress is not Progress.RUNNING or record is None or record.stage in RESTING:
                continue
            if not (only_unpaid and record.has_paid):
                with contextlib.suppress(CoreError, LookupError):
                    self._runtime.act(record.id, Action.STOP)

    def close(self) -> None:
        """Lets others run the recipe."""
        self._state.close()

    def credits(self) -> str:
        """What all finished steps of the row were charged, in this run and before; empty where nothing is known."""
        known = [state.credits for job in self._plan.jobs if (state := self._state.job(job.key)) and state.credits]
        return credits_text(sum(map(Decimal, known), Decimal(0))) if known else ""

    def end(self) -> RowResult | None:
        """Writes down what became of the row; None for one that was stopped, which goes on when the batch is run again.

        Raises:
            OSError: It cannot be written.
        """
        outcomes = self._run.outcomes
        stopped = {key for key, outcome in outcomes.items() if self._stage(outcome) is Stage.STOPPED}
        failed = [item for key, item in outcomes.items() if item.progress is Progress.FAILED and key not in stopped]
        is_done = all(item.progress in _GOOD for item in outcomes.values())
        if not is_done and not failed:
            self._forget_unpaid(stopped)
            return None
        uncertain = [item for item in failed if item.exit_code == ExitCode.UNCERTAIN]
        word = RowState.DONE if is_done else RowState.UNCERTAIN if uncertain else RowState.FAILED
        result = self._result(word, next(iter([*uncertain, *failed]), None))
        write_result(self._row.folder, result)
        if is_done:
            clear(self._runtime, self._row, result.job)
        else:
            self._forget_failed()
        return result

    # Before

    def _prepare(self, job: PlannedJob, known: JobState) -> JobState:
        """Has a step go on as a job of this computer: its own, or one that takes over what another one began."""
        record = self._runtime.record(known.job_id)
        if known.is_done:
            is_here = all(Path(path).is_file() for path in known.files.values())
            uses = [use.key for other in self._plan.jobs for use in other.images]
            is_ready = is_here or job.key not in uses  # else its image is on another computer, and fetched again
        else:
            claim = claim_file.latest(step_folder(self._row, job.key, known.fingerprint))
            is_ready = record is not None and (claim is None or claim.job_id == known.job_id)
        if not is_ready:
            known = known._replace(is_done=False, job_id=self._new_id())
            self._state.put(job.key, known)
        elif record is not None and record.stage is Stage.UNCERTAIN:
            with contextlib.suppress(Refused, LookupError):
                self._runtime.act(known.job_id, Action.LOOK_AGAIN)
        return known

    def _delivery(self, job: PlannedJob) -> Delivery:
        return step_delivery(self._row, job.key, self._run.fingerprint_of(job))

    def _new_id(self) -> str:
        """The first new job has the id that the row is claimed with: by it this computer knows its own claims."""
        return self._ids.pop() if self._ids else new_job_id()

    # After

    def _result(self, word: str, trouble: JobOutcome | None) -> RowResult:
        view = self._view(trouble) if trouble is not None else None
        states = [state for job in self._plan.jobs if (state := self._state.job(job.key)) is not None]
        return RowResult(
            id=self._row.id,
            state=word,
            asked=self._row.asked,
            name=self._row.label,
            credits=self.credits(),
            seconds=round(time.monotonic() - self._began_at, 2),
            files=self._files(),
            tasks=tuple(state.task_id for state in states if state.task_id),
            error=trouble.error if trouble is not None else "",
            advice=view.advice if view is not None else "",
            job=trouble.job_id if trouble is not None else states[-1].job_id if states else "",
            request_id=view.request_id if view is not None else "",
            exit_code=trouble.exit_code if trouble is not None else 0,
            service=view.service_id if view is not None else "",
        )

    def _files(self) -> dict[str, str]:
        """What the recipe wrote, by name; first the picture of the last result that has one."""
        outcomes = [self._run.outcomes[job.key] for job in self._plan.jobs]
        paths = [path for outcome in outcomes for path in outcome.files]
        files = {Path(path).name: self._folder.relative(path) for path in paths}
        picture = next((path for path in reversed(paths) if path.lower().endswith(_PICTURES)), "")
        if picture:
            return {Path(picture).name: files[Path(picture).name], **files}
        shown = next((item.made[PICTURE] for item in reversed(outcomes) if item.made.get(PICTURE)), "")
        with contextlib.suppress(OSError):
            if shown:
                copy = self._row.folder / f"{self._row.id}{Path(shown).suffix}"
                shutil.copyfile(shown, copy)
                return {PICTURE: self._folder.relative(str(copy)), **files}
        return files

    def _forget_unpaid(self, stopped: set[str]) -> None:
        for job in self._plan.jobs:
            record = self._record(self._run.outcomes[job.key]) if job.key in stopped else None
            if record is not None and not record.has_paid and not record.step.intent_is_open:
                begun_file.forget(self._folder_of(job), record.id)
                self._runtime.dismiss([record.id])

    def _forget_failed(self) -> None:
        """What has failed at the service is begun anew by the next run; what is paid, or may be, goes on."""
        for job in self._plan.jobs:
            outcome = self._run.outcomes[job.key]
            record = self._record(outcome) if outcome.progress is Progress.FAILED else None
            if record is None or record.stage not in (Stage.FAILED, Stage.STOPPED) or record.step.intent_is_open:
                continue
            if not record.step.task_id or record.resume is Stage.CREATE:
                begun_file.forget(self._folder_of(job))
                self._runtime.dismiss([record.id])

    def _folder_of(self, job: PlannedJob) -> Path:
        return step_folder(self._row, job.key, self._run.fingerprint_of(job))

    def _record(self, outcome: JobOutcome) -> JobRecord | None:
        return self._runtime.record(outcome.job_id) if outcome.job_id else None

    def _stage(self, outcome: JobOutcome) -> Stage | None:
        record = self._record(outcome)
        return record.stage if record is not None else None

    def _view(self, outcome: JobOutcome) -> JobView | None:
        with contextlib.suppress(LookupError):
            return self._runtime.known_job(outcome.job_id)
        return None
