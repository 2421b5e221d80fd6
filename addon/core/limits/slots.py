"""A few places for work that takes a core each; who waits for one gets it in the order of the jobs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class Slots:
    """Places that jobs take for a while. Thread-safe, and nobody waits in here.

    ``wake`` is called under the lock and must not call back.

    Args:
        count: How many places there are.
        order: What jobs are sorted by, the least first.
        wake: Has a job ask again.
    """

    def __init__(self, count: int, order: Callable[[str], Any], wake: Callable[[str], None]) -> None:
        self._free = count
        self._order = order
        self._wake = wake
        self._lock = threading.Lock()
        self._waiting: set[str] = set()

    def take(self, job_id: str) -> bool:
        """Takes a place for a job, or puts it into the line: False, and it is woken when its turn has come."""
        with self._lock:
            self._waiting.add(job_id)
            if job_id not in self._next_jobs():
                return False
            self._waiting.discard(job_id)
            self._free -= 1
            return True

    def give_back(self) -> None:
        """A place is free again."""
        with self._lock:
            self._free += 1
            self._wake_next()

    def leave(self, job_id: str) -> None:
        """A job does not wait any more."""
        with self._lock:
            if job_id in self._waiting:
                self._waiting.discard(job_id)
                self._wake_next()

    def _next_jobs(self) -> list[str]:
        return sorted(self._waiting, key=self._order)[: self._free]

    def _wake_next(self) -> None:
        for job_id in self._next_jobs():
            self._wake(job_id)
