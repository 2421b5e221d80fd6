"""Every task that was ever ours, also of jobs that were dismissed."""

from __future__ import annotations

from typing import NamedTuple

from .database import Database, Execute


class TaskTaken(Exception):
    """The task belongs to another job already."""


class TaskEntry(NamedTuple):
    """One task; ``answered_at`` is when the service named it, in seconds since 1970."""

    task_id: str
    service_id: str
    capability: str
    task_type: str
    answered_at: float


class TaskTable:
    """The tasks in the journal. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, execute: Execute, task: TaskEntry) -> None:
        """Enters a task, inside the transaction of ``execute``.

        Raises:
            TaskTaken: It is in here already.
        """
        if execute("INSERT OR IGNORE INTO tasks VALUES (?,?,?,?,?)", task).rowcount != 1:
            raise TaskTaken(task.task_id)

    def all(self, service_id: str) -> list[TaskEntry]:
        """Every task of a service."""
        query = "SELECT task_id, service_id, capability, task_type, answered_at FROM tasks WHERE service_id = ?"
        with self._database.reading() as execute:
            return [TaskEntry(*row) for row in execute(query, (service_id,))]

    def capability(self, service_id: str, task_id: str) -> str:
        """The capability that made a task of a service; empty when the task was never ours."""
        query = "SELECT capability FROM tasks WHERE service_id = ? AND task_id = ?"
        with self._database.reading() as execute:
            row = execute(query, (service_id, task_id)).fetchone()
            return str(row["capability"]) if row is not None else ""
