"""All that bridge and command line do with jobs. Never bpy, and never the network on the caller's thread."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

from ..claims.begun import Begun
from ..errors import CoreError, Refused
from ..jobs import process_lock
from ..jobs.job import RESTING, Action, JobPlan, JobView, Stage
from ..jobs.job_ids import new_job_id
from ..jobs.records import JobRecord
from ..limits.timeouts import Timing
from ..requests.plan_checks import check_plan, first_stage
from ..requests.prices import Price
from ..settings import Settings
from ..stages.converter import Converter
from ..status.error_messages import ExitCode, present
from ..status.history import HistoryPage
from ..status.job_view import LiveProgress, make_view
from ..status.messages import JobRemoved, Message
from ..status.spending import Spending
from .service_check import ask_balance
from .started_runtime import StartedRuntime
from .take_over import take_over_row
from .user_actions import act, remove_jobs


class Runtime:
    """All jobs of one data folder, run and shown by this process.

    Args:
        settings: The connection and the data folder.
        news: Where messages go; only the pump reads it.
        converter: The background conversions; a background Blender when left out.
        timing: How patient it is.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        news: SimpleQueue[Message],
        converter: Converter | None = None,
        timing: Timing | None = None,
    ) -> None:
        self._settings = settings
        self._news = news
        self._converter = converter
        self._timing = timing or Timing()
        self._started: StartedRuntime | None = None

    def start(self) -> None:
        """Opens the journal, shows every job in it and goes on with those that nobody else runs. No network.

        Raises:
            JournalTrouble: The data folder cannot be used.
        """
        if self._started is None:
            self._started = StartedRuntime(self._settings, self._news, self._converter, self._timing)

    def shutdown(self, timeout: float = 5.0) -> None:
        """Ends everything; unfinished jobs go on at the next start, here or in another process."""
        started, self._started = self._started, None
        if started is not None:
            started.close(timeout)

    @property
    def busy(self) -> bool:
        """Whether any job is not resting, so that news may come. Costs nothing."""
        return self._started is not None and self._started.context.board.busy

    @property
    def has_others(self) -> bool:
        """Whether other processes work on the same journal, whose jobs may be taken over. Costs nothing."""
        return self._started is not None and self._started.has_others

    def submit(self, plan: JobPlan, *, job_id: str = "", begun: Begun | None = None, age: float = 0.0) -> str:
        """Enters a job and returns its id; the work begins at once on other threads.

        Args:
            plan: What is asked for.
            job_id: The id that it was given already; a new one when left out.
            begun: What another program has begun of it, with which the job goes on.
            age: How many seconds ago that was.

        Raises:
            Refused: The plan cannot be carried out; the sentence says why. Nothing was written or sent.
        """
        started = self._running()
        context = started.context
        service_id = self._settings.service_id
        check_plan(plan, lambda task_id: context.journal.tasks.capability(service_id, task_id), self._settings.region)
        try:
            context.connection.check_service()
        except CoreError as error:
            raise Refused(str(error), error.advice) from error
        job_id = job_id or new_job_id()
        with _writing():
            if begun is None:
                record = context.journal.add(job_id, plan, service_id, first_stage(plan))
            else:
                record = take_over_row(context, job_id, plan, begun, age)
        context.board.changed(record)
        started.run_soon(job_id)
        return job_id

    def act(self, job_id: str, action: Action) -> None:
        """Does what the user asked for.

        Raises:
            LookupError: There is no such job.
            Refused: The action does not fit the job's stage (any more).
        """
        started = self._running()
        context = started.context
        started.apply_notes.retry(at_once=True)  # what is done next begins with what the journal says
        record = context.journal.job(job_id)
        if record.removed_at:
            raise LookupError(f"job {job_id} is off the list")
        if action is Action.STOP:
            if record.stage in RESTING:
                raise Refused(f"{record.plan.name} has ended already")
            with _writing():
                context.journal.ask_to_stop(job_id)
            if record.owner == context.journal.owner:
                started.stop_now(job_id)
            return
        context.cancel_flags.jobs.discard(job_id)
        with _writing():
            has_work = act(context, record, action)
        if action is Action.DISMISS:
            context.board.removed(job_id)
            return
        context.board.changed(context.journal.job(job_id))
        if has_work:
            started.run_soon(job_id)

    def dismiss(self, job_ids: Iterable[str]) -> None:
        """Takes jobs off the list, in one transaction; those that have moved on stay.

        Raises:
            Refused: The journal cannot be written.
        """
        context = self._running().context
        with _writing():
            gone = remove_jobs(context, job_ids)
        for job_id in gone:
            context.board.removed(job_id)

    def claim_apply(self, job_id: str) -> bool:
        """Marks a READY job as being brought into the scene. True for exactly one caller among all processes; again for
        that one while what became of it could not be recorded.
        """
        started = self._running()
        context = started.context
        if job_id in started.apply_notes.kept:
            return True
        try:
            holder = context.journal.job(job_id).applier
        except LookupError:
            return False
        if holder and not process_lock.is_dead(context.locations.owners, holder):
            return False
        with _writing():
            return context.journal.claim_apply(job_id, holder)

    def applied(self, job_id: str, note: str = "") -> None:
        """The claimed job's result is in the scene; or there was nothing to bring in, and the ``note`` says why.

        A full disk does not change that: it is recorded later then.

        Raises:
            Refused: The job was not claimed by this process.
        """
        used = {} if note else {"used_at": time.time()}
        self._end_apply(job_id, stage=Stage.APPLIED, applier="", text=note or self._text_of(job_id) or "Done", **used)

    def _text_of(self, job_id: str) -> str:
        """What the last stage had to say of the result."""
        with contextlib.suppress(LookupError):
            return self._running().context.journal.job(job_id).text
        return ""

    def apply_failed(self, job_id: str, sentence: str) -> None:
        """The claimed job's result could not be brought into the scene; Retry makes it READY again."""
        self._end_apply(
            job_id,
            stage=Stage.FAILED,
            resume=Stage.READY,
            applier="",
            error=sentence,
            advice="The result is kept; Retry brings it in again",
            exit_code=ExitCode.FAILED,
        )

    @property
    def has_notes(self) -> bool:
        """Whether what became of a result could not be recorded yet. Costs nothing."""
        return self._started is not None and bool(self._started.apply_notes.kept)

    def retry_notes(self) -> None:
        """Records what could not be recorded before, where there is such a thing and it is time to try again."""
        if self._started is not None:
            self._started.apply_notes.retry()

    def jobs(self) -> list[JobView]:
        """All jobs as last shown, oldest first. No disk."""
        return self._started.context.board.views() if self._started is not None else []

    def job(self, job_id: str) -> JobView:
        """One job as last shown.

        Raises:
            LookupError: There is none with this id.
        """
        return self._running().context.board.view(job_id)

    def known_job(self, job_id: str) -> JobView:
        """One job, on the list or not; one that is off it as the journal has it.

        Raises:
            LookupError: There is none with this id.
        """
        context = self._running().context
        try:
            return context.board.view(job_id)
        except LookupError:
            return make_view(context.journal.job(job_id), LiveProgress(), now=time.time())

    @property
    def owner(self) -> str:
        """The name under which this process runs jobs."""
        return self._running().context.journal.owner

    def is_dead(self, owner: str) -> bool:
        """Whether a process that ran jobs of this journal is gone."""
        return process_lock.is_dead(self._running().context.locations.owners, owner)

    def record(self, job_id: str) -> JobRecord | None:
        """What the journal knows of a job on the list; None where it knows none."""
        try:
            record = self._running().context.journal.job(job_id)
        except LookupError:
            return None
        return None if record.removed_at else record

    def pay_no_more(self) -> None:
        """From now on no job pays for its first task. Those that have paid for one go on to their ends."""
        self._running().context.cancel_flags.spending.set()

    def price_of(self, capability: str, fields: Mapping[str, Any]) -> Price | None:
        """What one task would cost at the service of the settings; None where nothing is known. No network.

        The documented price, else an estimate: what the last task with these settings cost, or the last of its kind.

        Args:
            capability: Its name.
            fields: What the user has set so far, flattened; it need not be complete or right.

        Raises:
            LookupError: There is no such capability.
        """
        if self._started is None:
            return None
        return self._started.context.prices.price_of(self._settings.service_id, capability, fields)

    def spending(self) -> Spending:
        """What the service of the settings was paid, in this session and in this month. No network, no disk."""
        return self._started.ledger.of(self._settings.service_id) if self._started is not None else Spending()

    def history(self, words: str, first: int, count: int) -> HistoryPage:
        """The jobs that have all of these words, on the list or not: ``count`` of them from the ``first`` on."""
        journal = self._running().context.journal
        total, entries = journal.history.page(words, first, count)
        jobs = []
        for entry in entries:
            with contextlib.suppress(LookupError):  # of another version of the extension
                jobs.append(make_view(journal.job(entry.job_id), LiveProgress(), now=time.time()))
        return HistoryPage(total, tuple(jobs), frozenset(entry.job_id for entry in entries if entry.removed_at))

    def asked_fields(self, count: int) -> list[dict[str, Any]]:
        """The fields of the latest jobs, on the list or not, the latest first."""
        return self._running().context.journal.history.asked_fields(count)

    def check_service(self, *, asked: bool = True) -> None:
        """Asks the service for the balance, on another thread; the answer is a ServiceChecked message.

        Args:
            asked: Whether the user wants to know.
        """
        context = self._running().context

        def check() -> None:
            self._news.put(ask_balance(context)._replace(asked=asked))

        threading.Thread(target=check, daemon=True, name="assetgen-check").start()

    def reconfigure(self, settings: Settings) -> None:
        """Follows other settings from now on. Another data folder means another journal: everything starts anew there.

        Raises:
            JournalTrouble: The new data folder cannot be used.
        """
        before = self._settings
        same_place = settings.data_dir == before.data_dir and settings.blender.prefix == before.blender.prefix
        self._settings = settings
        if self._started is None:
            return
        if same_place:
            self._started.reconfigure(settings)
        else:
            job_ids = [job.id for job in self.jobs()]
            self.shutdown()
            for job_id in job_ids:
                self._news.put(JobRemoved(job_id))
            self.start()

    def _running(self) -> StartedRuntime:
        if self._started is None:
            raise Refused("The runtime has not been started")
        return self._started

    def _end_apply(self, job_id: str, **changes: Any) -> None:
        with _writing():
            self._running().apply_notes.add(job_id, changes)


@contextmanager
def _writing() -> Iterator[None]:
    """For what the main thread writes: an error becomes a sentence for a button."""
    try:
        yield
    except (sqlite3.Error, TypeError) as error:
        message = present(error)
        raise Refused(message.text, message.advice) from error
