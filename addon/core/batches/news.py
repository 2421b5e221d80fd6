"""The queue that a batch hears of its jobs by. What must be known at once is counted on the way into it."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from typing import TYPE_CHECKING

from ..jobs.job import Stage
from ..status.messages import JobChanged, Message

if TYPE_CHECKING:
    _Queue = SimpleQueue[Message]
else:
    _Queue = SimpleQueue


class BatchNews(_Queue):
    """A queue that calls ``failed`` with the id of a job that has failed, before anybody can go on because of it.

    A row that fails gives its place at the service to the next one at once. So that this one is not paid for when
    enough have failed, whoever counts must not be asked later.
    """

    failed: Callable[[str], None] = staticmethod(lambda job_id: None)

    def put(self, item: Message, block: bool = True, timeout: float | None = None) -> None:
        """Takes a message; called on the threads of the runtime."""
        if isinstance(item, JobChanged) and item.job.stage is Stage.FAILED:
            self.failed(item.job.id)
        super().put(item, block, timeout)
