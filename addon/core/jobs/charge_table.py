"""What tasks cost, the last one of each kind; it stays known when their jobs are dismissed."""

from __future__ import annotations

import time
from collections.abc import Callable

from .database import Database


class ChargeTable:
    """The charges in the journal, in credits as texts. Thread-safe.

    Charges are kept by service, capability and settings. The settings are as :func:`.prices.settings_of` writes them;
    empty where they are not known any more.
    """

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def add(self, service_id: str, capability: str, settings: str, credits: str) -> None:
        """Records what a successful task cost."""
        with self._database.writing() as execute:
            charge = (service_id, capability, settings, credits, self._clock())
            execute("INSERT OR REPLACE INTO charges VALUES (?,?,?,?,?)", charge)

    def all(self) -> dict[tuple[str, str, str], str]:
        """Every charge, the oldest first."""
        with self._database.reading() as execute:
            rows = execute("SELECT service_id, capability, settings, credits FROM charges ORDER BY charged_at")
            return {(row["service_id"], row["capability"], row["settings"]): row["credits"] for row in rows}

    def last(self, service_id: str, capability: str) -> str:
        """What the last successful task of a capability cost; empty when there was none."""
        query = "SELECT credits FROM charges WHERE service_id = ? AND capability = ? ORDER BY charged_at DESC LIMIT 1"
        with self._database.reading() as execute:
            row = execute(query, (service_id, capability)).fetchone()
            return str(row["credits"]) if row is not None else ""
