"""The journal's file: one SQLite database, shared by all processes of this user.

How they share it is up to the drive, see :mod:`.journal_mode`. synchronous=FULL puts a commit on the disk before it
returns: a task id that is only in a cache is a paid result that a power cut loses.

What is read has a connection of its own: a write may have to wait until another process gives the write lock back, and
whoever only reads must not wait behind it.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import JournalTrouble
from ..paths import make_private
from .journal_mode import set_journal_mode
from .schema import prepare

_BUSY_SECONDS = 10.0
_CACHE_KIB = 256
"""Of pages, for each connection. The system keeps the file in memory anyway; SQLite's own two megabytes would only fill
up with every job that was ever done.
"""

Execute = Callable[..., sqlite3.Cursor]
"""``sqlite3.Connection.execute``, while nobody else uses the connection."""


class Database:
    """An open database. Thread-safe.

    Args:
        path: The SQLite file; made with its folder when missing.

    Raises:
        JournalTrouble: The file cannot be used; the message says why.
    """

    def __init__(self, path: Path) -> None:
        self._write_lock = threading.RLock()
        self._read_lock = threading.RLock()
        self._writer = 0  # the thread that has a transaction open
        self._version = 0
        make_private(path.parent)
        try:
            self._connection = _connect(path)
            set_journal_mode(self._connection, path, _BUSY_SECONDS)
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            prepare(self._connection)
            self._reader = _connect(path)
            # Not earlier: who has asked for it has opened the file, and keeps others from changing its journal mode.
            for connection in (self._connection, self._reader):
                connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            self._reader.execute("PRAGMA query_only = ON")
        except sqlite3.DatabaseError as error:
            raise JournalTrouble(
                f"The list of jobs in {path} cannot be used: {error}",
                "Choose another data folder in the preferences, or move this file away",
            ) from error

    def close(self) -> None:
        """Closes the file. Nothing may be called afterwards."""
        with self._read_lock:
            self._reader.close()
        with self._write_lock:
            self._connection.close()

    def data_version(self) -> int:
        """A number that changes when another process has written; the last one known while this process writes."""
        # Of the connection that writes: for the other one, what this process writes would count as well.
        if self._write_lock.acquire(blocking=False):
            try:
                (self._version,) = self._connection.execute("PRAGMA data_version").fetchone()
            finally:
                self._write_lock.release()
        return self._version

    @contextmanager
    def reading(self) -> Iterator[Execute]:
        """For SELECTs that belong together: they see one state. Inside :meth:`writing` they see what it has changed."""
        if self._writer == threading.get_ident():
            yield self._connection.execute
            return
        with self._read_lock:
            if self._reader.in_transaction:
                yield self._reader.execute
                return
            self._reader.execute("BEGIN")
            try:
                yield self._reader.execute
            finally:
                self._reader.execute("COMMIT")

    @contextmanager
    def writing(self) -> Iterator[Execute]:
        """For one transaction: all of it happens, or nothing. Inside another of the same thread it is part of it."""
        with self._write_lock:
            if self._connection.in_transaction:
                yield self._connection.execute
                return
            # IMMEDIATE takes the write lock first, so that what is read inside cannot be overtaken.
            self._connection.execute("BEGIN IMMEDIATE")
            self._writer = threading.get_ident()
            try:
                yield self._connection.execute
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite ends it by itself when the disk is full
                    self._connection.execute("ROLLBACK")
                raise
            finally:
                self._writer = 0


def is_locked(error: BaseException | None) -> bool:
    """Whether an error comes from another process that holds the database."""
    while error is not None:
        if isinstance(error, sqlite3.OperationalError):
            code = getattr(error, "sqlite_errorcode", None)
            return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        error = error.__cause__
    return False


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    return connection
