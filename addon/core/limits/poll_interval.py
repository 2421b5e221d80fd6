"""When a running task is polled next."""

from __future__ import annotations

from dataclasses import dataclass

from ....vendor.assetgen.contract import TaskDetail

SHORTEST = 1.0
LONGEST = 5.0
"""The service advises one to five seconds between two polls (docs/api.md, 2.3)."""

SLOW = 30.0
"""Where webhooks tell of ends, polling is only there for those that are lost on the way."""

_QUICK = ((4, 0.05), (20, 0.5))
"""On this machine a poll costs milliseconds and small tasks are done in a blink: up to so many tasks are polled after
so many seconds at first. With more of them the requests would be too many all the same.
"""
_LATER_BY = 1 / 60
"""How much later still a task of this machine may be noticed, in parts of the time that it took. So there are as many
polls while a task gets twice as old, whether it takes seconds or minutes.
"""

_NOTICE_SECONDS = 1.8
"""What ends without having shown that it is near its end is looked at so often that, with the time that the answer
takes, it is noticed within two seconds.
"""
_YOUNG_SECONDS = 5.0
_NEAR_SECONDS = 1.5
_POLLS_AHEAD = 3.0
_SILENT_STEPS = 3.0
"""A task whose progress has not moved for so many times what a per cent took it shows nothing any more."""


@dataclass(slots=True)
class PolledTask:
    """A task that is polled. Times are of the monotonic clock."""

    job_id: str
    task_id: str
    service_id: str
    since: float
    due: float = 0.0
    progress: int = 0
    moved_at: float = 0.0
    missed_since: float = 0.0
    has_event: bool = False
    """Whether a webhook said that it has ended."""

    def record_answer(self, detail: TaskDetail, now: float) -> None:
        """Keeps how far the task is."""
        self.missed_since = 0.0
        if detail.progress != self.progress:
            self.progress = detail.progress
            self.moved_at = now


def poll_interval(task: PolledTask, now: float, *, watched: int, loopback: bool, delivering: bool = False) -> float:
    """Seconds until the next poll of a task.

    A task whose progress moves is polled about three times in the time that it still seems to need. One that shows
    nothing, or has stopped to, may end at any moment. `dev.py bench --only noticing` says what that costs. On this
    machine the age of a few tasks decides alone.

    Args:
        task: The task.
        now: The monotonic clock.
        watched: How many tasks are polled in all.
        loopback: Whether the service is on this machine.
        delivering: Whether the service's webhooks tell of ends.
    """
    if delivering and not task.has_event:
        return SLOW
    age = now - task.since
    if loopback:
        for most, seconds in _QUICK:
            if watched <= most:
                return min(_NOTICE_SECONDS, seconds + age * _LATER_BY)
    left = _seconds_left(task, now)
    if left is not None:
        return min(LONGEST, max(_NEAR_SECONDS, left / _POLLS_AHEAD))
    return SHORTEST if age < _YOUNG_SECONDS else _NOTICE_SECONDS


def _seconds_left(task: PolledTask, now: float) -> float | None:
    """How long a task will go on by its progress; None when that cannot be told."""
    if not 0 < task.progress < 100:
        return None
    per_cent = max(task.moved_at - task.since, 0.1) / task.progress
    silent = now - task.moved_at
    left = (100 - task.progress) * per_cent - silent
    return left if left > 0 and silent <= max(_SILENT_STEPS * per_cent, LONGEST) else None
