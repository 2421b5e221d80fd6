"""The file tokens of a data folder, in SQLite; the files themselves are on the disk beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

SCHEMA = "CREATE TABLE uploads (token TEXT PRIMARY KEY, format TEXT, size INTEGER, created_at REAL NOT NULL)"
_UPLOADS = "SELECT token, coalesce(format, ''), coalesce(size, 0) FROM uploads"


@dataclass(frozen=True, slots=True)
class UploadToken:
    """A file token. ``format`` is empty until the bytes have arrived and been recognised."""

    token: str
    format: str
    size: int


@dataclass(frozen=True, slots=True)
class UploadTokens:
    """What is known of file tokens."""

    connection: sqlite3.Connection
    clock: Callable[[], float]

    def add(self, token: str) -> None:
        """Stores a token whose bytes are still to come."""
        self.connection.execute("INSERT INTO uploads (token, created_at) VALUES (?, ?)", (token, self.clock()))

    def complete(self, token: str, file_format: str, size: int) -> None:
        """The bytes of a token are on the disk. Works for a new token as well."""
        self.connection.execute(
            "INSERT INTO uploads (token, format, size, created_at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (token) DO UPDATE SET format = excluded.format, size = excluded.size",
            (token, file_format, size, self.clock()),
        )

    def find(self, token: str) -> UploadToken | None:
        """What is known of a token."""
        row = self.connection.execute(f"{_UPLOADS} WHERE token = ?", (token,)).fetchone()
        return UploadToken(*row) if row else None

    def before(self, moment: float) -> list[UploadToken]:
        """Those whose tokens were given out then or before."""
        return [UploadToken(*row) for row in self.connection.execute(f"{_UPLOADS} WHERE created_at <= ?", (moment,))]

    def forget(self, token: str) -> None:
        """A token is not valid any more."""
        self.connection.execute("DELETE FROM uploads WHERE token = ?", (token,))
