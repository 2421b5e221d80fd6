"""Who runs which job, among processes: an owner is a file that is locked for as long as its process lives.

The operating system gives the lock back when a process ends in whatever way, so a dead owner is known at once and for
sure. A process id alone would not do: it is used again, and it means nothing in another container on the same folder.
A time stamp alone would not do either: a laptop that slept would look dead.

On a network drive the lock of another computer's process may not be seen here, so a lock that is free says nothing.
There every owner touches its file again and again, and one of another computer counts as dead only when it has not done
so for a long time. Should it wake up after that, its jobs are leased to others: it can record no intent for them, so it
sends nothing that is paid for.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from ..paths import make_private
from .network_drive import find_network_drive

_YOUNG_SECONDS = 60.0
_SILENT_SECONDS = 15 * 60.0
"""Much longer than a network drive is away for a moment, or than it takes to show a file's new time everywhere."""

_HOST = re.sub(r"[^a-z0-9-]", "-", socket.gethostname().lower())[:40]

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
        self.id = f"{os.getpid()}-{uuid.uuid4().hex[:12]}@{_HOST}"
        self._path = make_private(folder) / self.id
        self._file = self._open()

    def show_life(self) -> None:
        """Tells other computers that this process lives; to be called every few seconds."""
        if find_network_drive(self._path.parent.parent):
            try:
                os.utime(self._path)
            except FileNotFoundError:  # this computer slept so long that another one took it for dead
                self._file.close()
                self._file = self._open()

    def release(self) -> None:
        """Ends the ownership."""
        self._file.close()
        with contextlib.suppress(OSError):
            self._path.unlink()

    def _open(self) -> IO[bytes]:
        file = self._path.open("xb")
        if not _lock(file):
            file.close()
            raise OSError(f"no lock could be had on {self._path}")
        return file


def try_lock(path: Path) -> IO[bytes] | None:
    """Locks a file, which is made where it is missing, until what is returned is closed; None when another has it."""
    file = path.open("ab")
    if _lock(file):
        return file
    file.close()
    return None


def is_dead(folder: Path, owner_id: str) -> bool:
    """Whether an owner is gone, so that its jobs may be taken over."""
    if not owner_id:
        return True
    path = folder / owner_id
    if _may_live_elsewhere(path):
        return False
    try:
        file = path.open("r+b")
    except FileNotFoundError:
        return True
    except OSError:
        return False
    with file:
        return _lock(file)


def _may_live_elsewhere(path: Path) -> bool:
    """Whether an owner is of another computer, as far as its file's name tells, and was heard of not long ago.

    Its time is compared with that of the file that was touched last: both are by the clock of the drive's server.
    """
    if path.name.endswith(f"@{_HOST}") or not find_network_drive(path.parent.parent):
        return False
    try:
        seen = path.stat().st_mtime
        return max(_times(path.parent), default=seen) - seen < _SILENT_SECONDS
    except FileNotFoundError:
        return False
    except OSError:
        return True  # the drive is away for the moment, which is no reason to take anybody for dead


def _times(folder: Path) -> Iterator[float]:
    for path in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            yield path.stat().st_mtime


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
