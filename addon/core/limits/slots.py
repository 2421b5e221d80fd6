"""A few places for work that takes a core each; who waits for one gets it in the order of the jobs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class Slots:
    """Places that jobs take for a while. Thread-safe, and nobody waits in here.

    ``wake`` and ``notify`` are called under the lock and must not call back.

    Args:
        count: How many places there are.
        order: What jobs are sorted by, the least first.
        wake: Has a job ask again.
        notify: Takes every number in the line that a job gets, from 1.
    """

    def __init__(
        self,
        count: int,
        order: Callable[[str], Any],
        wake: Callable[[str], None],
        notify: Callable[[str, int], None] = lambda job_id, number: None,
    ) -> None:
        self._free = count
        self._order = order
        self._wake = wake
        self._notify = notify
        self._lock = threading.Lock()
        self._waiting: dict[str, int] = {}

    def take(self, job_id: str) -> bool:
        """Takes a place for a job, or puts it into the line: False, and it is woken when its turn has come."""
        with self._lock:
            self._waiting[job_id] = 0  # whoever asks is told, also what it was told before
            if job_id not in self._line()[: self._free]:
                self._tell()
                return False
            del self._waiting[job_id]
            self._free -= 1
            self._tell()
            return True

    def give_back(self) -> None:
        """A place is free again."""
        with self._lock:
            self._free += 1
            self._wake_next()

    def leave(self, job_id: str) -> None:
        """A job does not wait any more."""
        with self._lock:
            if self._waiting.pop(job_id, None) is not None:
                self._tell()
                self._wake_next()

    def _line(self) -> list[str]:
        return sorted(self._waiting, key=self._order)

    def _wake_next(self) -> None:
        for job_id in self._line()[: self._free]:
            self._wake(job_id)

    def _tell(self) -> None:
        for number, job_id in enumerate(self._line(), start=1):
            if self._waiting[job_id] != number:
                self._waiting[job_id] = number
                self._notify(job_id, number)
