"""How a job shows itself on a command line: a bar on a terminal, a line of JSON per event, or plain lines."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TextIO

from ..core.jobs.job import JobView

_BAR = "{desc:<34.34} {percentage:3.0f}% |{bar:24}| {elapsed}"

_COLORS = {"error": "\x1b[31m", "done": "\x1b[32m"}
_PLAIN = "\x1b[0m"


class Reporter(Protocol):
    """Takes the news of a run and shows it."""

    def job(self, view: JobView) -> None:
        """A job looks different from before."""

    def event(self, kind: str, words: str, /, **facts: Any) -> None:
        """Something happened; ``words`` is for people, ``facts`` are for programs."""

    def result(self, kind: str, words: str, lines: Sequence[str], /, **facts: Any) -> None:
        """What was asked for is there; ``lines`` go to the standard output, where scripts read them.

        ``words`` are empty where the lines say everything.
        """

    def close(self) -> None:
        """The run is over."""


def reporter(*, as_json: bool, stream: TextIO | None = None, output: TextIO | None = None) -> Reporter:
    """JSON lines where they were asked for, else a bar on a terminal, else plain lines.

    Args:
        as_json: Whether a program reads.
        stream: Where the news go; the standard output for JSON lines and the standard error for people when left out.
        output: Where results go that people asked for; the standard output when left out.
    """
    output = output or sys.stdout
    if as_json:
        return JsonLines(stream or output)
    stream = stream or sys.stderr
    return Bar(stream, output, colored=wants_color()) if stream.isatty() else PlainLines(stream, output)


def wants_color(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a terminal is to show colours: not where NO_COLOR is set to anything, nor where it cannot."""
    return os.name != "nt" and not environment.get("NO_COLOR") and environment.get("TERM") not in ("dumb", "", None)


class JsonLines:
    """One JSON object a line."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._last: dict[str, tuple[str, float]] = {}

    def job(self, view: JobView) -> None:
        """Writes a ``progress`` event, unless it says the same as the job's last one."""
        news = (view.text, round(view.progress, 3))
        if self._last.get(view.id) == news:
            return
        self._last[view.id] = news
        self._write(
            {
                "event": "progress",
                "message": f"{view.name}: {view.text}",
                "job": view.id,
                "name": view.name,
                "stage": str(view.stage),
                "progress": news[1],
                "text": view.text,
                "tasks": [step.task_id for step in view.steps if step.task_id],
            }
        )

    def event(self, kind: str, words: str, /, **facts: Any) -> None:
        """Writes an event of that kind."""
        self._write({"event": kind, "message": words, **facts})

    def result(self, kind: str, words: str, lines: Sequence[str], /, **facts: Any) -> None:
        """Writes an event of that kind."""
        self._write({"event": kind, "message": words, **facts})

    def close(self) -> None:
        """Nothing is open."""

    def _write(self, event: dict[str, Any]) -> None:
        self._stream.write(json.dumps(event, default=str) + "\n")
        self._stream.flush()


class PlainLines:
    """A line whenever a job says something new; for logs."""

    def __init__(self, stream: TextIO, output: TextIO) -> None:
        self._stream = stream
        self._output = output
        self._last: dict[str, str] = {}

    def job(self, view: JobView) -> None:
        """Writes a line when the words have changed."""
        if self._last.get(view.id) != view.text:
            self._last[view.id] = view.text
            self._write(f"{view.name}: {view.text} ({view.progress:.0%})")

    def event(self, kind: str, words: str, /, **facts: Any) -> None:
        """Writes the words."""
        self._write(words)

    def result(self, kind: str, words: str, lines: Sequence[str], /, **facts: Any) -> None:
        """Writes the words, and the lines to the standard output."""
        if words:
            self._write(words)
        _write_lines(self._output, lines)

    def close(self) -> None:
        """Nothing is open."""

    def _write(self, line: str) -> None:
        self._stream.write(line + "\n")
        self._stream.flush()


class Bar:
    """One progress bar for the job at hand; what is done stays above it. On a terminal, errors are red.

    Args:
        stream: The terminal.
        output: Where results go.
        colored: Whether colours are wanted.
    """

    def __init__(self, stream: TextIO, output: TextIO, *, colored: bool = False) -> None:
        self._stream = stream
        self._output = output
        self._colored = colored
        self._bar: Any = None

    def job(self, view: JobView) -> None:
        """Moves the bar."""
        if self._bar is None:
            from tqdm import tqdm

            self._bar = tqdm(total=100.0, bar_format=_BAR, file=self._stream, leave=False)
        self._bar.set_description_str(f"{view.name}: {view.text}", refresh=False)
        self._bar.n = round(100 * view.progress, 1)
        self._bar.refresh()

    def event(self, kind: str, words: str, /, **facts: Any) -> None:
        """Writes the words above the bar."""
        self.close()
        if self._colored and kind in _COLORS:
            words = f"{_COLORS[kind]}{words}{_PLAIN}"
        self._stream.write(words + "\n")
        self._stream.flush()

    def result(self, kind: str, words: str, lines: Sequence[str], /, **facts: Any) -> None:
        """Writes the words above the bar, and the lines to the standard output."""
        if words:
            self.event(kind, words)
        _write_lines(self._output, lines)

    def close(self) -> None:
        """Clears the bar from the terminal."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _write_lines(output: TextIO, lines: Sequence[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    try:
        output.write(text)
    except UnicodeEncodeError:  # a terminal that knows fewer characters than a prompt or a path has
        encoding = output.encoding or "ascii"
        output.write(text.encode(encoding, "backslashreplace").decode(encoding))
    output.flush()
