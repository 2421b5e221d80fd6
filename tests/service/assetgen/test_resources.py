"""Tasks, capabilities and account over the wire."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from asset_generation.vendor.assetgen import Client, InvalidAnswerError, StoppedError, TaskFailedError, TimedOut
from asset_generation.vendor.assetgen.contract import CAPABILITIES, Decimate, TaskStatus
from pydantic import ValidationError
from support.services.scripted_service import ReceivedRequest, Script, ok

TASK = "6f1f8d5e-2c55-4b39-9e0b-3a1f6e0d8a11"
CREATED = ok({"task_id": "t-1", "type": "x", "status": "queued"})
LIST = "/v3/tasks/list"


def task(task_id: str, status: str = "success", **more: Any) -> dict[str, Any]:
    return {"task_id": task_id, "type": "decimate-model", "status": status, **more}


def test_a_task_is_read_with_all_that_the_service_says(service: Script, client: Client) -> None:
    told = task("t-1", progress=100, credits_consumed=12.34, output={"model_url": "https://a", "brand_new": 1}, extra=2)
    service.reply("GET", "/v3/tasks/t-1", ok(told))
    detail = client.tasks.retrieve("t-1")
    assert detail.credits_consumed == Decimal("12.34")
    assert detail.output is not None
    assert (detail.output.model_url, detail.output.brand_new) == ("https://a", 1)  # type: ignore[attr-defined]
    assert detail.model_extra == {"extra": 2}


def test_null_says_no_more_than_a_missing_field(service: Script, client: Client) -> None:
    empty = dict.fromkeys(("progress", "input", "output", "completed_at", "error_code", "type"))
    service.reply("GET", "/v3/tasks/t-1", ok({**task("t-1", "running"), **empty}))
    detail = client.tasks.retrieve("t-1")
    assert (detail.progress, detail.input, detail.output) == (0, {}, None)


def test_an_id_cannot_lead_to_another_endpoint(service: Script, client: Client) -> None:
    service.reply("GET", "/v3/tasks/../account/balance", ok(task("t")))
    client.tasks.retrieve("../account/balance")


def test_many_tasks_are_read_a_hundred_at_a_time(service: Script, client: Client) -> None:
    def answer(seen: ReceivedRequest) -> Any:
        ids = seen.json["task_ids"]
        return ok({"tasks": {i: task(i) for i in ids if i != "t-7"}, "missed": [i for i in ids if i == "t-7"]})

    service.handle("POST", LIST, answer)
    ids = [f"t-{number}" for number in range(250)]
    found = client.tasks.list([*ids, "t-1", "t-249"])
    assert [len(request.json["task_ids"]) for request in service.requests] == [100, 100, 50]
    assert list(found.tasks) == [task_id for task_id in ids if task_id != "t-7"]
    assert found.missed == ["t-7"]


def test_reading_no_task_asks_nothing(service: Script, client: Client) -> None:
    found = client.tasks.list([])
    assert (found.tasks, found.missed) == ({}, [])
    assert service.requests == []


def test_an_unreadable_entry_does_not_keep_the_others_from_being_read(
    service: Script, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    service.reply("POST", LIST, ok({"tasks": {"t-1": task("t-1"), "t-2": {"status": 5}, "t-3": "gone"}}))
    found = client.tasks.list(["t-1", "t-2", "t-3"])
    assert list(found.tasks) == ["t-1"]
    assert "t-2" in caplog.text
    assert "t-3" in caplog.text


@pytest.mark.parametrize("data", [None, [], {"missed": []}, {"tasks": []}])
def test_a_list_without_tasks_is_no_answer(service: Script, client: Client, data: Any) -> None:
    service.reply("POST", LIST, ok(data))
    with pytest.raises(InvalidAnswerError, match="no map of tasks"):
        client.tasks.list(["t-1"])


def test_waiting_ends_with_success(service: Script, client: Client, waits: list[float]) -> None:
    states = [task("t-1", "queued"), task("t-1", "running", progress=40), task("t-1")]
    service.reply("GET", "/v3/tasks/t-1", *map(ok, states))
    seen: list[int] = []
    done = client.tasks.wait("t-1", interval=3, on_progress=lambda detail: seen.append(detail.progress))
    assert done.outcome is TaskStatus.SUCCESS
    assert seen == [0, 40, 0]
    assert waits == [3, 3]


@pytest.mark.parametrize("status", ["failed", "cancelled", "banned"])
def test_waiting_ends_with_any_other_end(service: Script, client: Client, status: str) -> None:
    service.reply("GET", "/v3/tasks/t-1", ok(task("t-1", status, error_code=2018, error_message="expired")))
    with pytest.raises(TaskFailedError, match=r"expired \(code 2018\)") as caught:
        client.tasks.wait("t-1")
    assert caught.value.detail.status == status


def test_waiting_ends_in_time_or_when_stopped(service: Script, client: Client, waits: list[float]) -> None:
    service.handle("GET", "/v3/tasks/t-1", lambda _: ok(task("t-1", "running")))
    with pytest.raises(TimedOut, match="still running after 1 seconds"):
        client.tasks.wait("t-1", interval=2, timeout=1)
    with pytest.raises(StoppedError):
        client.tasks.wait("t-1", stopped=lambda: sum(waits) > 5)


def image(number: int = 1) -> dict[str, str]:
    return {"type": "png", "file_token": f"file_{number}"}


MODEL = {"original_model_task_id": TASK}
BODIES: dict[str, dict[str, Any]] = {
    "text_to_model": {"prompt": "a chair", "model_version": "P2-20260801"},
    "image_to_model": {"file": image(), "model_version": "v3.1-20260211"},
    "multiview_to_model": {"files": [image(1), {}, image(2), {}], "model_version": "v3.1-20260211"},
    "image_to_splat": {"input": "https://images.test/chair.png"},
    "texture": {**MODEL, "texture_prompt": {"text": "rust"}},
    "refine": {"draft_model_task_id": TASK},
    "stylize": {**MODEL, "style": "lego"},
    "convert": {**MODEL, "format": "STL"},
    "import_model": {"file": {"type": "glb", "file_token": "file_1"}},
    "rig_check": MODEL,
    "rig": {**MODEL, "rig_type": "quadruped"},
    "retarget": {**MODEL, "animations": ["preset:walk", "preset:run"]},
    "decimate": {"input": TASK, "face_limit": 5000, "quad": True},
    "segment": {**MODEL, "ref_image": "file_1"},
    "complete": {**MODEL, "part_names": ["arm"]},
    "smart_segment": {"input": TASK, "points": [[0, 0, 1]]},
    "text_to_image": {"prompt": "a chair", "model": "banana2", "aspect_ratio": "1:8"},
    "image_to_image": {"files": [image(1), image(2)], "prompt": "both as one"},
    "image_to_multiview": {"file": image()},
    "edit_multiview": {"original_task_id": TASK, "prompts": [{"view": "back", "prompt": "a red cushion"}]},
}


@pytest.mark.parametrize("name", CAPABILITIES)
def test_each_capability_posts_to_its_endpoint(service: Script, client: Client, name: str) -> None:
    service.reply("POST", CAPABILITIES[name].endpoint, CREATED)
    created = client.tasks.create(CAPABILITIES[name](**BODIES[name]), request_id="r-1")
    assert created.task_id == "t-1"
    (request,) = service.requests
    assert (request.request_id, request.json) == ("r-1", BODIES[name])


def test_a_broken_rule_is_found_before_anything_is_sent(service: Script, client: Client) -> None:
    with pytest.raises(ValidationError, match="face_limit"):
        client.tasks.create(Decimate(input="t", face_limit=3))
    assert service.requests == []


@pytest.mark.parametrize("data", [{"balance": 1.5, "frozen": 0.25}, {"balance": {"balance": 1.5, "frozen": 0.25}}])
def test_the_balance_is_read_in_both_nestings(service: Script, client: Client, data: Any) -> None:
    service.reply("GET", "/v3/account/balance", ok(data))
    balance = client.account.balance()
    assert (balance.balance, balance.frozen) == (Decimal("1.5"), Decimal("0.25"))


@pytest.mark.parametrize("key", ["", "items", "rows", "usage", "tasks", "list", "records", "data"])
def test_usage_is_read_under_every_likely_name(service: Script, client: Client, key: str) -> None:
    rows = [{"task_id": "t-1", "type": "x", "status": "success", "credits_consumed": 3}, {"task_id": "t-2"}]
    service.reply("GET", "/v3/account/usage", ok({key: rows, "total": 2} if key else rows))
    assert [row.task_id for row in client.account.usage(limit=50, offset=10)] == ["t-1", "t-2"]
    assert service.requests[0].query == "limit=50&offset=10"


@pytest.mark.parametrize("data", [None, {"total": 0}, "none"])
def test_usage_without_rows_is_no_answer(service: Script, client: Client, data: Any) -> None:
    service.reply("GET", "/v3/account/usage", ok(data))
    with pytest.raises(InvalidAnswerError, match="no rows"):
        client.account.usage()


@pytest.mark.parametrize("page", [{"limit": 0}, {"limit": 201}, {"offset": -1}])
def test_a_page_of_usage_has_bounds(service: Script, client: Client, page: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="limit must be from 1 to 200"):
        client.account.usage(**page)
    assert service.requests == []


def usage_pages(service: Script, tasks: list[str], between: Callable[[list[str], int], None]) -> list[tuple[int, int]]:
    """A usage that changes after every page; returns the limits and offsets that are asked for."""
    asked: list[tuple[int, int]] = []

    def answer(seen: ReceivedRequest) -> Any:
        query = dict(part.split("=") for part in seen.query.split("&"))
        limit, offset = int(query["limit"]), int(query["offset"])
        asked.append((limit, offset))
        rows = [{"task_id": task_id} for task_id in tasks[offset : offset + limit]]
        between(tasks, len(asked))
        return ok({"items": rows})

    service.handle("GET", "/v3/account/usage", answer)
    return asked


@pytest.mark.parametrize(
    ("count", "offsets"), [(0, [0]), (199, [0]), (200, [0, 200]), (450, [0, 200, 400]), (600, [0, 200, 400, 600])]
)
def test_all_rows_of_usage_are_read_page_by_page(
    service: Script, client: Client, count: int, offsets: list[int]
) -> None:
    asked = usage_pages(service, [f"t-{number}" for number in range(count)], lambda tasks, page: None)
    assert [row.task_id for row in client.account.usage_rows()] == [f"t-{number}" for number in range(count)]
    assert asked == [(200, offset) for offset in offsets]


def test_a_row_that_moves_to_the_next_page_comes_once(service: Script, client: Client) -> None:
    usage_pages(service, [f"t-{number}" for number in range(9)], lambda tasks, page: tasks.insert(0, f"new-{page}"))
    rows = [row.task_id for row in client.account.usage_rows(page=4)]
    assert rows == [f"t-{number}" for number in range(9)]


def test_a_usage_that_does_not_look_at_the_offset_ends(service: Script, client: Client) -> None:
    service.handle("GET", "/v3/account/usage", lambda _: ok([{"task_id": "t-1"}, {"task_id": "t-2"}]))
    assert [row.task_id for row in client.account.usage_rows(page=2)] == ["t-1", "t-2"]
    assert len(service.requests) == 2


def test_pages_are_read_when_they_are_needed(service: Script, client: Client) -> None:
    asked = usage_pages(service, [f"t-{number}" for number in range(9)], lambda tasks, page: None)
    rows = client.account.usage_rows(page=3)
    assert asked == []
    assert [next(rows).task_id for _ in range(3)] == ["t-0", "t-1", "t-2"]
    assert asked == [(3, 0)]
    with pytest.raises(ValueError, match="1 to 200 rows, not 201"):
        client.account.usage_rows(page=201)
