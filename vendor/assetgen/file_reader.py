"""A file on its way out: read in pieces, with progress and a way to stop."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Self, cast

from .retrying import Progress, Stopped, check_stopped

_PIECE = 256 * 1024


class FileReader:
    """A file as httpx reads request bodies; holds one piece of it in memory.

    It ends at the size that the file had when it was opened, which is the size that the service was told.
    """

    def __init__(self, path: Path, on_progress: Progress | None, stopped: Stopped | None) -> None:
        """Opens the file.

        Raises:
            OSError: It cannot be read.
        """
        self._file = path.open("rb")
        self._on_progress = on_progress
        self._stopped = stopped
        self.size = os.fstat(self._file.fileno()).st_size

    def read(self, size: int = -1) -> bytes:
        """The next piece.

        Raises:
            StoppedError: The caller wants to stop.
            OSError: The file became shorter while it was read.
        """
        check_stopped(self._stopped)
        left = self.size - self._file.tell()
        piece = self._file.read(left if size < 0 else min(size, left))
        if left and size and not piece:
            raise OSError(f"{self._file.name} became shorter while it was sent")
        if piece and self._on_progress is not None:
            self._on_progress(self._file.tell(), self.size)
        return piece

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Moves to a place; the end is where it was when the file was opened."""
        if whence == os.SEEK_END:
            offset, whence = self.size + offset, os.SEEK_SET
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """The place in the file."""
        return self._file.tell()

    def __iter__(self) -> Iterator[bytes]:
        while piece := self.read(_PIECE):
            yield piece

    def as_file(self) -> IO[bytes]:
        """Itself, for callers that ask for the type of files but use only what is here."""
        return cast("IO[bytes]", self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
