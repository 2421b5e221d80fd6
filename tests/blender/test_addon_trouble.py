"""When the service says no or the result is broken: one sentence, the scene as it was, nothing paid twice."""

from __future__ import annotations

import importlib
import sqlite3
import threading
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from support.addon import add_mesh, block_names, echo_runner
from support.core import wait_until
from support.hurry import be_impatient
from support.services.local_engine import add_fault, ask, recorded


def broken_runner(request: Any, **hooks: Any) -> dict[str, Any]:
    """Gives a GLB that ends too soon."""
    answer = echo_runner(request, **hooks)
    if request["type"] != "import_model":
        path = Path(request["output_dir"]) / "model.glb"
        path.write_bytes(path.read_bytes()[:-100])
    return answer


def failure(**fields: Any) -> str:
    """What a blocking call says; and proof that the scene is untouched."""
    source = add_mesh("Thing")
    before = block_names()
    with pytest.raises(RuntimeError) as caught:
        bpy.ops.assetgen.decimate(**fields)
    assert block_names() == before
    assert not source.hide_get() and not source.hide_render
    words = str(caught.value)
    assert "Traceback" not in words
    return words


def test_a_key_that_is_not_accepted(service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSETGEN_API_KEY", "of-another-region")
    words = failure()
    assert "does not accept the API key" in words and "region" in words
    assert "of-another-region" not in words


def test_no_key_at_all(service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASSETGEN_API_KEY")
    assert "Enter your API key" in failure()
    assert recorded(service, method="POST") == []


@pytest.mark.parametrize("service", [{"credits": Decimal(1)}], indirect=True)
def test_not_enough_credits(service: Any, addon: Any) -> None:
    assert "not enough credits" in failure()


def test_a_job_that_lost_its_answer_looks_again_when_asked(service: Any, addon: Any) -> None:
    add_fault(service, "drop_after", "/v3/mesh/decimate")
    add_fault(service, "status", "/v3/account/usage", status=404, code=4001)
    assert "Look Again" in failure()
    job = addon.scripting.last_job()
    assert {"look_again", "resend"} <= job.actions
    assert bpy.ops.assetgen.job_action(job_id=job.id, action="look_again") == {"FINISHED"}
    assert addon.scripting.follow([job.id])[job.id].stage == "applied"
    assert len(recorded(service, "/v3/mesh/decimate", "POST")) == 1


def test_the_preference_switches_markers_off(service: Any, addon: Any) -> None:
    assert addon.prefs.settings().mark_requests
    values = addon.prefs.preferences()
    values.mark_requests = False
    try:
        add_mesh("Thing")
        assert bpy.ops.assetgen.decimate() == {"FINISHED"}
    finally:
        values.mark_requests = True
    task = addon.scripting.last_job().steps[-1].task_id
    assert "client_request_id" not in ask(service, "GET", f"/v3/tasks/{task}")["input"]
    add_mesh("Other")
    assert bpy.ops.assetgen.decimate() == {"FINISHED"}
    task = addon.scripting.last_job().steps[-1].task_id
    assert len(ask(service, "GET", f"/v3/tasks/{task}")["input"]["client_request_id"]) == 32


@pytest.mark.parametrize("service", [{"runner": broken_runner}], indirect=True)
def test_a_broken_result(service: Any, addon: Any) -> None:
    words = failure()
    assert "not whole" in words and "Retry" in words


def test_a_rejected_task(service: Any, addon: Any) -> None:
    add_fault(service, "task", "/v3/mesh/decimate", error_code=2008, error_message="not allowed here")
    words = failure()
    assert "moderation" in words and "not allowed here" in words


def test_a_service_that_is_not_running(addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSETGEN_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("ASSETGEN_API_KEY", "some-key")
    be_impatient(monkeypatch, addon.package, unreachable=0.5)
    words = failure()
    assert "cannot be reached" in words


def test_a_result_that_did_not_come_in_is_not_asked_for_again(
    service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addon.apply_model.task_records, "record", lambda *_: 1 / 0)
    assert "could not be brought in" in failure()
    monkeypatch.undo()
    monkeypatch.setenv("ASSETGEN_BASE_URL", service.base_url)
    monkeypatch.setenv("ASSETGEN_API_KEY", service.key)
    monkeypatch.setenv("ASSETGEN_DATA_DIR", str(addon.data))
    created = len(recorded(service, "/v3/mesh/decimate", "POST"))
    job = addon.scripting.last_job()
    assert bpy.ops.assetgen.job_action(job_id=job.id, action="retry") == {"FINISHED"}
    assert addon.scripting.follow([job.id])[job.id].stage == "applied"
    assert "Thing decimated" in bpy.data.objects
    assert len(recorded(service, "/v3/mesh/decimate", "POST")) == created


def full_disk(*_: Any, **__: Any) -> Any:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise error


def test_a_result_that_cannot_be_recorded_has_its_undo_step_and_is_recorded_later(
    service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_mesh("Thing")
    steps: list[str] = []
    # As with a window: steps of undo are pushed only then.
    ops = SimpleNamespace(
        assetgen=bpy.ops.assetgen, ed=SimpleNamespace(undo_push=lambda message: steps.append(message))
    )
    with_window = SimpleNamespace(app=SimpleNamespace(background=False), ops=ops, data=bpy.data, context=bpy.context)
    monkeypatch.setattr(importlib.import_module(f"{addon.package}.addon.ops.results"), "bpy", with_window)
    runtime = addon.session.runtime()._runtime
    journal = runtime._started.context.journal
    end_apply = journal.end_apply
    monkeypatch.setattr(journal, "end_apply", full_disk)
    assert bpy.ops.assetgen.decimate() == {"FINISHED"}
    job = addon.scripting.last_job()
    assert "Thing decimated" in bpy.data.objects
    assert steps == [job.name]
    assert job.stage == "applied" and "The disk is full" in job.text and "recorded" in job.text
    assert journal.job(job.id).stage == "ready"
    runtime._started.context.board.changed(journal.job(job.id))  # as who watches the journal does
    wait_until(lambda: addon.pump.tick() == addon.pump.WAITING_INTERVAL)  # a worker may still be at something
    assert addon.scripting.last_job().stage == "applied"
    assert bpy.ops.assetgen.job_action(job_id=job.id, action="apply") == {"FINISHED"}
    assert "Thing decimated 2" in bpy.data.objects
    assert steps == [job.name] * 2
    monkeypatch.setattr(journal, "end_apply", end_apply)
    runtime._started.apply_notes._next_try = 0.0
    while addon.pump.tick() is not None:
        pass
    assert journal.job(job.id).stage == "applied"
    assert addon.scripting.last_job().text == "Done"


def test_the_last_word_on_a_result_is_read_before_its_end(
    service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_mesh("Thing")
    bridge = f"{addon.package}.addon.bridge"
    arrivals = importlib.import_module(f"{bridge}.arrivals").arrivals
    state = importlib.import_module(f"{bridge}.state").state
    changed = importlib.import_module(f"{addon.package}.addon.core.status.messages").JobChanged
    journal = addon.session.runtime()._runtime._started.context.journal
    end_apply, drain, go_on = journal.end_apply, addon.pump._drain, threading.Event()
    seen: list[str] = []
    ready = importlib.import_module(f"{addon.package}.addon.core.jobs.job").Stage.READY

    def end_late(*args: Any, **changes: Any) -> Any:
        assert go_on.wait(20)
        return end_apply(*args, **changes)

    def drain_before_the_end() -> None:
        for job_id, arrival in list(arrivals._coming.items()):
            if arrival.record is None or go_on.is_set():
                continue
            seen.append(job_id)
            if len(seen) == 2:  # the first one is after the result has come in, and nobody ends anything then
                # As who watches the journal may say it once more; then all is recorded when the news have been read.
                addon.session.news.put(changed(state.jobs[job_id]._replace(stage=ready)))
                drain()
                go_on.set()
                assert arrival.record.exception(20) is None
                return
        drain()

    monkeypatch.setattr(journal, "end_apply", end_late)
    monkeypatch.setattr(addon.pump, "_drain", drain_before_the_end)
    assert bpy.ops.assetgen.decimate() == {"FINISHED"}
    assert go_on.is_set() and addon.scripting.last_job().stage == "applied"


def test_a_result_that_could_not_come_in_says_so_on_a_full_disk_too(
    service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = addon.session.runtime()._runtime._started.context.journal
    with monkeypatch.context() as patch:
        patch.setattr(addon.apply_model.task_records, "record", lambda *_: 1 / 0)
        patch.setattr(journal, "end_apply", full_disk)
        assert "could not be brought in" in failure()
    job = addon.scripting.last_job()
    assert bpy.ops.assetgen.job_action(job_id=job.id, action="retry") == {"FINISHED"}
    assert addon.scripting.follow([job.id])[job.id].stage == "applied"
