"""The journal's file: one SQLite database, shared by all processes of this user.

How they share it is up to the drive, see :mod:`.journal_mode`. synchronous=FULL puts a commit on the disk before it
returns: a task id that is only in a cache is a paid result that a power cut loses.
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
        self._lock = threading.RLock()
        make_private(path.parent)
        try:
            self._connection = sqlite3.connect(
                path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._connection.row_factory = sqlite3.Row
            set_journal_mode(self._connection, path, _BUSY_SECONDS)
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            prepare(self._connection)
        except sqlite3.DatabaseError as error:
            raise JournalTrouble(
                f"The list of jobs in {path} cannot be used: {error}",
                "Choose another data folder in the preferences, or move this file away",
            ) from error

    def close(self) -> None:
        """Closes the file. Nothing may be called afterwards."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def reading(self) -> Iterator[Execute]:
        """For SELECTs that belong together."""
        with self._lock:
            yield self._connection.execute

    @contextmanager
    def writing(self) -> Iterator[Execute]:
        """For one transaction: all of it happens, or nothing."""
        with self._lock:
            # IMMEDIATE takes the write lock first, so that what is read inside cannot be overtaken.
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection.execute
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite ends it by itself when the disk is full
                    self._connection.execute("ROLLBACK")
                raise
