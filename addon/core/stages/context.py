"""What the stages of a job work with, and how one says that it cannot go on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ....vendor.assetgen import AssetGenError
from ....vendor.assetgen.contract import TaskCreated, TaskDetail
from ..jobs.journal import Journal
from ..limits.concurrency import ConcurrencyLimiter
from ..limits.creation_guard import SharedExclusiveGuard
from ..limits.rate_limiter import RateLimiter
from ..limits.slots import Slots
from ..limits.timeouts import Timing
from ..paths import Locations
from ..requests.prices import Prices
from ..service.connection import Connection
from ..status.job_board import JobBoard
from .converter import Converter
from .echoes import Echo
from .markers import Markers

CONVERSIONS = 2
"""Background Blenders at the same time, where they may take as many cores: each takes one and as much memory as its
model needs.
"""

_SLOT_SECONDS = 5.0
"""Until a job asks again for one of them, if it is not woken before."""


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
    """Which jobs shall stop, and whether everything shall. Read often, from many threads.

    ``spending`` is set when no job may pay for its first task any more; those that have paid go on.
    """

    jobs: set[str] = field(default_factory=set)
    ending: threading.Event = field(default_factory=threading.Event)
    spending: threading.Event = field(default_factory=threading.Event)

    def stopped(self, job_id: str) -> Callable[[], bool]:
        """Asked by everything that takes long."""
        return lambda: self.ending.is_set() or job_id in self.jobs


class FinishedTasks:
    """What was last read of tasks that have ended, on its way from the poller to the jobs. Thread-safe."""

    def __init__(self) -> None:
        self._details: dict[str, TaskDetail] = {}

    def put(self, detail: TaskDetail) -> None:
        """Keeps a task for whoever goes on with its job."""
        self._details[detail.task_id] = detail

    def take(self, task_id: str) -> TaskDetail | None:
        """Gives a task out, once; None when it is not here."""
        return self._details.pop(task_id, None)


@dataclass(slots=True)
class LostAnswer:
    """A search for the task of a request whose answer was lost, from look to look.

    ``deadline`` is when the request surely makes no task any more, on the monotonic clock; ``error`` is how the answer
    was lost, None when another process sent the request. ``is_given_up`` is the user's wish to send another one.
    """

    request_id: str
    deadline: float
    error: AssetGenError | None
    looks: int = 0
    is_given_up: bool = False
    echoes: dict[str, Echo] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JobContext:
    """What all jobs of one runtime are run with.

    ``intents_seen`` is when this process sent a request, or first saw the intent of another one: request ids, and
    moments of the monotonic clock. ``answers`` are those of requests that the journal does not know yet.
    """

    journal: Journal
    board: JobBoard
    connection: Connection
    converter: Converter
    locations: Locations
    timing: Timing
    cancel_flags: CancelFlags
    concurrency: ConcurrencyLimiter
    prices: Prices
    markers: Markers
    conversions: Slots
    rate_limiter: RateLimiter = field(default_factory=RateLimiter)
    creation_guard: SharedExclusiveGuard = field(default_factory=SharedExclusiveGuard)
    finished_tasks: FinishedTasks = field(default_factory=FinishedTasks)
    lost_answers: dict[str, LostAnswer] = field(default_factory=dict)
    intents_seen: dict[str, float] = field(default_factory=dict)
    answers: dict[str, TaskCreated] = field(default_factory=dict)

    @contextmanager
    def blender_slot(self, job_id: str) -> Iterator[None]:
        """Keeps a place for one background Blender for the time of a conversion of a job.

        Raises:
            Postponed: All are taken. The thread is better used for something else than for waiting.
        """
        if not self.conversions.take(job_id):
            raise Postponed("", _SLOT_SECONDS)  # the slots show the number in the line
        try:
            yield
        finally:
            self.conversions.give_back()
