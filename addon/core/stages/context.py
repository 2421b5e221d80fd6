"""What the stages of a job work with."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from ....vendor.assetgen.contract import TaskDetail
from ..jobs.journal import Journal
from ..limits.concurrency import ConcurrencyLimiter
from ..limits.creation_guard import SharedExclusiveGuard
from ..limits.rate_limiter import RateLimiter
from ..limits.timeouts import Timing
from ..paths import Locations
from ..requests.prices import Prices
from ..service.connection import Connection
from ..status.job_board import JobBoard
from .converter import Converter

_CONVERSIONS = 2
"""Background Blenders at the same time: each takes a core and as much memory as its model needs."""


class Postponed(Exception):
    """A stage cannot go on now. The job is looked at again after ``seconds``, or when something wakes it if None.

    ``text`` says why; empty where that is shown already.
    """

    def __init__(self, text: str, seconds: float | None) -> None:
        super().__init__(text)
        self.text = text
        self.seconds = seconds


class Cancelled(Exception):
    """A stage gave up in the middle, because the user or the end of the process asked for it."""


@dataclass(slots=True)
class CancelFlags:
    """Which jobs shall stop, and whether everything shall. Read often, from many threads."""

    jobs: set[str] = field(default_factory=set)
    ending: threading.Event = field(default_factory=threading.Event)

    def stopped(self, job_id: str) -> Callable[[], bool]:
        """Asked by everything that takes long."""
        return lambda: self.ending.is_set() or job_id in self.jobs


@dataclass(frozen=True, slots=True)
class JobContext:
    """One runtime's instruments. ``details`` holds what was last read of tasks that have ended."""

    journal: Journal
    board: JobBoard
    connection: Connection
    converter: Converter
    locations: Locations
    timing: Timing
    cancel_flags: CancelFlags
    concurrency: ConcurrencyLimiter
    prices: Prices
    rate_limiter: RateLimiter = field(default_factory=RateLimiter)
    creation_guard: SharedExclusiveGuard = field(default_factory=SharedExclusiveGuard)
    details: dict[str, TaskDetail] = field(default_factory=dict)
    conversions: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(_CONVERSIONS))
