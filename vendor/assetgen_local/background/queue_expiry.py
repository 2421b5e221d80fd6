"""Fails tasks that have waited in the queue for too long (docs/api.md, 2.2: state ``failed``, code 2018)."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable

from ...assetgen.contract import ErrorCode
from ..store.database import Database

_AGAIN_SECONDS = 1.0

_LOG = logging.getLogger(__name__)


class QueueExpiry:
    """Looks after the queue. Nothing here polls: a timer ends when the oldest task will have waited too long.

    Args:
        database: Where the queue is.
        seconds: How long a task may wait; None for as long as it takes.
        clock: The time of day in Unix seconds.
    """

    def __init__(self, database: Database, seconds: float | None, clock: Callable[[], float]) -> None:
        self._database = database
        self._seconds = seconds
        self._clock = clock
        self._timer: asyncio.TimerHandle | None = None

    def fail_expired(self) -> bool:
        """Fails the tasks that have waited too long; whether there were any."""
        if self._seconds is None:
            return False
        expired = self._database.queued_before(self._clock() - self._seconds)
        for task in expired:
            message = f"the task waited longer than {self._seconds:g} s in the queue"
            try:
                self._database.fail(task, ErrorCode.QUEUE_EXPIRED, message)
            except sqlite3.Error:  # it must not be the fault of the request that checked; the timer comes back
                _LOG.exception("task %s", task.id)
        return bool(expired)

    def schedule(self, check: Callable[[], None]) -> None:
        """Calls ``check`` when the next task will have waited too long."""
        self.close()
        oldest = self._database.oldest_queued() if self._seconds is not None else None
        if oldest is None or self._seconds is None:
            return
        left = oldest + self._seconds - self._clock()
        self._timer = asyncio.get_running_loop().call_later(left if left > 0 else _AGAIN_SECONDS, check)

    def close(self) -> None:
        """Expects nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
