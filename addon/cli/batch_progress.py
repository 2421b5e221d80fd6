"""How a batch shows itself: one line that is written over on a terminal, a line now and then in a log, or events."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Any, TextIO

from ..core.batches.folder import RowResult, RowState
from ..core.batches.pace import Progress
from ..core.batches.rows import Row
from ..core.jobs.job import JobView
from .progress import Reporter

_TERMINAL_SECONDS = 0.5
_LOG_SECONDS = 30.0
_EVENT_SECONDS = 5.0


class BatchProgress:
    """Hears how a batch goes and shows it.

    Args:
        show: Takes what is said of rows.
        as_json: Whether a program reads.
        stream: Where the line goes; the standard error when left out.
    """

    def __init__(self, show: Reporter, *, as_json: bool, stream: TextIO | None = None) -> None:
        self._show = show
        self._as_json = as_json
        self._stream = stream or sys.stderr
        self._on_terminal = not as_json and self._stream.isatty()
        self._pause = _EVENT_SECONDS if as_json else _TERMINAL_SECONDS if self._on_terminal else _LOG_SECONDS
        self._next = time.monotonic() + (0.0 if self._on_terminal else self._pause)
        self._is_open = False

    def row_changed(self, row: Row, job: JobView) -> None:
        """A program that reads hears of every stage; people would see too much."""
        if self._as_json:
            self._show.job(job)

    def row_ended(self, result: RowResult, line: int) -> None:
        """People hear of rows that did not end well."""
        trouble = ". ".join(part.rstrip(".") for part in (result.error, result.advice) if part)
        facts: dict[str, Any] = {
            **{"row": result.id, "line": line, "state": result.state, "job": result.job, "tasks": list(result.tasks)},
            **{"credits": result.credits, "seconds": result.seconds, "files": result.files, "error": trouble},
            **{"request_id": result.request_id, "exit_code": result.exit_code},
        }
        if self._as_json:
            self._show.event("row", f"{result.id}: {trouble or result.state}", **facts)
        elif result.state != RowState.DONE:
            self.close()
            self._show.event("row", f"Row {result.id} (line {line}) {result.state}: {trouble}", **facts)

    def progress(self, progress: Progress) -> None:
        """Writes the line, when it is time again."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + self._pause
        if self._as_json:
            left = None if progress.seconds_left is None else round(progress.seconds_left)
            facts = progress._asdict() | {"rows_a_minute": round(progress.rows_a_minute, 1), "seconds_left": left}
            self._show.event("batch_progress", progress.words, **facts)
        elif self._on_terminal:
            width = shutil.get_terminal_size().columns - 1
            self._stream.write(f"\r{progress.words[:width]:<{width}}")
            self._stream.flush()
            self._is_open = True
        else:
            self._show.event("batch_progress", progress.words)

    def close(self) -> None:
        """Clears the line from the terminal."""
        if self._is_open:
            width = shutil.get_terminal_size().columns - 1
            self._stream.write(f"\r{'':<{width}}\r")
            self._stream.flush()
            self._is_open = False
