"""How a job shows itself on a command line: a bar on a terminal, a line of JSON per event, or plain lines."""

from __future__ import annotations

import json
import sys
from typing import Any, Protocol, TextIO

from ..core.job import JobView

_BAR = "{desc:<34.34} {percentage:3.0f}% |{bar:24}| {elapsed}"


class Reporter(Protocol):
    """Takes the news of a run and shows it."""

    def job(self, view: JobView) -> None:
        """A job looks different from before."""

    def event(self, kind: str, words: str, **facts: Any) -> None:
        """Something happened; ``words`` is for people, ``facts`` are for programs."""

    def close(self) -> None:
        """The run is over."""


def reporter(*, as_json: bool, stream: TextIO | None = None) -> Reporter:
    """JSON lines where they were asked for, else a bar on a terminal, else plain lines."""
    if as_json:
        return JsonLines(stream or sys.stdout)
    stream = stream or sys.stderr
    return Bar(stream) if stream.isatty() else PlainLines(stream)


class JsonLines:
    """One JSON object a line."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._last: tuple[str, str, float] | None = None

    def job(self, view: JobView) -> None:
        """Writes a ``progress`` event, unless it says the same as the last one."""
        news = (view.id, view.text, round(view.progress, 3))
        if news == self._last:
            return
        self._last = news
        self._write(
            {
                "event": "progress",
                "job": view.id,
                "name": view.name,
                "stage": str(view.stage),
                "progress": news[2],
                "text": view.text,
                "tasks": [step.task_id for step in view.steps if step.task_id],
            }
        )

    def event(self, kind: str, words: str, **facts: Any) -> None:
        """Writes an event of that kind."""
        self._write({"event": kind, "message": words, **facts})

    def close(self) -> None:
        """Nothing is open."""

    def _write(self, event: dict[str, Any]) -> None:
        self._stream.write(json.dumps(event, default=str) + "\n")
        self._stream.flush()


class PlainLines:
    """A line whenever a job says something new; for logs."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._last = ""

    def job(self, view: JobView) -> None:
        """Writes a line when the words have changed."""
        line = f"{view.name}: {view.text}"
        if line != self._last:
            self._last = line
            self._write(f"{line} ({view.progress:.0%})")

    def event(self, kind: str, words: str, **facts: Any) -> None:
        """Writes the words."""
        self._write(words)

    def close(self) -> None:
        """Nothing is open."""

    def _write(self, line: str) -> None:
        self._stream.write(line + "\n")
        self._stream.flush()


class Bar:
    """One progress bar for the job at hand; what is done stays above it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._bar: Any = None

    def job(self, view: JobView) -> None:
        """Moves the bar."""
        if self._bar is None:
            from tqdm import tqdm

            self._bar = tqdm(total=100.0, bar_format=_BAR, file=self._stream, leave=False)
        self._bar.set_description_str(f"{view.name}: {view.text}", refresh=False)
        self._bar.n = round(100 * view.progress, 1)
        self._bar.refresh()

    def event(self, kind: str, words: str, **facts: Any) -> None:
        """Writes the words above the bar."""
        self.close()
        self._stream.write(words + "\n")
        self._stream.flush()

    def close(self) -> None:
        """Clears the bar from the terminal."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
