"""Keeps requests under the service's rate limits (docs/api.md, 4.1), before it has to refuse one.

Limits are counted for each group of endpoints. What the service's headers say counts: nothing is sent in a window that
has nothing left. As long as a service has said nothing, the documented numbers are kept as a sliding window of one
minute over all jobs of this process. After a refusal (code 1007) the whole group waits as long as the service says.

A window's end is given by the service's clock. The client puts it into seconds from the answer, and from then on only
the time that passes here counts. Where the client could not (no ``Date`` in the answer, and clocks that differ), no
window is believed to be longer than a minute.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from ....vendor.assetgen.contract import DOCUMENTED_RATES, RateGroup
from ....vendor.assetgen.rate_limits import RateLimit

UPLOADS = "files"
"""The window of uploads; the names of windows are those of :func:`window_of`."""

DEFAULTS: Mapping[RateGroup, int] = MappingProxyType(
    {**DOCUMENTED_RATES, RateGroup.UPLOAD: DOCUMENTED_RATES[RateGroup.UPLOAD] - 1}
)
"""Requests a minute while the service has not said anything. About ten uploads are documented, so nine are sure."""

REFUSED_SECONDS = 5.0
"""Wait after a refusal, where the service does not say how long."""

_WINDOW_SECONDS = 60.0
_CROWDED_SECONDS = 1.0
"""Until a crowd is looked at again that began with a new window: its answers will say what is left."""


class Group(NamedTuple):
    """One group of endpoints of one service."""

    service_id: str
    name: str


@dataclass(slots=True)
class _Window:
    """What is known of a group. Times are of the clock of :class:`RateLimiter`.

    Attributes:
        reported: What the service said last.
        ends: When the window ends that it spoke of.
        shut_until: Nothing is sent before, after a refusal.
        in_flight: Requests whose answer is due.
        starts: When requests began, within the last minute.
        line: Jobs that wait, and what they are sorted by.
    """

    reported: RateLimit | None = None
    ends: float = 0.0
    shut_until: float = 0.0
    in_flight: int = 0
    starts: deque[float] = field(default_factory=deque)
    line: dict[str, Any] = field(default_factory=dict)

    def seconds(self, now: float, ahead: int, default: int | None) -> float:
        """How long a request must wait before which ``ahead`` others go; 0 when it may go now."""
        while self.starts and self.starts[0] <= now - _WINDOW_SECONDS:
            self.starts.popleft()
        if now < self.shut_until:
            return self.shut_until - now
        if self.reported is not None:
            return self._as_reported(self.reported, now, ahead)
        before = len(self.starts) + ahead
        if default is None or before < default:
            return 0.0
        # Each place of the window is free again a minute after it was taken.
        late = before - default
        first = self.starts[late % len(self.starts)] if self.starts else now
        return first + _WINDOW_SECONDS * (1 + late // max(1, default)) - now

    def _as_reported(self, reported: RateLimit, now: float, ahead: int) -> float:
        if now < self.ends:
            late = ahead - (reported.remaining - self.in_flight)
            return 0.0 if late < 0 else self.ends - now + _WINDOW_SECONDS * (late // reported.limit)
        begun = sum(1 for start in self.starts if start >= self.ends)
        return 0.0 if begun + ahead < reported.limit else _CROWDED_SECONDS


class RateLimiter:
    """When the next request of a group may be sent. Thread-safe.

    Args:
        clock: Seconds; only differences count.
        order: What the jobs of a line are sorted by, the least first; when left out, they stand as they came.
    """

    def __init__(
        self, *, clock: Callable[[], float] = time.monotonic, order: Callable[[str], Any] | None = None
    ) -> None:
        self._clock = clock
        self._tickets = itertools.count()
        self._order = order or (lambda job_id: next(self._tickets))
        self._lock = threading.Lock()
        self._windows: dict[Group, _Window] = defaultdict(_Window)

    def begin(self, group: Group, job_id: str, default: int | None) -> float:
        """Counts a request as sent and returns 0, or gives the seconds to wait, in the order of the jobs.

        Args:
            group: What the request counts as.
            job_id: Whose request it is; it keeps its place until it began or left.
            default: Requests a minute while the service has said nothing; None for any number.
        """
        with self._lock:
            window = self._windows[group]
            if job_id not in window.line:
                window.line[job_id] = self._order(job_id)
            ahead = sum(ticket < window.line[job_id] for ticket in window.line.values())
            now = self._clock()
            seconds = window.seconds(now, ahead, default)
            if seconds > 0:
                return seconds
            del window.line[job_id]
            window.starts.append(now)
            window.in_flight += 1
            return 0.0

    def end(self, group: Group, reported: RateLimit | None) -> None:
        """A request that began has its answer, or will have none; ``reported``: what the service said of the group."""
        with self._lock:
            window = self._windows[group]
            window.in_flight = max(0, window.in_flight - 1)
            # The same as before is what an earlier answer said: this one had nothing to say, or there was none.
            if reported is not None and reported is not window.reported and reported.limit > 0:
                window.reported = reported
                window.ends = self._clock() + min(reported.resets_in, _WINDOW_SECONDS)

    def refused(self, group: Group, seconds: float | None) -> float:
        """The service had one too many (code 1007): the whole group waits. Gives the seconds."""
        with self._lock:
            window = self._windows[group]
            now = self._clock()
            window.shut_until = max(window.shut_until, now + (REFUSED_SECONDS if seconds is None else seconds))
            return window.shut_until - now

    def leave(self, job_id: str) -> None:
        """A job does not wait any more."""
        with self._lock:
            for window in self._windows.values():
                window.line.pop(job_id, None)
