"""What a service was paid: in this session and in this month, by operation."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from ..jobs.spending_table import ChargedTask


class OperationSpending(NamedTuple):
    """What one capability cost, in credits: in this session and in this month."""

    capability: str
    session: Decimal = Decimal(0)
    month: Decimal = Decimal(0)


class Spending(NamedTuple):
    """What a service was paid, in credits, and for what; the operation that cost most this month comes first."""

    session: Decimal = Decimal(0)
    month: Decimal = Decimal(0)
    operations: tuple[OperationSpending, ...] = ()


class Ledger:
    """The charged tasks of this month, and of this session if that began before it. Thread-safe.

    Args:
        tasks: Those of before this session; what is older than this month does not count.
        clock: Seconds since 1970.
    """

    def __init__(self, tasks: Iterable[ChargedTask] = (), *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._begun_at = clock()
        self._tasks = list(tasks)
        self._known: dict[tuple[str, float, int], Spending] = {}

    def add(self, task: ChargedTask) -> None:
        """Takes in what a task was charged."""
        with self._lock:
            self._tasks.append(task)

    def of(self, service_id: str) -> Spending:
        """What a service was paid. Worked out again only when there is something new."""
        month = month_begin(self._clock())
        with self._lock:
            key = (service_id, month, len(self._tasks))
            if key not in self._known:
                self._known = {key: self._sum(service_id, month)}
            return self._known[key]

    def _sum(self, service_id: str, month: float) -> Spending:
        found: dict[str, OperationSpending] = {}
        for task in self._tasks:
            credits = _credits(task.credits)
            if task.service_id != service_id or not credits:
                continue
            known = found.get(task.capability, OperationSpending(task.capability))
            found[task.capability] = OperationSpending(
                task.capability,
                known.session + (credits if task.finished_at >= self._begun_at else 0),
                known.month + (credits if task.finished_at >= month else 0),
            )
        operations = sorted(found.values(), key=lambda item: (-item.month, -item.session, item.capability))
        return Spending(
            sum((item.session for item in operations), Decimal(0)),
            sum((item.month for item in operations), Decimal(0)),
            tuple(operations),
        )


def month_begin(moment: float) -> float:
    """When the month of a moment began here, both in seconds since 1970."""
    local = time.localtime(moment)
    return time.mktime((local.tm_year, local.tm_mon, 1, 0, 0, 0, 0, 0, -1))


def _credits(words: str) -> Decimal:
    try:
        return Decimal(words)
    except InvalidOperation:
        return Decimal(0)
