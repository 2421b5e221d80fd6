"""How quickly a batch goes, and how long it will take."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

_WINDOW_SECONDS = 300.0
_MOST = 500


class Progress(NamedTuple):
    """How far a batch is. ``running`` are those of this program; ``seconds_left`` is None where nobody can tell yet."""

    total: int
    done: int
    failed: int
    running: int
    rows_a_minute: float
    credits: str
    seconds_left: float | None

    @property
    def words(self) -> str:
        """One line for people."""
        parts = [f"{self.done} of {self.total} rows"]
        parts += [f"{self.failed} failed"] * bool(self.failed)
        parts += [f"{self.running} running", f"{self.rows_a_minute:.1f} rows a minute"]
        parts += [f"{self.credits} credits"] * bool(self.credits)
        if self.seconds_left is not None:
            parts.append(f"about {duration_words(self.seconds_left)} left")
        return ", ".join(parts)


class Pace:
    """The rate of the last minutes: what went before says little of what is to come.

    Args:
        clock: Seconds; only differences count.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._ends: deque[float] = deque(maxlen=_MOST)

    def ended(self) -> None:
        """A row has ended, here or elsewhere."""
        self._ends.append(self._clock())

    def rows_a_second(self) -> float:
        """The rate; 0 before the first row has ended."""
        now = self._clock()
        while self._ends and now - self._ends[0] > _WINDOW_SECONDS:
            self._ends.popleft()
        if not self._ends:
            return 0.0
        is_whole = len(self._ends) == _MOST
        since = self._ends[0] if is_whole else max(self._began, now - _WINDOW_SECONDS)
        return len(self._ends) / max(now - since, 0.001)

    def seconds_left(self, rows: int) -> float | None:
        """How long so many rows will take; None where nobody can tell yet."""
        rate = self.rows_a_second()
        return rows / rate if rate > 0 else None


def duration_words(seconds: float) -> str:
    """A duration as one reads it: ``45 s``, ``12 min``, ``3 h 20 min``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02} min"
