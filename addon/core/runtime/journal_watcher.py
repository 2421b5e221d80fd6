"""Watches the journal: shows what other processes do, obeys what they ask for, takes over what dead ones left."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable

from ..jobs import process_lock
from ..jobs.job import RESTING
from ..stages.context import Tools

log = logging.getLogger(__name__)


class Keeper:
    """One thread that looks every second. It asks SQLite for one number, and reads jobs only when that has changed.

    Args:
        tools: The runtime's instruments.
        soon: Has a job run.
        stop: Stops a job of ours that another process asked to stop.
    """

    def __init__(self, tools: Tools, soon: Callable[[str], None], stop: Callable[[str], None]) -> None:
        self._tools = tools
        self._soon = soon
        self._stop = stop
        self._version = -1
        self._next_take_over = 0.0
        self._thread = threading.Thread(target=self._loop, daemon=True, name="assetgen-keeper")

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
        tools = self._tools
        dead: dict[str, bool] = {tools.journal.owner: False}
        for job_id, stamp in tools.journal.stamps().items():
            if stamp.stage in RESTING:
                continue
            if stamp.owner not in dead:
                dead[stamp.owner] = process_lock.is_dead(tools.locations.owners, stamp.owner)
            if dead[stamp.owner] and tools.journal.take_over(job_id, stamp.owner):
                tools.board.changed(tools.journal.job(job_id))
                self._soon(job_id)

    def _loop(self) -> None:
        while not self._tools.wishes.ending.wait(self._tools.timing.watch):
            try:
                self._look()
            except (sqlite3.Error, OSError, LookupError) as error:
                if not self._tools.wishes.ending.is_set():
                    log.warning("looking at the journal: %s", error)

    def _look(self) -> None:
        version = self._tools.journal.data_version()
        if version != self._version:
            self._version = version
            self._show_changes()
        if time.monotonic() >= self._next_take_over:
            self._next_take_over = time.monotonic() + self._tools.timing.take_over
            self.take_over()

    def _show_changes(self) -> None:
        tools = self._tools
        shown = tools.board.revisions()
        stamps = tools.journal.stamps()
        for job_id in shown.keys() - stamps.keys():
            tools.board.removed(job_id)
        for job_id, stamp in stamps.items():
            if stamp.revision > shown.get(job_id, 0):
                record = tools.journal.job(job_id)
                tools.board.changed(record)
                if record.asked_to_stop and record.owner == tools.journal.owner:
                    self._stop(job_id)
