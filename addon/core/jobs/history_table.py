"""All jobs of the journal, those included that are off the list: what was asked for."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from .database import Database

_ASKED = "CASE WHEN json_valid(plan) THEN json_extract(plan, '$.name') || ' ' || json_extract(plan, '$.steps') END"
"""What is searched: the name of a job, and all that it was asked with."""


class HistoryEntry(NamedTuple):
    """A job of the history; ``removed_at`` is when it was taken off the list, in seconds since 1970, 0 for never."""

    job_id: str
    removed_at: float


class HistoryTable:
    """The history in the journal. Thread-safe; made for threads that may wait."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def page(self, words: str, first: int, count: int) -> tuple[int, list[HistoryEntry]]:
        """How many jobs have all of these words, and ``count`` of them from the ``first`` on, the latest first."""
        parts = words.lower().split()
        where = " AND ".join(f"instr(lower({_ASKED}), ?) > 0" for _ in parts) or "1"
        with self._database.reading() as execute:
            (total,) = execute(f"SELECT count(*) FROM jobs WHERE {where}", parts).fetchone()
            query = f"SELECT id, removed_at FROM jobs WHERE {where} ORDER BY created_at DESC, id LIMIT ? OFFSET ?"
            rows = execute(query, (*parts, count, first)).fetchall()
        return total, [HistoryEntry(row["id"], row["removed_at"]) for row in rows]

    def asked_fields(self, count: int) -> list[dict[str, Any]]:
        """The fields of the last steps of the latest jobs, the latest first."""
        query = "SELECT plan FROM jobs WHERE json_valid(plan) ORDER BY created_at DESC LIMIT ?"
        with self._database.reading() as execute:
            plans = [row["plan"] for row in execute(query, (count,))]
        return [fields for plan in plans if (fields := _last_fields(plan))]


def _last_fields(plan: str) -> dict[str, Any]:
    """The fields of a plan that another version of the extension may have written."""
    try:
        fields = json.loads(plan)["steps"][-1]["fields"]
    except (ValueError, LookupError, TypeError):
        return {}
    return fields if isinstance(fields, dict) else {}
