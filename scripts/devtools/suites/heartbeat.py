"""Says now and then what is still running, for work that prints nothing until its end."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ..terminal import say

_BEAT_SECONDS = 60.0


class Heartbeat:
    """Beats while it is entered."""

    def __init__(self) -> None:
        self._running: dict[str, float] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True, name="heartbeat")

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    @contextmanager
    def during(self, name: str) -> Iterator[None]:
        """A context in which ``name`` is running."""
        self._running[name] = time.monotonic()
        try:
            yield
        finally:
            del self._running[name]

    def _beat(self) -> None:
        while not self._ended.wait(_BEAT_SECONDS):
            now = time.monotonic()
            running = ", ".join(f"{name} ({now - since:.0f} s)" for name, since in list(self._running.items()))
            if running:
                say(f"    still running: {running}")
