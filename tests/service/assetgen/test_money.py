"""Creation costs credits: it is sent again only when the first surely did not arrive, or was turned away."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from asset_generation.vendor.assetgen import (
    AssetGenError,
    BadParameterError,
    Client,
    ConcurrencyError,
    ConnectionFailed,
    InsufficientCreditsError,
    InvalidAnswerError,
    RateLimitError,
    ServerError,
    StoppedError,
    TimedOut,
)
from asset_generation.vendor.assetgen.contract import capability
from support.services.scripted_service import Fault, Reply, Script, ScriptedServer, failure, lost, ok, unused_port

DECIMATE = "/v3/mesh/decimate"
REQUEST = capability("decimate").model_validate({"input": "source", "face_limit": 5000})
CREATED = ok({"task_id": "t-1", "type": "decimate-model", "status": "queued"})


def test_a_task_is_created_with_what_was_set_and_the_id_that_was_given(service: Script, client: Client) -> None:
    service.reply("POST", DECIMATE, CREATED)
    created = client.tasks.create(REQUEST, request_id="intent-1")
    assert (created.task_id, created.type, created.status) == ("t-1", "decimate-model", "queued")
    (request,) = service.requests
    assert request.json == {"input": "source", "face_limit": 5000}
    assert request.request_id == "intent-1"


def test_a_task_is_recognised_by_the_marker_that_its_request_carried(service: Script, client: Client) -> None:
    service.reply("POST", DECIMATE, CREATED)
    client.tasks.create(REQUEST, marker="m-1")
    (request,) = service.requests
    assert request.json == {"input": "source", "face_limit": 5000, "client_request_id": "m-1"}
    told = {"task_id": "t-1", "type": "decimate-model", "status": "queued"}
    for echo, marker in (
        (request.json, "m-1"),
        ({"face_limit": 5000, "extra": {"client_request_id": "m-1"}}, "m-1"),
        ({"face_limit": 5000}, ""),
        ({"client_request_id": 7}, ""),
        (None, ""),
    ):
        service.reply("GET", "/v3/tasks/t-1", ok({**told, "input": echo}))
        assert client.tasks.retrieve("t-1").marker == marker


def test_refused_connections_are_tried_again() -> None:
    port = unused_port()
    waits: list[float] = []
    scripts: list[Script] = []
    with ExitStack() as running, Client("key", f"http://127.0.0.1:{port}", sleep=lambda _: start_late()) as client:

        def start_late() -> None:
            waits.append(1)
            if len(waits) == 2:
                script = running.enter_context(running.enter_context(ScriptedServer(port)).script())
                script.reply("POST", DECIMATE, CREATED)
                scripts.append(script)

        assert client.tasks.create(REQUEST, request_id="intent-1").task_id == "t-1"
    assert [request.request_id for request in scripts[0].requests] == ["intent-1"]


def test_a_service_that_is_never_there_got_nothing(waits: list[float]) -> None:
    client = Client("key", f"http://127.0.0.1:{unused_port()}", sleep=waits.append)
    with client, pytest.raises(ConnectionFailed) as caught:
        client.tasks.create(REQUEST, request_id="intent-1")
    assert not caught.value.may_have_arrived
    assert caught.value.request_id == "intent-1"
    assert len(waits) == 2


@pytest.mark.parametrize("code", [1007, 2000])
def test_too_many_is_waited_for_and_sent_again(service: Script, client: Client, waits: list[float], code: int) -> None:
    service.reply("POST", DECIMATE, failure(429, code, Retry_After="4"), CREATED)
    assert client.tasks.create(REQUEST).task_id == "t-1"
    assert 4 <= waits[0] <= 4.5
    first, second = service.requests
    assert first.request_id == second.request_id
    assert first.body == second.body


@pytest.mark.parametrize(("code", "kind"), [(1007, RateLimitError), (2000, ConcurrencyError)])
def test_too_many_for_too_long_is_an_error_that_says_how_long(
    service: Script, client: Client, waits: list[float], code: int, kind: type[RateLimitError | ConcurrencyError]
) -> None:
    service.reply("POST", DECIMATE, *[failure(429, code, Retry_After="4")] * 3)
    with pytest.raises(kind) as caught:
        client.tasks.create(REQUEST)
    assert caught.value.retry_after == 4
    assert not caught.value.may_have_arrived
    assert len(waits) == 2


def test_a_wait_can_be_stopped_and_then_nothing_is_sent(service: Script, client: Client, waits: list[float]) -> None:
    service.reply("POST", DECIMATE, failure(429, 2000, Retry_After="30"))
    with pytest.raises(StoppedError):
        client.tasks.create(REQUEST, stopped=lambda: sum(waits) > 2)
    assert len(service.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        failure(500, 1000),
        failure(503, 1001, Retry_After="1"),
        failure(200, 1000),
        Reply(502, b"<html>Bad Gateway</html>"),
        Reply(504, b""),
        failure(500, 7777),
    ],
)
def test_a_server_error_is_not_sent_again(service: Script, client: Client, waits: list[float], reply: Reply) -> None:
    service.reply("POST", DECIMATE, reply)
    with pytest.raises(ServerError) as caught:
        client.tasks.create(REQUEST)
    assert caught.value.may_have_arrived
    assert waits == []
    assert len(service.requests) == 1


def test_even_a_refusal_is_not_trusted_when_the_server_failed(
    service: Script, client: Client, waits: list[float]
) -> None:
    service.reply("POST", DECIMATE, failure(503, 2000, Retry_After="1"))
    with pytest.raises(ConcurrencyError) as caught:
        client.tasks.create(REQUEST)
    assert caught.value.may_have_arrived
    assert waits == []


def test_a_stop_before_the_first_sending_sends_nothing(service: Script, client: Client) -> None:
    with pytest.raises(StoppedError) as caught:
        client.tasks.create(REQUEST, stopped=lambda: True)
    assert not caught.value.may_have_arrived
    assert service.requests == []


@pytest.mark.parametrize("fault", [Fault.CLOSE_AFTER, Fault.RESET_AFTER])
def test_a_lost_answer_is_not_sent_again(service: Script, client: Client, waits: list[float], fault: Fault) -> None:
    service.reply("POST", DECIMATE, lost(fault))
    with pytest.raises(ConnectionFailed) as caught:
        client.tasks.create(REQUEST, request_id="intent-1")
    assert caught.value.may_have_arrived
    assert caught.value.request_id == "intent-1"
    assert waits == []
    assert len(service.requests) == 1


def test_a_connection_that_closed_on_us_tells_nothing_and_is_not_tried_again(service: Script, client: Client) -> None:
    service.reply("POST", DECIMATE, lost(Fault.CLOSE_BEFORE))
    with pytest.raises(ConnectionFailed) as caught:
        client.tasks.create(REQUEST)
    assert caught.value.may_have_arrived


@pytest.mark.parametrize(
    "reply",
    [
        Reply(200, CREATED.body, CREATED.headers, cut_after=20),
        Reply(200, b"<html>fine</html>"),
        ok({"type": "decimate-model"}),
        ok(None),
    ],
)
def test_an_answer_that_cannot_be_read_is_not_sent_again(service: Script, client: Client, reply: Reply) -> None:
    service.reply("POST", DECIMATE, reply)
    with pytest.raises(AssetGenError) as caught:
        client.tasks.create(REQUEST)
    assert isinstance(caught.value, ConnectionFailed | InvalidAnswerError)
    assert caught.value.may_have_arrived
    assert len(service.requests) == 1


def test_an_answer_that_is_late_is_not_sent_again(service: Script) -> None:
    service.reply("POST", DECIMATE, Reply(delay=1.0))
    with Client("key", service.base_url, read_timeout=0.1) as client, pytest.raises(TimedOut) as caught:
        client.tasks.create(REQUEST)
    assert caught.value.may_have_arrived
    assert len(service.requests) == 1


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (failure(400, 1004), BadParameterError),
        (failure(403, 2010), InsufficientCreditsError),
        (Reply(404, b"<html>nginx</html>"), InvalidAnswerError),
        (Reply(307, b"", {"location": "https://elsewhere.test/"}), InvalidAnswerError),
    ],
)
def test_a_refusal_is_final_and_surely_cost_nothing(
    service: Script, client: Client, reply: Reply, kind: type[AssetGenError]
) -> None:
    service.reply("POST", DECIMATE, reply)
    with pytest.raises(kind) as caught:
        client.tasks.create(REQUEST)
    assert not caught.value.may_have_arrived
    assert len(service.requests) == 1


def test_a_gateway_that_gave_up_waiting_for_us_may_have_passed_it_on(service: Script, client: Client) -> None:
    service.reply("POST", DECIMATE, Reply(408, b"timeout"))
    with pytest.raises(InvalidAnswerError) as caught:
        client.tasks.create(REQUEST)
    assert caught.value.may_have_arrived


def test_every_creation_has_a_connection_of_its_own(service: Script, client: Client) -> None:
    """A kept connection may have closed just now, and a request on it would look like a lost answer."""
    service.reply("GET", "/v3/account/balance", ok({"balance": 1}), ok({"balance": 1}))
    service.reply("POST", DECIMATE, CREATED, CREATED)
    client.account.balance()
    client.account.balance()
    client.tasks.create(REQUEST)
    client.tasks.create(REQUEST)
    first, kept, creation, another = (request.connection for request in service.requests)
    assert first == kept
    assert len({first, creation, another}) == 3
