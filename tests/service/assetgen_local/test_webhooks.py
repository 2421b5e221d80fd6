"""The local engine tells endpoints of events: signed, until each is taken, also after a restart."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from asset_generation.vendor.assetgen.webhooks import (
    BalanceEvent,
    SignatureMismatch,
    TaskEvent,
    WebhookEvent,
    delivery_id,
    verify,
)
from asset_generation.vendor.assetgen_local import LocalService
from asset_generation.vendor.assetgen_local.options import Options
from asset_generation.vendor.assetgen_local.webhook_endpoint import ALL_KINDS, WebhookEndpoint
from support.services.local_engine import add_fault, ask, local_engine, tiny_png, wait_for_end
from support.services.plain_http import plain
from support.services.scripted_service import Reply, Script, ScriptedServer, lost, unused_port

SECRET = "whsec_test"
PROMPT = {"prompt": "a chair"}


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def receiver(server: ScriptedServer) -> Iterator[Script]:
    with server.script() as script:
        yield script


def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.01)


def create(service: LocalService) -> str:
    task_id: str = ask(service, "POST", "/v3/generation/text-to-image", PROMPT)["task_id"]
    return task_id


def take_all(receiver: Script, path: str = "/hook") -> None:
    receiver.handle("POST", path, lambda _: Reply(204))


def events(receiver: Script, path: str = "/hook") -> list[WebhookEvent]:
    """What was received, each checked with the client's own code."""
    return [verify(seen.body, seen.headers, SECRET) for seen in receiver.seen(path)]


def delivered(service: LocalService) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = ask(service, "GET", "/_local/deliveries")["deliveries"]
    return rows


def hook(receiver: Script, path: str = "/hook", *kinds: str) -> WebhookEndpoint:
    return WebhookEndpoint(receiver.base_url + path, SECRET, frozenset(kinds) or ALL_KINDS)


def test_a_success_is_told_with_its_output(tmp_path: Path, receiver: Script) -> None:
    take_all(receiver)
    with local_engine(tmp_path, webhooks=(hook(receiver),)) as service:
        task_id = create(service)
        until(lambda: len(receiver.seen("/hook")) == 1)
        (event,) = events(receiver)
        assert isinstance(event, TaskEvent) and event.is_success
        assert (event.id, event.type) == (f"{task_id}:task.completed", "task.completed")
        assert event.data.type == "text-to-image" and event.data.output is not None
        assert plain.get(event.data.output.links()["generated_image"]).content == tiny_png()
        (seen,) = receiver.seen("/hook")
        assert seen.headers["content-type"] == "application/json"
        assert set(seen.json) == {"id", "type", "created_at", "data"}
        assert set(seen.json["data"]) == {"task_id", "type", "status", "output"}
        with pytest.raises(SignatureMismatch):
            verify(seen.body, seen.headers, "whsec_other")
        until(lambda: delivered(service)[0]["state"] == "delivered")


@pytest.mark.parametrize(
    ("fault", "code", "words"),
    [({"error_code": 2008, "error_message": "not allowed"}, "2008", "not allowed"), ({"status": "cancelled"}, "", "")],
)
def test_a_failure_is_told_with_its_error(
    tmp_path: Path, receiver: Script, fault: dict[str, Any], code: str, words: str
) -> None:
    take_all(receiver)
    with local_engine(tmp_path, webhooks=(hook(receiver),)) as service:
        add_fault(service, "task", **fault)
        task_id = create(service)
        until(lambda: len(receiver.seen("/hook")) == 1)
    (event,) = events(receiver)
    assert isinstance(event, TaskEvent) and not event.is_success
    assert (event.id, event.data.status) == (f"{task_id}:task.failed", "failed")
    assert event.data.error is not None and event.data.error.code == code
    assert words in event.data.error.message and event.data.error.message


def test_what_is_not_taken_is_sent_again_under_the_same_name(tmp_path: Path, receiver: Script) -> None:
    receiver.reply("POST", "/hook", Reply(500), lost(), Reply(302, headers={"location": "/elsewhere"}), Reply(200))
    with local_engine(tmp_path, webhooks=(hook(receiver),), webhook_retry_seconds=(0.01,) * 5) as service:
        create(service)
        until(lambda: bool(delivered(service)) and delivered(service)[0]["state"] == "delivered")
        assert delivered(service)[0]["attempts"] == 4
    sent = receiver.seen("/hook")
    assert len({delivery_id(seen.headers) for seen in sent}) == 1
    assert len({event.id for event in events(receiver)}) == 1
    assert receiver.seen("/elsewhere") == []


def test_after_the_last_attempt_a_delivery_has_failed(tmp_path: Path, receiver: Script) -> None:
    receiver.reply("POST", "/hook", *[Reply(503)] * 3)
    with local_engine(tmp_path, webhooks=(hook(receiver),), webhook_retry_seconds=(0.01, 0.01)) as service:
        task_id = create(service)
        until(lambda: bool(delivered(service)) and delivered(service)[0]["state"] == "failed")
        (row,) = delivered(service)
        assert (row["task_id"], row["attempts"], row["answer"]) == (task_id, 3, "503")
        assert ask(service, "GET", f"/v3/tasks/{task_id}")["status"] == "success", "it says nothing about the task"


def test_a_delivery_outlives_a_restart(tmp_path: Path, receiver: Script) -> None:
    gone = WebhookEndpoint(f"http://127.0.0.1:{unused_port()}/hook", SECRET)
    with local_engine(tmp_path, webhooks=(gone,), webhook_retry_seconds=(600.0,)) as service:
        create(service)
        until(lambda: bool(delivered(service)) and delivered(service)[0]["attempts"] == 1)
        assert "refused" in delivered(service)[0]["answer"].lower()
    take_all(receiver)
    with local_engine(tmp_path, webhooks=(hook(receiver),)) as service:
        assert [row["state"] for row in delivered(service)] == ["pending"], "another endpoint's is not sent elsewhere"
        create(service)
        until(lambda: len(receiver.seen("/hook")) == 1)
    with local_engine(tmp_path, webhooks=(gone,), webhook_retry_seconds=(0.0,)) as service:
        until(lambda: {row["state"] for row in delivered(service)} == {"failed", "delivered"})


def test_endpoints_are_told_of_the_kinds_that_they_want(tmp_path: Path, receiver: Script) -> None:
    for path in ("/all", "/failed"):
        take_all(receiver, path)
    hooks = (hook(receiver, "/all"), hook(receiver, "/failed", "task.failed"))
    with local_engine(tmp_path, webhooks=hooks) as service:
        wait_for_end(service, create(service))
        add_fault(service, "task", error_code=2018)
        wait_for_end(service, create(service))
        until(lambda: {row["state"] for row in delivered(service)} == {"delivered"})
        add_fault(service, "task", status="paused")
        wait_for_end(service, create(service))
        assert len(delivered(service)) == 3, "a status that ends nothing is no event"
    assert sorted(event.type for event in events(receiver, "/all")) == ["task.completed", "task.failed"]
    assert [event.type for event in events(receiver, "/failed")] == ["task.failed"]
    ids = {seen.headers["service-webhook-id"] for seen in receiver.requests}
    assert ids == {one.id for one in hooks} and len(ids) == 2


def test_a_low_balance_is_told_once_when_it_falls_below_the_threshold(tmp_path: Path, receiver: Script) -> None:
    take_all(receiver)
    options = {"credits": Decimal(20), "prices": {"text_to_image": Decimal(5)}, "credit_alert": Decimal("12.5")}
    with local_engine(tmp_path, webhooks=(hook(receiver, "/hook", "balance.low"),), **options) as service:
        tasks = [create(service) for _ in range(3)]
        until(lambda: len(receiver.seen("/hook")) == 1)
        for task in tasks:
            assert wait_for_end(service, task)["status"] == "success", "the alert does not fail tasks"
        assert len(delivered(service)) == 1
    (event,) = events(receiver)
    assert isinstance(event, BalanceEvent)
    assert event.id == f"{tasks[1]}:balance.low"
    assert (event.data.balance, event.data.threshold) == (10, Decimal("12.5"))


def test_a_folder_of_the_version_before_is_taken_over(tmp_path: Path, receiver: Script) -> None:
    with local_engine(tmp_path) as service:
        old = create(service)
        wait_for_end(service, old)
    with sqlite3.connect(tmp_path / "local_engine" / "engine.db") as database:
        database.executescript("DROP TABLE deliveries; PRAGMA user_version = 1;")
    database.close()
    take_all(receiver)
    with local_engine(tmp_path, webhooks=(hook(receiver),)) as service:
        assert ask(service, "GET", f"/v3/tasks/{old}")["status"] == "success"
        new = create(service)
        until(lambda: len(receiver.seen("/hook")) == 1)
    assert [event.id for event in events(receiver)] == [f"{new}:task.completed"]


def test_an_endpoint_is_read_from_the_command_line() -> None:
    one = WebhookEndpoint.parse("https://example.invalid/a?b=c=whsec_x==,task.failed,balance.low")
    kinds = frozenset({"task.failed", "balance.low"})
    assert one == WebhookEndpoint("https://example.invalid/a?b=c", "whsec_x==", kinds)
    assert WebhookEndpoint.parse("http://127.0.0.1:1/=whsec_x").kinds == ALL_KINDS
    assert "whsec_x" not in repr(Options(webhooks=(one,)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("http://example.invalid/=whsec_x", "https address"),
        ("ftp://127.0.0.1/=whsec_x", "https address"),
        ("https:///=whsec_x", "https address"),
        ("https://example.invalid/=secret", "expected URL=whsec_"),
        ("https://example.invalid/", "expected URL=whsec_"),
        ("https://example.invalid/=whsec_", "does not begin with whsec_"),
        ("https://example.invalid/=whsec_x,task.done", "no event is of the type task.done"),
    ],
)
def test_an_endpoint_that_cannot_be_used_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        WebhookEndpoint.parse(text)
