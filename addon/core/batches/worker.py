"""Works rows off: a window of them at a time, so that a table of any length takes the same memory."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Iterator
from decimal import Decimal
from queue import Empty
from typing import NamedTuple, Protocol

from ..claims import claim_file
from ..errors import CoreError, Refused
from ..jobs.job import RESTING, Action, JobView, Stage
from ..log import logger
from ..recipes.output_files import OutputWriter
from ..requests.prices import credits_text
from ..runtime.runtime import Runtime
from ..status.error_messages import ExitCode
from ..status.messages import JobChanged
from .folder import BatchFolder, RowResult, RowState, read_result, write_result
from .heartbeat import Heartbeat
from .left_over import clear_left_over
from .limits import Admission, Budget
from .news import BatchNews
from .pace import Pace, Progress
from .recipe_run import RowSteps
from .row_run import Begin, RowRun, claim_row, end_row, is_over, leave_row, refused_result, start_row
from .rows import Row

log = logger(__name__)

AT_ONCE = 32
"""Rows that this program has under way: more than any pool of the service takes, and less than one look asks for."""

_LOOK_SECONDS = 0.25
_HELD_SECONDS = 2.0
_HOPELESS = frozenset({ExitCode.NOT_AUTHORISED, ExitCode.NO_CREDITS})
"""What every further row would end with as well."""


class BatchListener(Protocol):
    """Hears how a batch goes."""

    def row_changed(self, row: Row, job: JobView) -> None:
        """A row looks different from before."""

    def row_ended(self, result: RowResult, line: int) -> None:
        """A row of this program has ended."""

    def progress(self, progress: Progress) -> None:
        """How far it is; called a few times a second."""


class Ended(NamedTuple):
    """How a run of a batch ended. ``stopped`` says why rows were left, and is empty where none were."""

    done: int
    failed: int
    uncertain: int
    credits: str
    stopped: str = ""
    exit_code: int = 0


class BatchWorker:
    """One program's share of a batch.

    Args:
        runtime: Started, with ``news`` as its queue; all requests go through it.
        news: What the runtime tells.
        folder: The batch's.
        listener: Hears how it goes.
        total: How many rows there are.
        budget: What may be spent.
        most_failures: With so many failed rows nothing more is begun; None for no limit.
        at_once: Rows under way at a time.
        writer: Writes results of recipes; only for rows that have one.
        service_id: The service that is asked.
    """

    def __init__(
        self,
        runtime: Runtime,
        news: BatchNews,
        folder: BatchFolder,
        listener: BatchListener,
        *,
        total: int,
        budget: Budget,
        most_failures: int | None = None,
        at_once: int = AT_ONCE,
        writer: OutputWriter | None = None,
        service_id: str = "",
    ) -> None:
        self._runtime = runtime
        self._news = news
        self._folder = folder
        self._listener = listener
        self._total = total
        self._budget = budget
        self._most_failures = most_failures
        self._at_once = at_once
        self._writer = writer
        self._service_id = service_id
        self._pace = Pace()
        self._heartbeat = Heartbeat(folder.claim_seconds)
        self._runs: dict[str, RowRun] = {}
        self._step_runs: dict[str, RowRun] = {}
        self._next_advance = 0.0
        self._held: deque[Row] = deque()
        self._next_look = 0.0
        self._counts = {RowState.DONE: 0, RowState.FAILED: 0, RowState.UNCERTAIN: 0}
        self._failed_jobs: set[str] = set()
        self._stopped = ""
        self._exit_code = ExitCode.DONE
        news.failed = self._note_failure

    def run(self, rows: Iterator[Row]) -> Ended:
        """Works rows off until all of them have ended, here or elsewhere, or a limit is reached.

        Args:
            rows: Those that this program looks at; they were checked.
        """
        self._heartbeat.start()
        waiting = _PeekedRows(rows)
        try:
            while True:
                self._begin_rows(waiting)
                if not self._runs and (self._stopped or (waiting.is_empty and not self._held)):
                    return self._ended()
                self._hear()
                self._advance_all()
                self._give_up_lost()
                self._listener.progress(self._progress())
        finally:
            self._leave()

    # Beginning

    def _begin_rows(self, waiting: _PeekedRows) -> None:
        while not self._stopped and len(self._runs) < self._at_once:
            row = waiting.peek()
            if row is None:
                break
            if not self._begin(row):
                return
            waiting.drop()
        if not self._stopped and self._held and time.monotonic() >= self._next_look:
            self._look_at_held()

    def _look_at_held(self) -> None:
        """Those that other programs had: some are done by now, and a dead program's are free."""
        for _ in range(len(self._held)):
            if self._stopped or len(self._runs) >= self._at_once or not self._begin(self._held[0], again=True):
                break
            self._held.popleft()
        self._next_look = time.monotonic() + _HELD_SECONDS

    def _begin(self, row: Row, *, again: bool = False) -> bool:
        """Begins a row, or puts it aside; False when it is not its time yet."""
        try:
            if is_over(self._folder, row):
                self._count_over(row)
                return True
            price = self._price(row) if self._budget.most is not None else None
            match self._budget.admit(price):
                case Admission.LATER:
                    return False
                case Admission.NEVER:
                    left = f"{self._budget.most} credits are the limit, {credits_text(self._budget.spent)} are spent"
                    self._stop(f"{left}, and row {row.id} would cost {price or 'an unknown amount'}")
                    self._exit_code = max(self._exit_code, ExitCode.NO_CREDITS)
                    return False
            claimed = claim_row(self._runtime, self._folder, row)
            if claimed is Begin.HELD:
                self._held.append(row)
                return True
            if not isinstance(claimed, RowRun):
                self._count_over(row)
                return True
        except Refused as error:
            self._refuse(row, error)
            return True
        except OSError as error:
            log.warning("row %s: %s", row.id, error)
            self._held.append(row)
            return True
        self._start(claimed, price)
        return True

    def _start(self, run: RowRun, price: str | None) -> None:
        self._runs[run.job_id] = run
        self._budget.set_aside(run.job_id, price)
        self._heartbeat.hold(run.row.folder, run.claim)
        try:
            if run.row.recipe is not None:
                self._start_recipe(run)
                return
            start_row(self._runtime, self._folder, run)
            self._end_if_resting(self._runtime.job(run.job_id))
        except Refused as error:
            self._budget.release(run.job_id)
            self._refuse(run.row, error)
            self._release(run)
        except OSError as error:
            log.warning("row %s: %s", run.row.id, error)
            self._budget.release(run.job_id)
            self._release(run)
            self._held.append(run.row)

    def _price(self, row: Row) -> str | None:
        """What a row will cost; None where that is not known of one of its steps."""
        prices = [self._runtime.price_of(capability, fields) for capability, fields in row.requests]
        if any(price is None for price in prices):
            return None
        return credits_text(sum((Decimal(price.credits) for price in prices if price), Decimal(0)))

    # Rows with a recipe

    def _start_recipe(self, run: RowRun) -> None:
        assert self._writer is not None
        try:
            run.steps = RowSteps(
                self._runtime,
                self._folder,
                run.row,
                run.claim,
                self._writer,
                self._service_id,
                lambda job_id: self._step_runs.update({job_id: run}),
            )
        except Refused as error:  # another process has it, which no claim tells: assetgen run
            raise OSError(str(error)) from error
        self._advance(run, run.steps)

    def _advance_all(self) -> None:
        """Now and then, should there have been no news of what has changed."""
        if time.monotonic() < self._next_advance:
            return
        self._next_advance = time.monotonic() + _HELD_SECONDS
        for run in list(self._runs.values()):
            if run.steps is not None:
                self._advance(run, run.steps)

    def _advance(self, run: RowRun, steps: RowSteps) -> None:
        """Goes on with a row's recipe, and ends the row where nothing is left to wait for."""
        try:
            if steps.advance():
                return
            is_ours = self._is_ours(run)
            result = steps.end() if is_ours else None
        except Refused as error:
            self._budget.release(run.job_id)
            self._release(run)
            self._refuse(run.row, error)
            return
        except OSError as error:  # the drive is away: what runs goes on, and is looked at again
            log.warning("row %s: %s", run.row.id, error)
            self._budget.settle(run.job_id, steps.credits() or "0")
            self._release(run)
            self._held.append(run.row)
            return
        self._budget.settle(run.job_id, steps.credits() or "0" if result is None else result.credits)
        self._release(run)
        if result is None:
            if not is_ours:
                self._held.append(run.row)
            return
        if result.state == RowState.FAILED:
            self._note_failure(run.row.id)
        self._count(result, run.row.line)
        self._stop_if_hopeless(result.id, result.exit_code, result.error)

    # Ending

    def _hear(self) -> None:
        with contextlib.suppress(Empty):
            message = self._news.get(timeout=_LOOK_SECONDS)
            while True:
                if isinstance(message, JobChanged):
                    self._take(message.job)
                message = self._news.get_nowait()

    def _take(self, job: JobView) -> None:
        run = self._runs.get(job.id) or self._step_runs.get(job.id)
        if run is None:
            return
        self._listener.row_changed(run.row, job)
        if run.steps is None:
            self._end_if_resting(self._as_it_is(job))
        elif job.stage in RESTING:
            self._advance(run, run.steps)

    def _as_it_is(self, job: JobView) -> JobView:
        """A job that a message tells of, as it is now: it may tell how an earlier run has left what goes on by now."""
        with contextlib.suppress(LookupError):
            return self._runtime.job(job.id)
        return job

    def _end_if_resting(self, job: JobView) -> None:
        run = self._runs.get(job.id)
        if run is None or run.steps is not None or job.stage not in RESTING:
            return
        is_ours = self._is_ours(run)
        if job.stage is Stage.STOPPED or not is_ours:
            self._budget.release(run.job_id)
            leave_row(self._runtime, run)
            self._release(run)
            if not is_ours:
                self._held.append(run.row)
            return
        try:
            result = end_row(self._runtime, self._folder, run, job)
        except (OSError, CoreError) as error:
            log.warning("row %s: %s", run.row.id, error)
            message = Refused(f"What became of it could not be written: {error}", "Run the batch again")
            result = refused_result(run.row, message)
        self._budget.settle(job.id, job.credits)
        self._release(run)
        self._count(result, run.row.line)
        if job.stage is Stage.FAILED:
            self._stop_if_hopeless(run.row.id, job.exit_code, job.error)

    def _stop_if_hopeless(self, row_id: str, exit_code: int, error: str) -> None:
        if exit_code in _HOPELESS:
            self._exit_code = max(self._exit_code, ExitCode(exit_code))
            self._stop(f"Every further row would end like row {row_id}: {error}")

    def _refuse(self, row: Row, error: Refused) -> None:
        result = refused_result(row, error)
        with contextlib.suppress(OSError):
            write_result(row.folder, result)
        self._note_failure(row.id)
        self._count(result, row.line)

    def _count(self, result: RowResult, line: int) -> None:
        self._counts[result.state] += 1
        self._pace.ended()
        if result.state == RowState.FAILED:
            self._exit_code = max(self._exit_code, ExitCode.FAILED)
        elif result.state == RowState.UNCERTAIN:
            self._exit_code = max(self._exit_code, ExitCode.UNCERTAIN)
        self._listener.row_ended(result, line)

    def _count_over(self, row: Row) -> None:
        """A row that was done before, or by another program."""
        result = read_result(row.folder)
        if result is not None:
            self._counts[result.state] += 1
            if result.state == RowState.DONE:
                clear_left_over(self._runtime, row, result.job)
            else:
                self._exit_code = max(self._exit_code, ExitCode.FAILED)

    def _is_ours(self, run: RowRun) -> bool:
        try:
            return not run.is_lost and claim_file.is_held(run.row.folder, run.claim)
        except OSError:
            return True

    def _release(self, run: RowRun) -> None:
        self._runs.pop(run.job_id, None)
        if run.steps is not None:
            run.steps.close()
            for job_id in [job_id for job_id, other in self._step_runs.items() if other is run]:
                del self._step_runs[job_id]
        self._heartbeat.let_go(run.row.folder)
        claim_file.give_back(run.row.folder, run.claim)

    def _give_up_lost(self) -> None:
        """Rows that others have taken meanwhile: what they pay for is theirs, and ours must not go on. Once our jobs
        for them rest, they are put aside.
        """
        lost = set(self._heartbeat.take_lost())
        for run in [run for run in self._runs.values() if run.row.folder in lost]:
            log.warning("row %s was taken over by another program", run.row.id)
            run.is_lost = True
            if run.steps is not None:
                run.steps.stop(only_unpaid=False)
                continue
            with contextlib.suppress(CoreError, LookupError):
                self._runtime.act(run.job_id, Action.STOP)

    # Limits

    def _note_failure(self, job_id: str) -> None:
        """Counts a failure, on whatever thread it is known first."""
        if self._most_failures is None:
            return
        step_of = self._step_runs.get(job_id)
        self._failed_jobs.add(step_of.row.id if step_of is not None else job_id)
        if len(self._failed_jobs) >= self._most_failures:
            self._runtime.pay_no_more()
            self._stopped = self._stopped or f"{len(self._failed_jobs)} rows have failed, which is the limit"

    def _stop(self, reason: str) -> None:
        self._stopped = self._stopped or reason
        self._runtime.pay_no_more()
        self._stop_unpaid()

    def _stop_unpaid(self) -> None:
        """Rows of which nothing was paid are given back; those that have paid go on to their ends."""
        for run in list(self._runs.values()):
            if run.steps is not None:
                run.steps.stop(only_unpaid=True)
                continue
            record = self._runtime.record(run.job_id)
            if record is not None and record.stage not in RESTING and not record.has_paid:
                with contextlib.suppress(CoreError, LookupError):
                    self._runtime.act(run.job_id, Action.STOP)

    # What is told

    def _progress(self) -> Progress:
        if self._stopped:
            self._stop_unpaid()
        failed = self._counts[RowState.FAILED] + self._counts[RowState.UNCERTAIN]
        done = self._counts[RowState.DONE]
        return Progress(
            self._total,
            done,
            failed,
            len(self._runs),
            60 * self._pace.rows_a_second(),
            credits_text(self._budget.spent) if self._budget.spent else "",
            self._pace.seconds_left(max(0, self._total - done - failed)),
        )

    def _ended(self) -> Ended:
        return Ended(
            self._counts[RowState.DONE],
            self._counts[RowState.FAILED],
            self._counts[RowState.UNCERTAIN],
            credits_text(self._budget.spent) if self._budget.spent else "",
            self._stopped,
            int(self._exit_code),
        )

    def _leave(self) -> None:
        """At the end, however it came: others may take what is left; this computer goes on with it first."""
        for run in list(self._runs.values()):
            self._release(run)
        self._heartbeat.stop()


class _PeekedRows:
    """Rows one after the other, the next of which can be looked at before it is taken."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._rows = rows
        self._next: Row | None = None
        self.is_empty = False

    def peek(self) -> Row | None:
        if self._next is None and not self.is_empty:
            self._next = next(self._rows, None)
            self.is_empty = self._next is None
        return self._next

    def drop(self) -> None:
        self._next = None
