from __future__ import annotations

from asset_generation.addon.core.limits.backoff import Backoff
from asset_generation.vendor.assetgen import RateLimitError


def test_waits_grow_and_obey_the_service() -> None:
    backoff = Backoff()
    waits = [backoff.next() for _ in range(8)]
    assert 0.8 <= waits[0] <= 1.0
    assert 24.0 <= waits[-1] <= 30.0
    assert backoff.next(RateLimitError("slow", status=429, retry_after=99.0)) == 99.0
    backoff.reset()
    assert backoff.next() <= 1.0
