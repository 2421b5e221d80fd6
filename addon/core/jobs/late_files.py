"""Files of a press that a thread writes after it: what takes long to encode was only copied in memory.

Whoever takes the files of a job waits for them first, on a thread of its own.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from ..errors import Refused

MOST_BYTES = 1 << 30
"""What may be held in memory for files that are not written yet. Who wants to hold more waits for room first."""


Write = Callable[[Path], Path | None]
"""Writes a late file; what it returns is where the file is instead, in the same folder: its name may tell its content.
"""


class _LateFile:
    """One file: what writes it, and how that ended."""

    def __init__(self, path: Path, size: int, write: Write) -> None:
        self.path, self.size = path, size
        self.write: Write | None = write
        self.error: Exception | None = None
        self.written: Path | None = None
        self.done: Future[Path] = Future()


class LateFiles:
    """Files that are written one after the other by a thread, which ends when there are no more. Thread-safe.

    Args:
        most_bytes: See :data:`MOST_BYTES`.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._changed = threading.Condition()
        self._queue: deque[_LateFile] = deque()
        self._failed: list[_LateFile] = []
        self._renamed: dict[Path, Path] = {}
        self._thread: threading.Thread | None = None

    def add(self, path: Path, size: int, write: Write) -> Future[Path]:
        """Has a file be written.

        Args:
            path: The file, in the folder of one job.
            size: What ``write`` holds in memory until then, in bytes.
            write: Writes it, there or beside it. It is called on the thread and must not touch Blender's data.

        Returns:
            Told on the thread where the file is, or why it is not.
        """
        file = _LateFile(path, size, write)
        with self._changed:
            self._queue.append(file)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="assetgen-late-files", daemon=True)
                self._thread.start()
        return file.done

    def has_room(self, size: int) -> bool:
        """Whether so many bytes more can be held, or nothing else is; asked before they are taken."""
        with self._changed:
            return self._has_room(size)

    def wait_for_room(self, size: int) -> None:
        """Waits until there is. Who must not wait asks :meth:`has_room` again."""
        with self._changed:
            self._changed.wait_for(lambda: self._has_room(size))

    def is_late(self, path: Path) -> bool:
        """Whether a file was added: it may not be there yet, or under another name."""
        with self._changed:
            return path in self._renamed or any(file.path == path for file in (*self._queue, *self._failed))

    def wait_for(self, folder: Path) -> dict[Path, Path]:
        """Waits until all files in a folder are written; returns where those are that got another name.

        Raises:
            Refused: One could not be written.
        """
        with self._changed:
            self._changed.wait_for(lambda: not any(file.path.is_relative_to(folder) for file in self._queue))
            failed = [file for file in self._failed if file.path.is_relative_to(folder)]
            renamed = {path: other for path, other in self._renamed.items() if path.is_relative_to(folder)}
        if failed:
            error = failed[0].error
            reason = getattr(error, "strerror", None) or error
            raise Refused(
                f"The file {failed[0].path.name} of the job could not be written to {failed[0].path.parent}: {reason}",
                "Make room on the disk",
            ) from error
        return renamed

    def _has_room(self, size: int) -> bool:
        return not self._queue or sum(file.size for file in self._queue) + size <= self._most

    def _run(self) -> None:
        while True:
            with self._changed:
                if not self._queue:
                    self._thread = None
                    return
                file = self._queue[0]
            try:
                assert file.write is not None
                file.written = file.write(file.path)
            except Exception as error:  # whoever waits for it is told
                file.error = error
            file.write = None  # and with it what it holds
            with self._changed:
                self._queue.popleft()
                if file.error is not None:
                    self._failed.append(file)
                if file.written is not None:
                    self._renamed[file.path] = file.written
                # Where the folder is gone, the job was given up or has its files, and nobody asks any more.
                self._failed = [other for other in self._failed if other.path.parent.is_dir()]
                self._renamed = {path: other for path, other in self._renamed.items() if path.parent.is_dir()}
                self._changed.notify_all()
            if file.error is not None:
                file.done.set_exception(file.error)
            else:
                file.done.set_result(file.written or file.path)


late_files = LateFiles()
"""Those of this process."""
