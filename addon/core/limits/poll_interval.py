"""When a running task is polled next."""

from __future__ import annotations

from dataclasses import dataclass

from ....vendor.assetgen.contract import TaskDetail

SHORTEST = 1.0
LONGEST = 5.0
"""The service advises one to five seconds between two polls (docs/api.md, 2.3)."""

_QUICK_SECONDS = 5.0
_QUICK = ((4, 0.3), (20, 0.5))
"""On this machine a poll costs next to nothing and small tasks are done in a blink: up to so many young tasks are
polled after so many seconds. With more of them the requests would be too many all the same.
"""

_POLLS_AHEAD = 4.0
_AGE_PER_SECOND = 20.0


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

    def record_answer(self, detail: TaskDetail, now: float) -> None:
        """Keeps how far the task is."""
        self.missed_since = 0.0
        if detail.progress != self.progress:
            self.progress = detail.progress
            self.moved_at = now


def poll_interval(task: PolledTask, now: float, *, watched: int, loopback: bool) -> float:
    """Seconds until the next poll of a task.

    A task that moves is polled about four times in the time that it still seems to need; one that shows no progress
    more and more rarely with its age.

    Args:
        task: The task.
        now: The monotonic clock.
        watched: How many tasks are polled in all.
        loopback: Whether the service is on this machine.
    """
    age = now - task.since
    if loopback and age < _QUICK_SECONDS:
        for most, seconds in _QUICK:
            if watched <= most:
                return seconds
    if 0 < task.progress < 100:
        speed = task.progress / max(task.moved_at - task.since, 0.1)
        # What has not moved for long is slower than it looked.
        left = max((100 - task.progress) / speed, now - task.moved_at)
        seconds = left / _POLLS_AHEAD
    else:
        seconds = age / _AGE_PER_SECOND
    return min(LONGEST, max(SHORTEST, seconds))
