"""How far the service's clock is from ours, as the tasks tell that both sides know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from ....vendor.assetgen.contract import UsageRow

_MOST_COMPARED = 5
_COMPARED_WITHIN = 600.0
"""By how many tasks clocks are compared, and how much farther from the intent than twice the nearest they may be."""

_FIRST_YEAR, _LAST_YEAR = 2000, 2200

_MEASURED_DOUBT = 30.0
UNMEASURED_DOUBT = 26 * 3600.0
"""How far off the clocks may be: a little when they were compared, a day and a time zone when they were not."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """What is to be added to the service's times to have ours, at least and at most, and how far that may be off.

    What the service created before ``before``, by its own clock, is older than the intent.
    """

    lowest: float = 0.0
    highest: float = 0.0
    doubt: float = UNMEASURED_DOUBT
    before: float = float("-inf")


def compare_clocks(rows: Iterable[UsageRow], answered_at: Mapping[str, float], intent_at: float) -> Clocks:
    """Compares the clocks by the tasks nearest to the intent: long before it one of them may have been wrong.

    Args:
        rows: The account's tasks.
        answered_at: For each task of ours, when the service named it to us.
        intent_at: When the request was noted.
    """
    compared = sorted(
        (abs(answered - intent_at), answered, created)
        for row in rows
        if (answered := answered_at.get(row.task_id)) is not None
        and (created := seconds_of(row.created_at)) is not None
    )
    if not compared:
        return Clocks()
    reach = 2 * compared[0][0] + _COMPARED_WITHIN
    nearest = [(answered, created) for distance, answered, created in compared[:_MOST_COMPARED] if distance <= reach]
    # We hear of a task after it was created, or much later when it was adopted: the true difference is the smallest,
    # unless a clock was changed in between. Where they do not agree, nothing is sure.
    offsets = [answered - created for answered, created in nearest]
    lowest, highest = min(offsets), max(offsets)
    older = (
        created
        for answered, created in nearest
        if answered <= intent_at and created + highest <= intent_at + _MEASURED_DOUBT
    )
    return Clocks(lowest, highest, _MEASURED_DOUBT, max(older, default=float("-inf")))


def seconds_of(moment: datetime | None) -> float | None:
    """A time of the service in seconds since 1970, by its own clock; None where it named none."""
    # The year 1, 1970 and 9999 are what programs write who know no time.
    if moment is None or not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
