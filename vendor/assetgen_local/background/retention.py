"""Removes files that have been kept for long enough. The tasks themselves, and what they cost, stay."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable

from ..store.database import Database
from ..store.file_store import FileStore

_INTERVAL_SECONDS = 3600.0

_LOG = logging.getLogger(__name__)


class Retention:
    """Runs once at the start and then every hour.

    Args:
        database: What is known of tasks and uploads.
        files: Where their files are.
        seconds: How long files are kept after they arrived or their task ended; None for ever.
        clock: The time of day in Unix seconds.
    """

    def __init__(self, database: Database, files: FileStore, seconds: float | None, clock: Callable[[], float]) -> None:
        self._database = database
        self._files = files
        self._seconds = seconds
        self._clock = clock
        self._timer: asyncio.TimerHandle | None = None

    def remove_old(self) -> None:
        """Removes what is old enough and no unfinished task refers to; comes back by itself."""
        if self._seconds is None:
            return
        try:
            self._remove_before(self._clock() - self._seconds)
        except (OSError, sqlite3.Error):  # what could not be removed now is tried again
            _LOG.exception("old files could not be removed")
        self._timer = asyncio.get_running_loop().call_later(_INTERVAL_SECONDS, self.remove_old)

    def close(self) -> None:
        """Ends the timer."""
        if self._timer is not None:
            self._timer.cancel()

    def _remove_before(self, moment: float) -> None:
        tasks, tokens = self._database.referred_to()
        # First the database forgets a file, then it goes: nothing names a file that is not there.
        for upload in self._database.upload_tokens.before(moment):
            if upload.token not in tokens:
                self._database.upload_tokens.forget(upload.token)
                self._files.upload_path(upload.token, upload.format).unlink(missing_ok=True)
        for task_id in self._database.results_before(moment):
            if task_id not in tasks:
                self._database.forget_files(task_id)
                self._files.remove_results(task_id)
