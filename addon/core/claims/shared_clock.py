"""The clock of the drive that a batch's folder is on. Those of the computers may be wrong, each in its own way."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

_KEPT_SECONDS = 2.0


class SharedClock:
    """Tells the time by what the drive writes down when a file is touched. For one thread.

    Args:
        path: The file, which nobody else uses; made when missing.

    Raises:
        OSError: It cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.touch()
        self._seen = (float("-inf"), 0.0)

    def now(self) -> float:
        """The time there, in seconds since 1970. The drive is asked every other second at most.

        Raises:
            OSError: The drive is away.
        """
        here = time.monotonic()
        if here - self._seen[0] > _KEPT_SECONDS:
            try:
                os.utime(self._path)
            except FileNotFoundError:
                self._path.touch()
            self._seen = (here, self._path.stat().st_mtime)
        return self._seen[1] + here - self._seen[0]

    def close(self) -> None:
        """Removes the file."""
        with contextlib.suppress(OSError):
            self._path.unlink()
