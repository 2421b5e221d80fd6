"""A data folder belongs to one engine at a time: a lock that ends with its process, and a note of how to reach it."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO, Self

_LOCK = "engine.lock"
_NOTE = "engine.json"
_PRIVATE = 0o600


class DataDirInUse(Exception):
    """Another engine has the folder."""


@dataclass(frozen=True, slots=True)
class Connection:
    """How to reach an engine: what it prints when it has started."""

    port: int
    key: str
    base_url: str
    pid: int

    def __repr__(self) -> str:
        return f"Connection({self.base_url}, pid={self.pid})"

    def to_json(self, **more: object) -> str:
        """One line."""
        return json.dumps({**asdict(self), **more})


class DataDir:
    """A folder that this process has to itself until :meth:`release`."""

    def __init__(self, path: Path, lock: BinaryIO) -> None:
        self.path = path
        self._lock = lock

    @classmethod
    def acquire(cls, path: Path) -> Self:
        """Locks the folder, and makes it where there is none.

        Raises:
            DataDirInUse: Another engine has it.
            OSError: It cannot be written.
        """
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (path / _LOCK).open("ab")
        try:
            _lock(lock)
        except OSError as error:
            lock.close()
            raise DataDirInUse(f"another engine uses {path}") from error
        return cls(path, lock)

    def announce(self, connection: Connection) -> None:
        """Notes how to reach this engine; only the user can read it, because the key is in it."""
        part = self.path / f"{_NOTE}.part"
        with suppress(FileNotFoundError):
            part.unlink()
        # The mode is given as the file is made: changed afterwards, it would have been open to all for a moment.
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE), "w", encoding="utf-8") as file:
            file.write(connection.to_json())
        os.replace(part, self.path / _NOTE)

    def release(self) -> None:
        """Gives the folder up. The lock would also end with the process."""
        with suppress(OSError):
            (self.path / _NOTE).unlink()
        self._lock.close()


def announced_connection(path: Path) -> Connection | None:
    """How the engine that has a folder says it can be reached."""
    try:
        return Connection(**json.loads((path / _NOTE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
