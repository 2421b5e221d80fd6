from __future__ import annotations

import errno
import io
import socket
import sqlite3
import zipfile
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from asset_generation.addon.core import paths
from asset_generation.addon.core.errors import JournalTrouble, Refused
from asset_generation.addon.core.jobs.job import Action, Stage, StepPlan
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.addon.core.status.error_messages import ExitCode, present
from asset_generation.addon.core.status.messages import ServiceChecked
from asset_generation.vendor.assetgen import part_file
from asset_generation.vendor.assetgen_local import LocalService
from asset_generation.vendor.background_blender import BlenderFailed
from support.core import (
    SECONDS,
    GatedRunner,
    InstantConverter,
    changes_of,
    new_plan,
    rested,
    runtime_on,
    selection_plan,
    settings_for,
    task_plan,
    until,
)
from support.services.local_engine import add_fault, clear_faults, local_engine, recorded, tiny_glb, tiny_png

pytest_plugins = ("support.core_fixtures",)
pytestmark = pytest.mark.usefixtures("hurry")

DECIMATE = "/v3/mesh/decimate"


def creations(service: LocalService) -> int:
    return len(recorded(service, DECIMATE, "POST"))


def test_a_wrong_key_says_that_keys_belong_to_a_region(runtime: Runtime, service: LocalService, tmp_path: Path) -> None:
    runtime.reconfigure(settings_for(service, tmp_path / "data", api_key="a-key-of-elsewhere"))
    job = rested(runtime, runtime.submit(selection_plan(tmp_path)))
    assert (job.stage, job.exit_code) == (Stage.FAILED, 3)
    assert "does not accept the API key" in job.error
    assert "one region only" in job.advice
    assert job.request_id
    assert "a-key-of-elsewhere" not in repr(job)
    runtime.reconfigure(settings_for(service, tmp_path / "data"))
    runtime.act(job.id, Action.RETRY)
    assert rested(runtime, job.id).stage is Stage.READY


def test_too_few_credits_are_told_before_anything_is_spent(tmp_path: Path) -> None:
    with (
        local_engine(tmp_path, credits=Decimal(2)) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job = rested(runtime, runtime.submit(selection_plan(tmp_path)))
    assert (job.stage, job.exit_code) == (Stage.FAILED, 4)
    assert "costs 5 credits and the account has 2" in job.error
    assert "Nothing was charged" in job.error
    assert "Test Connection" in job.advice
    assert Action.RETRY in job.actions


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nonsense", 'The service\'s address "nonsense" is no web address'),
        ("https://", 'The service\'s address "https://" is no web address'),
        ("http://service.invalid", "The address of service.invalid begins with http"),
    ],
)
def test_an_address_that_cannot_be_asked_is_named(
    service: LocalService, tmp_path: Path, address: str, words: str
) -> None:
    with runtime_on(settings_for(service, tmp_path / "data", base_url=address, online=True)) as runtime:
        with pytest.raises(Refused, match=words) as caught:
            runtime.submit(task_plan("11111111-1111-1111-1111-111111111111"))
        assert present(caught.value).exit_code == ExitCode.BAD_INPUT
        runtime.check_service()
        told = runtime._news.get(timeout=SECONDS)
        assert isinstance(told, ServiceChecked) and words in told.sentence


def test_an_engine_that_is_not_running_is_a_sentence_and_a_retry(runtime: Runtime, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    runtime.reconfigure(runtime._settings._replace(base_url=address))
    job_id = runtime.submit(selection_plan(tmp_path))
    assert "Trying again" in until(runtime, job_id, lambda job: "cannot be reached" in job.text).text
    job = rested(runtime, job_id)
    assert (job.stage, job.exit_code) == (Stage.FAILED, 5)
    assert "cannot be reached" in job.error
    assert "start the engine" in job.advice
    assert job.steps[0].task_id == ""


def test_a_task_survives_the_loss_of_the_network(tmp_path: Path) -> None:
    runner = GatedRunner()
    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job_id = runtime.submit(selection_plan(tmp_path))
        until(runtime, job_id, lambda job: bool(job.steps[1].task_id))
        add_fault(service, "drop_before", path="/v3/tasks/list", times=None)
        silent = until(runtime, job_id, lambda job: "goes on at the service" in job.text)
        assert silent.stage is Stage.WAIT
        runner.gate.set()
        clear_faults(service)
        assert rested(runtime, job_id).stage is Stage.READY
        assert creations(service) == 1


def test_a_key_that_stops_working_while_a_task_runs_does_not_lose_the_task(tmp_path: Path) -> None:
    runner = GatedRunner()
    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job_id = runtime.submit(selection_plan(tmp_path))
        until(runtime, job_id, lambda job: bool(job.steps[1].task_id))
        runtime.reconfigure(settings_for(service, tmp_path / "data", api_key="revoked"))
        failed = rested(runtime, job_id)
        assert (failed.stage, failed.exit_code) == (Stage.FAILED, 3)
        runner.gate.set()
        runtime.reconfigure(settings_for(service, tmp_path / "data"))
        runtime.act(job_id, Action.RETRY)
        done = rested(runtime, job_id)
        assert done.stage is Stage.READY
        assert done.steps[1].task_id == failed.steps[1].task_id
        assert creations(service) == 1


def test_a_download_that_is_cut_goes_on_where_it_was(runtime: Runtime, service: LocalService, tmp_path: Path) -> None:
    add_fault(service, "cut", path="/_files/*/model.glb", bytes=100)
    job = rested(runtime, runtime.submit(selection_plan(tmp_path)))
    assert job.stage is Stage.READY
    assert Path(job.result).read_bytes() == tiny_glb()
    assert [one["status"] for one in recorded(service) if one["path"].endswith("model.glb")] == [200, 206]


def test_an_expired_link_is_renewed_by_reading_the_task(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    add_fault(service, "expire_link", path="/_files/*/model.glb")
    job = rested(runtime, runtime.submit(selection_plan(tmp_path)))
    assert job.stage is Stage.READY
    assert len(recorded(service, f"/v3/tasks/{job.steps[1].task_id}", "GET")) == 1
    assert creations(service) == 1


def test_a_download_that_cannot_be_had_fails_and_retry_keeps_the_task(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    add_fault(service, "expire_link", path="/_files/*/model.glb", times=None)
    job_id = runtime.submit(selection_plan(tmp_path))
    failed = rested(runtime, job_id)
    assert failed.stage is Stage.FAILED
    assert "paid and stays yours" in failed.advice
    clear_faults(service)
    runtime.act(job_id, Action.RETRY)
    done = rested(runtime, job_id)
    assert done.stage is Stage.READY
    assert done.error == ""
    assert done.steps[1].task_id == failed.steps[1].task_id
    assert creations(service) == 1


def test_a_broken_model_is_not_given_to_blender_and_retry_fetches_it_again(tmp_path: Path) -> None:
    def runner(request: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        (Path(request["output_dir"]) / "model.glb").write_bytes(tiny_glb()[:-20])
        return {"files": {"model_url": "model.glb"}, "values": {}, "facts": {}}

    converter = InstantConverter()
    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data"), converter=converter) as runtime,
    ):
        job_id = runtime.submit(selection_plan(tmp_path))
        failed = rested(runtime, job_id)
        assert (failed.stage, failed.exit_code) == (Stage.FAILED, 1)
        assert "not whole" in failed.error
        assert "is not repeated" in failed.advice
        assert converter.to_blend_calls == []
        for path in (tmp_path / "local_engine").rglob("model.glb"):
            path.write_bytes(tiny_glb())
        runtime.act(job_id, Action.RETRY)
        done = rested(runtime, job_id)
        assert done.stage is Stage.READY, done.error
        assert done.steps[1].task_id == failed.steps[1].task_id
        assert creations(service) == 1


def test_a_broken_image_is_set_aside_and_retry_fetches_it_again(tmp_path: Path) -> None:
    def runner(request: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        (Path(request["output_dir"]) / "image.png").write_bytes(tiny_png()[:40])
        return {"files": {"generated_image_url": "image.png"}, "values": {}, "facts": {}}

    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job_id = runtime.submit(new_plan(StepPlan("text_to_image", {"prompt": "a chair"})))
        failed = rested(runtime, job_id)
        assert failed.stage is Stage.FAILED
        assert "image that came back" in failed.error and "is not repeated" in failed.advice
        assert not failed.files
        for path in (tmp_path / "local_engine").rglob("image.png"):
            path.write_bytes(tiny_png())
        runtime.act(job_id, Action.RETRY)
        done = rested(runtime, job_id)
        assert done.stage is Stage.READY, done.error
        assert [Path(path).read_bytes() for _, path in done.files] == [tiny_png()]
        assert done.steps[0].task_id == failed.steps[0].task_id


@cache
def damaged_zip() -> bytes:
    """An archive of a model whose compressed stream is damaged; the same one always, since archives hold the time."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.glb", tiny_glb())
    data = bytearray(stream.getvalue())
    data[39:60] = b"\xff" * 21
    return bytes(data)


def test_an_archive_that_cannot_be_unpacked_is_kept_and_retry_fetches_it_again(tmp_path: Path) -> None:
    def runner(request: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        (Path(request["output_dir"]) / "model.glb").write_bytes(damaged_zip())
        return {"files": {"model_url": "model.glb"}, "values": {}, "facts": {}}

    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job_id = runtime.submit(selection_plan(tmp_path))
        for count in (1, 2):
            failed = rested(runtime, job_id)
            assert (failed.stage, failed.exit_code) == (Stage.FAILED, ExitCode.FAILED)
            assert "cannot be unpacked" in failed.error and "is not repeated" in failed.advice
            kept = sorted((tmp_path / "data" / "results" / job_id).glob("*.broken"))
            assert [path.read_bytes() for path in kept] == [damaged_zip()], "the same is kept once"
            assert failed.advice.endswith(tuple(map(str, kept)))
            if count == 2:
                for path in (tmp_path / "local_engine").rglob("model.glb"):
                    path.write_bytes(tiny_glb())
            runtime.act(job_id, Action.RETRY)
        done = rested(runtime, job_id)
        assert done.stage is Stage.READY, done.error
        assert all(path.is_file() for path in kept)
        assert creations(service) == 1


def test_of_many_broken_results_the_first_and_the_last_are_kept(tmp_path: Path) -> None:
    def runner(request: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        (Path(request["output_dir"]) / "model.glb").write_bytes(tiny_glb()[:-20])
        return {"files": {"model_url": "model.glb"}, "values": {}, "facts": {}}

    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job_id = runtime.submit(selection_plan(tmp_path))
        for cut in range(21, 28):
            assert rested(runtime, job_id).stage is Stage.FAILED
            for path in (tmp_path / "local_engine").rglob("model.glb"):
                path.write_bytes(tiny_glb()[:-cut])
            runtime.act(job_id, Action.RETRY)
        failed = rested(runtime, job_id)
        kept = {path.read_bytes() for path in (tmp_path / "data" / "results" / job_id).glob("*.broken")}
        assert len(kept) == 4
        assert {tiny_glb()[:-20], tiny_glb()[:-27]} <= kept
        last = Path(failed.advice.partition("is kept as ")[2])
        assert last.read_bytes() == tiny_glb()[:-27]
        assert creations(service) == 1


@pytest.mark.parametrize(("kind", "fetched"), [("ValueError", 2), ("", 2), ("PermissionError", 1)])
def test_a_file_that_blender_refuses_is_kept_and_retry_fetches_it_again(
    runtime: Runtime, service: LocalService, converter: InstantConverter, tmp_path: Path, kind: str, fetched: int
) -> None:
    converter.errors.append(BlenderFailed("The GLB file cannot be read: bad accessor", kind=kind))
    job_id = runtime.submit(selection_plan(tmp_path))
    failed = rested(runtime, job_id)
    assert failed.stage is Stage.FAILED
    assert "bad accessor" in failed.error
    kept = list((tmp_path / "data" / "results" / job_id).glob("*.broken"))
    assert [path.read_bytes() for path in kept] == [tiny_glb()] * (fetched - 1)
    runtime.act(job_id, Action.RETRY)
    done = rested(runtime, job_id)
    assert done.stage is Stage.READY, done.error
    assert len([one for one in recorded(service) if one["path"].endswith("model.glb")]) == fetched
    assert all(path.is_file() for path in kept)
    assert creations(service) == 1


def test_a_full_disk_while_fetching_says_where_and_retry_goes_on(
    runtime: Runtime, service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(part_file.PartFile, "__enter__", full)
        job_id = runtime.submit(selection_plan(tmp_path))
        failed = rested(runtime, job_id)
    assert failed.stage is Stage.FAILED
    assert "The disk is full" in failed.error
    runtime.act(job_id, Action.RETRY)
    assert rested(runtime, job_id).stage is Stage.READY
    assert creations(service) == 1


def test_a_full_disk_in_the_background_blender_keeps_the_download(
    runtime: Runtime, service: LocalService, converter: InstantConverter, tmp_path: Path
) -> None:
    converter.errors.append(BlenderFailed("[Errno 28] No space left on device: 'part.blend'", kind="OSError"))
    job_id = runtime.submit(selection_plan(tmp_path))
    failed = rested(runtime, job_id)
    assert (failed.stage, failed.blend) == (Stage.FAILED, "")
    assert "The disk is full" in failed.error
    downloads = len(recorded(service, method="GET"))
    runtime.act(job_id, Action.RETRY)
    assert rested(runtime, job_id).stage is Stage.READY
    assert len(recorded(service, method="GET")) == downloads
    assert creations(service) == 1


def full_journal(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, method: str, when: Callable[..., bool]
) -> list[str]:
    """Makes a method of the journal fail as on a full disk, until the list that is returned has something in it."""
    room = runtime._started
    assert room is not None
    real = getattr(room.context.journal, method)
    mended: list[str] = []

    def write(*arguments: Any, **named: Any) -> Any:
        if not mended and when(*arguments, **named):
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        return real(*arguments, **named)

    monkeypatch.setattr(room.context.journal, method, write)
    return mended


def test_nothing_is_created_while_its_intent_cannot_be_recorded(
    runtime: Runtime, service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mended = full_journal(runtime, monkeypatch, "change", lambda job_id, step=None, **job: "sends" in (step or {}))
    job_id = runtime.submit(selection_plan(tmp_path))
    until(runtime, job_id, lambda job: "The disk is full" in job.text)
    assert recorded(service, "/v3/models/import") == []
    mended.append("now")
    assert rested(runtime, job_id).stage is Stage.READY
    assert len(recorded(service, "/v3/models/import")) == 1


def test_a_task_whose_answer_cannot_be_recorded_need_not_be_looked_for(
    runtime: Runtime, service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mended = full_journal(runtime, monkeypatch, "record_task", lambda *_: True)
    job_id = runtime.submit(selection_plan(tmp_path))
    until(runtime, job_id, lambda job: "The disk is full" in job.text)
    mended.append("now")
    assert rested(runtime, job_id).stage is Stage.READY
    assert len(recorded(service, "/v3/models/import")) == 1
    assert recorded(service, "/v3/account/usage") == [], "the answer was here"


def test_a_submission_that_cannot_be_recorded_is_refused(runtime: Runtime, tmp_path: Path) -> None:
    room = runtime._started
    assert room is not None
    connection = room.context.journal._database._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(Refused, match="The disk is full"):
        runtime.submit(selection_plan(tmp_path, name="x" * 100_000))
    assert runtime.jobs() == []


@pytest.mark.parametrize(
    ("fault", "words", "code"),
    [
        ({"status": "failed", "error_code": 2008, "error_message": "not allowed"}, "moderation rejected", 1),
        ({"status": "failed", "error_code": 2018}, "waited too long", 1),
        ({"status": "failed", "error_code": 4711, "error_message": "odd"}, "odd (code 4711)", 1),
        ({"status": "cancelled"}, "cancelled at the service", 1),
    ],
)
def test_a_task_that_failed_is_refunded_and_only_retry_makes_another(
    runtime: Runtime, service: LocalService, tmp_path: Path, fault: dict[str, Any], words: str, code: int
) -> None:
    add_fault(service, "task", path=DECIMATE, **fault)
    job_id = runtime.submit(selection_plan(tmp_path))
    failed = rested(runtime, job_id)
    assert (failed.stage, failed.exit_code) == (Stage.FAILED, code)
    assert words in failed.error
    assert creations(service) == 1
    runtime.act(job_id, Action.RETRY)
    done = rested(runtime, job_id)
    assert done.stage is Stage.READY
    assert done.steps[1].task_id != failed.steps[1].task_id
    assert done.steps[0].task_id == failed.steps[0].task_id
    assert creations(service) == 2


@pytest.mark.parametrize(
    ("answer", "words", "code"),
    [
        ({"status": 400, "code": 1004, "message": "no such field"}, "no such field (code 1004)", 2),
        ({"status": 400, "code": 2008, "message": "no"}, "moderation", 1),
        ({"status": 400, "code": 2015, "message": "old"}, "does not take this version", 2),
        ({"status": 413, "code": 2021, "message": "big"}, "too large", 2),
        ({"status": 403, "code": 2013, "message": "priority"}, "may not use this priority: priority (code 2013)", 3),
        ({"status": 418, "code": 9999, "message": "teapot"}, "teapot (code 9999)", 2),
    ],
)
def test_a_refused_creation_keeps_the_services_own_words(
    runtime: Runtime, service: LocalService, tmp_path: Path, answer: dict[str, Any], words: str, code: int
) -> None:
    add_fault(service, "status", path=DECIMATE, **answer)
    job = rested(runtime, runtime.submit(selection_plan(tmp_path)))
    assert (job.stage, job.exit_code) == (Stage.FAILED, code)
    assert words in job.error
    assert job.request_id
    assert job.steps[1].task_id == ""
    assert creations(service) == 1


def test_a_full_pool_is_a_wait_and_not_an_error(runtime: Runtime, service: LocalService, tmp_path: Path) -> None:
    busy = {"status": 429, "code": 2000, "message": "full", "headers": {"Retry-After": "0"}}
    add_fault(service, "status", path=DECIMATE, times=4, **busy)
    job_id = runtime.submit(selection_plan(tmp_path))
    job = rested(runtime, job_id)
    assert job.stage is Stage.READY
    assert creations(service) == 5
    assert any("Waiting for a free slot (1st in line)" in view.text for view in changes_of(runtime, job_id))


def test_stopping_before_the_creation_stops_for_good(runtime: Runtime, service: LocalService, tmp_path: Path) -> None:
    add_fault(service, "delay", path="/v3/files", seconds=0.5)
    job_id = runtime.submit(selection_plan(tmp_path))
    runtime.act(job_id, Action.STOP)
    job = rested(runtime, job_id)
    assert (job.stage, job.exit_code) == (Stage.STOPPED, 130)
    assert "nothing is charged" in job.text
    assert recorded(service, "/v3/models/import") == []


def test_stopping_after_the_creation_only_stops_watching(tmp_path: Path) -> None:
    runner = GatedRunner()
    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job_id = runtime.submit(selection_plan(tmp_path))
        until(runtime, job_id, lambda job: bool(job.steps[1].task_id))
        runtime.act(job_id, Action.STOP)
        job = rested(runtime, job_id)
        assert job.stage is Stage.STOPPED
        assert "goes on with the task and charges" in job.text
        polls = len(recorded(service, "/v3/tasks/list"))
        runner.gate.set()
        runtime.act(job_id, Action.RETRY)
        assert rested(runtime, job_id).stage is Stage.READY
        assert len(recorded(service, "/v3/tasks/list")) > polls
        assert creations(service) == 1


def test_a_stop_while_the_answer_is_due_does_not_lose_the_task(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    add_fault(service, "delay", path=DECIMATE, seconds=0.6)
    job_id = runtime.submit(selection_plan(tmp_path))
    until(runtime, job_id, lambda job: creations(service) == 1)
    runtime.act(job_id, Action.STOP)
    job = rested(runtime, job_id)
    assert job.stage is Stage.STOPPED
    assert job.steps[1].task_id
    assert "goes on with the task" in job.text


def test_a_data_folder_whose_path_is_too_long_is_refused_in_words(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "longest_path", lambda: len(str(tmp_path)) + 100)
    runtime = Runtime(settings_for(service, tmp_path / "data"), news=SimpleQueue())
    with pytest.raises(JournalTrouble, match="too long by 25 characters") as caught:
        runtime.start()
    assert "shorter path" in caught.value.advice
    assert not (tmp_path / "data").exists()
