from __future__ import annotations

import math
from typing import Any

import pytest
from asset_generation.addon.core.limits.poll_interval import LONGEST, SHORTEST, PolledTask, poll_interval


def watched(**changes: Any) -> PolledTask:
    return PolledTask(**({"job_id": "j", "task_id": "t", "service_id": "s", "since": 0.0} | changes))


@pytest.mark.parametrize("age", [0.0, 1.0, 10.0, 100.0, 10_000.0])
@pytest.mark.parametrize("progress", [0, 1, 50, 99, 100])
def test_a_remote_service_is_asked_every_one_to_five_seconds(age: float, progress: int) -> None:
    task = watched(progress=progress, moved_at=age / 2)
    assert SHORTEST <= poll_interval(task, age, watched=1, loopback=False) <= LONGEST


def test_a_task_near_its_end_is_looked_at_more_often_than_one_far_from_it() -> None:
    near = watched(progress=95, moved_at=100.0)
    far = watched(progress=10, moved_at=100.0)
    assert poll_interval(near, 101.0, watched=1, loopback=False) < poll_interval(far, 101.0, watched=1, loopback=False)


def test_a_few_young_tasks_of_this_machine_are_looked_at_at_once() -> None:
    assert poll_interval(watched(), 0.5, watched=1, loopback=True) < SHORTEST
    assert poll_interval(watched(), 0.5, watched=100, loopback=True) >= SHORTEST
    assert poll_interval(watched(), 90.0, watched=1, loopback=True) >= SHORTEST


@pytest.mark.parametrize("progress", [0, 50, 99])
@pytest.mark.parametrize("took", [2.0, 5.0, 10.0, 40.0])
def test_the_end_of_a_task_of_this_machine_is_noticed_within_a_thirtieth_of_what_it_took(
    took: float, progress: int
) -> None:
    now, polls = 0.0, 0
    while now < took:
        task = watched(progress=progress, moved_at=now * 0.9)
        now += poll_interval(task, now, watched=1, loopback=True)
        polls += 1
    assert now - took <= took / 30
    assert polls <= 40 + 42 * math.log2(took)  # 42 while it gets twice as old, and some for the beginning
