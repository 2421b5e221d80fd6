from __future__ import annotations

import time
from itertools import pairwise

import pytest
from support.waits import looks


def test_it_looks_at_once_and_less_often_the_longer_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    seen: list[float] = []

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(time, "sleep", sleep)
    for _ in looks(10.0):
        seen.append(now)
    pauses = [round(after - before, 6) for before, after in pairwise(seen)]
    assert seen[0] == 0.0 and 9.9 < seen[-1] < 10.0
    assert (pauses[0], pauses[-1]) == (0.005, 0.05) and pauses == sorted(pauses)
