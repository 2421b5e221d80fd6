"""Time that runs faster in one process than outside: every wait of the product keeps its proportion to every other.

Nothing of the product is changed for it. What is replaced are the clocks and waits of the standard library, before
the product is imported; until :func:`enter` they do what they always did.
"""

from __future__ import annotations

import queue
import selectors
import socket
import sqlite3
import threading
import time
from typing import Any

_real_time = time.time
_real_monotonic = time.monotonic
_real_sleep = time.sleep
_real_wait = threading.Condition.wait
_real_join = threading.Thread.join
_real_settimeout = socket.socket.settimeout
_real_connect: Any = sqlite3.connect
_real_select = selectors.DefaultSelector.select
_SlowQueue: Any = queue._PySimpleQueue  # type: ignore[attr-defined]  # waits as all of Python does, and not in C


class _State:
    """How this process sees the time. ``factor`` 1 is as outside; ``jump`` is added to the time of day only."""

    factor = 1.0
    started = 0.0
    day = 0.0
    jump = 0.0


def install() -> None:
    """Replaces clocks and waits. To be called before anything is imported that keeps one of them."""
    for owner, name, replacement in (
        (time, "time", now),
        (time, "monotonic", monotonic),
        (time, "sleep", sleep),
        (threading.Condition, "wait", _wait),
        (threading.Thread, "join", _join),
        (threading, "_time", monotonic),
        (queue, "time", monotonic),
        (queue, "SimpleQueue", _SlowQueue),
        (socket.socket, "settimeout", _settimeout),
        (sqlite3, "connect", _connect),
        (selectors.DefaultSelector, "select", _select),
    ):
        setattr(owner, name, replacement)


def enter(factor: float, started: float, day: float) -> None:
    """From now on seconds pass ``factor`` times as quickly.

    Args:
        factor: How many seconds pass in one second of the world outside.
        started: The moment at which both clocks agreed, on the real monotonic clock.
        day: The time of day at that moment, in seconds since 1970. It should be the true one: files have the times of
            the world outside, and must not look as if they were months old.
    """
    _State.factor, _State.started, _State.day, _State.jump = factor, started, day, 0.0


def jump(seconds: float) -> None:
    """Sets the time of day of this process forward or back, as a user or a time server does."""
    _State.jump += seconds


def real(seconds: float) -> float:
    """How long the world outside waits meanwhile."""
    return seconds / _State.factor


def real_monotonic() -> float:
    """The monotonic clock of the world outside."""
    return _real_monotonic()


def now() -> float:
    """Seconds since 1970."""
    if _State.factor == 1.0:
        return _real_time() + _State.jump
    return _State.day + (_real_monotonic() - _State.started) * _State.factor + _State.jump


def true_now() -> float:
    """Seconds since 1970, whatever this process believes."""
    return now() - _State.jump


def started_at() -> float:
    """The time of day that :func:`enter` was given."""
    return _State.day


def monotonic() -> float:
    """Seconds of the monotonic clock."""
    if _State.factor == 1.0:
        return _real_monotonic()
    return _State.started + (_real_monotonic() - _State.started) * _State.factor


def sleep(seconds: float) -> None:
    """Waits."""
    _real_sleep(seconds / _State.factor)


def _shorter(seconds: float | None) -> float | None:
    return None if seconds is None else seconds / _State.factor


def _wait(self: threading.Condition, timeout: float | None = None) -> bool:
    return _real_wait(self, _shorter(timeout))


def _join(self: threading.Thread, timeout: float | None = None) -> None:
    _real_join(self, _shorter(timeout))


def _settimeout(self: socket.socket, value: float | None) -> None:
    _real_settimeout(self, _shorter(value))


def _connect(*arguments: Any, timeout: float = 5.0, **more: Any) -> sqlite3.Connection:
    connection: sqlite3.Connection = _real_connect(*arguments, timeout=timeout / _State.factor, **more)
    return connection


def _select(self: Any, timeout: float | None = None) -> Any:
    # A selector that was asked to wait for less than nothing only looks, and None waits for ever.
    return _real_select(self, timeout if timeout is None or timeout <= 0 else timeout / _State.factor)
