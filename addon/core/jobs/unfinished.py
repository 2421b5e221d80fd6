"""Is there anything left to do from before? Asked at every start of Blender, so it opens the journal and no more."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from .job import ENDED
from .journal_mode import sqlite_uri

_BUSY_SECONDS = 0.1
_REMOVED_SINCE = 3
"""The version of the journal's tables that first knew jobs off the list; what reads here brings none up to it."""


def has_unfinished(journal: Path) -> bool:
    """Whether a journal is there and lists a job that has not ended; False when it cannot be read."""
    if not journal.is_file():
        return False
    marks = ", ".join("?" * len(ENDED))
    try:
        uri = f"{sqlite_uri(journal.absolute().as_posix())}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS)) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            listed = "removed_at = 0" if version >= _REMOVED_SINCE else "1"
            query = f"SELECT 1 FROM jobs WHERE {listed} AND stage NOT IN ({marks}) LIMIT 1"
            return connection.execute(query, [str(stage) for stage in ENDED]).fetchone() is not None
    except sqlite3.Error:
        return False
