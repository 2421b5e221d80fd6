"""Which errors pass by waiting, and how long to wait."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ....vendor.assetgen import (
    APIError,
    ConcurrencyError,
    ConnectionFailed,
    DownloadIncomplete,
    InvalidAnswerError,
    RateLimitError,
    ServerError,
)
from ..errors import Offline, WrongService

_FIRST = 1.0
_LONGEST = 30.0
_JITTER = 0.2


def is_transient(error: BaseException) -> bool:
    """Whether the same request may succeed later although nobody does anything wrong now."""
    if isinstance(error, InvalidAnswerError):
        # The page of a proxy or of a hotel's network, where the service's answer should be.
        return True
    lost = ConnectionFailed | DownloadIncomplete | ServerError
    return isinstance(error, lost | RateLimitError | ConcurrencyError | Offline | WrongService)


@dataclass(slots=True)
class Backoff:
    """Waits that grow with every failure in a row."""

    failures: int = 0

    def next(self, error: BaseException | None = None) -> float:
        """Seconds until the next try; what the service asks for counts where it is more."""
        seconds = min(_LONGEST, _FIRST * 2.0**self.failures) * (1 - _JITTER * random.random())
        self.failures = min(self.failures + 1, 10)
        asked = error.retry_after if isinstance(error, APIError) else None
        return max(seconds, asked or 0.0)

    def reset(self) -> None:
        """The last try succeeded."""
        self.failures = 0
