"""How answers are read: the envelope, and which error an answer means."""

from __future__ import annotations

import json

import pytest
from asset_generation.vendor import assetgen
from asset_generation.vendor.assetgen import (
    APIError,
    AssetGenError,
    AuthenticationError,
    Client,
    ConcurrencyError,
    InvalidAnswerError,
    NotFoundError,
    RateLimitError,
    ServerError,
)
from support.services.scripted_service import KEY, Reply, Script, failure, ok

BALANCE = "/v3/account/balance"


def test_success_is_code_zero(service: Script, client: Client) -> None:
    service.reply("GET", BALANCE, ok({"balance": 12.25, "frozen": 1}))
    assert str(client.account.balance().balance) == "12.25"
    (request,) = service.requests
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["user-agent"] == "asset-generation/0.1"
    assert len(request.request_id) == 36


@pytest.mark.parametrize(
    ("status", "code", "name"),
    [
        (401, 2, "AuthenticationError"),
        (401, 1002, "AuthenticationError"),
        (401, 1004, "AuthenticationError"),
        (400, 2, "AuthenticationError"),
        (400, 1003, "BadParameterError"),
        (405, 1003, "BadParameterError"),
        (415, 1003, "BadParameterError"),
        (400, 1004, "BadParameterError"),
        (400, 2002, "BadParameterError"),
        (400, 2003, "BadParameterError"),
        (400, 2004, "BadParameterError"),
        (400, 2005, "BadParameterError"),
        (400, 2006, "BadParameterError"),
        (400, 2007, "BadParameterError"),
        (400, 2009, "BadParameterError"),
        (400, 2008, "ModerationError"),
        (403, 2010, "InsufficientCreditsError"),
        (400, 2010, "InsufficientCreditsError"),
        (403, 2013, "PermissionDeniedError"),
        (403, 7777, "PermissionDeniedError"),
        (404, 2001, "NotFoundError"),
        (400, 2001, "NotFoundError"),
        (404, 4001, "NotFoundError"),
        (400, 2015, "VersionError"),
        (400, 2016, "VersionError"),
        (400, 2017, "VersionError"),
        (400, 2021, "TooLargeError"),
        (413, 2022, "TooLargeError"),
        (429, 1007, "RateLimitError"),
        (429, 2000, "ConcurrencyError"),
        (429, 7777, "RateLimitError"),
        (500, 1000, "ServerError"),
        (200, 1001, "ServerError"),
        (503, 7777, "ServerError"),
        (418, 7777, "APIError"),
        (200, 7777, "APIError"),
    ],
)
def test_status_and_code_say_which_error(service: Script, status: int, code: int, name: str) -> None:
    service.reply("GET", BALANCE, failure(status, code, "that did not work", X_Service_Trace_ID="trace-7"))
    with Client(KEY, service.base_url, max_retries=0) as client, pytest.raises(APIError) as caught:
        client.account.balance()
    error = caught.value
    assert type(error) is getattr(assetgen, name)
    assert (error.code, error.status) == (code, status)
    assert (error.message, error.suggestion) == ("that did not work", "try something else")
    assert (error.request_id, error.trace_id) == ("from-body", "trace-7")


def test_the_published_rate_limit_body_has_no_request_id(service: Script) -> None:
    body = json.dumps({"code": 1007, "message": "slow down", "suggestion": "wait"}).encode()
    service.reply("GET", BALANCE, Reply(429, body, {"x-request-id": "from-header", "retry-after": "9"}))
    with Client(KEY, service.base_url, max_retries=0) as client, pytest.raises(RateLimitError) as caught:
        client.account.balance()
    assert caught.value.request_id == "from-header"
    assert caught.value.retry_after == 9


def test_the_published_concurrency_body_has_no_request_id(service: Script) -> None:
    body = json.dumps({"code": 2000, "message": "too many at once", "suggestion": "wait"}).encode()
    service.reply("GET", BALANCE, Reply(429, body, {"retry-after": "30"}))
    with Client(KEY, service.base_url, max_retries=0) as client, pytest.raises(ConcurrencyError) as caught:
        client.account.balance()
    assert (caught.value.message, caught.value.suggestion) == ("too many at once", "wait")
    assert (caught.value.retry_after, caught.value.may_have_arrived) == (30, False)


@pytest.mark.parametrize(("status", "name"), [(400, "BadParameterError"), (418, "APIError"), (500, "ServerError")])
def test_an_unknown_code_keeps_all_that_was_said(service: Script, status: int, name: str) -> None:
    service.reply("GET", BALANCE, failure(status, 31337, "the moon is wrong"))
    with Client(KEY, service.base_url, max_retries=0) as client, pytest.raises(APIError) as caught:
        client.account.balance()
    assert type(caught.value) is getattr(assetgen, name)
    assert (caught.value.code, caught.value.message) == (31337, "the moon is wrong")
    assert caught.value.suggestion == "try something else"


def test_without_any_id_in_the_answer_ours_is_kept(service: Script, client: Client) -> None:
    service.reply("GET", BALANCE, Reply(403, b'{"code": 2010, "message": "no credits", "suggestion": null}'))
    with pytest.raises(APIError) as caught:
        client.account.balance()
    assert caught.value.request_id == service.requests[0].request_id
    assert caught.value.suggestion == ""


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (200, b"<html>Log in to the hotel's network</html>", InvalidAnswerError),
        (200, b"", InvalidAnswerError),
        (200, b"[]", InvalidAnswerError),
        (200, b'{"balance": 3}', InvalidAnswerError),
        (200, b'{"code": true, "data": {}}', InvalidAnswerError),
        (200, b'\xff\xfe{"code"', InvalidAnswerError),
        (200, b'{"code": 0, "data": {"balance": "plenty"}}', InvalidAnswerError),
        (200, b'{"code": 0}', InvalidAnswerError),
        (404, b"<html>nginx</html>", InvalidAnswerError),
        (403, b"blocked by the firewall", InvalidAnswerError),
        (400, b'{"code": 0, "data": {}}', InvalidAnswerError),
        (401, b"who are you", AuthenticationError),
        (429, b"slow down", RateLimitError),
        (502, b"<html>Bad Gateway</html>", ServerError),
        (500, b'{"code": 0}', ServerError),
    ],
)
def test_what_is_no_envelope(service: Script, status: int, body: bytes, kind: type[AssetGenError]) -> None:
    service.reply("GET", BALANCE, Reply(status, body))
    with Client(KEY, service.base_url, max_retries=0) as client, pytest.raises(AssetGenError) as caught:
        client.account.balance()
    assert type(caught.value) is kind
    assert caught.value.request_id == service.requests[0].request_id
    assert getattr(caught.value, "status", None) == status


def test_a_bad_value_is_named_but_not_shown(service: Script, client: Client) -> None:
    service.reply("GET", "/v3/tasks/t", ok({"task_id": "t", "status": ["https://signed?secret=1"]}))
    with pytest.raises(InvalidAnswerError, match="about a task cannot be read: status") as caught:
        client.tasks.retrieve("t")
    assert "secret=1" not in str(caught.value)


def test_a_code_written_as_text_is_understood(service: Script, client: Client) -> None:
    service.reply("GET", BALANCE, Reply(400, b'{"code": "2001", "message": "gone"}'))
    with pytest.raises(NotFoundError):
        client.account.balance()
