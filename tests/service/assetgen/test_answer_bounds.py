"""Answers that are larger than any of the service's: they end with an error that has a name, and take no memory."""

from __future__ import annotations

import gzip
import json
import tracemalloc

import pytest
from asset_generation.vendor.assetgen import (
    AnswerTooLarge,
    AuthenticationError,
    Client,
    InvalidAnswerError,
    ServerError,
)
from asset_generation.vendor.assetgen.answer_bodies import MAX_BYTES
from asset_generation.vendor.assetgen.contract import Decimate
from support.services.scripted_service import Reply, Script, ok

BALANCE = "/v3/account/balance"
DECIMATE = "/v3/mesh/decimate"
JSON = {"content-type": "application/json"}
ENVELOPE = b'{"code": 0, "status": "success", "data": {"balance": 7, "more": '


def bomb(unpacked: int) -> bytes:
    """A balance beside so many blanks, packed."""
    return gzip.compress(ENVELOPE + b"0}" + b" " * unpacked + b"}", compresslevel=9)


def test_an_answer_without_end_is_not_read_to_its_end(service: Script, client: Client) -> None:
    service.reply("GET", BALANCE, Reply(200, b" " * 1024 * 1024, JSON, repeat=256))
    tracemalloc.start()
    try:
        with pytest.raises(AnswerTooLarge, match="8 MB"):
            client.account.balance()
        assert tracemalloc.get_traced_memory()[1] < 8 * MAX_BYTES
    finally:
        tracemalloc.stop()


def test_a_small_answer_that_unpacks_to_a_large_one_is_not_unpacked(service: Script, client: Client) -> None:
    packed = bomb(200 * 1024 * 1024)
    assert len(packed) < 1024 * 1024
    service.reply("GET", BALANCE, Reply(200, packed, {**JSON, "content-encoding": "gzip"}))
    tracemalloc.start()
    try:
        with pytest.raises(AnswerTooLarge):
            client.account.balance()
        assert tracemalloc.get_traced_memory()[1] < 6 * MAX_BYTES
    finally:
        tracemalloc.stop()


def test_a_packed_answer_is_read(service: Script, client: Client) -> None:
    service.reply("GET", BALANCE, Reply(200, bomb(1000), {**JSON, "content-encoding": "gzip"}))
    assert client.account.balance().balance == 7
    assert service.requests[0].headers["accept-encoding"] == "gzip"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [("gzip, gzip", gzip.compress(bomb(10))), ("br", b"\x0b\x02\x80"), ("gzip", b"no gzip"), ("gzip", bomb(10)[:-4])],
)
def test_an_answer_that_cannot_be_unpacked_within_bounds_is_none(
    service: Script, client: Client, encoding: str, body: bytes
) -> None:
    service.reply("GET", BALANCE, Reply(200, body, {**JSON, "content-encoding": encoding}))
    with pytest.raises(InvalidAnswerError):
        client.account.balance()


@pytest.mark.parametrize("deep", ["[" * 100 + "]" * 100, '{"a":' * 100 + "1" + "}" * 100, "[" * 100_000])
def test_an_answer_that_is_nested_without_end_is_none(service: Script, client: Client, deep: str) -> None:
    service.reply("GET", BALANCE, Reply(200, ENVELOPE + deep.encode() + b"}}", JSON))
    with pytest.raises(InvalidAnswerError):
        client.account.balance()


def test_an_answer_that_is_nested_as_tasks_are_is_read(service: Script, client: Client) -> None:
    service.reply("GET", BALANCE, ok({"balance": 7, "more": json.loads("[" * 50 + "]" * 50)}))
    assert client.account.balance().balance == 7


def test_a_creation_whose_answer_is_too_large_may_have_made_a_task(service: Script, client: Client) -> None:
    service.reply("POST", DECIMATE, Reply(200, b" " * 1024 * 1024, JSON, repeat=10))
    with pytest.raises(AnswerTooLarge) as caught:
        client.tasks.create(Decimate(original_model_task_id="t", face_limit=700))
    assert caught.value.may_have_arrived
    assert len(service.requests) == 1


@pytest.mark.parametrize(("status", "error"), [(503, ServerError), (401, AuthenticationError)])
def test_an_error_that_is_too_large_is_told_by_its_status(
    service: Script, client: Client, status: int, error: type[Exception]
) -> None:
    tries = 3 if status == 503 else 1
    service.reply("GET", BALANCE, *[Reply(status, b"<p>" * 1024 * 1024, repeat=10)] * tries)
    with pytest.raises(error):
        client.account.balance()
