"""Takes one job from stage to stage, until it has to wait or comes to rest. Errors end here, as words on the job."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping

from ....vendor.assetgen import (
    ConcurrencyError,
    InsufficientCreditsError,
    InvalidAnswerError,
    RateLimitError,
    StoppedError,
)
from ....vendor.assetgen.contract import TaskDetail
from ....vendor.background_blender import BlenderStopped, BlenderTrouble
from ..errors import Offline, WrongService
from ..jobs.job import RESTING, Stage
from ..jobs.journal import LeaseLost
from ..jobs.records import JobRecord
from ..jobs.snapshot_files import remove_snapshot
from ..limits.backoff import Backoff, is_transient
from ..limits.concurrency import Pool
from ..log import logger
from ..stages.context import Cancelled, JobContext, Postponed
from ..stages.create import create, pool_of
from ..stages.download import draw_picture, fetch, lacks_picture
from ..stages.finish import finish_step
from ..stages.upload import upload
from ..status.error_messages import ExitCode, is_full_disk, present
from .task_poller import TaskPoller

log = logger(__name__)

_STAGES: Mapping[Stage, Callable[[JobContext, JobRecord], JobRecord]] = {
    Stage.SNAPSHOT: upload,
    Stage.UPLOAD: upload,
    Stage.CREATE: create,
    Stage.DOWNLOAD: fetch,
}


class JobRunner:
    """Runs jobs, one call at a time for each; see :class:`.thread_pool.ThreadPool`.

    Args:
        context: What all jobs of the runtime are run with.
        run_soon: Has a job run again, after some seconds.

    Attributes:
        poller: Reads the tasks that jobs wait for; to be started and stopped by the owner.
    """

    def __init__(self, context: JobContext, run_soon: Callable[[str, float], None]) -> None:
        self._context = context
        self._run_soon = run_soon
        self.poller = TaskPoller(
            context.connection.client, self, failed=context.connection.failed, pause=context.timing.poll
        )
        self._streaks: dict[str, _FailureStreak] = {}

    def run(self, job_id: str) -> None:
        """Takes a job as far as it goes now."""
        try:
            record = self._context.journal.job(job_id)
            while record.owner == self._context.journal.owner and not self._context.cancel_flags.ending.is_set():
                self._context.board.changed(record)
                next_record = self._advance(record)
                if next_record is None:
                    return
                record = next_record
            if record.stage in RESTING:
                with self._context.board.expecting(job_id):
                    self._rest(record)
                    self._draw_picture(record)
        except (LookupError, LeaseLost):
            self._give_up_places(job_id)
        except sqlite3.Error as error:
            if self._context.cancel_flags.ending.is_set():
                return
            # Nothing can be recorded, so nothing may be done. What the journal says last still holds.
            log.warning("job %s: %s", job_id, error)
            self._context.board.live(job_id, text=f"{present(error)} Trying again.")
            self._run_soon(job_id, self._context.timing.journal)

    # What the poller reports, on its own thread

    def task_seen(self, job_id: str, detail: TaskDetail) -> None:
        """A task was read."""
        self._context.board.task(job_id, detail.task_id, detail.status, detail.progress)
        self._note_marker(detail)
        if detail.is_final:
            self._context.finished_tasks.put(detail)
            self._run_soon(job_id, 0.0)

    def task_unreadable(self, job_id: str, error: Exception) -> None:
        """A task cannot be read, and waiting does not help."""
        try:
            record = self._context.journal.job(job_id)
            if record.stage is Stage.WAIT and record.owner == self._context.journal.owner:
                self._rest(self._fail(record, error))
        except (LookupError, LeaseLost, sqlite3.Error) as streak:
            log.warning("job %s: %s", job_id, streak)
            self._run_soon(job_id, 5.0)

    def service_silent(self, job_ids: Iterable[str], error: Exception, retry_in: float) -> None:
        """No answer for a while; the tasks go on at the service."""
        text = f"{present(error).text}. The task goes on at the service; asking again in {retry_in:.0f} s"
        for job_id in job_ids:
            self._context.board.live(job_id, text=text)

    # Stage by stage, on one of the threads

    def _advance(self, record: JobRecord) -> JobRecord | None:
        """The job one stage on, or None when it waits for something."""
        context = self._context
        if record.asked_to_stop:
            return self._stop(record)
        try:
            if record.stage is Stage.WAIT:
                return self._wait_for_task(record)
            next_record = _STAGES[record.stage](context, record)
        except Postponed as postponed:
            if postponed.text:
                context.board.live(record.id, text=postponed.text)
            if postponed.seconds is not None:
                self._run_soon(record.id, postponed.seconds)
            return None
        except (Cancelled, StoppedError, BlenderStopped):
            return None if context.cancel_flags.ending.is_set() else context.journal.job(record.id)
        except (LeaseLost, sqlite3.Error):
            raise
        except Exception as error:
            if context.cancel_flags.ending.is_set():
                return None
            return self._handle_error(record, error)
        self._streaks.pop(record.id, None)
        return next_record

    def _note_marker(self, detail: TaskDetail) -> None:
        try:
            self._context.markers.seen(detail)
        except sqlite3.Error as error:  # the next task tells the same
            log.warning("task %s: what became of its marker could not be noted: %s", detail.task_id, error)

    def _wait_for_task(self, record: JobRecord) -> JobRecord | None:
        context, task_id = self._context, record.step.task_id
        detail = context.finished_tasks.take(task_id)
        if detail is None:
            context.concurrency.occupy(record.id, pool_of(record))
            if record.step.marker and not record.step.unmarked:
                context.markers.expect(task_id, record.service_id, record.step.marker)
            self.poller.watch(record.id, task_id, record.service_id, age=time.time() - record.step.answered_at)
            return None
        next_record = finish_step(context, record, detail)
        self._give_up_places(record.id, pool_of(next_record) if next_record.stage is Stage.CREATE else None)
        return next_record

    def _handle_error(self, record: JobRecord, error: Exception) -> JobRecord | None:
        context = self._context
        context.conversions.leave(record.id)  # it may wait for long before it asks again
        context.connection.failed(error)
        record = context.journal.job(record.id)
        if is_transient(error):
            streak = self._streaks.setdefault(record.id, _FailureStreak())
            if streak.lasts_less_than(self._patience_for(record, error)):
                seconds = streak.backoff.next(error)
                message = present(error)
                advice = "Trying again"
                if isinstance(error, Offline | WrongService):
                    advice = message.advice
                elif record.step.intent_is_open:
                    advice = "An answer was lost; nothing is sent until the service says whether the task exists"
                context.board.live(record.id, text=f"{message.text}. {advice}.")
                self._run_soon(record.id, seconds)
                return None
        self._streaks.pop(record.id, None)
        if not is_full_disk(error):
            log.info("job %s failed in %s: %s", record.id, record.stage, error, exc_info=not is_transient(error))
        return self._fail(record, error)

    def _patience_for(self, record: JobRecord, error: Exception) -> float:
        if isinstance(error, Offline | WrongService | RateLimitError | ConcurrencyError):
            return float("inf")  # waiting is all there is to do, and the text says for what
        if record.step.intent_is_open:
            return float("inf")  # there may be a task that is paid for, and only the service can say so
        timing = self._context.timing
        if record.has_paid:
            return timing.unreachable_paid
        # A page of something else, where the service's answer should be: the address is wrong.
        return 0.0 if isinstance(error, InvalidAnswerError) else timing.unreachable

    def _fail(self, record: JobRecord, error: BaseException) -> JobRecord:
        needed = ""
        if isinstance(error, InsufficientCreditsError):
            needed = self._context.journal.charges.last(record.service_id, record.step.capability)
        message = present(error, needed=needed, capability=record.step.capability)
        return self._context.journal.change(
            record.id,
            stage=Stage.FAILED,
            resume=record.stage,
            text="",
            **message.columns(),
        )

    def _stop(self, record: JobRecord) -> JobRecord:
        self.poller.forget(record.id)
        return self._context.journal.change(
            record.id,
            stage=Stage.STOPPED,
            resume=record.stage,
            asked_to_stop=0,
            text=_stopped_text(record),
            exit_code=ExitCode.INTERRUPTED,
        )

    def _rest(self, record: JobRecord) -> None:
        if record.stage is Stage.APPLIED:
            remove_snapshot(record.plan.source, self._context.locations.data_dir)
        # Whoever counts what has failed must know before the next in line gets the place.
        self._context.board.changed(record)
        self._give_up_places(record.id)

    def _draw_picture(self, record: JobRecord) -> None:
        if not lacks_picture(record):
            return
        try:
            draw_picture(self._context, record)
        except Postponed as postponed:  # by others, which are busy until its turn has come
            self._run_soon(record.id, postponed.seconds or 0.0)
        except (BlenderTrouble, OSError) as error:  # the result is there all the same
            log.info("job %s: no picture of it could be drawn: %s", record.id, error)

    def _give_up_places(self, job_id: str, next_pool: Pool | None = None) -> None:
        """Gives back all that a job holds or stands in line for, but for its place in the line of its next task."""
        context = self._context
        context.cancel_flags.jobs.discard(job_id)
        context.rate_limiter.leave(job_id)
        context.conversions.leave(job_id)
        if next_pool is None:
            context.concurrency.leave(job_id)
        else:
            context.concurrency.go_on(job_id, next_pool)


def _stopped_text(record: JobRecord) -> str:
    if record.stage is Stage.WAIT:
        return "Not watched any more. The service goes on with the task and charges for it; Retry watches it again"
    if record.stage is Stage.DOWNLOAD:
        return "Stopped. The result is paid and stays at the service for now; Retry fetches it"
    if record.step.intent_is_open:
        return (
            "Stopped. If the last request reached the service, its task goes on there and is charged; Retry finds out"
        )
    if record.has_paid:
        return "Stopped before the next task. Those that were done are charged, no other will be"
    return "Stopped. No task was started and nothing is charged"


class _FailureStreak:
    """Failures in a row of one job."""

    def __init__(self) -> None:
        self.since = time.monotonic()
        self.backoff = Backoff()

    def lasts_less_than(self, seconds: float) -> bool:
        return time.monotonic() - self.since < seconds
