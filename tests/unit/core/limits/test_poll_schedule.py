from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from asset_generation.addon.core.limits.poll_interval import LONGEST, SLOW
from asset_generation.addon.core.limits.poll_schedule import PollSchedule
from asset_generation.vendor.assetgen.contract import TaskDetail

SERVICE = "https://api.example.com"
ANSWER_SECONDS = 0.15


def play(
    seconds: list[float], progress: Callable[[float], int] = lambda share: 0
) -> tuple[list[tuple[float, int]], list[float]]:
    """The requests (when, how many ids) for tasks that take so many seconds, and how late each end was noticed."""
    schedule, now = PollSchedule(), 0.0
    schedule.found(SERVICE, loopback=False)
    for number in range(len(seconds)):
        schedule.add(str(number), str(number), SERVICE, now)
    requests: list[tuple[float, int]] = []
    late = []
    while (due := schedule.next_due()) is not None:
        now = max(now, due)
        for request in schedule.requests(now):
            requests.append((now, len(request)))
            now += ANSWER_SECONDS
            for task in request:
                share = now / seconds[int(task.task_id)]
                ended = share >= 1
                status, shown = ("success", 100) if ended else ("running", progress(share))
                schedule.answered(task, TaskDetail(task_id=task.task_id, status=status, progress=shown), now)
                if ended:
                    late.append(now - seconds[int(task.task_id)])
    return requests, late


@pytest.mark.parametrize("length", [11.0, 59.5, 100.3, 599.9])
@pytest.mark.parametrize(
    "progress",
    [lambda share: 0, lambda share: min(95, int(300 * share)), lambda share: 99],
    ids=["none", "stops", "99"],
)
def test_an_end_that_progress_does_not_announce_is_noticed_within_two_seconds(
    length: float, progress: Callable[[float], int]
) -> None:
    _, late = play([length], progress)
    assert late[0] <= 2.0


def test_a_task_that_shows_its_way_is_read_more_rarely_and_noticed_as_soon() -> None:
    shown, late = play([600.0], lambda share: int(99 * share))
    hidden, _ = play([600.0])
    assert len(shown) < 0.5 * len(hidden)
    assert late[0] <= 2.0
    assert max(later[0] - earlier[0] for earlier, later in pairwise(shown)) < LONGEST + ANSWER_SECONDS + 0.01


def test_tasks_share_their_requests() -> None:
    lengths = [60.0 + 1.3 * number for number in range(100)]
    together, late = play(lengths)
    alone = sum(len(play([length])[0]) for length in lengths)
    assert len(together) * 40 < alone
    assert max(late) <= 2.0
    assert together[0][1] == 100


def test_more_than_a_hundred_tasks_are_several_requests() -> None:
    schedule = PollSchedule()
    for number in range(250):
        schedule.add(f"j{number}", f"t{number}", SERVICE, 0.0, age=60.0)
    assert [len(request) for request in schedule.requests(0.0)] == [100, 100, 50]


def test_services_do_not_share_requests() -> None:
    schedule = PollSchedule()
    schedule.add("j", "t", SERVICE, 0.0, age=60.0)
    schedule.add("k", "u", "https://other.example.com", 0.0, age=60.0)
    assert sorted(task.task_id for request in schedule.requests(0.0) for task in request) == ["t", "u"]
    assert len(schedule.requests(0.0)) == 2


def test_another_task_of_a_job_takes_the_place_of_the_first() -> None:
    schedule = PollSchedule()
    schedule.add("j", "t", SERVICE, 0.0)
    first = schedule.requests(100.0)[0][0]
    schedule.add("j", "u", SERVICE, 100.0, age=60.0)
    schedule.answered(first, TaskDetail(task_id="t", status="success"), 101.0)
    assert [task.task_id for request in schedule.requests(200.0) for task in request] == ["u"]


def watching(*task_ids: str) -> PollSchedule:
    """A schedule whose tasks were read at 100 s, at a service whose webhooks come."""
    schedule = PollSchedule()
    schedule.found(SERVICE, loopback=False)
    schedule.record_events([], frozenset({SERVICE}), 0.0)
    for task_id in task_ids:
        schedule.add(f"job of {task_id}", task_id, SERVICE, 0.0, age=60.0)
        read(schedule, task_id, "running", 100.0)
    return schedule


def read(schedule: PollSchedule, task_id: str, status: str, now: float) -> None:
    (task,) = [one for request in schedule.requests(1e9) for one in request if one.task_id == task_id]
    schedule.answered(task, TaskDetail(task_id=task_id, status=status), now)


def test_where_webhooks_come_tasks_are_polled_rarely_until_theirs_is_there() -> None:
    schedule = watching("t", "u")
    assert schedule.next_due() == 100.0 + SLOW
    schedule.record_events([(SERVICE, "t")], frozenset({SERVICE}), 105.0)
    assert schedule.next_due() == 0.0
    read(schedule, "t", "running", 106.0)  # the event overtook what the service tells of its task
    due = schedule.next_due()
    assert due is not None and due <= 106.0 + LONGEST
    read(schedule, "t", "success", due)
    assert schedule.next_due() == 100.0 + SLOW, "the other one is still waiting for its own"


def test_an_event_that_is_there_before_the_answer_of_the_creation_is_not_forgotten() -> None:
    schedule = watching()
    schedule.record_events([(SERVICE, "t"), ("https://other.example.com", "u")], frozenset({SERVICE}), 100.0)
    schedule.add("k", "u", SERVICE, 100.5)
    assert schedule.next_due() == 100.5 + SLOW, "the event was of another service's task"
    schedule.add("j", "t", SERVICE, 100.5)
    assert schedule.next_due() == 100.5


@pytest.mark.parametrize("reason", ["no listener", "no delivery"])
def test_without_listener_or_deliveries_polling_has_its_normal_pace_again(reason: str) -> None:
    schedule = watching("t", "u")
    if reason == "no listener":
        schedule.record_events([], frozenset(), 101.0)
    else:
        read(schedule, "u", "success", 101.0)  # no webhook had said so
    due = schedule.next_due()
    assert due is not None and due <= 101.0 + LONGEST
    schedule.remove("job of u")
    schedule.record_events([(SERVICE, "of somebody else")], frozenset({SERVICE}), 102.0)
    read(schedule, "t", "running", 103.0)
    assert schedule.next_due() == 103.0 + SLOW, "and they are relied on again when they come again"


def test_webhooks_of_one_service_say_nothing_of_another() -> None:
    schedule = watching("t")
    schedule.add("k", "u", "https://other.example.com", 0.0, age=60.0)
    read(schedule, "u", "running", 100.0)
    due = schedule.next_due()
    assert due is not None and due <= 100.0 + LONGEST
