"""Holds creations back on our side, so that a full pool of the service is a line to stand in and not an error.

There is one line for each pool (docs/api.md, 4.2), in the order of the jobs: the next task of an older job goes before
the first one of a younger job, so that jobs come to their ends one after the other. Only the first of a line may try;
it moves on when its pool has a place and its group of endpoints takes another request. Whoever is moved up is woken.

Pools learn. When the service says that one is full although we have only n tasks in it, somebody else uses the account,
or it has a smaller pool than documented: from then on n tasks (at least one) are taken for its size, one more for every
minute in which the service did not say so again, up to the documented size. It is never exceeded.
"""

from __future__ import annotations

import itertools
import threading
import time
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ....vendor.assetgen.contract import POOL_SIZES, Category

GROWTH_SECONDS = 60.0
"""Without another refusal, a pool that was found smaller is thought one task larger after so many seconds."""

REFUSED_SECONDS = 5.0
"""Wait after a full pool, where the service does not say how long."""

_NOTIFIED_ALWAYS = 10
_NOTIFIED_SHARE = 0.2
"""The first ten of a line are notified of every step, the others when a fifth of those before them has gone."""


class Pool(NamedTuple):
    """One pool of one account."""

    service_id: str
    category: Category


class Delay(NamedTuple):
    """Why a job may not go on: its number in the line, from 1, and when to ask again (None: it is woken).

    ``is_rate`` says that it is not for want of a place.
    """

    number: int
    seconds: float | None
    is_rate: bool = False


@dataclass(slots=True)
class _AdmittedJob:
    """A job with a place. ``has_task`` once the service has created its task."""

    pool: Pool
    has_task: bool


@dataclass(slots=True)
class _QueuedJob:
    """A job in the line. ``ticket`` says where it stands, ``notified`` is the number that was last made known."""

    pool: Pool
    ticket: Any
    notified: int = 0


@dataclass(slots=True)
class _LearnedSize:
    """What the service's refusals taught: ``size`` at the time ``since``, nothing to be sent before ``shut_until``."""

    size: int
    since: float
    shut_until: float


class ConcurrencyLimiter:
    """Counts this process's unfinished tasks. Other processes on the account are met by the service's own answer.

    ``wake`` and ``notify`` are called under the limiter's lock, so that what they say is never overtaken; they must not
    call back.

    Args:
        sizes: Of the pools, by category.
        clock: Seconds; only differences count.
        wake: Has a job ask again.
        notify: Takes every number in the line that a job gets for want of a place.
        order: What the jobs of a line are sorted by, the least first; when left out, they stand as they came.
    """

    def __init__(
        self,
        sizes: Mapping[Category, int] = POOL_SIZES,
        *,
        clock: Callable[[], float] = time.monotonic,
        wake: Callable[[str], None] = lambda job_id: None,
        notify: Callable[[str, int], None] = lambda job_id, number: None,
        order: Callable[[str], Any] | None = None,
    ) -> None:
        self._sizes = sizes
        self._clock = clock
        self._wake = wake
        self._notify = notify
        self._order = order or (lambda job_id: next(self._next_ticket))
        self._lock = threading.Lock()
        self._admitted: dict[str, _AdmittedJob] = {}
        self._queued: dict[str, _QueuedJob] = {}
        self._lines: dict[Pool, list[tuple[Any, str]]] = defaultdict(list)
        self._tickets: dict[str, Any] = {}
        self._next_ticket = itertools.count()
        self._learned: dict[Pool, _LearnedSize] = {}

    def enter(self, job_id: str, pool: Pool, start: Callable[[], float] = lambda: 0.0) -> Delay | None:
        """Takes a place for a job, or puts it into the line.

        Args:
            job_id: The job; it keeps its place or its stand until it leaves.
            pool: Where its task will count.
            start: Asks whether a request may be sent now, and counts it; gives the seconds to wait when it may not.

        Returns:
            None when the request is to be sent now.
        """
        with self._lock:
            place = self._admitted.get(job_id)
            if place is not None and place.pool == pool:
                seconds = start()
                return Delay(1, seconds, is_rate=True) if seconds > 0 else None
            if place is not None:
                self._free(job_id)
            number = self._queue(job_id, pool)
            free, until = self._started(pool)
            if number > 1 or free <= 0:
                self._notify(job_id, number)
                self._notify_line(pool)  # a younger job may have come before it, and stands behind it now
                return Delay(number, until if number == 1 else None)
            seconds = start()
            if seconds > 0:
                return Delay(number, seconds, is_rate=True)
            self._unqueue(job_id)
            self._admitted[job_id] = _AdmittedJob(pool, has_task=False)
            self._move_up(pool)
            return None

    def occupy(self, job_id: str, pool: Pool) -> None:
        """Counts a task that the service has."""
        with self._lock:
            self._unqueue(job_id)
            self._tickets.pop(job_id, None)
            self._admitted[job_id] = _AdmittedJob(pool, has_task=True)

    def refused(self, job_id: str, pool: Pool, seconds: float | None) -> Delay:
        """The service says that the pool is full. The job goes back to where it stood in the line.

        Args:
            job_id: The job whose request was refused.
            pool: The pool that it asked for a place in.
            seconds: How long the service wants to be left alone, where it said so.
        """
        with self._lock:
            now = self._clock()
            self._admitted.pop(job_id, None)
            tasks = sum(1 for inside in self._admitted.values() if inside.pool == pool and inside.has_task)
            wait = REFUSED_SECONDS if seconds is None else seconds
            self._learned[pool] = _LearnedSize(max(1, tasks), now, now + wait)
            number = self._queue(job_id, pool)
            self._notify(job_id, number)
            self._notify_line(pool)  # who came after it stands behind it again
            return Delay(number, wait if number == 1 else None)

    def leave(self, job_id: str) -> None:
        """Gives a job's place or its stand in the line back."""
        with self._lock:
            queued = self._unqueue(job_id)
            if queued is not None:
                self._move_up(queued.pool)
            self._free(job_id)
            self._tickets.pop(job_id, None)

    def go_on(self, job_id: str, pool: Pool) -> None:
        """A job's task has ended and its next one will count in ``pool``: it stands in line there before the place that
        it had is given to another.
        """
        with self._lock:
            place = self._admitted.pop(job_id, None)
            self._tickets.pop(job_id, None)
            self._queue(job_id, pool)
            self._notify_line(pool)
            if place is not None:
                self._move_up(place.pool)

    def size(self, pool: Pool) -> int:
        """How many tasks the pool is thought to take."""
        with self._lock:
            return self._size(pool)

    # Under the lock

    def _queue(self, job_id: str, pool: Pool) -> int:
        """Puts a job into a line, where it is not in it yet; its number there."""
        queued = self._queued.get(job_id)
        if queued is not None and queued.pool != pool:
            self._unqueue(job_id)
            self._tickets.pop(job_id, None)
            self._move_up(queued.pool)
            queued = None
        line = self._lines[pool]
        if queued is None:
            # A job that was refused has its ticket still, and with it its place.
            if job_id not in self._tickets:
                self._tickets[job_id] = self._order(job_id)
            ticket = self._tickets[job_id]
            queued = self._queued[job_id] = _QueuedJob(pool, ticket)
            insort(line, (ticket, job_id))
        queued.notified = bisect_left(line, (queued.ticket, job_id)) + 1
        return queued.notified

    def _unqueue(self, job_id: str) -> _QueuedJob | None:
        queued = self._queued.pop(job_id, None)
        if queued is not None:
            self._lines[queued.pool].remove((queued.ticket, job_id))
        return queued

    def _free(self, job_id: str) -> None:
        place = self._admitted.pop(job_id, None)
        if place is not None:
            self._move_up(place.pool)

    def _size(self, pool: Pool) -> int:
        most = self._sizes[pool.category]
        learned = self._learned.get(pool)
        if learned is None:
            return most
        return min(most, learned.size + int((self._clock() - learned.since) // GROWTH_SECONDS))

    def _started(self, pool: Pool) -> tuple[int, float | None]:
        """Free places, and after how many seconds there may be more by themselves (None: only when somebody leaves)."""
        size = self._size(pool)
        free = size - sum(1 for inside in self._admitted.values() if inside.pool == pool)
        learned = self._learned.get(pool)
        if learned is None:
            return free, None
        now = self._clock()
        if now < learned.shut_until:
            return 0, learned.shut_until - now
        if free <= 0 and size < self._sizes[pool.category]:
            return free, GROWTH_SECONDS - (now - learned.since) % GROWTH_SECONDS
        return free, None

    def _move_up(self, pool: Pool) -> None:
        """Wakes the first of a line, and notifies all of their numbers now."""
        if line := self._lines[pool]:
            self._wake(line[0][1])
        self._notify_line(pool)

    def _notify_line(self, pool: Pool) -> None:
        for number, (_, job_id) in enumerate(self._lines[pool], start=1):
            queued = self._queued[job_id]
            moved = abs(queued.notified - number)
            # From hundredth to ninety-ninth is not worth a message: a long line would only talk of itself.
            if moved and (number <= _NOTIFIED_ALWAYS or moved >= _NOTIFIED_SHARE * queued.notified):
                queued.notified = number
                self._notify(job_id, number)
