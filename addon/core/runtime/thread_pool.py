"""A small pool of threads that runs jobs: each job on at most one thread at a time, now or after a delay.

Where more jobs are due than there are threads, the oldest job goes first, whatever it was called for last.
"""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable
from typing import Any

from ..log import logger

log = logger(__name__)


class ThreadPool:
    """Calls ``run(job_id)`` for every job that :meth:`run_soon` names. Daemon threads, so that Blender can always quit.

    Args:
        run: Does what is to be done for a job now and returns; must not raise.
        count: How many jobs are worked on at the same time.
        order: What jobs that are due are sorted by, the least first; when left out, they run as they were asked for.
    """

    def __init__(
        self, run: Callable[[str], None], count: int = 4, *, order: Callable[[str], Any] = lambda job_id: 0
    ) -> None:
        self._run = run
        self._count = count
        self._order = order
        self._changed = threading.Condition()
        self._queue: list[tuple[float, int, str]] = []
        self._ready: list[tuple[Any, int, str]] = []
        self._due: dict[str, float] = {}
        self._running: set[str] = set()
        self._again: dict[str, float] = {}
        self._numbers = itertools.count()
        self._stopped = False
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Starts the threads."""
        for number in range(self._count):
            thread = threading.Thread(target=self._work, daemon=True, name=f"assetgen-jobs-{number}")
            thread.start()
            self._threads.append(thread)

    def run_soon(self, job_id: str, delay: float = 0.0) -> None:
        """Has a job run after ``delay`` seconds, or earlier if that was asked for already.

        A job that is running at this moment runs once more: what it is called for may be newer than what it saw.
        """
        due = time.monotonic() + delay
        with self._changed:
            if job_id in self._running:
                self._again[job_id] = min(due, self._again.get(job_id, due))
            else:
                self._enqueue(job_id, due)

    def stop(self, timeout: float) -> bool:
        """Takes no more jobs and waits for those that run; True when all threads have ended in time."""
        deadline = time.monotonic() + timeout
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _enqueue(self, job_id: str, due: float) -> None:
        if due < self._due.get(job_id, float("inf")):
            self._due[job_id] = due
            heapq.heappush(self._queue, (due, next(self._numbers), job_id))
            self._changed.notify()

    def _next_job(self) -> str | None:
        with self._changed:
            while not self._stopped:
                wait = self._take_due()
                if self._ready:
                    _, _, job_id = heapq.heappop(self._ready)
                    del self._due[job_id]
                    self._running.add(job_id)
                    if self._ready or self._queue:  # it is this thread that watched the time until now
                        self._changed.notify()
                    return job_id
                self._changed.wait(wait)
            return None

    def _take_due(self) -> float | None:
        """Moves what is due to what is ready; the seconds until there will be more (None: not by itself)."""
        while self._queue:
            due, number, job_id = self._queue[0]
            if self._due.get(job_id) != due:  # an entry that an earlier one has replaced
                heapq.heappop(self._queue)
                continue
            wait = due - time.monotonic()
            if wait > 0:
                return wait
            heapq.heappop(self._queue)
            self._due[job_id] = float("-inf")  # it is ready, and cannot become so any earlier
            heapq.heappush(self._ready, (self._order(job_id), number, job_id))
        return None

    def _work(self) -> None:
        while (job_id := self._next_job()) is not None:
            try:
                self._run(job_id)
            except Exception:  # a thread that dies takes a share of all later work with it
                log.exception("job %s", job_id)
            with self._changed:
                self._running.discard(job_id)
                due = self._again.pop(job_id, None)
                if due is not None:
                    self._enqueue(job_id, due)
