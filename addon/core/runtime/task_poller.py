"""One thread that polls all running tasks: up to a hundred with each request, never a request per task."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Protocol

from ....vendor.assetgen import AssetGenError, Client
from ....vendor.assetgen.addresses import host_of
from ....vendor.assetgen.contract import TaskDetail
from ....vendor.loopback import is_loopback
from ..errors import CoreError, UnknownTask
from ..jobs.webhook_inbox import WebhookNews
from ..limits.backoff import Backoff, is_transient
from ..limits.poll_interval import PolledTask
from ..limits.poll_schedule import PollSchedule
from ..log import logger

log = logger(__name__)


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
        pause: Seconds that are left between two requests, at least.
    """

    def __init__(
        self,
        client: Callable[[str], Client],
        listener: TaskListener,
        *,
        failed: Callable[[BaseException], None] = lambda error: None,
        pause: float = 0.0,
    ) -> None:
        self._client = client
        self._listener = listener
        self._failed = failed
        self._pause = pause
        self._not_before = 0.0
        self._schedule = PollSchedule()
        self._changed = threading.Condition()
        self._stopped = False
        self._backoff: dict[str, Backoff] = defaultdict(Backoff)
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
        with self._changed:
            self._schedule.add(job_id, task_id, service_id, time.monotonic(), age)
            self._changed.notify_all()

    def forget(self, job_id: str) -> None:
        """Polls a job's task no more."""
        with self._changed:
            self._schedule.remove(job_id)

    def poll_now(self) -> None:
        """Polls everything now: the settings have changed, or the connection is back."""
        with self._changed:
            self._backoff.clear()
            self._schedule.hurry()
            self._changed.notify_all()

    def record_events(self, news: WebhookNews) -> None:
        """Takes note of what webhooks told: what has ended is polled now, what has not more rarely."""
        with self._changed:
            self._schedule.record_events(news.tasks, news.delivering, time.monotonic())
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
                first, now = self._schedule.next_due(), time.monotonic()
                if first is None:
                    self._changed.wait()
                    continue
                due = max(first, self._not_before)
                if due > now:
                    self._changed.wait(due - now)
                    continue
                requests = self._schedule.requests(now)
                if self._pause:
                    self._not_before = now + self._pause
                    return requests[:1]  # what is left is still due then
                return requests
            return None

    def _poll(self, service_id: str, tasks: list[PolledTask]) -> None:
        backoff = self._backoff[service_id]
        try:
            client = self._client(service_id)
            with self._changed:
                self._schedule.found(service_id, loopback=is_loopback(host_of(client.base_url)))
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
        with self._changed:
            self._schedule.answered(task, detail, now)
        if detail is not None:
            self._listener.task_seen(task.job_id, detail)

    def _give_up(self, task: PolledTask, error: Exception) -> None:
        with self._changed:
            self._schedule.drop(task)
        self._listener.task_unreadable(task.job_id, error)

    def _postpone(self, tasks: Iterable[PolledTask], seconds: float) -> None:
        with self._changed:
            self._schedule.postpone(tasks, time.monotonic() + seconds)
