"""One thread that polls all running tasks: up to a hundred with each request, never a request per task."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Protocol

from ....vendor.assetgen import AssetGenError, Client
from ....vendor.assetgen.addresses import host_of, is_loopback
from ....vendor.assetgen.contract import TaskDetail
from ..errors import CoreError, UnknownTask
from ..limits.backoff import Backoff, is_transient
from ..limits.poll_interval import SHORTEST, PolledTask, poll_interval
from ..log import logger

log = logger(__name__)

_MAX_IDS = 100

_MISSED_SECONDS = 30.0
"""For so long the service may not know a task that it has just created: its parts need a moment to agree."""


class TaskListener(Protocol):
    """Gets what the poller finds out. Called on the poller's thread."""

    def task_seen(self, job_id: str, detail: TaskDetail) -> None:
        """The task was read; when it is final it is not polled any more."""

    def task_unreadable(self, job_id: str, error: Exception) -> None:
        """The task cannot be read and will not be by waiting; it is not polled any more."""

    def service_silent(self, job_ids: Iterable[str], error: Exception, retry_in: float) -> None:
        """No answer; the tasks go on at the service and are polled again in a while."""


class TaskPoller:
    """Polls tasks until they have ended.

    Args:
        client: Gives the client for a service id; may raise what cannot be reached.
        listener: Gets what was found out.
        failed: Called with every error, before the next try.
    """

    def __init__(
        self,
        client: Callable[[str], Client],
        listener: TaskListener,
        *,
        failed: Callable[[BaseException], None] = lambda error: None,
    ) -> None:
        self._client = client
        self._listener = listener
        self._failed = failed
        self._tasks: dict[str, PolledTask] = {}
        self._changed = threading.Condition()
        self._stopped = False
        self._backoff: dict[str, Backoff] = defaultdict(Backoff)
        self._loopback: dict[str, bool] = {}
        self._thread = threading.Thread(target=self._loop, daemon=True, name="assetgen-poller")

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def stop(self, timeout: float) -> bool:
        """Ends the thread; True when it has ended in time."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def watch(self, job_id: str, task_id: str, service_id: str, age: float = 0.0) -> None:
        """Polls a task from now on. ``age`` is how many seconds it has run already."""
        now = time.monotonic()
        with self._changed:
            earlier = self._tasks.get(job_id)
            if earlier is not None and earlier.task_id == task_id:
                return
            task = PolledTask(job_id, task_id, service_id, since=now - max(0.0, age))
            self._tasks[job_id] = task
            # Not at once: a batch that is being started would be a request per task.
            loopback = self._loopback.get(service_id, True)
            task.due = now + (
                poll_interval(task, now, watched=len(self._tasks), loopback=loopback) if age < SHORTEST else 0
            )
            self._changed.notify_all()

    def forget(self, job_id: str) -> None:
        """Polls a job's task no more."""
        with self._changed:
            self._tasks.pop(job_id, None)

    def poll_now(self) -> None:
        """Polls everything now: the settings have changed, or the connection is back."""
        with self._changed:
            self._backoff.clear()
            for task in self._tasks.values():
                task.due = 0.0
            self._changed.notify_all()

    def _loop(self) -> None:
        while (requests := self._wait_for_due()) is not None:
            for tasks in requests:
                try:
                    self._poll(tasks[0].service_id, tasks)
                except Exception:  # the one poller must outlive whatever a listener or an answer does
                    log.exception("polling tasks")
                    self._postpone(tasks, 5.0)

    def _wait_for_due(self) -> list[list[PolledTask]] | None:
        """The tasks of each request to send now; None at the end."""
        with self._changed:
            while not self._stopped:
                if not self._tasks:
                    self._changed.wait()
                    continue
                now = time.monotonic()
                first = min(task.due for task in self._tasks.values())
                if first <= now:
                    return self._requests(now)
                self._changed.wait(first - now)
            return None

    def _requests(self, now: float) -> list[list[PolledTask]]:
        by_service: dict[str, list[PolledTask]] = defaultdict(list)
        for task in sorted(self._tasks.values(), key=lambda task: task.due):
            by_service[task.service_id].append(task)
        requests: list[list[PolledTask]] = []
        for tasks in by_service.values():
            due = sum(1 for task in tasks if task.due <= now)
            # A request is filled up with those that come next: it costs nothing, and they fall into step.
            requests += [tasks[start : start + _MAX_IDS] for start in range(0, due, _MAX_IDS)]
        return requests

    def _poll(self, service_id: str, tasks: list[PolledTask]) -> None:
        backoff = self._backoff[service_id]
        try:
            client = self._client(service_id)
            self._loopback[service_id] = is_loopback(host_of(client.base_url))
            answer = client.tasks.list([task.task_id for task in tasks])
        except (AssetGenError, CoreError) as error:
            if self._stopped:
                return
            self._failed(error)
            if is_transient(error):
                seconds = backoff.next(error)
                self._postpone(tasks, seconds)
                self._listener.service_silent([task.job_id for task in tasks], error, seconds)
            else:
                for task in tasks:
                    self._give_up(task, error)
            return
        backoff.reset()
        for task in tasks:
            self._handle_answer(task, answer.tasks.get(task.task_id), unknown=task.task_id in answer.missed)

    def _handle_answer(self, task: PolledTask, detail: TaskDetail | None, *, unknown: bool) -> None:
        now = time.monotonic()
        if detail is None:
            task.missed_since = task.missed_since or now
            if unknown and now - task.missed_since > _MISSED_SECONDS:
                sentence = f"The service does not know the task {task.task_id}, or not any more"
                advice = "Check that address and key are those that the task was made with, then press Retry"
                self._give_up(task, UnknownTask(sentence, advice))
                return
        else:
            task.record_answer(detail, now)
            if detail.is_final:
                self._drop(task)
            self._listener.task_seen(task.job_id, detail)
        with self._changed:
            loopback = self._loopback.get(task.service_id, False)
            task.due = now + poll_interval(task, now, watched=len(self._tasks), loopback=loopback)

    def _give_up(self, task: PolledTask, error: Exception) -> None:
        self._drop(task)
        self._listener.task_unreadable(task.job_id, error)

    def _drop(self, task: PolledTask) -> None:
        with self._changed:
            if self._tasks.get(task.job_id) is task:
                del self._tasks[task.job_id]

    def _postpone(self, tasks: Iterable[PolledTask], seconds: float) -> None:
        due = time.monotonic() + seconds
        with self._changed:
            for task in tasks:
                task.due = due
