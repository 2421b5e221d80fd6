"""Who runs which job, among processes: an owner is a file that is locked for as long as its process lives.

The operating system gives the lock back when a process ends in whatever way, so a dead owner is known at once and for
sure. A process id alone would not do: it is used again, and it means nothing in another container on the same folder.
A time stamp alone would not do either: a laptop that slept would look dead.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
import uuid
from pathlib import Path
from typing import IO

from ..paths import make_private

_YOUNG_SECONDS = 60.0

if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(file: IO[bytes]) -> bool:
        try:
            # flock belongs to the open file and not to the process, so it also tells two owners in one process apart.
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


class Owner:
    """This process as an owner of jobs, from now until :meth:`release` or the end of the process."""

    def __init__(self, folder: Path) -> None:
        self.id = f"{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self._path = make_private(folder) / self.id
        self._file = self._path.open("xb")
        if not _lock(self._file):
            self._file.close()
            raise OSError(f"no lock could be had on {self._path}")

    def release(self) -> None:
        """Ends the ownership."""
        self._file.close()
        with contextlib.suppress(OSError):
            self._path.unlink()


def is_dead(folder: Path, owner_id: str) -> bool:
    """Whether an owner is gone, so that its jobs may be taken over."""
    if not owner_id:
        return True
    path = folder / owner_id
    try:
        file = path.open("r+b")
    except FileNotFoundError:
        return True
    except OSError:
        return False
    with file:
        return _lock(file)


def remove_dead(folder: Path) -> None:
    """Removes what dead owners left. The youngest files stay, see :func:`is_left`."""
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            if is_left(path):
                path.unlink()


def has_others(folder: Path, owner_id: str) -> bool:
    """Whether there are owners beside this one, whose jobs it may have to take over."""
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            if path.name != owner_id and not is_left(path):
                return True
    return False


def is_left(path: Path) -> bool:
    """Whether a file's owner is gone. The youngest are not touched: their owners may be about to lock them."""
    return path.stat().st_mtime < time.time() - _YOUNG_SECONDS and is_dead(path.parent, path.name)
