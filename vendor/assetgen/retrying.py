"""When a request is sent again, and how long to wait before."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import Enum, auto

from .errors import AssetGenError, ConcurrencyError, ConnectionFailed, RateLimitError, ServerError, StoppedError

Stopped = Callable[[], bool]
Progress = Callable[[int, int], None]
"""Takes the bytes done and the bytes in all (0 while that is not known)."""

READ_TIMEOUT = 60.0
"""Seconds without a byte after which an answer counts as lost, unless the client is told otherwise."""

_FIRST_WAIT = 0.5
_LONGEST_BACKOFF = 8.0
_JITTER = 0.25
_SPREAD_SECONDS = 0.5  # many waiting for the same moment should not all come back in it
_LOOK_SECONDS = 0.2  # how often a wait looks whether it shall stop


class Resend(Enum):
    """Which requests may be sent again."""

    FREELY = auto()
    """Reading, and uploads: a second one does no harm."""

    IF_NOT_ARRIVED = auto()
    """Creation costs credits: again only when the first surely did not arrive, or the service turned it away."""

    def allows(self, error: AssetGenError) -> bool:
        """Whether a request that ended with ``error`` may be sent again."""
        if isinstance(error, RateLimitError | ConcurrencyError):
            return self is Resend.FREELY or not error.may_have_arrived
        if self is Resend.IF_NOT_ARRIVED:
            return isinstance(error, ConnectionFailed) and not error.may_have_arrived
        return isinstance(error, ConnectionFailed | ServerError)


@dataclass(frozen=True, slots=True)
class Retries:
    """How often, and after which waits.

    Attributes:
        most: How many times a request is sent again.
        longest_wait: The longest wait that the service may ask for, in seconds. When it asks for more the error is
            raised at once, so that the caller can do something else until then.
        sleep: Waits; tests put their own here.
    """

    most: int = 2
    longest_wait: float = 60.0
    sleep: Callable[[float], None] = time.sleep

    def delay(self, attempt: int, asked: float | None = None) -> float | None:
        """Seconds to wait after the attempt with this number (from 1), or None when there shall be no other.

        ``asked`` is what the service wants; without it the wait doubles from half a second up to eight, less up to a
        quarter at random.
        """
        if attempt > self.most:
            return None
        if asked is None:
            return float(min(_LONGEST_BACKOFF, _FIRST_WAIT * 2 ** (attempt - 1))) * (1 - _JITTER * random.random())
        return None if asked > self.longest_wait else asked + _SPREAD_SECONDS * random.random()

    def wait(self, seconds: float, stopped: Stopped | None = None) -> None:
        """Waits.

        Raises:
            StoppedError: ``stopped`` said so; it is asked several times a second.
        """
        while seconds > 0:
            check_stopped(stopped)
            step = seconds if stopped is None else min(seconds, _LOOK_SECONDS)
            self.sleep(step)
            seconds -= step
        check_stopped(stopped)


def check_stopped(stopped: Stopped | None) -> None:
    """Raises StoppedError when the caller wants to stop."""
    if stopped is not None and stopped():
        raise StoppedError


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that ``Retry-After`` asks for, given as a number or as a date."""
    value = headers.get("retry-after", "").strip()
    seconds = _number(value)
    if seconds is None and value:
        moment = _moment(value)
        seconds = None if moment is None else moment - _now(headers)
    return None if seconds is None else max(0.0, seconds)


def until_reset(headers: Mapping[str, str]) -> float | None:
    """Seconds until ``X-RateLimit-Reset``; None where it is missing or already past, which tells nothing."""
    reset = _number(headers.get("x-ratelimit-reset", ""))
    if reset is None:
        return None
    seconds = reset - _now(headers)
    return seconds if seconds > 0 else None


def _now(headers: Mapping[str, str]) -> float:
    # The service's own clock where it shows it: this machine's may be wrong by hours.
    moment = _moment(headers.get("date", ""))
    return time.time() if moment is None else moment


def _moment(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None
