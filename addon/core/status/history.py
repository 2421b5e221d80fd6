"""Pages of the history, as frozen data that any thread may make and read."""

from __future__ import annotations

from typing import NamedTuple

from ..jobs.job import JobView


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
