"""Holds creations back on our side, so that a full pool of the service is a line to stand in and not an error."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import MappingProxyType

from ...vendor.assetgen.contract import Category

POOLS: Mapping[Category, int] = MappingProxyType(
    {
        Category.GENERATION_H: 10,
        Category.GENERATION_P: 5,
        Category.IMAGE: 1,
        Category.ANIMATION: 10,
        Category.PROCESSING: 5,
        Category.MESH: 10,
    }
)
"""Unfinished tasks that the service takes per category (API section 8.2). An account may have more or fewer."""


class Gate:
    """Counts this process's unfinished tasks. Other processes on the account are met by the service's own answer."""

    def __init__(self, pools: Mapping[Category, int] = POOLS) -> None:
        self._pools = pools
        self._lock = threading.Lock()
        self._inside: dict[str, Category] = {}
        self._waiting: dict[str, Category] = {}

    def enter(self, job_id: str, category: Category) -> int:
        """Takes a place for a job and returns 0, or puts it into the line and returns its number there, from 1."""
        with self._lock:
            if self._inside.get(job_id) is category:
                return 0
            self._inside.pop(job_id, None)
            self._waiting.setdefault(job_id, category)
            line = [waiting for waiting, wanted in self._waiting.items() if wanted is category]
            place = line.index(job_id)
            if place < self._free(category):
                del self._waiting[job_id]
                self._inside[job_id] = category
                return 0
            return place - max(0, self._free(category)) + 1

    def occupy(self, job_id: str, category: Category) -> None:
        """Counts a task that runs already."""
        with self._lock:
            self._waiting.pop(job_id, None)
            self._inside[job_id] = category

    def leave(self, job_id: str) -> tuple[str, ...]:
        """Gives a job's place or its stand in the line back; returns the jobs that may try again."""
        with self._lock:
            self._waiting.pop(job_id, None)
            category = self._inside.pop(job_id, None)
            if category is None:
                return ()
            line = [waiting for waiting, wanted in self._waiting.items() if wanted is category]
            return tuple(line[: max(0, self._free(category))])

    def _free(self, category: Category) -> int:
        return self._pools[category] - sum(1 for inside in self._inside.values() if inside is category)
