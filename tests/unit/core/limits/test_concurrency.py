"""Lines and rate limits, with clocks that the tests move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from asset_generation.addon.core.limits.concurrency import (
    GROWTH_SECONDS,
    REFUSED_SECONDS,
    ConcurrencyLimiter,
    Delay,
    Pool,
)
from asset_generation.addon.core.limits.rate_limiter import DEFAULTS, Group, RateLimiter
from asset_generation.addon.core.status.wait_messages import ordinal, queue_text
from asset_generation.vendor.assetgen.contract import POOL_SIZES, Category, RateGroup
from asset_generation.vendor.assetgen.rate_limits import RateLimit

MESH = Pool("here", Category.MESH)
ELSEWHERE = Pool("there", Category.MESH)
PROCESSING = Pool("here", Category.PROCESSING)


@dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Heard:
    """Whom the gate woke, and what it told about places."""

    woken: list[str] = field(default_factory=list)
    notified: list[tuple[str, int]] = field(default_factory=list)

    def notify(self, job_id: str, number: int) -> None:
        self.notified.append((job_id, number))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def limiter(clock: Clock, heard: Heard) -> ConcurrencyLimiter:
    sizes = {Category.MESH: 2, Category.PROCESSING: 1}
    return ConcurrencyLimiter(sizes, clock=clock, wake=heard.woken.append, notify=heard.notify)


def numbers(limiter: ConcurrencyLimiter, pool: Pool, names: str) -> list[int]:
    """The numbers in the line that jobs get, 0 for a place."""
    waits = [limiter.enter(name, pool) for name in names]
    return [delay.number if delay else 0 for delay in waits]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (10, "10th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (21, "21st"),
        (22, "22nd"),
        (23, "23rd"),
        (101, "101st"),
        (111, "111th"),
        (112, "112th"),
        (1003, "1003rd"),
    ],
)
def test_places_are_ordinals(number: int, words: str) -> None:
    assert ordinal(number) == words
    assert queue_text(number) == f"Waiting for a free slot ({words} in line)"


# Lines


def test_a_full_pool_is_a_line(limiter: ConcurrencyLimiter, heard: Heard) -> None:
    assert numbers(limiter, MESH, "abcde") == [0, 0, 1, 2, 3]
    assert limiter.enter("c", MESH) == Delay(1, None)
    limiter.leave("a")
    assert heard.woken == ["c"]
    assert numbers(limiter, MESH, "d") == [2], "the free place is for c"
    assert numbers(limiter, MESH, "c") == [0]
    assert heard.notified[-2:] == [("d", 1), ("e", 2)]
    limiter.leave("d")
    assert heard.notified[-1] == ("e", 1)
    assert numbers(limiter, MESH, "e") == [1]


def test_pools_of_other_categories_and_accounts_are_independent(limiter: ConcurrencyLimiter) -> None:
    assert numbers(limiter, MESH, "abc") == [0, 0, 1]
    assert numbers(limiter, PROCESSING, "x") == [0]
    assert numbers(limiter, ELSEWHERE, "yz") == [0, 0]


def test_the_documented_pools(clock: Clock) -> None:
    limiter = ConcurrencyLimiter(clock=clock)
    assert {category: limiter.size(Pool("s", category)) for category in Category} == {
        Category.GENERATION_H: 10,
        Category.GENERATION_P: 5,
        Category.IMAGE: 1,
        Category.ANIMATION: 10,
        Category.PROCESSING: 5,
        Category.MESH: 10,
    }
    assert set(POOL_SIZES) == set(Category)


def test_tasks_that_run_already_count(limiter: ConcurrencyLimiter, heard: Heard) -> None:
    limiter.occupy("old", PROCESSING)
    assert numbers(limiter, PROCESSING, "n") == [1]
    assert limiter.enter("old", PROCESSING) is None
    limiter.leave("old")
    assert heard.woken == ["n"]
    assert numbers(limiter, PROCESSING, "n") == [0]


def test_a_job_that_goes_on_to_another_pool_frees_its_place(limiter: ConcurrencyLimiter, heard: Heard) -> None:
    assert numbers(limiter, PROCESSING, "ab") == [0, 1]
    assert numbers(limiter, MESH, "a") == [0]
    assert heard.woken == ["b"]
    assert numbers(limiter, PROCESSING, "b") == [0]


def test_who_leaves_the_head_of_a_line_lets_the_next_one_try(limiter: ConcurrencyLimiter, heard: Heard) -> None:
    assert numbers(limiter, PROCESSING, "abc") == [0, 1, 2]
    limiter.leave("b")
    assert heard.woken == ["c"]
    assert heard.notified == [("b", 1), ("c", 2), ("c", 1)]


def test_every_place_that_is_free_is_taken_by_waking_one_after_the_other(
    limiter: ConcurrencyLimiter, heard: Heard
) -> None:
    assert numbers(limiter, MESH, "abcd") == [0, 0, 1, 2]
    limiter.leave("a")
    limiter.leave("b")
    heard.woken.clear()
    assert limiter.enter("c", MESH) is None
    assert heard.woken == ["d"]
    assert limiter.enter("d", MESH) is None


def test_a_long_line_is_not_told_every_step(clock: Clock, heard: Heard) -> None:
    limiter = ConcurrencyLimiter({Category.MESH: 1}, clock=clock, notify=heard.notify)
    jobs = [f"j{number}" for number in range(200)]
    for job in jobs:
        limiter.enter(job, MESH)
    for job in jobs[:-1]:
        limiter.leave(job)
        following = jobs[jobs.index(job) + 1]
        assert limiter.enter(following, MESH) is None
    notified = [number for job, number in heard.notified if job == "j199"]
    assert notified == sorted(notified, reverse=True)
    assert notified[-10:] == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert len(notified) < 50


def test_the_next_task_of_an_older_job_goes_before_the_first_one_of_a_younger(clock: Clock, heard: Heard) -> None:
    ages = "abcd"
    limiter = ConcurrencyLimiter(
        {Category.MESH: 1}, clock=clock, wake=heard.woken.append, notify=heard.notify, order=ages.index
    )
    assert numbers(limiter, MESH, "acd") == [0, 1, 2]
    limiter.occupy("a", MESH)
    limiter.go_on("a", MESH)  # its first task has ended, and the place is not given to anybody before it asked
    assert heard.woken[-1] == "a"
    assert heard.notified[-2:] == [("c", 2), ("d", 3)]
    assert limiter.enter("c", MESH) == Delay(2, None)
    assert limiter.enter("a", MESH) is None
    assert limiter.enter("b", MESH) == Delay(1, None), "it came last and is older than those who wait"
    limiter.leave("a")
    assert heard.woken[-1] == "b"


def test_a_job_that_goes_on_in_another_pool_frees_its_place(limiter: ConcurrencyLimiter, heard: Heard) -> None:
    assert numbers(limiter, PROCESSING, "ab") == [0, 1]
    limiter.go_on("a", MESH)
    assert heard.woken == ["b"]
    assert limiter.enter("b", PROCESSING) is None
    assert limiter.enter("a", MESH) is None


# What refusals teach


def test_a_refusal_lowers_the_size_to_what_was_inside(limiter: ConcurrencyLimiter, clock: Clock) -> None:
    assert numbers(limiter, MESH, "ab") == [0, 0]
    limiter.occupy("a", MESH)
    assert limiter.refused("b", MESH, 30.0) == Delay(1, 30.0)
    assert limiter.size(MESH) == 1
    clock.now += 29.0
    assert limiter.enter("b", MESH) == Delay(1, 1.0)


def test_a_pool_that_somebody_else_fills_is_still_tried_with_one(limiter: ConcurrencyLimiter, clock: Clock) -> None:
    assert numbers(limiter, MESH, "a") == [0]
    limiter.refused("a", MESH, None)
    assert limiter.size(MESH) == 1
    assert limiter.enter("a", MESH) == Delay(1, REFUSED_SECONDS)
    clock.now += REFUSED_SECONDS
    assert limiter.enter("a", MESH) is None


def test_who_stands_behind_a_refused_job_is_told(limiter: ConcurrencyLimiter, heard: Heard) -> None:
    assert numbers(limiter, MESH, "abc") == [0, 0, 1]
    limiter.refused("b", MESH, 10.0)
    assert heard.notified == [("c", 1), ("b", 1), ("c", 2)]
    limiter.refused("a", MESH, 10.0)
    assert heard.notified[3:] == [("a", 1), ("b", 2), ("c", 3)]


def test_a_refused_job_keeps_its_place_in_the_line(limiter: ConcurrencyLimiter, clock: Clock) -> None:
    assert numbers(limiter, MESH, "abcd") == [0, 0, 1, 2]
    # Their answers come in the wrong order.
    assert limiter.refused("b", MESH, 10.0).number == 1
    assert limiter.refused("a", MESH, 10.0).number == 1
    assert numbers(limiter, MESH, "dcba") == [4, 3, 2, 1]
    clock.now += 10.0
    assert limiter.enter("b", MESH) == Delay(2, None)
    assert limiter.enter("a", MESH) is None
    limiter.occupy("a", MESH)
    assert limiter.enter("b", MESH) == Delay(1, GROWTH_SECONDS - 10.0), "the pool is taken for one task"


def test_a_size_grows_back_minute_by_minute_and_not_beyond_the_documented_one(clock: Clock) -> None:
    limiter = ConcurrencyLimiter({Category.MESH: 4}, clock=clock)
    assert numbers(limiter, MESH, "ab") == [0, 0]
    limiter.occupy("a", MESH)
    limiter.refused("b", MESH, 0.0)
    sizes = []
    for _ in range(6):
        sizes.append(limiter.size(MESH))
        clock.now += GROWTH_SECONDS
    assert sizes == [1, 2, 3, 4, 4, 4]


def test_who_waits_for_a_pool_to_grow_asks_again_in_time(limiter: ConcurrencyLimiter, clock: Clock) -> None:
    assert numbers(limiter, MESH, "ab") == [0, 0]
    limiter.occupy("a", MESH)
    limiter.refused("b", MESH, 0.0)
    clock.now += 20.0
    delay = limiter.enter("b", MESH)
    assert delay == Delay(1, GROWTH_SECONDS - 20.0)
    clock.now += GROWTH_SECONDS - 20.0
    assert limiter.enter("b", MESH) is None


def test_a_start_that_must_wait_keeps_its_place_before_the_next(limiter: ConcurrencyLimiter) -> None:
    assert limiter.enter("a", MESH, start=lambda: 12.0) == Delay(1, 12.0, is_rate=True)
    assert limiter.enter("b", MESH, start=lambda: 0.0) == Delay(2, None), "b must not overtake a"
    assert limiter.enter("a", MESH, start=lambda: 0.0) is None
    assert limiter.enter("b", MESH, start=lambda: 0.0) is None


def test_a_second_try_from_inside_is_counted_again(limiter: ConcurrencyLimiter) -> None:
    starts: list[int] = []

    def start() -> float:
        starts.append(1)
        return 0.0

    limiter.enter("a", MESH, start=start)
    limiter.enter("a", MESH, start=start)
    assert len(starts) == 2


# Rates

GROUP = Group("here", "generation")


@pytest.fixture
def rates(clock: Clock) -> RateLimiter:
    return RateLimiter(clock=clock)


def said(clock: Clock, *, remaining: int, resets_in: float, limit: int = 10, ahead: float = 0.0) -> RateLimit:
    """Headers that just came, from a service whose clock is ``ahead`` of ours."""
    now = clock()
    return RateLimit(limit, remaining, now + resets_in + ahead, now, resets_in)


def send(
    rates: RateLimiter, job_id: str, reported: Callable[[], RateLimit | None] = lambda: None, default: int | None = 3
) -> float:
    """A request and its answer; the seconds to wait when it may not be sent."""
    seconds = rates.begin(GROUP, job_id, default)
    if not seconds:
        rates.end(GROUP, reported())
    return seconds


def test_while_nothing_was_said_the_window_slides(rates: RateLimiter, clock: Clock) -> None:
    for number in range(3):
        assert send(rates, f"j{number}") == 0
        clock.now += 10.0
    assert send(rates, "x") == 30.0
    clock.now += 30.0
    assert send(rates, "x") == 0
    assert send(rates, "y") == 10.0


def test_those_who_wait_get_their_own_moments_in_their_order(rates: RateLimiter, clock: Clock) -> None:
    for number in range(3):
        assert send(rates, f"j{number}") == 0
        clock.now += 1.0
    waits = [send(rates, name) for name in "abcd"]
    assert waits == [57.0, 58.0, 59.0, 117.0]
    clock.now += 57.0
    assert send(rates, "b") > 0, "the free moment is for a"
    assert send(rates, "a") == 0


def test_a_service_of_ones_own_has_no_limit_until_it_says_so(rates: RateLimiter, clock: Clock) -> None:
    assert [send(rates, f"j{number}", default=None) for number in range(100)] == [0.0] * 100
    send(rates, "x", lambda: said(clock, remaining=0, resets_in=20.0), default=None)
    assert send(rates, "y", default=None) == 20.0


def test_what_the_headers_say_replaces_the_idea(rates: RateLimiter, clock: Clock) -> None:
    answers = iter([said(clock, remaining=left, resets_in=30.0, limit=20) for left in reversed(range(20))])
    assert [send(rates, f"j{number}", lambda: next(answers)) for number in range(20)] == [0.0] * 20
    assert send(rates, "x") == 30.0


def test_nothing_is_sent_before_the_window_ends_and_then_again(rates: RateLimiter, clock: Clock) -> None:
    assert send(rates, "a", lambda: said(clock, remaining=0, resets_in=30.0)) == 0
    assert send(rates, "b") == 30.0
    clock.now += 29.5
    assert send(rates, "b") == 0.5
    clock.now += 0.5
    assert send(rates, "b", lambda: said(clock, remaining=9, resets_in=60.0)) == 0


def test_requests_that_are_on_their_way_count(rates: RateLimiter, clock: Clock) -> None:
    assert send(rates, "a", lambda: said(clock, remaining=2, resets_in=30.0)) == 0
    assert rates.begin(GROUP, "b", None) == 0
    assert rates.begin(GROUP, "c", None) == 0
    assert rates.begin(GROUP, "d", None) == 30.0
    rates.end(GROUP, said(clock, remaining=5, resets_in=30.0))
    assert rates.begin(GROUP, "d", None) == 0


@pytest.mark.parametrize("ahead", [-7200.0, 7200.0])
def test_a_service_whose_clock_differs_is_understood(rates: RateLimiter, clock: Clock, ahead: float) -> None:
    assert send(rates, "a", lambda: said(clock, remaining=0, resets_in=15.0, ahead=ahead)) == 0
    assert send(rates, "b") == 15.0


def test_no_window_is_believed_to_be_longer_than_a_minute(rates: RateLimiter, clock: Clock) -> None:
    # No Date in the answer, and a service whose clock is an hour ahead.
    assert send(rates, "a", lambda: said(clock, remaining=0, resets_in=3600.0)) == 0
    assert send(rates, "b") == 60.0


def test_an_answer_without_headers_changes_nothing(rates: RateLimiter, clock: Clock) -> None:
    notified = said(clock, remaining=1, resets_in=30.0)
    assert send(rates, "a", lambda: notified) == 0
    clock.now += 25.0
    assert send(rates, "b", lambda: notified) == 0
    clock.now += 5.0
    assert send(rates, "c", lambda: notified) == 0, "the window has ended, whoever repeats what was said of it"


def test_a_refusal_stops_the_whole_group_and_no_other(rates: RateLimiter, clock: Clock) -> None:
    assert send(rates, "a") == 0
    assert rates.refused(GROUP, 17.0) == 17.0
    assert [send(rates, name) for name in "abc"] == [17.0, 17.0, 17.0]
    assert rates.begin(Group("here", "mesh"), "m", None) == 0
    assert rates.begin(Group("there", "generation"), "n", None) == 0
    clock.now += 17.0
    assert send(rates, "a") == 0


def test_who_gives_up_waiting_is_not_waited_for(rates: RateLimiter, clock: Clock) -> None:
    for name in "abc":
        send(rates, name)
    assert send(rates, "x") == 60.0
    rates.leave("x")
    clock.now += 60.0
    assert send(rates, "y") == 0


def test_the_first_ideas_are_the_documented_numbers() -> None:
    assert (DEFAULTS[RateGroup.GENERATION], DEFAULTS[RateGroup.REFINE]) == (200, 50)
    assert 0 < DEFAULTS[RateGroup.UPLOAD] < 10
