"""How long a task will take: the median of this account's own earlier ones like it; nothing where there are none."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Mapping
from statistics import median

from ....vendor.assetgen.contract import CAPABILITIES
from ..jobs.duration_table import TaskDuration

_KEPT = 15
"""So many of each kind: the latest ones count."""

_Kind = tuple[str, str, str]


class ExpectedTimes:
    """What tasks took so far, by service, capability and model version. Thread-safe.

    Args:
        durations: Of earlier tasks, the latest first.
    """

    def __init__(self, durations: Iterable[TaskDuration] = ()) -> None:
        self._lock = threading.Lock()
        self._seconds: dict[_Kind, deque[float]] = {}
        for task in reversed(list(durations)):
            self.add(task)

    def add(self, task: TaskDuration) -> None:
        """Takes in what a task took."""
        kind = _kind(task.service_id, task.capability, task.fields)
        with self._lock:
            self._seconds.setdefault(kind, deque(maxlen=_KEPT)).append(max(0.0, task.seconds))

    def seconds_of(self, service_id: str, capability: str, fields: Mapping[str, object]) -> float | None:
        """What such a task will take; None where there was none like it."""
        with self._lock:
            known = self._seconds.get(_kind(service_id, capability, fields))
            return median(known) if known else None


def _kind(service_id: str, capability: str, fields: Mapping[str, object]) -> _Kind:
    declaration = CAPABILITIES.get(capability)
    field = declaration.version_field if declaration is not None else None
    return service_id, capability, str(fields.get(field, "")) if field else ""
