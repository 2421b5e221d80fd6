"""Lets one process at a time into a part of the work, among all that run in this clone."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..terminal import say

_LOOK_SECONDS = 0.5


@contextmanager
def one_at_a_time(file: Path) -> Iterator[None]:
    """Waits until no other process holds ``file``, and holds it. The system frees it when its holder dies."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a+b") as handle:
        waited = False
        while not _take(handle.fileno()):
            if not waited:
                say("Waiting for another dev.py that is at work in this clone ...")
                waited = True
            time.sleep(_LOOK_SECONDS)
        yield


if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
