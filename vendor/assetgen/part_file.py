"""The file that a download is written to: under a temporary name until it is whole."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from .errors import DiskError


class PartFile:
    """A new file in ``folder``. Leaving the ``with`` block removes it, unless it was kept.

    Attributes:
        size: Bytes written so far.
    """

    def __init__(self, folder: Path, name: str) -> None:
        """Creates the folder and the file.

        Raises:
            ValueError: ``name`` is not a plain file name.
            DiskError: They cannot be created.
        """
        if not name or name in (".", "..") or Path(name).name != name or "\\" in name or "\x00" in name:
            raise ValueError(f"{name!r} is not a plain file name")
        self._folder = folder
        self._name = name
        # In the same folder, so that the rename cannot become a copy; unique, so that two downloads cannot meet.
        self._path = folder / f".{name}.{secrets.token_hex(4)}.part"
        with self._disk_errors():
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("xb")
        self.size = 0

    def make_room(self, total: int) -> None:
        """Looks whether ``total`` bytes will fit.

        Raises:
            DiskError: They will not.
        """
        with self._disk_errors():
            free = shutil.disk_usage(self._folder).free
        missing = total - self.size - free
        if missing > 0:
            raise DiskError(
                f"the disk of {self._folder} is too full: {_megabytes(total - self.size)} are needed "
                f"and {_megabytes(free)} are free"
            )

    def write(self, piece: bytes) -> None:
        """Adds to the end.

        Raises:
            DiskError: It could not be written.
        """
        with self._disk_errors():
            self._file.write(piece)
        self.size += len(piece)

    def restart(self) -> None:
        """Throws away what was written."""
        with self._disk_errors():
            self._file.seek(0)
            self._file.truncate()
        self.size = 0

    def keep(self, extension: Callable[[Path], str]) -> Path:
        """Gives the file its lasting name, replacing one that has it, and returns where it is.

        The content is on the disk before the name is: after a power cut there is either no file or a whole one.

        Args:
            extension: Tells the extension, without its dot, from the temporary path. It may refuse the content
                with an error of its own.

        Raises:
            DiskError: It could not be written or renamed.
        """
        with self._disk_errors():
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            target = self._folder / f"{self._name}.{extension(self._path)}"
            self._path.replace(target)
            self._sync_folder()
        return target

    def _sync_folder(self) -> None:
        # The name is safe only once its folder is; Windows neither needs nor allows this.
        if os.name == "nt":
            return
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            # Some network filesystems do not offer it, and the file itself is safe already.
            with contextlib.suppress(OSError):
                os.fsync(handle)
        finally:
            os.close(handle)

    @contextlib.contextmanager
    def _disk_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise DiskError(f"could not write to {self._folder}: {error.strerror or error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Closing writes what is buffered, which fails again on a full disk; the error on its way out says more.
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
