"""A started engine room: the threads, the journal and the connection of one runtime."""

from __future__ import annotations

import logging
import os
import secrets
import socket
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue

from ....vendor.assetgen import AssetGenError
from ....vendor.assetgen.contract import TaskDetail
from ..errors import CoreError, JournalTrouble, Refused
from ..jobs import process_lock
from ..jobs.job import RESTING, Action, JobPlan, Stage
from ..jobs.journal import Journal, LeaseLost
from ..limits.concurrency import ConcurrencyLimiter
from ..limits.timeouts import Timing
from ..paths import Locations, make_private
from ..requests.plan_checks import check_plan, first_stage
from ..requests.prices import Prices, credits_text
from ..service.connection import Connection
from ..settings import Settings
from ..stages.context import CancelFlags, JobContext
from ..stages.converter import BackgroundConverter, Converter
from ..status.error_messages import ExitCode, is_full_disk, present
from ..status.job_board import JobBoard
from ..status.messages import Message, ServiceChecked
from ..status.wait_messages import in_line
from .job_runner import JobRunner
from .journal_watcher import JournalWatcher
from .task_poller import TaskPoller
from .thread_pool import ThreadPool
from .user_actions import act, remove_snapshot

log = logging.getLogger(__name__)


class StartedRuntime:
    """Made by :meth:`.runtime.Runtime.start`; see there for what its methods do."""

    def __init__(
        self, settings: Settings, news: SimpleQueue[Message], converter: Converter | None, timing: Timing
    ) -> None:
        self._news = news
        locations = Locations(settings.data_dir)
        self._owner = _own(locations)
        try:
            journal = Journal(locations.journal, self._owner.id)
        except BaseException:
            self._owner.release()
            raise
        board = JobBoard(news)
        self._threads = ThreadPool(self._run)
        self.context = JobContext(
            journal=journal,
            board=board,
            connection=Connection(settings),
            converter=converter or BackgroundConverter(settings.blender),
            locations=locations,
            timing=timing,
            cancel_flags=CancelFlags(),
            prices=Prices(journal.charges),
            concurrency=ConcurrencyLimiter(
                wake=self._threads.soon,
                tell=lambda job_id, number: board.live(job_id, text=in_line(number)),
            ),
        )
        self._poller = TaskPoller(self.context.connection.client, self, failed=self.context.connection.failed)
        self._job_runner = JobRunner(self.context, self._poller, self._threads.soon)
        self._journal_watcher = JournalWatcher(self.context, self._threads.soon, self._stop_now)
        self._open()

    def close(self, timeout: float) -> None:
        """Ends the threads, gives the jobs back and closes the journal."""
        deadline = time.monotonic() + timeout

        def left() -> float:
            return max(0.1, deadline - time.monotonic())

        self.context.cancel_flags.ending.set()
        # The poller may be in the middle of an answer that nobody needs any more.
        ended = [self._journal_watcher.join(left()), self._threads.stop(left() * 0.8), self._poller.stop(left() * 0.5)]
        try:
            self.context.journal.release()
        except sqlite3.Error as error:
            log.warning("jobs could not be given back: %s", error)  # the lock on our file goes, which says the same
        self.context.connection.close()
        self.context.connection.end_engine()
        self.context.journal.close()
        self._owner.release()
        if not all(ended):
            log.info("a thread was still waiting for an answer at the end")

    def submit(self, plan: JobPlan) -> str:
        """See :meth:`.runtime.Runtime.submit`."""
        service_id = self.context.connection.settings.service_id
        check_plan(
            plan, self.context.connection, lambda task_id: self.context.journal.tasks.capability(service_id, task_id)
        )
        # Begins with the time, so that the folders of results sort by age.
        job_id = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}"
        with _writing():
            record = self.context.journal.add(job_id, plan, service_id, first_stage(plan))
        self.context.board.changed(record)
        self._threads.soon(job_id)
        return job_id

    def act(self, job_id: str, action: Action) -> None:
        """See :meth:`.runtime.Runtime.act`."""
        context = self.context
        record = context.journal.job(job_id)
        if action is Action.STOP:
            if record.stage in RESTING:
                raise Refused(f"{record.plan.name} has ended already")
            with _writing():
                context.journal.ask_to_stop(job_id)
            if record.owner == context.journal.owner:
                self._stop_now(job_id)
            return
        context.cancel_flags.jobs.discard(job_id)
        with _writing():
            has_work = act(context, record, action)
        if action is Action.DISMISS:
            context.board.removed(job_id)
            return
        context.board.changed(context.journal.job(job_id))
        if has_work:
            self._threads.soon(job_id)

    def claim_apply(self, job_id: str) -> bool:
        """See :meth:`.runtime.Runtime.claim_apply`."""
        try:
            holder = self.context.journal.job(job_id).applier
        except LookupError:
            return False
        if holder and not process_lock.is_dead(self.context.locations.owners, holder):
            return False
        with _writing():
            return self.context.journal.claim_apply(job_id, holder)

    def applied(self, job_id: str, note: str) -> None:
        """See :meth:`.runtime.Runtime.applied`."""
        self._end_apply(job_id, stage=Stage.APPLIED, applier="", text=note or "Done")
        remove_snapshot(self.context, self.context.journal.job(job_id))

    def apply_failed(self, job_id: str, sentence: str) -> None:
        """See :meth:`.runtime.Runtime.apply_failed`."""
        advice = "The result is kept; Retry brings it in again"
        self._end_apply(
            job_id,
            stage=Stage.FAILED,
            resume=Stage.READY,
            applier="",
            error=sentence,
            advice=advice,
            exit_code=ExitCode.FAILED,
        )

    def check_service(self) -> None:
        """See :meth:`.runtime.Runtime.check_service`."""
        threading.Thread(target=self._check_service, daemon=True, name="assetgen-check").start()

    def reconfigure(self, settings: Settings) -> None:
        """Follows other settings on the same journal."""
        self.context.connection.use(settings)
        self._poller.hurry()
        for job in self.context.board.views():
            if job.stage not in RESTING:
                self._threads.soon(job.id)

    # What the poller tells

    def task_seen(self, job_id: str, detail: TaskDetail) -> None:
        """A task was read."""
        self.context.board.task(job_id, detail.task_id, detail.status, detail.progress)
        if detail.is_final:
            self.context.finished_tasks.put(detail)
            self._threads.soon(job_id)

    def task_unreadable(self, job_id: str, error: Exception) -> None:
        """A task cannot be read, and waiting does not help."""
        try:
            self._job_runner.fail(job_id, error)
        except (LookupError, LeaseLost, sqlite3.Error) as trouble:
            log.warning("job %s: %s", job_id, trouble)
            self._threads.soon(job_id, 5.0)

    def service_silent(self, job_ids: Iterable[str], error: Exception, retry_in: float) -> None:
        """No answer for a while; the tasks go on at the service."""
        sentence = present(error)
        text = f"{sentence.text}. The task goes on at the service; asking again in {retry_in:.0f} s"
        for job_id in job_ids:
            self.context.board.live(job_id, text=text)

    # Inner works

    def _open(self) -> None:
        context = self.context
        try:
            context.journal.record_owner(socket.gethostname(), os.getpid())
            process_lock.remove_dead(context.locations.owners)
            for record in context.journal.jobs():
                context.board.changed(record)
            self._journal_watcher.take_over()
        except BaseException as error:
            context.journal.close()
            self._owner.release()
            if isinstance(error, sqlite3.Error | OSError):
                raise _journal_trouble(error) from error
            raise
        self._threads.start()
        self._poller.start()
        self._journal_watcher.start()

    def _run(self, job_id: str) -> None:
        self._job_runner.run(job_id)

    def _stop_now(self, job_id: str) -> None:
        self.context.cancel_flags.jobs.add(job_id)
        self._poller.forget(job_id)
        self._threads.soon(job_id)

    def _end_apply(self, job_id: str, *, stage: Stage, **changes: object) -> None:
        with _writing():
            done = self.context.journal.end_apply(job_id, stage=stage, **changes)
        if not done:
            raise Refused("This result was not claimed by this process")
        self.context.board.changed(self.context.journal.job(job_id))

    def _check_service(self) -> None:
        connection = self.context.connection
        try:
            balance = connection.client(
                connection.settings.service_id, self.context.cancel_flags.ending.is_set
            ).account.balance()
        except (AssetGenError, CoreError) as error:
            connection.failed(error)
            self._news.put(ServiceChecked(ok=False, sentence=str(present(error))))
            return
        credits, frozen = credits_text(balance.balance), credits_text(balance.frozen)
        held = f", {frozen} of them held by running tasks" if balance.frozen else ""
        sentence = f"Connected: {credits} credits{held}"
        self._news.put(ServiceChecked(ok=True, sentence=sentence, balance=credits, frozen=frozen))


@contextmanager
def _writing() -> Iterator[None]:
    """For what the main thread writes: an error becomes a sentence for a button."""
    try:
        yield
    except (sqlite3.Error, TypeError) as error:
        sentence = present(error)
        raise Refused(sentence.text, sentence.advice) from error


def _own(locations: Locations) -> process_lock.Owner:
    try:
        make_private(locations.data_dir)
        return process_lock.Owner(locations.owners)
    except OSError as error:
        raise _journal_trouble(error) from error


def _journal_trouble(error: Exception) -> JournalTrouble:
    sentence = present(error)
    advice = sentence.advice if is_full_disk(error) else "Choose another data folder in the preferences"
    return JournalTrouble(f"The data folder cannot be used: {sentence.text}", advice)
