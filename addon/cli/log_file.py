"""``--log FILE``: what happened, with the ids of jobs, tasks and requests, for whoever looks for the cause later."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..core.errors import BadRequest
from ..core.jobs.job import JobView
from .progress import Reporter

LOG_VARIABLE = "ASSETGEN_LOG"

_PACKAGE = __name__.removesuffix(".addon.cli.log_file")
_IDS = ("job", "task", "tasks", "request_id")
_SHORTEST_KEY = 4
"""A key that is shorter is none that a service gives; to hide it would garble the log."""


@contextmanager
def logging_to(path: str, key: str) -> Iterator[None]:
    """Adds all that is logged meanwhile to the end of a file.

    Args:
        path: The file; made when missing. Nothing is done for an empty one.
        key: The API key, which never comes into it.

    Raises:
        BadRequest: The file cannot be written.
    """
    if not path:
        yield
        return
    try:
        handler = logging.FileHandler(Path(path).expanduser(), encoding="utf-8")
    except OSError as error:
        raise BadRequest(f"{path} cannot be written: {error.strerror or error}", "log") from error
    handler.setFormatter(_Formatter(key))
    package = logging.getLogger(_PACKAGE)
    level = package.level
    package.addHandler(handler)
    package.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        package.removeHandler(handler)
        package.setLevel(level)
        handler.close()


class LoggedReporter:
    """Shows the news as another reporter does, and logs them."""

    def __init__(self, shown: Reporter) -> None:
        self._shown = shown
        self._log = logging.getLogger(__name__)
        self._last: dict[str, tuple[str, str]] = {}

    def job(self, view: JobView) -> None:
        """Shows a job; logs it when it is at something else."""
        self._shown.job(view)
        stage = (str(view.stage), view.text)
        if self._last.get(view.id) != stage:
            self._last[view.id] = stage
            tasks = [step.task_id for step in view.steps if step.task_id]
            self._tell("progress", f"{view.name}: {view.text}", {"job": view.id, "tasks": tasks})

    def event(self, kind: str, words: str, /, **facts: Any) -> None:
        """Shows and logs an event."""
        self._shown.event(kind, words, **facts)
        self._tell(kind, words, facts)

    def result(self, kind: str, words: str, lines: Sequence[str], /, **facts: Any) -> None:
        """Shows and logs a result; what was asked for is not logged line by line."""
        self._shown.result(kind, words, lines, **facts)
        self._tell(kind, words, facts)

    def close(self) -> None:
        """The run is over."""
        self._shown.close()

    def _tell(self, kind: str, words: str, facts: dict[str, Any]) -> None:
        ids = [f"{name}={_joined(facts[name])}" for name in _IDS if facts.get(name)]
        self._log.info("%s", " ".join([kind, *ids, words]).rstrip())


def _joined(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


class _Formatter(logging.Formatter):
    """One line for each record but for tracebacks: time (UTC), level, module, words."""

    converter = staticmethod(time.gmtime)

    def __init__(self, key: str) -> None:
        super().__init__("%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
        self._key = key

    def format(self, record: logging.LogRecord) -> str:
        """The line, without the key, and with the names of our modules from the package on."""
        text = super().format(record).replace(f" {_PACKAGE}.", " ", 1)
        return text.replace(self._key, "***") if len(self._key) >= _SHORTEST_KEY else text
