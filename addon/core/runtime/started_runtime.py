"""What runs while a runtime is started: its threads, its journal and its connection."""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from queue import SimpleQueue

from ..errors import JournalTrouble
from ..jobs import process_lock
from ..jobs.job import RESTING
from ..jobs.journal import Journal
from ..limits.concurrency import ConcurrencyLimiter
from ..limits.rate_limiter import RateLimiter
from ..limits.slots import Slots
from ..limits.timeouts import Timing
from ..log import logger
from ..paths import Locations, make_private, missing_room
from ..requests.prices import Prices
from ..service.connection import Connection
from ..settings import Settings
from ..stages.context import CONVERSIONS, CancelFlags, JobContext
from ..stages.converter import BackgroundConverter, Converter
from ..stages.markers import Markers
from ..status.error_messages import is_full_disk, present
from ..status.expected_time import ExpectedTimes
from ..status.job_board import JobBoard
from ..status.messages import Message
from ..status.spending import Ledger, month_begin
from ..status.wait_messages import queue_text, slot_text
from .apply_notes import ApplyNotes
from .job_runner import JobRunner
from .journal_watcher import JournalWatcher
from .thread_pool import ThreadPool
from .webhook_watcher import WebhookWatcher

log = logger(__name__)


class StartedRuntime:
    """Made by :meth:`.runtime.Runtime.start`, which says what can go wrong."""

    def __init__(
        self, settings: Settings, news: SimpleQueue[Message], converter: Converter | None, timing: Timing
    ) -> None:
        locations = Locations(settings.data_dir)
        self._owner = _own(locations)
        try:
            journal = Journal(locations.journal, self._owner.id)
        except BaseException:
            self._owner.release()
            raise
        self.ledger = _ledger(journal)
        board = JobBoard(news, times=_times(journal), ledger=self.ledger)
        self._threads = ThreadPool(lambda job_id: self._job_runner.run(job_id), order=board.order_of)
        connection = Connection(settings)
        self._background = BackgroundConverter(lambda: connection.settings.blender)
        self.context = JobContext(
            journal=journal,
            board=board,
            connection=connection,
            converter=converter or self._background,
            locations=locations,
            timing=timing,
            cancel_flags=CancelFlags(),
            prices=Prices(journal.charges),
            markers=Markers(journal.services),
            concurrency=ConcurrencyLimiter(
                wake=self._threads.run_soon,
                notify=lambda job_id, number: board.live(job_id, text=queue_text(number)),
                order=board.order_of,
            ),
            conversions=Slots(
                min(CONVERSIONS, settings.blender.cores or CONVERSIONS),
                board.order_of,
                self._threads.run_soon,
                lambda job_id, number: board.live(job_id, text=slot_text(number)),
            ),
            rate_limiter=RateLimiter(order=board.order_of),
        )
        self.apply_notes = ApplyNotes(self.context)
        self._job_runner = JobRunner(self.context, self._threads.run_soon)
        self._poller = self._job_runner.poller
        self._webhooks = WebhookWatcher(locations.webhooks, self._poller.record_events)
        self._journal_watcher = JournalWatcher(
            self.context, self._threads.run_soon, self.stop_now, self._owner.show_life, self._webhooks.check
        )
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
            self.apply_notes.retry(at_once=True)
            self.context.journal.release()
        except sqlite3.Error as error:
            log.warning("jobs could not be given back: %s", error)  # the lock on our file goes, which says the same
        self._background.close()
        self.context.connection.close()
        self.context.connection.end_engine()
        self.context.journal.close()
        self._webhooks.close()
        self._owner.release()
        if not all(ended):
            log.info("a thread was still waiting for an answer at the end")

    def reconfigure(self, settings: Settings) -> None:
        """Follows other settings on the same journal."""
        self.context.connection.use(settings)
        self._poller.poll_now()
        for job in self.context.board.views():
            if job.stage not in RESTING:
                self._threads.run_soon(job.id)

    @property
    def has_others(self) -> bool:
        """Whether other processes work on the same journal."""
        return self._journal_watcher.has_others

    def run_soon(self, job_id: str) -> None:
        """Has a job run on one of the threads."""
        self._threads.run_soon(job_id)

    def stop_now(self, job_id: str) -> None:
        """Interrupts what is going on for a job of ours that was asked to stop."""
        self.context.cancel_flags.jobs.add(job_id)
        self._poller.forget(job_id)
        self._threads.run_soon(job_id)

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


def _times(journal: Journal) -> ExpectedTimes:
    try:
        return ExpectedTimes(journal.durations.latest())
    except sqlite3.Error as error:  # no reason to have no jobs
        log.warning("what earlier tasks took cannot be read: %s", error)
        return ExpectedTimes()


def _ledger(journal: Journal) -> Ledger:
    try:
        return Ledger(journal.spending.since(month_begin(time.time())))
    except sqlite3.Error as error:
        log.warning("what earlier tasks cost cannot be read: %s", error)
        return Ledger()


def _own(locations: Locations) -> process_lock.Owner:
    if missing := missing_room(locations.data_dir):
        raise JournalTrouble(
            f"The path of the data folder is too long by {missing} characters: {locations.data_dir}",
            "Choose one with a shorter path in the preferences",
        )
    try:
        make_private(locations.data_dir)
        return process_lock.Owner(locations.owners)
    except OSError as error:
        raise _journal_trouble(error) from error


def _journal_trouble(error: Exception) -> JournalTrouble:
    message = present(error)
    advice = message.advice if is_full_disk(error) else "Choose another data folder in the preferences"
    return JournalTrouble(f"The data folder cannot be used: {message.text}", advice)
