"""Watches the journal: shows what other processes do, obeys what they ask for, takes over what dead ones left."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable

from ..jobs import process_lock
from ..jobs.job import RESTING
from ..jobs.snapshot_files import remove_abandoned_snapshots
from ..log import logger
from ..stages.context import JobContext

log = logger(__name__)


class JournalWatcher:
    """One thread that looks every second. It asks SQLite for one number, and reads jobs only when that has changed.

    Args:
        context: What all jobs of the runtime are run with.
        run_soon: Has a job run.
        stop: Stops a job of ours that another process asked to stop.
        show_life: Tells the processes of other computers that this one lives.
        check_webhooks: Looks whether webhooks told of anything.

    Attributes:
        has_others: Whether other processes work on the same journal, so that their jobs may have to be taken over.
    """

    def __init__(
        self,
        context: JobContext,
        run_soon: Callable[[str], None],
        stop: Callable[[str], None],
        show_life: Callable[[], None],
        check_webhooks: Callable[[], None],
    ) -> None:
        self._context = context
        self._run_soon = run_soon
        self._stop = stop
        self._show_life = show_life
        self._check_webhooks = check_webhooks
        self.has_others = False
        self._version = -1
        self._next_take_over = 0.0
        self._thread = threading.Thread(target=self._loop, daemon=True, name="assetgen-journal")

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def join(self, timeout: float) -> bool:
        """Waits for the thread, which ends with everything else; True when it has ended in time."""
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def take_over(self) -> None:
        """Leases every unfinished job that nobody alive has, and has it run."""
        context = self._context
        dead: dict[str, bool] = {context.journal.owner: False}
        for job_id, summary in context.journal.summaries().items():
            if summary.stage in RESTING:
                continue
            if summary.owner not in dead:
                dead[summary.owner] = process_lock.is_dead(context.locations.owners, summary.owner)
            if dead[summary.owner] and self._can_read(job_id) and context.journal.take_over(job_id, summary.owner):
                context.board.changed(context.journal.job(job_id))
                self._run_soon(job_id)
        # After the jobs: what was taken over is seen as busy before the others are seen as gone.
        self.has_others = process_lock.has_others(context.locations.owners, context.journal.owner)

    def _loop(self) -> None:
        try:
            remove_abandoned_snapshots(self._context.locations.snapshots, self._context.journal.mentions)
        except sqlite3.Error as error:
            log.info("abandoned snapshots stay: %s", error)
        while not self._context.cancel_flags.ending.wait(self._context.timing.watch):
            try:
                self._check()
            except (sqlite3.Error, OSError, LookupError) as error:
                if not self._context.cancel_flags.ending.is_set():
                    log.warning("looking at the journal: %s", error)
            self._check_webhooks()

    def _check(self) -> None:
        version = self._context.journal.data_version()
        if version != self._version:
            self._version = version
            self._show_changes()
        if time.monotonic() >= self._next_take_over:
            self._next_take_over = time.monotonic() + self._context.timing.take_over
            self._show_life()
            self.take_over()

    def _show_changes(self) -> None:
        context = self._context
        revisions = context.board.revisions()
        summaries = context.journal.summaries()
        for job_id in revisions.keys() - summaries.keys():
            context.board.removed(job_id)
        for job_id, summary in summaries.items():
            if summary.revision > revisions.get(job_id, 0) and self._can_read(job_id):
                record = context.journal.job(job_id)
                context.board.changed(record)
                if record.asked_to_stop and record.owner == context.journal.owner:
                    self._stop(job_id)

    def _can_read(self, job_id: str) -> bool:
        """Whether a job is one that this version of the extension understands; it has no business with others."""
        try:
            self._context.journal.job(job_id)
        except LookupError:
            return False
        return True
