"""What the journal knows of the files that jobs made, also of jobs that are off the list."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from .database import Database, Execute
from .job import Stage
from .rows import assignments

_COLUMNS = (
    "id, plan, stage, resume, owner, created_at, removed_at, used_at, service_id,"
    " files <> '[]' OR result <> '' AS has_files"
)
_WANTED = (
    "SELECT 1 FROM jobs WHERE id <> ? AND removed_at = 0 AND stage <> ?"
    # JSON writes the backslash of Windows twice.
    " AND instr(replace(plan, char(92, 92), '/'), ?) > 0 LIMIT 1"
)
"""Whether a job that may go on names a file of another job: what it uploads lies in that job's folder."""


class ResultRow(NamedTuple):
    """A job as far as its files are concerned.

    Attributes:
        job_id: Its id, which is the name of its folder too.
        name: What it is called.
        stage: Where it stands.
        resume: Where Retry would go on; None where it would not.
        is_run: Whether a process has it.
        is_wanted: Whether the plan of another job that may go on names a file in its folder.
        created_at: In seconds since 1970, as all times.
        removed_at: When it was taken off the list; 0 for never.
        used_at: When its result first was in a scene or a folder; 0 for never.
        service_id: The service of its tasks.
        task_id: The finished task that the files came from; empty where there is none.
        credits: What its tasks cost, in credits.
        has_files: Whether the journal names files of it.
    """

    job_id: str
    name: str
    stage: Stage
    resume: Stage | None
    is_run: bool
    is_wanted: bool
    created_at: float
    removed_at: float
    used_at: float
    service_id: str
    task_id: str
    credits: Decimal
    has_files: bool


class ResultTable:
    """The results in the journal. Thread-safe; made for threads that may wait."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> dict[str, ResultRow]:
        """Every job, by its id."""
        with self._database.reading() as execute:
            rows = execute(f"SELECT {_COLUMNS} FROM jobs").fetchall()
            return {row["id"]: _result(execute, row) for row in rows}

    def put_back(self, job_id: str) -> bool:
        """Puts a job back on the list; False when it is there, or unknown."""
        with self._database.writing() as execute:
            statement = "UPDATE jobs SET removed_at = 0, revision = revision + 1 WHERE id = ? AND removed_at > 0"
            return execute(statement, (job_id,)).rowcount == 1

    @contextmanager
    def changing(self) -> Iterator[Execute]:
        """One transaction, in which no process can run, claim or retry a job."""
        with self._database.writing() as execute:
            yield execute

    def row(self, execute: Execute, job_id: str) -> ResultRow | None:
        """One job; None when there is none."""
        row = execute(f"SELECT {_COLUMNS} FROM jobs WHERE id = ?", (job_id,)).fetchone()
        return _result(execute, row) if row is not None else None

    def forget_files(self, execute: Execute, row: ResultRow, changes: Mapping[str, Any]) -> None:
        """The files of a job are gone. One that is off the list goes with them, unless a request of it is unsettled.

        Args:
            execute: Of the transaction.
            row: The job.
            changes: What else is to be written of a job that is on the list.
        """
        if row.removed_at and not _has_open_intent(execute, row.job_id):
            execute("DELETE FROM jobs WHERE id = ?", (row.job_id,))
            return
        gone: dict[str, Any] = {"files": [], "result": "", "blend": ""}
        columns, values = assignments(gone if row.removed_at else {**gone, **changes})
        execute(f"UPDATE jobs SET {columns}, revision = revision + 1 WHERE id = ?", (*values, row.job_id))


def _result(execute: Execute, row: sqlite3.Row) -> ResultRow:
    job_id = row["id"]
    steps = execute(
        "SELECT task_id, status, credits FROM steps WHERE job_id = ? ORDER BY position", (job_id,)
    ).fetchall()
    last = steps[-1] if steps else None
    return ResultRow(
        job_id=job_id,
        name=_name(row["plan"]) or job_id,
        stage=_stage(row["stage"]) or Stage.WAIT,  # whatever it is, it is not over
        resume=_stage(row["resume"]),
        is_run=bool(row["owner"]),
        is_wanted=execute(_WANTED, (job_id, Stage.APPLIED, f"/{job_id}/")).fetchone() is not None,
        created_at=row["created_at"],
        removed_at=row["removed_at"],
        used_at=row["used_at"],
        service_id=row["service_id"],
        task_id=last["task_id"] if last is not None and last["status"] == "success" else "",
        credits=sum((_credits(step["credits"]) for step in steps), Decimal(0)),
        has_files=bool(row["has_files"]),
    )


def _stage(word: str | None) -> Stage | None:
    """A stage; None where there is none, or one that only another version of the extension knows."""
    return Stage(word) if word in tuple(Stage) else None


def _name(plan: str) -> str:
    """The name in a plan, which another version of the extension may have written."""
    try:
        return str(json.loads(plan)["name"])
    except (ValueError, KeyError, TypeError):
        return ""


def _credits(words: str) -> Decimal:
    try:
        return Decimal(words or "0")
    except InvalidOperation:
        return Decimal(0)


def _has_open_intent(execute: Execute, job_id: str) -> bool:
    query = "SELECT 1 FROM steps WHERE job_id = ? AND request_id <> '' AND task_id = '' LIMIT 1"
    return execute(query, (job_id,)).fetchone() is not None
