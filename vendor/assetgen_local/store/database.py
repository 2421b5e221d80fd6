"""What the engine must not forget, in SQLite: tasks, uploads, credits and the secret that signs links.

Used from the event loop's thread only. A task's state and its credits change in one transaction, so a process that dies
at any point leaves both or neither.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Self

from ...assetgen.contract import TaskStatus
from ..webhook_endpoint import WebhookEndpoint
from . import account, upload_tokens, webhook_outbox
from .tasks import NewTask, Result, Sources, Task
from .upload_tokens import UploadTokens
from .webhook_outbox import WebhookOutbox

_VERSION = 2
_SCHEMA = f"""
CREATE TABLE tasks (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, capability TEXT NOT NULL, type TEXT NOT NULL,
    category TEXT NOT NULL, priority INTEGER NOT NULL, status TEXT NOT NULL, sent TEXT NOT NULL, body TEXT NOT NULL,
    sources TEXT NOT NULL, price INTEGER NOT NULL, consumed INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0, created_at REAL NOT NULL, completed_at REAL, result TEXT,
    error_code INTEGER, error_message TEXT, forced TEXT
);
CREATE INDEX tasks_unfinished ON tasks (status, category) WHERE status IN ('queued', 'running');
{upload_tokens.SCHEMA};
CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL);
{account.SCHEMA}
"""
_COLUMNS = tuple(field.name for field in fields(Task))
_JSON_COLUMNS = ("sent", "body", "sources", "result", "forced")
_TASKS = f"SELECT {', '.join(_COLUMNS)} FROM tasks"
_GOES_ON_SECONDS = 30.0
"""A task that was created so soon after the one that it works on goes on with the same work, and stands in line where
that one stood: a client that sends many models has the first one back before the last one is begun.
"""
_NEXT = f"""
WITH RECURSIVE chain (queued, first, source, since) AS (
    SELECT id, seq, json_extract(sources, '$.task_id'), created_at FROM tasks WHERE status = 'queued'
    UNION ALL
    SELECT queued, seq, json_extract(sources, '$.task_id'), created_at FROM chain JOIN tasks ON id = source
    WHERE since - completed_at < ?
)
{_TASKS} JOIN (SELECT queued, min(first) AS first FROM chain GROUP BY queued) ON queued = id
ORDER BY priority DESC, first, seq LIMIT 1
"""
_LINK_SECRET = "links"
_MAX_VARIABLES = 500  # well below the bound of old SQLite builds


class DatabaseTooNew(Exception):
    """The data folder was written by a later version of the engine."""


class Database:
    """The database of one data folder."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        clock: Callable[[], float],
        endpoints: Sequence[WebhookEndpoint] = (),
        alert: int | None = None,
    ) -> None:
        self._connection = connection
        self._clock = clock
        self._account = account.Account(connection, clock)
        self.upload_tokens = UploadTokens(connection, clock)
        self.webhook_outbox = WebhookOutbox(connection, clock, endpoints, alert)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        clock: Callable[[], float],
        grant: int,
        endpoints: Sequence[WebhookEndpoint] = (),
        alert: int | None = None,
    ) -> Self:
        """Opens the database, and makes it where there is none, with ``grant`` hundredths of a credit.

        ``endpoints`` are told of events, among them of a balance that falls below ``alert``.

        Raises:
            DatabaseTooNew: A later version wrote it.
            sqlite3.Error: It cannot be read or written.
        """
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            # With WAL, less than FULL can lose the last answers that clients were given when the power fails.
            connection.execute("PRAGMA synchronous = FULL")
            database = cls(connection, clock, endpoints, alert)
            database._prepare(grant)
        except BaseException:
            connection.close()
            raise
        return database

    def close(self) -> None:
        """Closes the database. Nothing may be asked of it afterwards."""
        self._connection.close()

    def _prepare(self, grant: int) -> None:
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if version > _VERSION:
            raise DatabaseTooNew("the data folder was written by a later version; use that one, or another folder")
        if version == _VERSION:
            return
        with self._transaction():
            if version < 1:
                self._run(_SCHEMA)
                self._account.open(grant)
                self._connection.execute("INSERT INTO secrets VALUES (?, ?)", (_LINK_SECRET, secrets.token_bytes(32)))
            self._run(webhook_outbox.SCHEMA)  # since version 2
            self._connection.execute(f"PRAGMA user_version = {_VERSION}")

    def _run(self, statements: str) -> None:
        for statement in statements.split(";"):
            self._connection.execute(statement)

    def _transaction(self) -> _Transaction:
        return _Transaction(self._connection)

    # --- tasks

    def create(self, task: NewTask) -> None:
        """Stores a new task and freezes its price."""
        with self._transaction():
            self._connection.execute(
                "INSERT INTO tasks (id, capability, type, category, priority, status, sent, body, sources, price,"
                " created_at, forced) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    task.id,
                    task.capability,
                    task.type,
                    task.category,
                    task.priority,
                    TaskStatus.QUEUED,
                    json.dumps(task.sent),
                    json.dumps(task.body),
                    json.dumps(asdict(task.sources)),
                    task.price,
                    self._clock(),
                    json.dumps(task.forced) if task.forced is not None else None,
                ),
            )
            before, _ = self._account.state()
            self._account.hold(task.id, task.price)
            self.webhook_outbox.balance_changed(task.id, before, before - task.price)

    def task(self, task_id: str) -> Task | None:
        """One task."""
        row = self._connection.execute(f"{_TASKS} WHERE id = ?", (task_id,)).fetchone()
        return _task(row) if row else None

    def tasks(self, task_ids: Iterable[str]) -> dict[str, Task]:
        """Those of the tasks that exist, by id."""
        unique_ids = list(dict.fromkeys(task_ids))
        tasks: dict[str, Task] = {}
        for start in range(0, len(unique_ids), _MAX_VARIABLES):
            chunk = unique_ids[start : start + _MAX_VARIABLES]
            marks = ", ".join("?" * len(chunk))
            for row in self._connection.execute(f"{_TASKS} WHERE id IN ({marks})", chunk):
                task = _task(row)
                tasks[task.id] = task
        return tasks

    def latest(self, limit: int, offset: int) -> list[Task]:
        """A page of all tasks, the newest first."""
        rows = self._connection.execute(f"{_TASKS} ORDER BY seq DESC LIMIT ? OFFSET ?", (limit, offset))
        return [_task(row) for row in rows]

    def unfinished(self, category: str) -> int:
        """How many tasks of a category are queued or running."""
        (count,) = self._connection.execute(
            "SELECT count(*) FROM tasks WHERE status IN ('queued', 'running') AND category = ?", (category,)
        ).fetchone()
        return int(count)

    def next_queued(self) -> Task | None:
        """The task whose turn it is: the highest priority first, then what goes on with the oldest work."""
        row = self._connection.execute(_NEXT, (_GOES_ON_SECONDS,)).fetchone()
        return _task(row) if row else None

    def queued_before(self, created_at: float) -> list[Task]:
        """The queued tasks that were created then or before."""
        rows = self._connection.execute(f"{_TASKS} WHERE status = 'queued' AND created_at <= ?", (created_at,))
        return [_task(row) for row in rows]

    def oldest_queued(self) -> float | None:
        """When the oldest of the queued tasks was created; None where the queue is empty."""
        (oldest,) = self._connection.execute("SELECT min(created_at) FROM tasks WHERE status = 'queued'").fetchone()
        return None if oldest is None else float(oldest)

    def running(self) -> list[Task]:
        """The tasks that count as being worked on."""
        return [_task(row) for row in self._connection.execute(f"{_TASKS} WHERE status = 'running'")]

    def start(self, task_id: str) -> None:
        """The task is being worked on from now on."""
        self._connection.execute(
            "UPDATE tasks SET status = 'running', attempts = attempts + 1 WHERE id = ?", (task_id,)
        )

    def requeue(self, task_id: str, *, uncount: bool = False) -> None:
        """Puts a task back into the queue. ``uncount``: the attempt was ended by us and says nothing about the task."""
        self._connection.execute(
            "UPDATE tasks SET status = 'queued', attempts = attempts - ? WHERE id = ?", (int(uncount), task_id)
        )

    def succeed(self, task: Task, result: Result) -> None:
        """Ends a task well and takes its price."""
        with self._transaction():
            self._connection.execute(
                "UPDATE tasks SET status = 'success', completed_at = ?, result = ?, consumed = price WHERE id = ?",
                (self._clock(), json.dumps(asdict(result)), task.id),
            )
            self._account.settle(task.id, task.price)
            self.webhook_outbox.task_ended(task.id, TaskStatus.SUCCESS)

    def fail(self, task: Task, code: int | None, message: str | None, *, status: str = TaskStatus.FAILED) -> None:
        """Ends a task badly and gives its price back."""
        with self._transaction():
            self._connection.execute(
                "UPDATE tasks SET status = ?, completed_at = ?, error_code = ?, error_message = ? WHERE id = ?",
                (status, self._clock(), code, message, task.id),
            )
            self._account.refund(task.id, task.price)
            self.webhook_outbox.task_ended(task.id, status)

    # --- files that are old

    def referred_to(self) -> tuple[set[str], set[str]]:
        """Ids of tasks and tokens of uploads that unfinished tasks work on."""
        tasks, tokens = set(), set()
        for (text,) in self._connection.execute("SELECT sources FROM tasks WHERE status IN ('queued', 'running')"):
            sources = Sources(**json.loads(text))
            tasks.add(sources.task_id)
            for named in sources.tokens.values():
                tokens.update([named] if isinstance(named, str) else named)
        return tasks, tokens

    def results_before(self, moment: float) -> list[str]:
        """The tasks that ended then or before and still have files."""
        rows = self._connection.execute(
            "SELECT id FROM tasks WHERE completed_at <= ? AND json_extract(result, '$.files') NOT IN ('{}')", (moment,)
        )
        return [task_id for (task_id,) in rows]

    def forget_files(self, task_id: str) -> None:
        """The files of a task's result are not there any more; its values and facts stay."""
        self._connection.execute(
            "UPDATE tasks SET result = json_set(result, '$.files', json('{}')) WHERE id = ?", (task_id,)
        )

    # --- credits

    def balance(self) -> tuple[int, int]:
        """Hundredths of a credit: what can be spent, and what running tasks hold."""
        return self._account.state()

    # --- links

    def link_secret(self) -> bytes:
        """What signs links; it stays the same, so links outlive a restart."""
        (value,) = self._connection.execute("SELECT value FROM secrets WHERE name = ?", (_LINK_SECRET,)).fetchone()
        return bytes(value)


class _Transaction:
    """All or nothing."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._connection.execute("COMMIT" if kind is None else "ROLLBACK")


def _task(row: tuple[Any, ...]) -> Task:
    values = dict(zip(_COLUMNS, row, strict=True))
    for name in _JSON_COLUMNS:
        values[name] = json.loads(values[name]) if values[name] is not None else None
    values["sources"] = Sources(**values["sources"])
    values["result"] = Result(**values["result"]) if values["result"] is not None else None
    return Task(**values)
