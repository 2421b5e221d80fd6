"""The local engine over HTTP: tasks from creation to their end, and the credits that go with them."""

from __future__ import annotations

import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from asset_generation.vendor.assetgen.contract import Category, TaskDetail
from asset_generation.vendor.assetgen_local import InputRejected, LocalService
from asset_generation.vendor.assetgen_local.store.database import Database
from asset_generation.vendor.background_blender import BlenderFailed, BlenderMissing, BlenderStopped, BlenderTimedOut
from support.services.local_engine import KEY, add_fault, ask, instant_runner, local_engine, tiny_glb, wait_for_end
from support.services.plain_http import plain

PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[LocalService]:
    with local_engine(tmp_path) as running:
        yield running


def post(service: LocalService, path: str, body: Any) -> httpx.Response:
    return plain.post(service.base_url + path, json=body, headers={"Authorization": f"Bearer {KEY}"})


def upload(service: LocalService, data: bytes | None = None, name: str = "model.glb") -> str:
    files = {"file": (name, tiny_glb() if data is None else data)}
    answer = plain.post(f"{service.base_url}/v3/files", files=files, headers={"Authorization": f"Bearer {KEY}"})
    token: str = answer.json()["data"]["file_token"]
    return token


def create_import(service: LocalService) -> str:
    token = upload(service)
    task_id: str = ask(service, "POST", "/v3/models/import", {"file": {"type": "glb", "file_token": token}})["task_id"]
    return task_id


def imported(service: LocalService) -> str:
    task_id = create_import(service)
    assert wait_for_end(service, task_id)["status"] == "success"
    return task_id


def decimated(service: LocalService, source: str, **body: Any) -> dict[str, Any]:
    created = ask(service, "POST", "/v3/mesh/decimate", {"original_model_task_id": source, **body})
    return wait_for_end(service, created["task_id"])


class HeldRunner:
    """A runner that waits to be let go, and remembers what it was asked."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.requests: list[Mapping[str, Any]] = []
        self.stopped = 0

    def __call__(
        self, request: Mapping[str, Any], *, on_progress: Callable[[float, str], None], stopped: Callable[[], bool]
    ) -> dict[str, Any]:
        self.requests.append(request)
        on_progress(0.42, "at it")
        while not self.go.wait(0.01):
            if stopped():
                self.stopped += 1
                raise BlenderStopped("stopped")
        return instant_runner(request, on_progress=on_progress, stopped=stopped)


def until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.01)


# --- creation and detail


def test_creation_answers_id_type_and_queued(service: LocalService) -> None:
    answer = post(service, "/v3/models/import", {"input": upload(service)})
    data = answer.json()["data"]
    assert set(data) == {"task_id", "type", "status"}
    assert (data["type"], data["status"]) == ("import-model", "queued")
    assert str(uuid.UUID(data["task_id"])) == data["task_id"]


def test_the_detail_of_a_success_has_the_documented_fields_and_no_others(service: LocalService) -> None:
    body = {"original_model_task_id": imported(service), "face_limit": 500, "type": "ignored", "new_field": [1]}
    created = ask(service, "POST", "/v3/mesh/decimate", body)
    detail = wait_for_end(service, created["task_id"])
    assert set(detail) == {
        "task_id",
        "type",
        "status",
        "progress",
        "input",
        "output",
        "created_at",
        "completed_at",
        "credits_consumed",
    }
    assert (detail["type"], detail["status"], detail["progress"]) == ("retopology", "success", 100)
    assert detail["input"] == body
    assert detail["credits_consumed"] == 5
    assert set(detail["output"]) == {"model_url"}
    read = TaskDetail.model_validate(detail)
    assert read.created_at is not None and read.completed_at is not None
    assert read.created_at <= read.completed_at <= datetime.now(UTC)
    assert detail["created_at"].endswith("Z")


def test_the_engine_gets_what_the_contract_made_of_the_request(tmp_path: Path) -> None:
    runner = HeldRunner()
    runner.go.set()
    with local_engine(tmp_path, runner=runner) as service:
        source = imported(service)
        token = upload(service, PNG, "a.png")
        decimated(service, source, model_version="P-v1.0-20250506", type="x", enable_audit=True, forwarded=1)
        views = [token] * 4
        for prompt in ({"image": {"file_token": token}}, {"images": views}):
            body = {"original_model_task_id": source, "texture_prompt": prompt}
            wait_for_end(service, ask(service, "POST", "/v3/models/texture", body)["task_id"])
    importing, decimating, one_image, four_images = runner.requests
    root = tmp_path / "local_engine"
    assert (importing["type"], importing["images"], importing["source"]) == ("import_model", {}, None)
    assert Path(importing["model"]).parent == root / "uploads" and importing["model"].endswith(".glb")
    assert decimating["body"] == {"input": source, "model_version": "v1.0", "forwarded": 1}
    assert Path(decimating["model"]) == root / "tasks" / source / "model.glb"
    assert decimating["source"] == {
        "capability": "import_model",
        "body": importing["body"],
        "facts": {"faces": 1, "triangles": 1, "vertices": 3},
        "files": {"model_url": decimating["model"]},
    }
    assert Path(decimating["output_dir"]) == root / "tasks" / decimating["task_id"]
    assert one_image["images"] == {"image": str(root / "uploads" / f"{token}.png")}
    assert four_images["images"] == {"images": [str(root / "uploads" / f"{token}.png")] * 4}


def test_a_follow_up_works_on_the_glb_beside_a_result_in_another_format(tmp_path: Path) -> None:
    seen: list[str] = []

    def as_fbx(request: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        seen.append(request["model"])
        answer = instant_runner(request, **more)
        if request["body"].get("quad"):
            (Path(request["output_dir"]) / "model.fbx").write_bytes(b"Kaydara FBX Binary  \x00")
            answer["files"] = {"model_url": "model.fbx"}
        return answer

    with local_engine(tmp_path, runner=as_fbx) as service:
        quads = decimated(service, imported(service), quad=True)
        assert "model.fbx" in quads["output"]["model_url"]
        decimated(service, quads["task_id"])
    assert Path(seen[-1]) == tmp_path / "local_engine" / "tasks" / quads["task_id"] / "model.glb"


def test_a_bare_task_id_in_input_is_the_source(service: LocalService) -> None:
    source = imported(service)
    created = ask(service, "POST", "/v3/mesh/decimate", {"input": source})
    assert wait_for_end(service, created["task_id"])["input"] == {"input": source}


@pytest.mark.parametrize("given", ["task_0c4a0bd6-2d0b-4c9e-9d59-1f6c2d4c1a11", "file_x", "data:x", 5, ""])
def test_anything_else_in_input_is_1004(service: LocalService, given: object) -> None:
    answer = post(service, "/v3/mesh/decimate", {"input": given})
    assert (answer.status_code, answer.json()["code"]) == (400, 1004)
    assert "input" in answer.json()["message"]


def test_a_source_must_exist_and_be_finished(tmp_path: Path) -> None:
    runner = HeldRunner()
    with local_engine(tmp_path, runner=runner) as service:
        missing = post(service, "/v3/mesh/decimate", {"original_model_task_id": str(uuid.uuid4())})
        assert (missing.status_code, missing.json()["code"]) == (404, 2001)
        running = create_import(service)
        early = post(service, "/v3/mesh/decimate", {"original_model_task_id": running})
        assert (early.status_code, early.json()["code"]) == (400, 1004)
        assert "allowed: one that is success" in early.json()["message"]
        runner.go.set()


def test_a_source_must_have_a_model(tmp_path: Path) -> None:
    def no_model(request: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        return {"files": {}, "values": {"riggable": True}, "facts": {}}

    with local_engine(tmp_path, runner=no_model) as service:
        source = imported(service)
        assert ask(service, "GET", f"/v3/tasks/{source}")["output"] == {"riggable": True}
        answer = post(service, "/v3/mesh/decimate", {"original_model_task_id": source})
        assert answer.json()["code"] == 1004 and "gives a model" in answer.json()["message"]


def test_tasks_are_read_many_at_once(service: LocalService) -> None:
    first, second = imported(service), imported(service)
    unknown = str(uuid.uuid4())
    data = ask(service, "POST", "/v3/tasks/list", {"task_ids": [second, unknown, first, first, "no uuid"]})
    assert set(data["tasks"]) == {first, second}
    assert data["tasks"][first]["status"] == "success"
    assert data["missed"] == [unknown, "no uuid"]
    assert ask(service, "POST", "/v3/tasks/list", {"task_ids": []}) == {"tasks": {}, "missed": []}


@pytest.mark.parametrize("ids", [["x"] * 101, "x", [1], None])
def test_ids_to_read_are_a_list_of_at_most_100_texts(service: LocalService, ids: object) -> None:
    answer = post(service, "/v3/tasks/list", {"task_ids": ids})
    assert (answer.status_code, answer.json()["code"]) == (400, 1004)
    assert "task_ids" in answer.json()["message"]


def test_an_unknown_task_is_2001(service: LocalService) -> None:
    answer = plain.get(f"{service.base_url}/v3/tasks/{uuid.uuid4()}", headers={"Authorization": f"Bearer {KEY}"})
    assert (answer.status_code, answer.json()["code"]) == (404, 2001)


def test_progress_is_the_engines_own(tmp_path: Path) -> None:
    runner = HeldRunner()
    with local_engine(tmp_path, runner=runner, workers=1) as service:
        running, waiting = create_import(service), create_import(service)
        until(lambda: ask(service, "GET", f"/v3/tasks/{running}")["progress"] == 42)
        task = ask(service, "GET", f"/v3/tasks/{running}")
        assert task["status"] == "running"
        assert not {"output", "completed_at", "error_code", "error_message"} & set(task)
        queued = ask(service, "GET", f"/v3/tasks/{waiting}")
        assert (queued["status"], queued["progress"]) == ("queued", 0)
        runner.go.set()
        assert wait_for_end(service, waiting)["progress"] == 100


# --- the queue


def test_no_more_engines_than_workers_run(tmp_path: Path) -> None:
    runner = HeldRunner()
    with local_engine(tmp_path, runner=runner, workers=2) as service:
        ids = [create_import(service) for _ in range(5)]
        until(lambda: len(runner.requests) == 2)
        states = [ask(service, "GET", f"/v3/tasks/{one}")["status"] for one in ids]
        assert states == ["running", "running", "queued", "queued", "queued"]
        runner.go.set()
        assert [wait_for_end(service, one)["status"] for one in ids] == ["success"] * 5
    started = [request["task_id"] for request in runner.requests]
    # Two that start at the same moment may be noted in either order.
    assert (set(started[:2]), sorted(started)) == (set(ids[:2]), sorted(ids))


def test_tasks_run_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    runner = HeldRunner()
    runner.go.set()
    with local_engine(tmp_path, runner=runner, workers=1) as service:
        ids = [create_import(service) for _ in range(5)]
        assert [wait_for_end(service, one)["status"] for one in ids] == ["success"] * 5
    assert [request["task_id"] for request in runner.requests] == ids


def test_what_goes_on_with_older_work_runs_before_younger_work(tmp_path: Path) -> None:
    runner, now = HeldRunner(), [1_800_000_000.0]
    runner.go.set()
    with local_engine(tmp_path, runner=runner, workers=1, clock=lambda: now[0]) as service:
        first, old = create_import(service), create_import(service)
        assert wait_for_end(service, old)["status"] == "success"
        runner.go.clear()
        before = len(runner.requests)
        others = [create_import(service) for _ in range(3)]
        until(lambda: len(runner.requests) == before + 1)
        now[0] += 20.0
        goes_on = ask(service, "POST", "/v3/models/texture", {"original_model_task_id": first})["task_id"]
        now[0] += 20.0
        begins_anew = ask(service, "POST", "/v3/models/texture", {"original_model_task_id": old})["task_id"]
        runner.go.set()
        assert wait_for_end(service, begins_anew)["status"] == "success"
    order = [request["task_id"] for request in runner.requests[before:]]
    assert order == [others[0], goes_on, *others[1:], begins_anew]


def test_a_higher_priority_goes_first_and_needs_an_entitled_account(tmp_path: Path) -> None:
    runner = HeldRunner()
    with local_engine(tmp_path, runner=runner, workers=1, highest_priority=2) as service:
        token = upload(service)
        ids = []
        for priority in (1, 1, 2):
            ids.append(ask(service, "POST", "/v3/models/import", {"input": token, "priority": priority})["task_id"])
        refused = post(service, "/v3/models/import", {"input": token, "priority": 3})
        assert (refused.status_code, refused.json()["code"]) == (403, 2013)
        runner.go.set()
        for one in ids:
            wait_for_end(service, one)
    assert [request["task_id"] for request in runner.requests] == [ids[0], ids[2], ids[1]]


def test_a_full_pool_is_2000_and_others_stay_open(tmp_path: Path) -> None:
    runner = HeldRunner()
    runner.go.set()
    with local_engine(tmp_path, runner=runner, pools={Category.PROCESSING: 1}) as service:
        source = imported(service)
        runner.go.clear()
        token = upload(service)
        first = ask(service, "POST", "/v3/models/import", {"input": token})["task_id"]
        full = post(service, "/v3/models/convert", {"original_model_task_id": source, "format": "STL"})
        assert full.status_code == 429 and int(full.headers["retry-after"]) > 0
        assert full.json()["code"] == 2000 and set(full.json()) == {"code", "message", "suggestion"}
        assert post(service, "/v3/mesh/decimate", {"original_model_task_id": source}).status_code == 200
        runner.go.set()
        wait_for_end(service, first)
        assert post(service, "/v3/models/import", {"input": token}).status_code == 200


# --- ends


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (InputRejected("the model has no faces"), 2002, "the model has no faces"),
        (BlenderFailed("boom", kind="KeyError", log="Traceback"), 1000, "boom"),
        (BlenderFailed("ended with exit code -11 and no answer"), 1000, "exit code -11"),
        (BlenderTimedOut("slow"), 1001, "took too long"),
        (BlenderMissing("could not start blender"), 1000, "could not start blender"),
        (ZeroDivisionError("ours"), 1000, "failed on this task"),
    ],
)
def test_an_engine_that_fails_fails_its_task_only(tmp_path: Path, error: Exception, code: int, words: str) -> None:
    def runner(request: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        if request["type"] == "decimate":
            raise error
        return instant_runner(request, **more)

    with local_engine(tmp_path, runner=runner) as service:
        source = imported(service)
        failed = decimated(service, source)
        assert (failed["status"], failed["error_code"], failed["credits_consumed"]) == ("failed", code, 0)
        assert words in failed["error_message"] and "Traceback" not in failed["error_message"]
        assert "output" not in failed and failed["completed_at"]
        assert ask(service, "GET", "/v3/account/balance") == {"balance": 1_000_000, "frozen": 0}
        assert imported(service)  # the service lives on


@pytest.mark.parametrize("name", ["missing.glb", "../outside.glb", ""])
def test_an_answer_without_its_file_is_a_failure(tmp_path: Path, name: str) -> None:
    def runner(request: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        (Path(request["output_dir"]).parent / "outside.glb").write_bytes(tiny_glb())
        return {"files": {"model_url": name}, "values": {}, "facts": {}}

    with local_engine(tmp_path, runner=runner) as service:
        ended = wait_for_end(service, create_import(service))
        assert (ended["status"], ended["error_code"]) == ("failed", 1000)


# --- credits


def test_credits_are_held_then_settled(tmp_path: Path) -> None:
    runner = HeldRunner()
    runner.go.set()
    with local_engine(tmp_path, runner=runner, credits=Decimal(100), prices={"decimate": Decimal("5.25")}) as service:
        source = imported(service)
        runner.go.clear()
        created = ask(service, "POST", "/v3/mesh/decimate", {"original_model_task_id": source})
        assert ask(service, "GET", "/v3/account/balance") == {"balance": 94.75, "frozen": 5.25}
        assert ask(service, "GET", f"/v3/tasks/{created['task_id']}")["credits_consumed"] == 0
        runner.go.set()
        assert wait_for_end(service, created["task_id"])["credits_consumed"] == 5.25
        assert ask(service, "GET", "/v3/account/balance") == {"balance": 94.75, "frozen": 0}


def test_too_few_credits_are_2010_and_nothing_is_created(tmp_path: Path) -> None:
    with local_engine(tmp_path, credits=Decimal(7), prices={"decimate": Decimal(5)}) as service:
        source = imported(service)
        assert decimated(service, source)["status"] == "success"
        refused = post(service, "/v3/mesh/decimate", {"original_model_task_id": source})
        assert (refused.status_code, refused.json()["code"]) == (403, 2010)
        assert "costs 5 credits and the account has 2" in refused.json()["message"]
        assert len(ask(service, "GET", "/v3/account/usage")["items"]) == 2
        assert ask(service, "GET", "/v3/account/balance") == {"balance": 2, "frozen": 0}


@pytest.mark.parametrize(
    ("options", "price"),
    [
        ({}, 5),
        ({"export_orientation": "+x", "fbx_preset": "blender", "priority": 1}, 5),
        ({"export_orientation": "-y"}, 10),
        ({"scale_factor": 2.0}, 10),
        ({"face_limit": 100}, 10),
    ],
)
def test_a_conversion_with_options_costs_more(service: LocalService, options: dict[str, Any], price: int) -> None:
    body = {"original_model_task_id": imported(service), "format": "gltf", **options}
    ended = wait_for_end(service, ask(service, "POST", "/v3/models/convert", body)["task_id"])
    assert ended["credits_consumed"] == price


def test_usage_lists_every_task_newest_first(tmp_path: Path) -> None:
    runner = HeldRunner()
    with local_engine(tmp_path, runner=runner, workers=1) as service:
        ids = [create_import(service) for _ in range(3)]
        items = ask(service, "GET", "/v3/account/usage")["items"]
        assert [item["task_id"] for item in items] == ids[::-1]
        assert set(items[0]) == {"task_id", "type", "status", "created_at", "credits_consumed"}
        assert [item["status"] for item in items] == ["queued", "queued", "running"]
        page = ask(service, "GET", "/v3/account/usage?limit=1&offset=1")["items"]
        assert [item["task_id"] for item in page] == [ids[1]]
        runner.go.set()
        for one in ids:
            wait_for_end(service, one)


@pytest.mark.parametrize("query", ["limit=201", "limit=0", "limit=x", "offset=-1", "limit=1.5", f"offset={2**70}"])
def test_pages_of_usage_are_bounded(service: LocalService, query: str) -> None:
    answer = plain.get(f"{service.base_url}/v3/account/usage?{query}", headers={"Authorization": f"Bearer {KEY}"})
    assert (answer.status_code, answer.json()["code"]) == (400, 1004)
    assert query.partition("=")[0] in answer.json()["message"]


# --- restarts


def test_a_restart_loses_nothing(tmp_path: Path) -> None:
    with local_engine(tmp_path, credits=Decimal(50)) as service:
        done = decimated(service, imported(service))
        before = [ask(service, "GET", f"/v3/account/{what}") for what in ("balance", "usage")]
        old_link = done["output"]["model_url"]
        token = upload(service)
    with local_engine(tmp_path, credits=Decimal(9999)) as service:
        assert [ask(service, "GET", f"/v3/account/{what}") for what in ("balance", "usage")] == before
        again = ask(service, "GET", f"/v3/tasks/{done['task_id']}")
        assert plain.get(again["output"]["model_url"]).content == tiny_glb()
        assert {**again, "output": {}} == {**done, "output": {}}
        # A link stays valid where the engine has its port again.
        assert plain.get(service.base_url + old_link[old_link.index("/_files") :]).status_code == 200
        assert decimated(service, done["task_id"])["status"] == "success"
        assert post(service, "/v3/models/import", {"input": token}).status_code == 200


def test_running_and_queued_tasks_go_on_after_a_restart(tmp_path: Path) -> None:
    held = HeldRunner()
    with local_engine(tmp_path, runner=held, workers=1, prices={"import_model": Decimal(3)}) as service:
        ids = [create_import(service) for _ in range(3)]
        until(lambda: len(held.requests) == 1)
    assert held.stopped == 1
    (tmp_path / "local_engine" / "tasks" / ids[0] / "half.glb").write_bytes(b"half")
    with local_engine(tmp_path, workers=1) as service:
        assert [wait_for_end(service, one)["status"] for one in ids] == ["success"] * 3
        assert ask(service, "GET", "/v3/account/balance") == {"balance": 999_991, "frozen": 0}
    results = tmp_path / "local_engine" / "tasks" / ids[0]
    assert [path.name for path in results.iterdir()] == ["model.glb"]


# --- forced outcomes


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        ({"error_code": 2008, "error_message": "not allowed"}, "failed", 2008),
        ({"error_code": 2018}, "failed", 2018),
        ({}, "failed", 1000),
        ({"status": "cancelled"}, "cancelled", None),
        ({"status": "paused", "seconds": 0.05}, "paused", None),
    ],
)
def test_a_test_can_force_how_a_task_ends(
    service: LocalService, fault: dict[str, Any], status: str, code: int | None
) -> None:
    source = imported(service)
    add_fault(service, "task", "/v3/mesh/decimate", **fault)
    ended = decimated(service, source)
    assert (ended["status"], ended.get("error_code")) == (status, code)
    assert ended.get("error_message") == (fault.get("error_message", "a failure that was asked for") if code else None)
    assert ask(service, "GET", "/v3/account/balance") == {"balance": 1_000_000, "frozen": 0}
    assert decimated(service, source)["status"] == "success"


def test_a_forced_task_that_never_ends_keeps_its_credits(service: LocalService) -> None:
    source = imported(service)
    add_fault(service, "task", status="running")
    created = ask(service, "POST", "/v3/mesh/decimate", {"original_model_task_id": source})
    until(lambda: bool(ask(service, "GET", f"/v3/tasks/{created['task_id']}")["status"] == "running"))
    assert ask(service, "GET", "/v3/account/balance")["frozen"] == 5
    assert decimated(service, source)["status"] == "success"


def test_a_full_disk_fails_the_task_and_gives_the_credits_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fail, refusals = Database.fail, [1, 1]

    def full(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    def full_at_first(*arguments: Any, **more: Any) -> None:
        if refusals:
            refusals.pop()
            full()
        fail(*arguments, **more)

    monkeypatch.setattr(Database, "succeed", full)
    monkeypatch.setattr(Database, "fail", full_at_first)
    with local_engine(tmp_path, prices={"import_model": Decimal(3)}) as service:
        before = ask(service, "GET", "/v3/account/balance")
        task = wait_for_end(service, create_import(service))
        assert (task["status"], task["error_code"]) == ("failed", 1000)
        assert "disk" in task["error_message"]
        assert ask(service, "GET", "/v3/account/balance") == before
    assert refusals == []
    assert list((tmp_path / "local_engine").rglob("model.glb")) == [], "what filled the disk is gone"
