"""How long finished tasks took: what the next one like it will take, more or less."""

from __future__ import annotations

import json
from typing import NamedTuple

from .database import Database

MOST = 2000
"""Older tasks are not asked: a service becomes quicker or slower with the years."""

_QUERY = """
    SELECT jobs.service_id, steps.capability, steps.finished_at - steps.answered_at AS seconds,
        CASE WHEN json_valid(jobs.plan) THEN json_extract(jobs.plan, '$.steps[' || steps.position || '].fields') END
        AS fields
    FROM steps JOIN jobs ON jobs.id = steps.job_id
    WHERE steps.status = 'success' AND steps.answered_at > 0 AND steps.finished_at >= steps.answered_at
    ORDER BY steps.finished_at DESC LIMIT ?
"""


class TaskDuration(NamedTuple):
    """One finished task: its service, its capability, the fields that it was asked with, and its seconds."""

    service_id: str
    capability: str
    fields: dict[str, object]
    seconds: float


class DurationTable:
    """The durations in the journal, also of jobs that are off the list. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def latest(self) -> list[TaskDuration]:
        """The tasks that finished last, the latest first, at most :data:`MOST`."""
        with self._database.reading() as execute:
            rows = execute(_QUERY, (MOST,)).fetchall()
        return [
            TaskDuration(row["service_id"], row["capability"], _fields(row["fields"]), row["seconds"]) for row in rows
        ]


def _fields(text: str | None) -> dict[str, object]:
    """The fields of a step, which another version of the extension may have written."""
    try:
        fields = json.loads(text or "{}")
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) else {}
