"""What tasks were charged for, when and for what: of all jobs in the journal, also of those that are off the list."""

from __future__ import annotations

from typing import NamedTuple

from .database import Database


class ChargedTask(NamedTuple):
    """One task that has ended: its service, its capability, credits as a text, and when (seconds since 1970)."""

    service_id: str
    capability: str
    credits: str
    finished_at: float


class SpendingTable:
    """The charged tasks in the journal. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def since(self, moment: float) -> list[ChargedTask]:
        """The tasks that ended since then, the earliest first."""
        query = (
            "SELECT jobs.service_id, steps.capability, steps.credits, steps.finished_at"
            " FROM steps JOIN jobs ON jobs.id = steps.job_id"
            " WHERE steps.credits <> '' AND steps.finished_at >= ? ORDER BY steps.finished_at"
        )
        with self._database.reading() as execute:
            return [ChargedTask(*row) for row in execute(query, (moment,))]
