"""Rate windows: so many requests a minute in each group (docs/api.md, 4.1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus

from ...assetgen.contract import CAPABILITIES, ErrorCode, RateGroup
from ..errors import ServiceError

WINDOW_SECONDS = 60.0

_CREATIONS = {model.endpoint: model.rate_group for model in CAPABILITIES.values()}


def group_of(method: str, path: str) -> RateGroup:
    """The group that a request counts in; one to a path that there is not counts as a creation."""
    if method != "POST" or path.startswith(("/v3/tasks", "/v3/account")):
        return RateGroup.QUERY
    return RateGroup.UPLOAD if path.startswith("/v3/files") else _CREATIONS.get(path, RateGroup.CREATION)


@dataclass(slots=True)
class _Window:
    ends_at: float = 0.0
    used: int = 0


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The windows of one key. A window begins with the first request after the last one ended."""

    limit: Callable[[RateGroup], int]
    clock: Callable[[], float]
    _windows: dict[RateGroup, _Window] = field(default_factory=dict)

    def count(self, group: RateGroup) -> None:
        """Counts one request.

        Raises:
            ServiceError: None was left (HTTP 429, code 1007).
        """
        window = self._window(group)
        limit = self.limit(group)
        if window.used >= limit:
            raise ServiceError(
                ErrorCode.RATE_LIMITED,
                f"more than {limit} requests of the kind {group} within a minute",
                status=HTTPStatus.TOO_MANY_REQUESTS,
                headers={"Retry-After": str(math.ceil(window.ends_at - self.clock()))},
            )
        window.used += 1

    def headers(self, group: RateGroup) -> dict[str, str]:
        """What every answer tells about its group."""
        window = self._window(group)
        limit = self.limit(group)
        return {
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(max(0, limit - window.used)),
            "X-RateLimit-Reset": str(math.ceil(window.ends_at)),
        }

    def _window(self, group: RateGroup) -> _Window:
        now = self.clock()
        window = self._windows.setdefault(group, _Window())
        # A window never lasts longer than it should, also when the clock was set back.
        if not now < window.ends_at <= now + WINDOW_SECONDS:
            window.ends_at, window.used = now + WINDOW_SECONDS, 0
        return window
