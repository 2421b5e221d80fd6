from __future__ import annotations

import json
import os
import sqlite3
import time
import zipfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from asset_generation.addon.core.errors import Refused
from asset_generation.addon.core.jobs.job import Action, Delivery, JobPlan, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.addon.core.status.job_words import picture_of
from asset_generation.addon.core.status.messages import JobRemoved, Message, ServiceChecked
from asset_generation.vendor.assetgen_local import LocalService
from support.core import (
    QUICK,
    SCENE,
    SECONDS,
    GatedRunner,
    InstantConverter,
    changes_of,
    decimate_step,
    imported_task,
    rested,
    runtime_on,
    selection_plan,
    settings_for,
    shown,
    task_plan,
    until,
    wait_until,
)
from support.services.local_engine import add_fault, ask, instant_runner, local_engine, recorded, tiny_glb

pytest_plugins = ("support.core_fixtures",)
pytestmark = pytest.mark.usefixtures("hurry")


def detail(service: LocalService, task_id: str) -> dict[str, Any]:
    return ask(service, "GET", f"/v3/tasks/{task_id}")


def test_a_selection_goes_out_and_its_result_is_ready(runtime: Runtime, tmp_path: Path) -> None:
    job_id = runtime.submit(selection_plan(tmp_path))
    job = rested(runtime, job_id)
    assert job.stage is Stage.READY
    assert Path(job.result).read_bytes() == tiny_glb()
    assert Path(job.blend).read_bytes().startswith(b"BLENDER")
    assert Path(job.blend).parent == tmp_path / "data" / "results" / job_id
    assert [step.status for step in job.steps] == ["success", "success"]
    assert [step.credits for step in job.steps] == ["0", "5"]
    assert job.progress == 1.0
    assert job.actions == {Action.APPLY, Action.DISMISS}
    wait_until(lambda: not runtime.busy)


def test_a_result_whose_service_sends_no_picture_gets_one_that_is_copied_nowhere(
    runtime: Runtime, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    delivery = SCENE._replace(folder=str(folder))
    job = shown(runtime, runtime.submit(selection_plan(tmp_path, delivery=delivery)))
    picture = Path(job.blend).with_name("preview.png")
    assert dict(job.files)["rendered_image"] == str(picture) == picture_of(job)
    assert picture.is_file()
    assert [path.suffix for path in folder.iterdir()] == [".glb"]


def test_progress_only_goes_forward_and_passes_every_stage(runtime: Runtime, tmp_path: Path) -> None:
    job_id = runtime.submit(selection_plan(tmp_path))
    rested(runtime, job_id)
    seen = changes_of(runtime, job_id)
    progress = [job.progress for job in seen]
    assert progress == sorted(progress)
    stages = list(dict.fromkeys(job.stage for job in seen))
    assert stages == [Stage.UPLOAD, Stage.CREATE, Stage.WAIT, Stage.DOWNLOAD, Stage.READY]


@pytest.mark.parametrize("told", [{}, {"understood": ["table"], "not_understood": ["lamp"], "note": "No lamp"}])
def test_a_job_says_what_the_engine_says_of_its_words_and_a_silent_service_adds_nothing(
    tmp_path: Path, told: dict[str, Any]
) -> None:
    def runner(request: Mapping[str, Any], **hooks: Any) -> dict[str, Any]:
        answer = instant_runner(request, **hooks)
        answer["values"] |= {"local_engine": told} if told else {}
        return answer

    steps = (StepPlan("text_to_model", {"prompt": "a table with a lamp", "model_version": "v3.0-20250812"}),)
    plan = JobPlan("Table", Source(SourceKind.NOTHING), steps, SCENE)
    with local_engine(tmp_path, runner=runner) as service:
        settings = settings_for(service, tmp_path / "data")
        with runtime_on(settings) as runtime:
            job_id = runtime.submit(plan)
            job = rested(runtime, job_id)
            assert job.understood == ("No lamp. Understood: table; not understood: lamp" if told else "")
            assert job.answer == ""
            assert runtime.claim_apply(job_id)
            runtime.applied(job_id)
            assert runtime.job(job_id).text == ("Done, with a remark" if told else "Done")
        with runtime_on(settings) as again:
            assert again.job(job_id).understood == job.understood, "in the journal"


def test_the_second_step_works_on_the_task_of_the_first(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    job = rested(runtime, runtime.submit(selection_plan(tmp_path)))
    told = detail(service, job.steps[1].task_id)
    assert told["input"]["input"] == job.steps[0].task_id
    assert told["input"]["face_limit"] == 5000


def test_a_job_on_a_task_uploads_nothing(runtime: Runtime, service: LocalService, tmp_path: Path) -> None:
    source = imported_task(runtime, tmp_path)
    uploads = len(recorded(service, "/v3/files"))
    assert rested(runtime, runtime.submit(task_plan(source))).stage is Stage.READY
    assert len(recorded(service, "/v3/files")) == uploads


def test_an_import_alone_ends_applied_with_its_task(runtime: Runtime, service: LocalService, tmp_path: Path) -> None:
    plan = replace(selection_plan(tmp_path), steps=(StepPlan("import_model"),))
    job = rested(runtime, runtime.submit(plan))
    assert job.stage is Stage.APPLIED
    assert detail(service, job.steps[0].task_id)["status"] == "success"
    assert not Path(plan.source.path).exists()  # the snapshot has done its work


def test_files_of_fields_are_uploaded_and_sent_as_tokens(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    image = tmp_path / "look.png"
    image.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 64)
    job = rested(runtime, runtime.submit(selection_plan(tmp_path, StepPlan("texture", {"image": str(image)}))))
    assert job.stage is Stage.READY, job.error
    assert len(recorded(service, "/v3/files")) == 2
    sent = detail(service, job.steps[1].task_id)["input"]["texture_prompt"]["image"]
    assert sent.startswith("file_")


def test_a_result_goes_into_a_folder_under_a_free_name(runtime: Runtime, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    for _ in range(2):
        plan = selection_plan(tmp_path, delivery=Delivery(folder=str(folder)), name="Old/Bunny")
        job = rested(runtime, runtime.submit(plan))
        assert job.stage is Stage.APPLIED, job.error
    assert sorted(path.name for path in folder.iterdir()) == ["Old_Bunny-2.glb", "Old_Bunny.glb"]
    assert job.text == f"Saved as {folder / 'Old_Bunny-2.glb'}"


def test_what_blender_cannot_read_stays_a_file_and_says_so(tmp_path: Path) -> None:
    def runner(request: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        with zipfile.ZipFile(Path(request["output_dir"]) / "model.3mf", "w") as archive:
            archive.writestr("[Content_Types].xml", "<Types/>")
            archive.writestr("3D/3dmodel.model", "<model/>")
        return {"files": {"model_url": "model.3mf"}, "values": {}, "facts": {}}

    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job_id = runtime.submit(selection_plan(tmp_path, StepPlan("convert", {"format": "3MF"})))
        job = rested(runtime, job_id)
    assert job.stage is Stage.APPLIED, job.error
    assert job.result.endswith("model.3mf")
    assert job.text == f"Blender cannot read 3MF; the file is {job.result}"


def test_what_a_result_refers_to_elsewhere_is_told_on_the_job(tmp_path: Path) -> None:
    def runner(request: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        with zipfile.ZipFile(Path(request["output_dir"]) / "model.zip", "w") as archive:
            archive.writestr("model.obj", "mtllib model.mtl\nv 0 0 0\n")
            archive.writestr("model.mtl", "newmtl a\nmap_Kd \\\\host\\share\\wood.png\n")
        return {"files": {"model_url": "model.zip"}, "values": {}, "facts": {}}

    note = "It refers to files outside of its own folder, which were not read: wood.png"
    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job_id = runtime.submit(selection_plan(tmp_path, StepPlan("convert", {"format": "OBJ"})))
        job = rested(runtime, job_id)
        assert (job.stage, job.text) == (Stage.READY, note), job.error
        library = Path(job.result).with_name("model-files") / "model.mtl"
        assert library.read_text(encoding="utf-8") == "newmtl a\nmap_Kd wood.png\n"
        assert runtime.claim_apply(job_id)
        runtime.applied(job_id)
        assert (runtime.job(job_id).stage, runtime.job(job_id).text) == (Stage.APPLIED, note)


def test_submit_and_act_do_not_wait_for_the_service(runtime: Runtime, service: LocalService, tmp_path: Path) -> None:
    add_fault(service, "delay", seconds=3.0, times=None)
    began = time.monotonic()
    job_id = runtime.submit(selection_plan(tmp_path))
    runtime.act(job_id, Action.STOP)
    assert time.monotonic() - began < 3.0, "the first answer of the service takes as long as that"
    assert rested(runtime, job_id).stage is Stage.STOPPED


def test_applying_is_claimed_once_and_survives_a_restart(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    job_id = runtime.submit(selection_plan(tmp_path))
    rested(runtime, job_id)
    with runtime_on(settings_for(service, tmp_path / "data")) as other:
        assert other.job(job_id).stage is Stage.READY
        assert [runtime.claim_apply(job_id), other.claim_apply(job_id), runtime.claim_apply(job_id)] == [
            True,
            False,
            False,
        ]
        with pytest.raises(Refused):
            other.applied(job_id)
        runtime.applied(job_id, "Brought in")
        assert runtime.job(job_id).text == "Brought in"
        assert until(other, job_id, lambda job: job.stage is Stage.APPLIED).blend


def test_a_claim_of_a_process_that_ended_is_free_again(service: LocalService, tmp_path: Path) -> None:
    settings = settings_for(service, tmp_path / "data")
    with runtime_on(settings) as first:
        job_id = first.submit(selection_plan(tmp_path))
        rested(first, job_id)
        assert first.claim_apply(job_id)
    with runtime_on(settings) as second:
        assert second.claim_apply(job_id)


def test_a_result_that_could_not_be_applied_is_kept_and_retried(runtime: Runtime, tmp_path: Path) -> None:
    job_id = runtime.submit(selection_plan(tmp_path))
    rested(runtime, job_id)
    assert runtime.claim_apply(job_id)
    runtime.apply_failed(job_id, "The scene is gone")
    failed = runtime.job(job_id)
    assert (failed.stage, failed.error) == (Stage.FAILED, "The scene is gone")
    runtime.act(job_id, Action.RETRY)
    assert runtime.job(job_id).stage is Stage.READY
    assert runtime.job(job_id).error == ""
    assert runtime.claim_apply(job_id)


def test_dismissing_removes_the_job_and_keeps_its_results(runtime: Runtime, tmp_path: Path) -> None:
    plan = selection_plan(tmp_path)
    job_id = runtime.submit(plan)
    job = rested(runtime, job_id)
    kept = {path: path.read_bytes() for path in Path(job.result).parent.iterdir()}
    assert Path(job.result) in kept and Path(job.blend) in kept
    runtime.act(job_id, Action.DISMISS)
    assert runtime.jobs() == []
    assert {path: path.read_bytes() for path in kept} == kept
    assert not Path(plan.source.path).exists()
    with pytest.raises(LookupError):
        runtime.job(job_id)


def test_dismissing_a_job_that_failed_or_was_saved_keeps_its_results(runtime: Runtime, tmp_path: Path) -> None:
    saved = rested(runtime, runtime.submit(selection_plan(tmp_path, delivery=Delivery())))
    failed = rested(runtime, runtime.submit(selection_plan(tmp_path)))
    assert runtime.claim_apply(failed.id)
    runtime.apply_failed(failed.id, "The scene is gone")
    assert "The result is kept" in runtime.job(failed.id).advice
    for job in (saved, failed):
        runtime.act(job.id, Action.DISMISS)
        assert Path(job.result).read_bytes() == tiny_glb()


def test_an_action_that_does_not_fit_is_refused(runtime: Runtime, tmp_path: Path) -> None:
    job_id = runtime.submit(selection_plan(tmp_path))
    rested(runtime, job_id)
    for action in (Action.STOP, Action.RETRY, Action.ADOPT, Action.RESEND, Action.FORGET):
        with pytest.raises(Refused):
            runtime.act(job_id, action)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (JobPlan("x", Source(SourceKind.NOTHING), (), SCENE), "nothing to do"),
        (JobPlan("x", Source(SourceKind.NOTHING), (decimate_step(),), SCENE), "imported first"),
        (JobPlan("x", Source(SourceKind.NOTHING), (StepPlan("import_model"),), SCENE), "needs a model"),
        (JobPlan("x", Source(SourceKind.TASK), (decimate_step(),), SCENE), "task to go on with"),
        (JobPlan("x", Source(SourceKind.SELECTION, "/gone.blend"), (StepPlan("import_model"),), SCENE), "snapshot"),
        (JobPlan("x", Source(SourceKind.MODEL_FILE, "/gone.glb"), (StepPlan("import_model"),), SCENE), "no file"),
        (JobPlan("x", Source(SourceKind.TASK, task_id="t"), (decimate_step(face_limit=1),), SCENE), "500"),
        (JobPlan("x", Source(SourceKind.TASK, task_id="t"), (StepPlan("fly"),), SCENE), "fly"),
    ],
)
def test_a_bad_plan_is_refused_and_nothing_is_sent(
    runtime: Runtime, service: LocalService, plan: JobPlan, words: str
) -> None:
    with pytest.raises(Refused, match=words):
        runtime.submit(plan)
    assert runtime.jobs() == []
    assert recorded(service) == []


def test_testing_the_service_gives_the_balance(service: LocalService, tmp_path: Path) -> None:
    news: SimpleQueue[Message] = SimpleQueue()
    runtime = Runtime(settings_for(service, tmp_path), news=news, converter=InstantConverter(), timing=QUICK)
    runtime.start()
    try:
        runtime.check_service()
        answer = news.get(timeout=SECONDS)
        assert isinstance(answer, ServiceChecked)
        assert (answer.ok, answer.balance) == (True, "1000000")
        runtime.reconfigure(settings_for(service, tmp_path, api_key="wrong"))
        runtime.check_service()
        answer = news.get(timeout=SECONDS)
        assert isinstance(answer, ServiceChecked)
        assert not answer.ok
        assert "one region only" in answer.sentence
        assert "wrong" not in answer.sentence
    finally:
        runtime.shutdown()


def test_what_a_task_will_cost_is_known_from_the_one_before(runtime: Runtime, tmp_path: Path) -> None:
    assert runtime.price_of("decimate", {"face_limit": 9000}) is None
    rested(runtime, runtime.submit(selection_plan(tmp_path)))
    price = runtime.price_of("decimate", {"face_limit": 9000})
    assert price is not None
    assert (price.credits, price.is_estimate) == ("5", True)
    documented = runtime.price_of("image_to_model", {"model_version": "P2-20260801", "texture_quality": "extreme"})
    assert documented is not None
    assert (documented.credits, documented.is_estimate) == ("130", False)


def test_another_data_folder_shows_its_own_jobs(runtime: Runtime, service: LocalService, tmp_path: Path) -> None:
    job_id = runtime.submit(selection_plan(tmp_path))
    shown(runtime, job_id)
    wait_until(lambda: not runtime.busy)
    changes_of(runtime, job_id)
    runtime.reconfigure(settings_for(service, tmp_path / "elsewhere"))
    assert runtime.jobs() == []
    assert runtime._news.get_nowait() == JobRemoved(job_id)
    runtime.reconfigure(settings_for(service, tmp_path / "data"))
    assert [job.id for job in runtime.jobs()] == [job_id]


def test_a_job_of_another_service_waits_and_goes_on_when_it_is_set_again(tmp_path: Path) -> None:
    runner = GatedRunner()
    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job_id = runtime.submit(selection_plan(tmp_path))
        until(runtime, job_id, lambda job: job.stage is Stage.WAIT and bool(job.steps[1].task_id))
        runtime.reconfigure(settings_for(service, tmp_path / "data", base_url="http://127.0.0.1:9"))
        waiting = until(runtime, job_id, lambda job: "belongs to" in job.text)
        assert waiting.stage is Stage.WAIT
        runner.gate.set()
        runtime.reconfigure(settings_for(service, tmp_path / "data"))
        assert rested(runtime, job_id).stage is Stage.READY


def test_offline_refuses_remote_services_and_exempts_this_machine(runtime: Runtime, tmp_path: Path) -> None:
    settings = runtime._settings
    runtime.reconfigure(settings._replace(base_url="https://service.invalid", online=False))
    with pytest.raises(Refused, match="Online access"):
        runtime.submit(selection_plan(tmp_path))
    runtime.reconfigure(settings._replace(online=False))
    assert rested(runtime, runtime.submit(selection_plan(tmp_path))).stage is Stage.READY


def test_a_key_never_goes_unencrypted_over_a_network(runtime: Runtime, tmp_path: Path) -> None:
    runtime.reconfigure(runtime._settings._replace(base_url="http://service.invalid"))
    with pytest.raises(Refused, match="unencrypted"):
        runtime.submit(selection_plan(tmp_path))


def test_old_snapshots_that_no_job_has_are_removed_at_the_start(service: LocalService, tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with (
        local_engine(tmp_path / "other", runner=GatedRunner()) as slow,
        runtime_on(settings_for(slow, data_dir)) as other,
    ):
        plan = selection_plan(tmp_path)
        job_id = other.submit(plan)
        until(other, job_id, lambda job: job.stage is Stage.WAIT)
        used = Path(plan.source.path)
        left, foreign, young = (used.with_name(f"{name}.blend") for name in ("left", "foreign", "young"))
        left_image = used.with_name("left-0.png")
        for path in (left, left_image, foreign, young):
            path.write_bytes(b"BLENDER")
        with closing(sqlite3.connect(data_dir / "journal.sqlite3")) as connection, connection:
            connection.execute(
                "INSERT INTO jobs (id, plan, service_id, stage, created_at, changed_at) VALUES (?,?,?,?,0,0)",
                ("newer", json.dumps({"sketch": str(foreign)}), "elsewhere", "polish"),
            )
        yesterday = time.time() - 25 * 3600
        for path in (used, left, left_image, foreign):
            os.utime(path, (yesterday, yesterday))
        with runtime_on(settings_for(service, data_dir)):
            wait_until(lambda: not left.exists() and not left_image.exists())
            time.sleep(0.2)
        assert used.exists(), "a job of another process has it"
        assert foreign.exists(), "a job of another version has it"
        assert young.exists(), "its job may be about to come"
