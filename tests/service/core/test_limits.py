"""Pools and rate limits of the service: waits that say what they wait for, and never a failed job."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.jobs.job import Action, Delivery, JobView, Stage, StepPlan
from asset_generation.addon.core.limits import concurrency
from asset_generation.addon.core.limits.concurrency import Pool
from asset_generation.addon.core.limits.rate_limiter import UPLOADS, Group
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.addon.core.service.connection import Connection
from asset_generation.addon.core.settings import Settings
from asset_generation.vendor.assetgen.contract import Category, RateGroup
from asset_generation.vendor.assetgen_local import LocalService
from asset_generation.vendor.assetgen_local.options import DEFAULT_RATES
from asset_generation.vendor.background_blender import BlenderCommand
from support.core import (
    SECONDS,
    GatedRunner,
    changes_of,
    imported_task,
    new_plan,
    rested,
    runtime_on,
    selection_plan,
    settings_for,
    task_plan,
    until,
)
from support.services.local_engine import MANY, add_fault, local_engine, recorded, tiny_png
from support.services.scripted_service import KEY, ScriptedServer, ok

pytest_plugins = ("support.core_fixtures",)

DECIMATE = "/v3/mesh/decimate"
TEXT_TO_MODEL = "/v3/generation/text-to-model"
H_MODEL = {"prompt": "a chair", "model_version": "v3.1-20260211"}
P_MODEL = {"prompt": "a chair", "model_version": "P2-20260801"}


def words(**fields: Any) -> Any:
    """A job of words whose result goes nowhere."""
    return new_plan(StepPlan("text_to_model", {**H_MODEL, **fields}), delivery=Delivery())


def rates(**changes: int) -> dict[RateGroup, int]:
    """No limits but these."""
    return dict.fromkeys(DEFAULT_RATES, MANY) | {RateGroup(name): limit for name, limit in changes.items()}


def sends(runtime: Runtime, job_id: str) -> list[int]:
    room = runtime._started
    assert room is not None
    return [step.sends for step in room.context.journal.job(job_id).steps]


def texts(runtime: Runtime, job_id: str) -> list[str]:
    return [job.text for job in changes_of(runtime, job_id)]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (2000, "Waiting for a free slot (1st in line)"),
        (1007, "Waiting: the service takes only so many requests a minute (about 1 s)"),
    ],
)
def test_being_turned_away_often_is_no_failure_and_no_try(
    runtime: Runtime, service: LocalService, tmp_path: Path, code: int, text: str
) -> None:
    refusals = 8  # twice as many as a request is sent before a job gives up
    headers = {"Retry-After": "0.05"}
    add_fault(service, "status", path=DECIMATE, times=refusals, status=429, code=code, headers=headers)
    job_id = runtime.submit(selection_plan(tmp_path))
    assert rested(runtime, job_id).stage is Stage.READY
    assert sends(runtime, job_id) == [1, 1]
    assert len(recorded(service, DECIMATE)) == refusals + 1
    assert text in texts(runtime, job_id)


def test_a_refusal_for_too_many_requests_holds_all_of_its_group(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    source = imported_task(runtime, tmp_path)
    wait = 0.8
    add_fault(service, "status", path=DECIMATE, status=429, code=1007, headers={"Retry-After": str(wait)})
    first = runtime.submit(task_plan(source))
    until(runtime, first, lambda job: "so many requests" in job.text)
    other = runtime.submit(task_plan(source, StepPlan("segment")))
    for job_id in (first, other):
        assert rested(runtime, job_id).stage is Stage.READY
    refused, *later = [one["at"] for one in recorded(service, method="POST") if "/v3/mesh/" in one["path"]]
    assert len(later) == 2
    assert all(moment - refused >= wait for moment in later), "both waited as long as the service asked for"


def test_a_window_that_is_used_up_is_not_tried(tmp_path: Path) -> None:
    with (
        local_engine(tmp_path, rates=rates(generation=3)) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        for _ in range(3):
            assert rested(runtime, runtime.submit(words())).stage is Stage.APPLIED
        held = runtime.submit(words())
        until(runtime, held, lambda job: "so many requests a minute" in job.text)
        second = runtime.submit(words())
        until(runtime, second, lambda job: job.text == "Waiting for a free slot (2nd in line)")
        assert [one["status"] for one in recorded(service, TEXT_TO_MODEL)] == [200] * 3
        for job_id in (held, second):
            runtime.act(job_id, Action.STOP)
            assert rested(runtime, job_id).stage is Stage.STOPPED


def test_uploads_wait_before_the_service_has_to_refuse_them(tmp_path: Path) -> None:
    with (
        local_engine(tmp_path, rates=rates(upload=1)) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        assert rested(runtime, runtime.submit(selection_plan(tmp_path))).stage is Stage.READY
        held = runtime.submit(selection_plan(tmp_path))
        waiting = until(runtime, held, lambda job: job.text.startswith("Waiting to upload: "))
        assert waiting.stage is Stage.UPLOAD
        assert [one["status"] for one in recorded(service, "/v3/files")] == [200]
        runtime.act(held, Action.STOP)
        assert rested(runtime, held).stage is Stage.STOPPED
        room = runtime._started
        assert room is not None
        seconds = room.context.rate_limiter.begin(Group(runtime._settings.service_id, UPLOADS), "next", None)
        assert 0 < seconds <= 60, "the next one does not wait for the one that was stopped"


def test_an_upload_that_was_refused_waits_and_its_selection_is_not_prepared_again(
    runtime: Runtime, service: LocalService, converter: Any, tmp_path: Path
) -> None:
    add_fault(service, "status", path="/v3/files", times=3, status=429, code=1007, headers={"Retry-After": "0.05"})
    job_id = runtime.submit(selection_plan(tmp_path))
    assert rested(runtime, job_id).stage is Stage.READY
    assert len(recorded(service, "/v3/files")) == 4
    assert len(converter.to_glb_calls) == 1
    assert any(text.startswith("Waiting to upload: ") for text in texts(runtime, job_id))


def test_a_remote_service_that_says_nothing_gets_fewer_than_ten_files_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Connection, "is_loopback", property(lambda self: False))
    images = []
    for number in range(10):
        images.append(tmp_path / f"{number}.png")
        images[-1].write_bytes(tiny_png())
    with ScriptedServer() as server, server.script() as script:
        script.handle("POST", "/v3/files", lambda seen: ok({"file_token": f"file_{seen.sha256}"}))
        settings = Settings(BlenderCommand.of_python(), tmp_path / "data", base_url=script.base_url, api_key=KEY)
        with runtime_on(settings) as runtime:
            fields = {"model": "banana", "prompt": "older", "files": [str(path) for path in images]}
            job_id = runtime.submit(new_plan(StepPlan("image_to_image", fields)))
            until(runtime, job_id, lambda job: job.text.startswith("Waiting to upload: "))
            assert len(script.seen("/v3/files")) == 9
            runtime.act(job_id, Action.STOP)
            assert rested(runtime, job_id).stage is Stage.STOPPED


def test_this_machine_has_no_limit_of_ours(runtime: Runtime, tmp_path: Path) -> None:
    jobs = [runtime.submit(selection_plan(tmp_path, delivery=Delivery())) for _ in range(12)]
    for job_id in jobs:
        assert rested(runtime, job_id).stage is Stage.APPLIED
        assert not any(text.startswith("Waiting to upload") for text in texts(runtime, job_id))
    room = runtime._started
    assert room is not None
    service_id = runtime._settings.service_id
    assert room.context.rate_limiter.begin(Group(service_id, UPLOADS), "x", None) == 0


def test_a_pool_that_is_smaller_than_documented_is_learned(tmp_path: Path) -> None:
    runner = GatedRunner()
    with (
        local_engine(tmp_path, runner=runner, pools={Category.MESH: 2}) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        source = imported_task(runtime, tmp_path)
        jobs = [runtime.submit(task_plan(source, delivery=Delivery())) for _ in range(8)]
        # Two run, and the others stand in line, also those that were refused.
        for number in ("1st", "6th"):
            assert any(until_one(runtime, jobs, lambda job, number=number: in_line(job, number)))  # type: ignore[misc]
        room = runtime._started
        assert room is not None
        assert room.context.concurrency.size(Pool(runtime._settings.service_id, Category.MESH)) <= 2
        runner.gate.set()
        for job_id in jobs:
            assert rested(runtime, job_id, seconds=60).stage is Stage.APPLIED
            assert sends(runtime, job_id) == [1]


def test_places_in_the_line_are_told_and_move_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency.ConcurrencyLimiter.__init__, "__defaults__", (dict.fromkeys(Category, 1),))
    runner = GatedRunner()
    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        running = runtime.submit(words())
        until(runtime, running, lambda job: job.stage is Stage.WAIT)
        waiting = []
        for number in ("1st", "2nd", "3rd", "4th"):
            waiting.append(runtime.submit(words()))
            until(runtime, waiting[-1], lambda job, number=number: in_line(job, number))  # type: ignore[misc]
        runtime.act(waiting[1], Action.STOP)
        until(runtime, waiting[2], lambda job: in_line(job, "2nd"))
        until(runtime, waiting[3], lambda job: in_line(job, "3rd"))
        runner.gate.set()
        for job_id in (running, waiting[0], waiting[2], waiting[3]):
            assert rested(runtime, job_id).stage is Stage.APPLIED
        room = runtime._started
        assert room is not None
        created = [room.context.journal.job(job_id).steps[0].answered_at for job_id in waiting]
        assert created[0] < created[2] < created[3], "first come, first served"


def until_one(runtime: Runtime, jobs: list[str], wanted: Callable[[JobView], bool]) -> list[JobView]:
    """The jobs that look as wanted, once there is one."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        if found := [job for job in map(runtime.job, jobs) if wanted(job)]:
            return found
        time.sleep(0.01)
    return []


def in_line(job: JobView, number: str) -> bool:
    return job.text == f"Waiting for a free slot ({number} in line)"


def test_models_of_the_p_series_have_a_pool_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency.ConcurrencyLimiter.__init__, "__defaults__", (dict.fromkeys(Category, 1),))
    runner = GatedRunner()
    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        h_job = runtime.submit(words(**H_MODEL))
        until(runtime, h_job, lambda job: job.stage is Stage.WAIT)
        h_next, p_job = runtime.submit(words(**H_MODEL)), runtime.submit(words(**P_MODEL))
        until(runtime, p_job, lambda job: job.stage is Stage.WAIT)
        until(runtime, h_next, lambda job: in_line(job, "1st"))
        runner.gate.set()
        for job_id in (h_job, h_next, p_job):
            assert rested(runtime, job_id).stage is Stage.APPLIED
