"""What services were seen to do with the markers of requests. Every process that uses the journal learns from it."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum

from .database import Database

_REFUSED_SECONDS = 30 * 86400.0
"""For so long a service that refuses markers is not sent any. A try costs one request that makes no task."""


class MarkerFate(StrEnum):
    """What becomes of a marker at a service."""

    UNKNOWN = ""
    ECHOED = "echoed"
    DROPPED = "dropped"
    REFUSED = "refused"


class ServiceTable:
    """The services in the journal. Thread-safe.

    Args:
        database: The journal's.
        clock: Seconds since 1970.
    """

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def marker_fate(self, service_id: str) -> MarkerFate:
        """What was seen last. A refusal is forgotten after a month: services change."""
        query = "SELECT markers, noted_at FROM services WHERE service_id = ?"
        with self._database.reading() as execute:
            row = execute(query, (service_id,)).fetchone()
        if row is None or row["markers"] not in set(MarkerFate):
            return MarkerFate.UNKNOWN
        fate = MarkerFate(row["markers"])
        # A clock that was set back does not make a refusal last longer.
        is_over = not 0.0 <= self._clock() - row["noted_at"] < _REFUSED_SECONDS
        return MarkerFate.UNKNOWN if fate is MarkerFate.REFUSED and is_over else fate

    def note_marker_fate(self, service_id: str, fate: MarkerFate) -> None:
        """Records what was seen."""
        with self._database.writing() as execute:
            execute(
                "INSERT INTO services (service_id, markers, noted_at) VALUES (?,?,?) ON CONFLICT (service_id)"
                " DO UPDATE SET markers = excluded.markers, noted_at = excluded.noted_at",
                (service_id, fate, self._clock()),
            )
