"""How SQLite keeps the journal's transactions whole: by WAL, or by a rollback file where several computers share it.

WAL lets processes read while one writes, but only those of one computer. A rollback file needs nothing but locks that
the drive's server knows; then whoever reads waits for whoever writes.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from ..errors import JournalTrouble
from ..log import logger
from .network_drive import find_network_drive, network_drive_note

log = logger(__name__)

_said: set[Path] = set()
"""Journals on network drives that the log tells of already."""


def set_journal_mode(connection: sqlite3.Connection, path: Path, busy_seconds: float) -> None:
    """Sets a new connection to the mode that suits the drive.

    Args:
        connection: Nothing was done with it yet.
        path: The SQLite file.
        busy_seconds: How long to wait for others.

    Raises:
        JournalTrouble: Another computer has it open as if nobody else could.
        sqlite3.Error: It cannot be used.
    """
    if find_network_drive(path.parent):
        if path not in _said:
            _said.add(path)
            log.warning("data folder %s: %s", path.parent, network_drive_note(path.parent))
        _use_rollback_file(path, busy_seconds)
    else:
        _use_wal(connection, busy_seconds)


def sqlite_uri(path: str) -> str:
    """A file's address as SQLite takes it, also on a Windows share, where it wants no host but four slashes.

    Args:
        path: Absolute, with forward slashes.
    """
    return f"file://{'' if path.startswith('/') else '/'}{quote(path, safe='/:')}"


def _use_rollback_file(path: Path, busy_seconds: float) -> None:
    until = time.monotonic() + busy_seconds
    while not _is_set_to_delete(path):
        if time.monotonic() > until:
            raise JournalTrouble(
                f"The list of jobs in {path} is in use by a Blender that has not noticed that its folder is shared",
                "Close Blender on the other computers once, then start it again here",
            )
        time.sleep(0.01 + os.urandom(1)[0] / 5000)  # two that try at once must not keep each other from it


def _is_set_to_delete(path: Path) -> bool:
    """Tries to set it; exclusively, since a file in WAL is then opened without the memory that cannot be shared.

    On a connection for this alone: until it is closed, it keeps the locks of a try that failed.
    """
    with closing(sqlite3.connect(path, timeout=0.0, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            (mode,) = connection.execute("PRAGMA journal_mode = DELETE").fetchone()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            return False
        return bool(mode == "delete")


def _use_wal(connection: sqlite3.Connection, busy_seconds: float) -> None:
    """Switches to WAL. SQLite's own waiting does not cover that: two that open a new file at once would collide."""
    until = time.monotonic() + busy_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return
