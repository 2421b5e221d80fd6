"""What the service said last about its rate limits (docs/api.md, 4.1)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from .contract import RateGroup, Refine
from .retrying import until_reset


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The window of one group of endpoints.

    Attributes:
        limit: Requests that the window allows.
        remaining: Requests left in it.
        reset_at: When the next window begins, in Unix seconds of the service's clock.
        seen_at: When this was told, in Unix seconds of this machine's clock.
        resets_in: Seconds from then until the next window, by the service's clock where its answer shows it; 0 where
            the window had ended already.
    """

    limit: int
    remaining: int
    reset_at: float
    seen_at: float
    resets_in: float = 0.0


def read_rate_limit(headers: Mapping[str, str]) -> RateLimit | None:
    """The window that an answer's headers tell, or None where they are missing or not numbers."""
    try:
        return RateLimit(
            limit=int(headers["x-ratelimit-limit"]),
            remaining=int(headers["x-ratelimit-remaining"]),
            reset_at=float(headers["x-ratelimit-reset"]),
            seen_at=time.time(),
            resets_in=until_reset(headers) or 0.0,
        )
    except (KeyError, ValueError):
        return None


def window_of(path: str) -> str:
    """The window that a path is counted in: ``generation`` for ``/v3/generation/text-to-model``.

    The API does not tell how it groups its endpoints, only that refining has a limit of its own. So there is a window
    for each first part of the path: what one answer says is never believed of endpoints that another limit may be for.
    """
    return str(RateGroup.REFINE) if path == Refine.endpoint else path.strip("/").split("/")[1]
