"""The list is not the files: what is taken off it stays known, and what is deleted can be fetched again."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue

import pytest
from asset_generation.addon.core.jobs.job import Action, Delivery, Stage
from asset_generation.addon.core.jobs.journal import Journal
from asset_generation.addon.core.paths import Locations
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.addon.core.runtime.storage_work import StorageWork
from asset_generation.addon.core.status.messages import Message, StorageChanged
from asset_generation.addon.core.storage.deletion import delete
from asset_generation.addon.core.storage.report import StoredResult
from asset_generation.addon.core.storage.scan import scan
from asset_generation.vendor.assetgen_local import LocalService
from support.core import imported_task, rested, runtime_on, selection_plan, settings_for, task_plan, until, wait_until
from support.services.local_engine import add_fault, recorded

pytest_plugins = ("support.core_fixtures",)

DECIMATE = "/v3/mesh/decimate"
USAGE = "/v3/account/usage"


def journal_of(runtime: Runtime) -> Journal:
    assert runtime._started is not None
    return runtime._started.context.journal


def found(data_dir: Path, job_id: str) -> StoredResult:
    (result,) = [item for item in scan(Locations(data_dir)).results if item.id == job_id]
    return result


def test_dismissing_keeps_the_files_and_what_is_known_of_them(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    job_id = rested(runtime, runtime.submit(selection_plan(tmp_path))).id
    wait_until(lambda: not runtime.busy)  # its small picture comes when it is ready already
    job = runtime.job(job_id)
    with runtime_on(settings_for(service, tmp_path / "data")) as other:
        assert [listed.id for listed in other.jobs()] == [job.id]
        runtime.act(job.id, Action.DISMISS)
        assert runtime.jobs() == []
        wait_until(lambda: other.jobs() == [])
    with pytest.raises(LookupError):
        runtime.act(job.id, Action.APPLY)
    assert not runtime.claim_apply(job.id)
    kept = journal_of(runtime).job(job.id)
    assert (kept.result, kept.files, kept.plan) == (job.result, job.files, job.plan)
    assert [step.task_id for step in kept.steps] == [step.task_id for step in job.steps]
    assert Path(job.result).is_file() and Path(job.blend).is_file()
    result = found(tmp_path / "data", job.id)
    assert (result.is_listed, result.never_used, result.stays) == (False, True, "")
    with runtime_on(settings_for(service, tmp_path / "data")) as later:
        assert later.jobs() == []


def test_a_request_of_unknown_fate_is_known_when_its_job_is_off_the_list(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    source = imported_task(runtime, tmp_path)
    add_fault(service, "drop_after", path=DECIMATE)
    add_fault(service, "status", path=USAGE, status=404, code=4001, times=None)
    job = rested(runtime, runtime.submit(task_plan(source)))
    assert job.stage is Stage.UNCERTAIN
    runtime.act(job.id, Action.FORGET)
    runtime.act(job.id, Action.DISMISS)
    assert [listed.name for listed in runtime.jobs()] == ["In"]
    assert journal_of(runtime).open_intents(job.service_id) == {job.id: "decimate"}


def test_a_result_counts_as_used_once_it_is_in_a_scene(runtime: Runtime, tmp_path: Path) -> None:
    applied, waits, noted = (rested(runtime, runtime.submit(selection_plan(tmp_path))).id for _ in range(3))
    assert runtime.claim_apply(applied) and runtime.claim_apply(noted)
    runtime.applied(applied)
    runtime.applied(noted, "It is not an image of any kind that is known here")
    assert not found(tmp_path / "data", applied).never_used
    assert found(tmp_path / "data", waits).never_used
    assert found(tmp_path / "data", noted).never_used


def test_a_result_counts_as_used_once_it_is_in_the_users_folder(runtime: Runtime, tmp_path: Path) -> None:
    delivered = rested(
        runtime, runtime.submit(selection_plan(tmp_path, delivery=Delivery(folder=str(tmp_path / "out"))))
    )
    kept = rested(runtime, runtime.submit(selection_plan(tmp_path, delivery=Delivery())))
    assert not found(tmp_path / "data", delivered.id).never_used
    assert found(tmp_path / "data", kept.id).never_used


def test_deleted_files_are_fetched_again_without_paying(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    job_id = rested(runtime, runtime.submit(selection_plan(tmp_path))).id
    assert runtime.claim_apply(job_id)
    runtime.applied(job_id)
    assert Action.RETRY not in runtime.job(job_id).actions
    assert delete(Locations(tmp_path / "data"), [found(tmp_path / "data", job_id)]).deleted
    job = until(runtime, job_id, lambda seen: not seen.result)
    assert (job.stage, job.text, job.actions) == (
        Stage.APPLIED,
        "Its files were deleted",
        {Action.RETRY, Action.DISMISS},
    )
    runtime.act(job_id, Action.RETRY)
    job = rested(runtime, job_id)
    assert (job.stage, job.advice) == (Stage.READY, "")
    assert Path(job.result).is_file() and Path(job.blend).is_file()
    assert len(recorded(service, DECIMATE, "POST")) == 1


def test_a_dismissed_result_can_be_put_back_and_brought_in(runtime: Runtime, tmp_path: Path) -> None:
    job_id = rested(runtime, runtime.submit(selection_plan(tmp_path))).id
    runtime.act(job_id, Action.DISMISS)
    assert found(tmp_path / "data", job_id).can_be_put_back
    news: SimpleQueue[Message] = SimpleQueue()
    StorageWork(tmp_path / "data", news).put_back(job_id)
    wait_until(lambda: [job.id for job in runtime.jobs()] == [job_id])
    assert runtime.claim_apply(job_id)
    runtime.applied(job_id)
    assert not found(tmp_path / "data", job_id).never_used
    StorageWork(tmp_path / "data", news).put_back(job_id)
    told = [news.get_nowait() for _ in range(news.qsize())]
    ends = [message for message in told if isinstance(message, StorageChanged) and not message.busy]
    assert [(message.ok, message.sentence) for message in ends] == [
        (True, "The job is back on the list"),
        (False, "There is no such job off the list"),
    ]
