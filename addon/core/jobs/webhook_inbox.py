"""What webhooks told of tasks: a small SQLite file beside the journal, so that neither keeps the other waiting.

A listener writes it, and the runtimes of the same data folder read it. It holds ids and times and nothing of what a
delivery says: a runtime that is woken asks the service itself.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..paths import make_private
from .journal_mode import set_journal_mode

ALIVE_SECONDS = 20.0
"""A listener that did not say for so long that it is there is gone."""

FRESH_SECONDS = 600.0
"""Deliveries that have stayed away for so long are not relied on."""

KEPT_SECONDS = 2 * 86400.0
"""An event that comes again is known for so long: the service may repeat a delivery for hours."""

_BUSY_SECONDS = 5.0
_TABLES = """
CREATE TABLE IF NOT EXISTS events (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    service TEXT NOT NULL,
    id TEXT NOT NULL,
    task_id TEXT NOT NULL,
    received_at REAL NOT NULL,
    UNIQUE (service, id)
);
CREATE INDEX IF NOT EXISTS events_by_time ON events (service, received_at);
CREATE TABLE IF NOT EXISTS listeners (id TEXT PRIMARY KEY, service TEXT NOT NULL, seen_at REAL NOT NULL);
"""


class ReceivedEvent(NamedTuple):
    """An event as it is kept: the service it is of, its own id, the task that it is about (or none), Unix seconds."""

    service_id: str
    id: str
    task_id: str
    received_at: float


class WebhookNews(NamedTuple):
    """What a runtime has to know.

    Attributes:
        tasks: Service and id of each task whose event is new to the reader.
        delivering: The services of which a listener is there and deliveries come.
    """

    tasks: tuple[tuple[str, str], ...]
    delivering: frozenset[str]


class WebhookInbox:
    """The file as a listener has it. Used by one thread.

    Args:
        path: The SQLite file; made with its folder when missing.

    Raises:
        sqlite3.Error: It cannot be used.
        JournalTrouble: As for the journal, on a drive that several computers share.
    """

    def __init__(self, path: Path) -> None:
        make_private(path.parent)
        self._connection = _connect(path)
        set_journal_mode(self._connection, path, _BUSY_SECONDS)
        # What a power cut takes is told again by the service, or found by a look at the task.
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.executescript(_TABLES)

    def add(self, events: Iterable[ReceivedEvent]) -> list[ReceivedEvent]:
        """Keeps events, in one transaction; returns those that were not there before."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            new = [event for event in events if self._insert(event)]
            self._connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # SQLite ends it by itself when the disk is full
                self._connection.execute("ROLLBACK")
            raise
        return new

    def attend(self, listener: str, service_id: str, now: float) -> None:
        """Says that a listener is there, and forgets what is too old to come again."""
        self._connection.execute("INSERT OR REPLACE INTO listeners VALUES (?, ?, ?)", (listener, service_id, now))
        self._connection.execute("DELETE FROM listeners WHERE seen_at < ?", (now - KEPT_SECONDS,))
        self._connection.execute("DELETE FROM events WHERE received_at < ?", (now - KEPT_SECONDS,))

    def leave(self, listener: str) -> None:
        """Says that a listener is there no more."""
        self._connection.execute("DELETE FROM listeners WHERE id = ?", (listener,))

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def _insert(self, event: ReceivedEvent) -> bool:
        row = self._connection.execute(
            "INSERT OR IGNORE INTO events (service, id, task_id, received_at) VALUES (?, ?, ?, ?)", event
        )
        return row.rowcount == 1


class WebhookReader:
    """The file as a runtime looks at it, which may not be there. Used by one thread.

    Args:
        path: The SQLite file; it is not made.
        since: Unix seconds; events from before are no news.
    """

    def __init__(self, path: Path, since: float) -> None:
        self._path = path
        self._since = since
        self._connection: sqlite3.Connection | None = None
        self._version = -1
        self._number = 0
        self._seen_at: dict[str, float] = {}
        self._event_at: dict[str, float] = {}

    def news(self, now: float) -> WebhookNews:
        """What is new; a look that finds nothing costs one number of SQLite's.

        Args:
            now: Unix seconds.

        Raises:
            sqlite3.Error: The file cannot be read.
        """
        tasks = self._read() if self._has_changed() else ()
        delivering = frozenset(
            service
            for service, seen_at in self._seen_at.items()
            if abs(now - seen_at) <= ALIVE_SECONDS and now - self._event_at.get(service, 0.0) <= FRESH_SECONDS
        )
        return WebhookNews(tasks, delivering)

    def close(self) -> None:
        """Closes the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _has_changed(self) -> bool:
        if self._connection is None:
            if not self._path.is_file():
                return False
            self._connection = _connect(self._path)
            self._connection.execute("PRAGMA query_only = ON")
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        changed, self._version = version != self._version, version
        return bool(changed)

    def _read(self) -> tuple[tuple[str, str], ...]:
        assert self._connection is not None
        try:
            listeners = self._connection.execute("SELECT service, max(seen_at) FROM listeners GROUP BY service")
            self._seen_at = dict(listeners.fetchall())
            latest = self._connection.execute("SELECT service, max(received_at) FROM events GROUP BY service")
            self._event_at = dict(latest.fetchall())
            rows = self._connection.execute(
                "SELECT number, service, task_id FROM events WHERE number > ? AND received_at >= ? ORDER BY number",
                (self._number, self._since),
            ).fetchall()
        except sqlite3.Error:
            self._version = -1  # a listener is just making the tables: the next look reads again
            raise
        if rows:
            self._number = rows[-1][0]
        return tuple((service, task_id) for _, service, task_id in rows if task_id)


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
