"""A thread that does what it is asked for, in the order in which it was asked: whoever asks goes on at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

Result = TypeVar("Result")


class CommandThread:
    """One daemon thread with a queue of commands. Its end is asked for with :meth:`stop`.

    Args:
        name: Of the thread.
        idle: Called when there was no command for a while; must not raise.
        pause: How long that while is now, in seconds; None for never.
    """

    def __init__(self, name: str, idle: Callable[[], None], pause: Callable[[], float | None]) -> None:
        self._commands: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._idle = idle
        self._pause = pause
        self._begun_at = 0.0
        self._thread = threading.Thread(target=self._run, daemon=True, name=name)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def post(self, command: Callable[[], Result]) -> Future[Result]:
        """Has a command done after all that were posted before; the future gets what it returns or raises."""
        future: Future[Result] = Future()
        self._commands.put((future, command))
        return future

    def stop(self) -> None:
        """Has the thread end after what was posted so far."""
        self._commands.put(None)

    def join(self, timeout: float) -> bool:
        """Waits for the thread; True when it has ended in time."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    @property
    def stuck_for(self) -> float:
        """For how many seconds the command under way has been running; 0 when there is none."""
        begun_at = self._begun_at
        return time.monotonic() - begun_at if begun_at else 0.0

    def _run(self) -> None:
        while True:
            try:
                entry = self._commands.get(timeout=self._pause())
            except Empty:
                self._idle()
                continue
            if entry is None:
                return
            future, command = entry
            self._begun_at = time.monotonic()
            try:
                result = command()
            except BaseException as error:  # whoever asked gets it, and the thread lives on
                future.set_exception(error)
            else:
                future.set_result(result)
            finally:
                self._begun_at = 0.0


def run_in_thread(command: Callable[[], Result], name: str) -> Future[Result]:
    """Does one thing on a thread of its own: what may hang and must hold nothing else up."""
    future: Future[Result] = Future()

    def run() -> None:
        try:
            result = command()
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)

    threading.Thread(target=run, daemon=True, name=name).start()
    return future
