"""Pages of the history, and sums of what tasks cost, as frozen data that any thread may make and read."""

from __future__ import annotations

import time
from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from ..jobs.job import JobView
from ..settings import LOCAL

if TYPE_CHECKING:
    from ..jobs.history_table import TaskCharge


class HistoryPage(NamedTuple):
    """Some jobs of the history.

    Attributes:
        total: How many there are that have the words.
        jobs: Those of the page, the latest first.
        removed: The ids of those that are off the list.
    """

    total: int
    jobs: tuple[JobView, ...]
    removed: frozenset[str]


class Costs(NamedTuple):
    """What the tasks of a service cost in some time, in credits.

    Attributes:
        total: All together.
        by_capability: By operation, the dearest first.
    """

    total: Decimal
    by_capability: tuple[tuple[str, Decimal], ...]


def costs_of(charges: Iterable[TaskCharge], service_id: str, since: float) -> Costs:
    """What a service charged since a moment, in seconds since 1970. What the local engine counts is no money."""
    sums: dict[str, Decimal] = {}
    for charge in charges:
        if charge.service_id == service_id != LOCAL and charge.finished_at >= since:
            sums[charge.capability] = sums.get(charge.capability, Decimal(0)) + charge.credits
    dearest = sorted(sums.items(), key=lambda item: (-item[1], item[0]))
    return Costs(sum(sums.values(), Decimal(0)), tuple(dearest))


def month_start(now: float) -> float:
    """When the month of a moment began, here; both in seconds since 1970."""
    today = time.localtime(now)
    return time.mktime((today.tm_year, today.tm_mon, 1, 0, 0, 0, 0, 0, -1))
