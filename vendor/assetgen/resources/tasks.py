"""Creating and reading tasks (docs/api.md, 2.1 and 2.3)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import quote

from ..contract import MARKER_FIELD, MAX_TASK_IDS, TaskCreated, TaskDetail, TaskList, TaskRequest, TaskStatus
from ..envelope import parse
from ..errors import InvalidAnswerError, TaskFailedError, TimedOut
from ..retrying import Resend, Stopped
from ..transport import Transport

log = logging.getLogger(__name__)


class Tasks:
    """Tasks of all capabilities."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        request: TaskRequest,
        *,
        marker: str = "",
        request_id: str | None = None,
        stopped: Stopped | None = None,
    ) -> TaskCreated:
        """Creates a task, which costs credits.

        The request is sent again by itself only when it surely did not arrive (the service was not reached) or when
        the service turned it away as one too many (HTTP 429; not when it asks to wait longer than the client's
        ``max_wait``, then the error comes at once and says how long). It always goes over a connection of its own, so
        that a kept connection that just closed does not look like a lost answer.

        Args:
            request: What to make.
            marker: A text by which the task can be recognised when the answer is lost: services that echo a request's
                parameters show it again as :attr:`.TaskDetail.marker`. Best random, and the same for every sending of
                what shall be one task. It tells the service nothing else and changes nothing about the task.
            request_id: The ``X-Request-ID``; made up when left out.
            stopped: Asked before each sending and while waiting between them, never while an answer is due.

        Raises:
            AssetGenError: No task is known to exist. When ``may_have_arrived`` is true there may be one nevertheless:
                find out (``account.usage``) before sending again.
        """
        answer = self._transport.request(
            "POST",
            request.endpoint,
            json={**request.body(), **({MARKER_FIELD: marker} if marker else {})},
            resend=Resend.IF_NOT_ARRIVED,
            request_id=request_id,
            stopped=stopped,
        )
        return parse(TaskCreated, answer.data, "a new task", answer.request_id)

    def retrieve(self, task_id: str) -> TaskDetail:
        """Reads one task. Links in its output are fresh.

        Raises:
            NotFoundError: The service does not know it.
            AssetGenError: Any other trouble, see :mod:`..errors`.
        """
        answer = self._transport.request("GET", f"/v3/tasks/{quote(task_id, safe='')}")
        return _detail(answer.data, answer.request_id)

    def list(self, ids: Iterable[str]) -> TaskList:
        """Reads many tasks, a hundred with each request.

        An entry that cannot be read is logged and left out, so that it does not keep the others from being read;
        :meth:`retrieve` says what is wrong with it.

        Raises:
            AssetGenError: Trouble with the service, see :mod:`..errors`.
        """
        merged = TaskList()
        unique_ids = tuple(dict.fromkeys(ids))
        for start in range(0, len(unique_ids), MAX_TASK_IDS):
            chunk = unique_ids[start : start + MAX_TASK_IDS]
            answer = self._transport.request("POST", "/v3/tasks/list", json={"task_ids": chunk})
            data = answer.data if isinstance(answer.data, dict) else {}
            entries, missed = data.get("tasks"), data.get("missed")
            if not isinstance(entries, dict):
                raise InvalidAnswerError(
                    "the service's answer about tasks cannot be read: there is no map of tasks",
                    status=200,
                    request_id=answer.request_id,
                    in_envelope=True,
                )
            for task_id, entry in entries.items():
                try:
                    merged.tasks[task_id] = _detail(entry, answer.request_id)
                except InvalidAnswerError as error:
                    log.warning("task %s: %s", task_id, error)
            merged.missed.extend(str(task_id) for task_id in (missed if isinstance(missed, list) else ()))
        return merged

    def wait(
        self,
        task_id: str,
        *,
        interval: float = 2.0,
        timeout: float | None = None,
        on_progress: Callable[[TaskDetail], None] | None = None,
        stopped: Stopped | None = None,
    ) -> TaskDetail:
        """Reads a task until it has ended, for scripts that have nothing else to do.

        Args:
            task_id: The task.
            interval: Seconds between reads; the service advises one to five.
            timeout: Seconds after which to give up. The task itself goes on.
            on_progress: Takes the task after every read.
            stopped: Asked several times a second.

        Returns:
            The successful task.

        Raises:
            TaskFailedError: The task ended otherwise.
            TimedOut: It has not ended in time.
            StoppedError: ``stopped`` said so. The task itself goes on.
            AssetGenError: Trouble with the service, see :mod:`..errors`.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            detail = self.retrieve(task_id)
            if on_progress is not None:
                on_progress(detail)
            if detail.outcome is TaskStatus.SUCCESS:
                return detail
            if detail.is_final:
                raise TaskFailedError(detail)
            if deadline is not None and time.monotonic() + interval > deadline:
                raise TimedOut(f"task {task_id} is still {detail.status} after {timeout:g} seconds")
            self._transport.retries.wait(interval, stopped)


def _detail(data: Any, request_id: str) -> TaskDetail:
    # A field that is null says as much as one that is missing.
    fields = {name: value for name, value in data.items() if value is not None} if isinstance(data, dict) else data
    return parse(TaskDetail, fields, "a task", request_id)
