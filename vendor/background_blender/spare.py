"""One background Blender ahead of need: while it waits, its start is already paid for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from .command import BlenderCommand
from .errors import BlenderTrouble
from .parent import BlenderProcess

IDLE_SECONDS = 60.0
"""A spare that nobody wanted for so long is ended: it holds memory."""

AHEAD_SECONDS = 2.0
"""A spare is started so long after a request: whoever asked has work to do with the answer, and few cores for it."""

_MOST_REQUESTS = 20
"""After so many a process is ended all the same: what Blender does not give back must not pile up."""


class SpareBlender:
    """Runs requests for one script like :func:`.parent.run`, from the second one on with a process that is ready.

    A spare is started when somebody says that a request is coming, and soon after one has ended, since another one is
    then likely. A process that says that it is as new after a request is kept as the spare; every other does one
    request only, so no request finds what another left behind. Thread-safe; close it in the end.

    Args:
        command: The Blender to use.
        script: A Python file that ends with ``child.main(function)``.
        idle_seconds: How long a spare is kept; 0 keeps none at all.
        ahead: Whether one is started after a request; else only what is as new is kept.
    """

    def __init__(
        self, command: BlenderCommand, script: Path, *, idle_seconds: float = IDLE_SECONDS, ahead: bool = True
    ) -> None:
        self.command = command
        self._ahead = ahead
        self._script = script
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._child: BlenderProcess | None = None
        self._timer: threading.Timer | None = None
        self._closed = False

    @property
    def is_warm(self) -> bool:
        """Whether a process waits."""
        with self._lock:
            return self._child is not None and self._child.is_alive

    def run(
        self,
        request: Mapping[str, Any],
        *,
        on_progress: Callable[[float, str], None] | None = None,
        stopped: Callable[[], bool] | None = None,
        timeout: float = 1800.0,
    ) -> dict[str, Any]:
        """Runs one request; see :func:`.parent.run` for the arguments and errors."""
        child = self._pop()
        if child is None:
            child = BlenderProcess(self.command, self._script)
        try:
            return child.ask(request, on_progress=on_progress, stopped=stopped, timeout=timeout)
        finally:
            if not (child.waits and child.asked < _MOST_REQUESTS and self._keep(lambda: child)):
                child.end()
                if self._ahead:
                    self._prepare_soon()

    def close(self) -> None:
        """Ends the spare and keeps no other."""
        with self._lock:
            self._closed = True
        self._retire()

    def _pop(self) -> BlenderProcess | None:
        with self._lock:
            child, self._child = self._child, None
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        if child is not None and not child.is_alive:
            child.end()
            return None
        return child

    def prepare(self) -> None:
        """Starts a spare, where there is none; the first request finds it ready then."""
        # Where it cannot be started, the next request will say what is wrong.
        with suppress(OSError, BlenderTrouble):
            self._keep(lambda: BlenderProcess(self.command, self._script))

    def _keep(self, child: Callable[[], BlenderProcess]) -> bool:
        """Whether there was room for it; it is made, or taken, only then."""
        with self._lock:
            if self._closed or self._child is not None or self._idle_seconds <= 0:
                return False
            self._child = child()
            self._set_timer(self._idle_seconds, self._retire)
        return True

    def _prepare_soon(self) -> None:
        with self._lock:
            if not self._closed and self._child is None and self._idle_seconds > 0:
                self._set_timer(AHEAD_SECONDS, self.prepare)

    def _set_timer(self, seconds: float, then: Callable[[], None]) -> None:
        """Has something done, unless a request comes before; the lock is held."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(seconds, then)
        self._timer.daemon = True
        self._timer.name = "assetgen-spare"
        self._timer.start()

    def _retire(self) -> None:
        child = self._pop()
        if child is not None:
            child.end()
