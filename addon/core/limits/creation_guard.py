"""Keeps creations and the search for lost ones out of each other's way.

While a creation is in the air its task is already in the account's usage and not yet in our journal. Whoever looked for
a lost task at that moment would take it for their own.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class SharedExclusiveGuard:
    """Per capability: any number of creations, or one search. Neither waits; who may not go now comes back later."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._in_flight: dict[str, str] = {}
        self._searching: set[str] = set()

    @contextmanager
    def creation(self, job_id: str, capability: str) -> Iterator[bool]:
        """For the time of a request; gives False when it must not be sent now."""
        with self._lock:
            allowed = capability not in self._searching
            if allowed:
                self._in_flight[job_id] = capability
        try:
            yield allowed
        finally:
            if allowed:
                with self._lock:
                    del self._in_flight[job_id]

    @contextmanager
    def search(self, capability: str) -> Iterator[bool]:
        """For the time of a search; gives False when it must not begin now."""
        with self._lock:
            allowed = capability not in self._searching and capability not in self._in_flight.values()
            if allowed:
                self._searching.add(capability)
        try:
            yield allowed
        finally:
            if allowed:
                with self._lock:
                    self._searching.discard(capability)
