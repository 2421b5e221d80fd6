"""Waits between tries: what the service asks for, the backoff, and stopping."""

from __future__ import annotations

import time
from email.utils import formatdate

import pytest
from asset_generation.vendor.assetgen import (
    AssetGenError,
    BadParameterError,
    ConcurrencyError,
    ConnectionFailed,
    InvalidAnswerError,
    RateLimitError,
    ServerError,
    StoppedError,
    TimedOut,
)
from asset_generation.vendor.assetgen.retrying import Resend, Retries, retry_after, until_reset
from hypothesis import given
from hypothesis import strategies as st


@given(attempt=st.integers(1, 50))
def test_the_backoff_doubles_up_to_eight_seconds_less_a_quarter(attempt: int) -> None:
    whole = min(8.0, 0.5 * 2 ** (attempt - 1))
    delay = Retries(most=50).delay(attempt)
    assert delay is not None
    assert 0.75 * whole <= delay <= whole


def test_the_backoff_has_jitter() -> None:
    assert len({Retries().delay(1) for _ in range(20)}) > 1


@given(asked=st.floats(0, 60))
def test_the_service_is_never_asked_again_too_early(asked: float) -> None:
    delay = Retries().delay(1, asked)
    assert delay is not None
    assert asked <= delay <= asked + 0.5


def test_there_is_no_wait_for_longer_than_allowed_nor_after_the_last_try() -> None:
    retries = Retries(most=2, longest_wait=10)
    assert retries.delay(1, 10.1) is None
    assert retries.delay(2) is not None
    assert retries.delay(3) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "0"}, 0),
        ({}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-4"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
    ],
)
def test_retry_after_in_seconds(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_retry_after_as_a_date_counts_from_the_services_clock() -> None:
    wrong_clock = time.time() - 86400
    headers = {"date": formatdate(wrong_clock, usegmt=True), "retry-after": formatdate(wrong_clock + 7, usegmt=True)}
    assert retry_after(headers) == 7
    assert retry_after({**headers, "retry-after": formatdate(wrong_clock - 7, usegmt=True)}) == 0


def test_the_reset_counts_from_the_services_clock() -> None:
    service = 1_800_000_000
    headers = {"date": formatdate(service, usegmt=True), "x-ratelimit-reset": str(service + 12)}
    assert until_reset(headers) == 12
    assert until_reset({**headers, "x-ratelimit-reset": str(service - 1)}) is None
    assert until_reset({**headers, "x-ratelimit-reset": "later"}) is None
    assert until_reset({}) is None
    own_clock = until_reset({"x-ratelimit-reset": str(time.time() + 20)})
    assert own_clock is not None
    assert 15 < own_clock <= 20


@pytest.mark.parametrize(
    ("error", "freely", "creation"),
    [
        (ConnectionFailed("refused"), True, True),
        (TimedOut("while connecting"), True, True),
        (ConnectionFailed("reset", may_have_arrived=True), True, False),
        (TimedOut("no answer", may_have_arrived=True), True, False),
        (RateLimitError("too many", status=429), True, True),
        (ConcurrencyError("too many", status=429), True, True),
        (ConcurrencyError("too many", status=500, may_have_arrived=True), True, False),
        (ServerError("broken", status=500, may_have_arrived=True), True, False),
        (BadParameterError("bad", status=400), False, False),
        (InvalidAnswerError("no JSON", may_have_arrived=True), False, False),
        (StoppedError(), False, False),
    ],
)
def test_what_may_be_sent_again(error: AssetGenError, freely: bool, creation: bool) -> None:
    assert Resend.FREELY.allows(error) is freely
    assert Resend.IF_NOT_ARRIVED.allows(error) is creation


def test_a_wait_without_a_way_to_stop_is_one_sleep() -> None:
    sleeps: list[float] = []
    Retries(sleep=sleeps.append).wait(30)
    assert sleeps == [30]


def test_a_wait_ends_soon_after_the_caller_wants_to_stop() -> None:
    sleeps: list[float] = []
    with pytest.raises(StoppedError):
        Retries(sleep=sleeps.append).wait(30, lambda: sum(sleeps) >= 1)
    assert 1 <= sum(sleeps) < 1.5


def test_a_wait_that_may_be_stopped_lasts_as_long() -> None:
    sleeps: list[float] = []
    Retries(sleep=sleeps.append).wait(1.5, lambda: False)
    assert sum(sleeps) == pytest.approx(1.5)
