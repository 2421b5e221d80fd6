"""Waiting for what others bring about."""

from __future__ import annotations

import time
from collections.abc import Iterator

_SHORTEST, _LONGEST = 0.005, 0.05  # seconds
_SHARE = 0.1


def looks(seconds: float) -> Iterator[None]:
    """Goes round until so many seconds have passed, less often the longer it takes.

    A look often costs more than what it waits for: an answer of the engine is 3 ms of computing.
    """
    begun = time.monotonic()
    while (waited := time.monotonic() - begun) < seconds:
        yield
        time.sleep(min(_LONGEST, max(_SHORTEST, waited * _SHARE)))
