"""Which of the running tasks are read with which request, and when: neither threads nor a network."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable

from ....vendor.assetgen.contract import MAX_TASK_IDS, TaskDetail
from .poll_interval import SHORTEST, PolledTask, poll_interval

_MOST_EVENTS = 10_000
"""Tasks of which an event is remembered: it may be there before the answer that tells us the task's id."""


class PollSchedule:
    """The running tasks and when each of them is due. All times are of one monotonic clock; not safe for threads."""

    def __init__(self) -> None:
        self._tasks: dict[str, PolledTask] = {}
        self._loopback: dict[str, bool] = {}
        self._events: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._delivering: frozenset[str] = frozenset()
        self._unannounced: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self._tasks)

    def add(self, job_id: str, task_id: str, service_id: str, now: float, age: float = 0.0) -> None:
        """Watches a job's task that has run for ``age`` seconds; instead of another one that the job had before."""
        earlier = self._tasks.get(job_id)
        if earlier is not None and earlier.task_id == task_id:
            return
        task = self._tasks[job_id] = PolledTask(job_id, task_id, service_id, since=now - max(0.0, age))
        task.has_event = (service_id, task_id) in self._events
        # Not at once: a batch that is being started would be a request per task.
        is_young = age < SHORTEST and not task.has_event
        task.due = now + (self._interval(task, now, unknown_is_loopback=True) if is_young else 0.0)

    def remove(self, job_id: str) -> None:
        """Watches a job's task no more."""
        self._tasks.pop(job_id, None)

    def drop(self, task: PolledTask) -> None:
        """Watches a task no more; another one of the same job stays."""
        if self._tasks.get(task.job_id) is task:
            del self._tasks[task.job_id]

    def found(self, service_id: str, *, loopback: bool) -> None:
        """Takes note of where a service is."""
        self._loopback[service_id] = loopback

    def hurry(self) -> None:
        """Everything is due now."""
        for task in self._tasks.values():
            task.due = 0.0

    def record_events(self, tasks: Iterable[tuple[str, str]], delivering: frozenset[str], now: float) -> None:
        """Takes note of what webhooks told.

        Args:
            tasks: Service and id of tasks that have ended; they are due now.
            delivering: The services whose webhooks come; their other tasks are polled rarely.
            now: The monotonic clock.
        """
        ended = dict.fromkeys(tasks)
        for task in ended:
            self._events[task] = None
        while len(self._events) > _MOST_EVENTS:
            self._events.popitem(last=False)
        for watched in self._tasks.values():
            if (watched.service_id, watched.task_id) in ended:
                watched.has_event, watched.due = True, 0.0
        self._rely_on(delivering, self._unannounced - {service_id for service_id, _ in ended}, now)

    def postpone(self, tasks: Iterable[PolledTask], until: float) -> None:
        """These tasks are not due before."""
        for task in tasks:
            task.due = until

    def next_due(self) -> float | None:
        """When the first task is due; None when there is none."""
        return min((task.due for task in self._tasks.values()), default=None)

    def requests(self, now: float) -> list[list[PolledTask]]:
        """The tasks of each request to send now, of one service each."""
        by_service: dict[str, list[PolledTask]] = defaultdict(list)
        for task in sorted(self._tasks.values(), key=lambda task: task.due):
            by_service[task.service_id].append(task)
        requests: list[list[PolledTask]] = []
        for tasks in by_service.values():
            due = sum(1 for task in tasks if task.due <= now)
            # A request is filled up with those that come next: it costs nothing, and they fall into step.
            requests += [tasks[start : start + MAX_TASK_IDS] for start in range(0, due, MAX_TASK_IDS)]
        return requests

    def answered(self, task: PolledTask, detail: TaskDetail | None, now: float) -> None:
        """Takes note of what a request said of a task, if it said anything; what is final is not watched any more."""
        if detail is not None:
            task.record_answer(detail, now)
            if detail.is_final:
                self.drop(task)
                self._check_announced(task, now)
        task.due = now + self._interval(task, now)

    def _check_announced(self, task: PolledTask, now: float) -> None:
        """Where polling was the first to see an end, webhooks are not relied on before the next one comes."""
        if task.service_id in self._delivering and not task.has_event:
            self._rely_on(self._delivering, self._unannounced | {task.service_id}, now)

    def _rely_on(self, delivering: frozenset[str], unannounced: frozenset[str], now: float) -> None:
        before = self._delivering - self._unannounced
        self._delivering, self._unannounced = delivering, unannounced
        gone = before - (delivering - unannounced)
        for task in self._tasks.values():
            if task.service_id in gone:
                task.due = min(task.due, now + self._interval(task, now))

    def _interval(self, task: PolledTask, now: float, *, unknown_is_loopback: bool = False) -> float:
        loopback = self._loopback.get(task.service_id, unknown_is_loopback)
        delivering = task.service_id in self._delivering - self._unannounced
        return poll_interval(task, now, watched=len(self._tasks), loopback=loopback, delivering=delivering)
