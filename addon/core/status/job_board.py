"""What is shown of each job: what the journal says, with what only this process knows laid over it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from queue import SimpleQueue

from ....vendor.assetgen.contract import TaskStatus
from ..jobs.duration_table import TaskDuration
from ..jobs.job import RESTING, JobView
from ..jobs.records import JobRecord
from ..jobs.spending_table import ChargedTask
from .expected_time import ExpectedTimes
from .job_view import LiveProgress, make_view
from .messages import JobChanged, JobRemoved, Message
from .spending import Ledger

_SHORTEST_SECONDS = 0.1
"""Between two messages about the same stage of a job: ten a second are as many as anybody can see."""


@dataclass(slots=True)
class _BoardEntry:
    record: JobRecord
    live: LiveProgress = field(default_factory=LiveProgress)
    view: JobView | None = None
    sent_at: float = float("-inf")


class JobBoard:
    """The views of all jobs, and the messages about their changes. Thread-safe.

    Args:
        news: Where messages go.
        clock: Seconds since 1970.
        times: What earlier tasks took; it learns from those that finish.
        ledger: What tasks were charged for; those that end are entered.
    """

    def __init__(
        self,
        news: SimpleQueue[Message],
        *,
        clock: Callable[[], float] = time.time,
        times: ExpectedTimes | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        self._news = news
        self._clock = clock
        self._times = times or ExpectedTimes()
        self._ledger = ledger or Ledger()
        self._lock = threading.Lock()
        self._entries: dict[str, _BoardEntry] = {}
        self._busy: frozenset[str] = frozenset()
        self._expected: frozenset[str] = frozenset()

    @property
    def busy(self) -> bool:
        """Whether any job is not resting, or more is to come of one that is. Costs nothing."""
        return bool(self._busy or self._expected)

    @contextmanager
    def expecting(self, job_id: str) -> Iterator[None]:
        """More is to come of a job that comes to rest: whoever reads the messages goes on until the end of this."""
        with self._lock:
            self._expected |= {job_id}
        try:
            yield
        finally:
            with self._lock:
                self._expected -= {job_id}

    def order_of(self, job_id: str) -> tuple[float, str]:
        """What jobs are sorted by, the oldest first. Takes no lock; a job that nobody knows is the youngest."""
        entry = self._entries.get(job_id)
        return (entry.record.created_at if entry is not None else float("inf"), job_id)

    def views(self) -> list[JobView]:
        """All jobs, oldest first."""
        with self._lock:
            views = [entry.view for entry in self._entries.values() if entry.view is not None]
        return sorted(views, key=lambda job: (job.created_at, job.id))

    def view(self, job_id: str) -> JobView:
        """One job.

        Raises:
            LookupError: There is none with this id.
        """
        with self._lock:
            entry = self._entries.get(job_id)
        if entry is None or entry.view is None:
            raise LookupError(f"there is no job {job_id}")
        return entry.view

    def changed(self, record: JobRecord) -> None:
        """A job's record has changed: always sent, at once. One that is older than what is shown is passed over."""
        if record.removed_at:
            self.removed(record.id)
            return
        with self._lock:
            entry = self._entries.get(record.id)
            if entry is not None and record.revision < entry.record.revision:
                return
            if entry is None:
                entry = self._entries[record.id] = _BoardEntry(record)
            elif (entry.record.stage, entry.record.position) != (record.stage, record.position):
                backwards = entry.record.stage in RESTING and record.stage not in RESTING
                # A retry begins again from where it begins; everything else only goes forward.
                entry.live = LiveProgress(floor=0.0 if backwards else entry.live.floor, tasks=entry.live.tasks)
            self._learn(entry.record, record)
            entry.record = record
            # While nothing is busy every message has been sent: whoever reads them may stop to look.
            if record.stage not in RESTING:
                self._busy |= {record.id}
            self._send(entry)
            if record.stage in RESTING:
                self._busy -= {record.id}

    def live(
        self, job_id: str, *, fraction: float | None = None, text: str | None = None, lost: str | None = None
    ) -> None:
        """How far the current phase is, and words about it; sent when the last message is not too young.

        ``lost`` is the id of a request whose answer was lost, for whose task this process looks.
        """
        with self._lock:
            entry = self._entries.get(job_id)
            if entry is None or entry.record.stage in RESTING:
                return
            entry.live = replace(
                entry.live,
                fraction=entry.live.fraction if fraction is None else fraction,
                text=entry.live.text if text is None else text,
                lost=entry.live.lost if lost is None else lost,
            )
            if (text is not None and entry.view is not None and text != entry.view.text) or self._is_old(entry):
                self._send(entry)

    def task(self, job_id: str, task_id: str, status: str, progress: int) -> None:
        """What was last seen of a task."""
        with self._lock:
            entry = self._entries.get(job_id)
            if entry is None or entry.record.step.task_id != task_id:
                return
            tasks = {**entry.live.tasks, task_id: (status, progress / 100)}
            live = replace(entry.live, fraction=progress / 100, text="", tasks=tasks)
            if live != entry.live:
                entry.live = live
                self._send(entry)

    def removed(self, job_id: str) -> None:
        """A job is off the list."""
        with self._lock:
            if self._entries.pop(job_id, None) is not None:
                self._news.put(JobRemoved(job_id))
                self._busy -= {job_id}

    def revisions(self) -> dict[str, int]:
        """The revision that is shown of each job."""
        with self._lock:
            return {job_id: entry.record.revision for job_id, entry in self._entries.items()}

    def _learn(self, before: JobRecord, now: JobRecord) -> None:
        """Takes in what the tasks took and cost that have finished since."""
        for old, step, plan in zip(before.steps, now.steps, now.plan.steps, strict=False):
            if step.credits and step.finished_at and not old.finished_at:
                task = ChargedTask(now.service_id, step.capability, step.credits, step.finished_at)
                self._ledger.add(task)
            if step.status == TaskStatus.SUCCESS and step.finished_at and not old.finished_at and step.answered_at:
                seconds = step.finished_at - step.answered_at
                self._times.add(TaskDuration(now.service_id, step.capability, plan.fields, seconds))

    def _is_old(self, entry: _BoardEntry) -> bool:
        return time.monotonic() - entry.sent_at >= _SHORTEST_SECONDS

    def _send(self, entry: _BoardEntry) -> None:
        entry.view = make_view(entry.record, entry.live, now=self._clock(), times=self._times)
        entry.live = replace(entry.live, floor=entry.view.progress)
        entry.sent_at = time.monotonic()
        self._news.put(JobChanged(entry.view))
