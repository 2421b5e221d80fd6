"""No paid result is lost and none is paid for twice: lost answers, 5xx, crashes, two processes."""

from __future__ import annotations

import logging
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest
from asset_generation.addon.core.jobs.job import Action, Stage
from asset_generation.addon.core.jobs.journal import Journal
from asset_generation.addon.core.jobs.network_drive import MARK
from asset_generation.addon.core.limits.timeouts import Timing
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.addon.core.stages import lost_answer
from asset_generation.vendor.assetgen import Client
from asset_generation.vendor.assetgen.contract import Decimate
from asset_generation.vendor.assetgen.resources.tasks import Tasks
from asset_generation.vendor.assetgen.retrying import READ_TIMEOUT
from asset_generation.vendor.assetgen_local import LocalService
from load_extension import ROOT
from support.core import (
    QUICK,
    SECONDS,
    GatedRunner,
    InstantConverter,
    imported_task,
    kill,
    rested,
    runtime_on,
    selection_plan,
    settings_for,
    task_plan,
    until,
    wait_until,
)
from support.services.local_engine import KEY, add_fault, ask, clear_faults, local_engine, recorded

pytest_plugins = ("support.core_fixtures",)
pytestmark = pytest.mark.usefixtures("hurry")

DECIMATE = "/v3/mesh/decimate"
USAGE = "/v3/account/usage"
PATIENT = replace(QUICK, lost_request=SECONDS)
"""Never gives a lost request up while a test lasts."""


def creations(service: LocalService) -> int:
    return len(recorded(service, DECIMATE, "POST"))


def decimations(service: LocalService) -> set[str]:
    """The tasks that the service has, and charges."""
    rows = ask(service, "GET", USAGE)["items"]
    return {row["task_id"] for row in rows if row["type"] == Decimate.task_type}


def decimate_elsewhere(service: LocalService, source: str, marker: str = "") -> str:
    """A task of the same account that no job of ours knows: made in a browser, or on another machine.

    With the marker of a job it is what comes late of the job's own request.
    """
    with Client(KEY, service.base_url) as client:
        return client.tasks.create(Decimate(input=source, face_limit=700), marker=marker).task_id


def marker_of(runtime: Runtime, job_id: str) -> str:
    """What the requests of the job's current step carry."""
    assert runtime._started is not None
    return runtime._started.context.journal.job(job_id).step.marker


@pytest.fixture
def unmarked(service: LocalService, tmp_path: Path) -> Iterator[Runtime]:
    """A runtime whose requests carry no markers: only type, time and content tell whose a task is."""
    with runtime_on(settings_for(service, tmp_path / "data", mark_requests=False)) as started:
        yield started


def test_a_lost_answer_is_adopted_exactly_once(
    runtime: Runtime, service: LocalService, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    add_fault(service, "drop_after", path=DECIMATE)
    with caplog.at_level(logging.INFO):
        job = rested(runtime, runtime.submit(selection_plan(tmp_path)))
    assert job.stage is Stage.READY
    assert creations(service) == 1
    assert decimations(service) == {job.steps[1].task_id}
    created = f"job {job.id}: created the task {job.steps[0].task_id} (import_model) by request "
    assert any(message.startswith(created) for message in caplog.messages)
    assert f"job {job.id}: adopted the task {job.steps[1].task_id}, whose answer was lost" in caplog.messages


def test_the_very_first_task_of_an_account_is_adopted_as_well(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    # There is no task yet by which the two clocks could be compared.
    add_fault(service, "drop_after", path="/v3/models/import")
    assert rested(runtime, runtime.submit(selection_plan(tmp_path))).stage is Stage.READY
    assert len(recorded(service, "/v3/models/import", "POST")) == 1


def test_a_request_that_did_not_arrive_is_sent_again(runtime: Runtime, service: LocalService, tmp_path: Path) -> None:
    add_fault(service, "drop_before", path=DECIMATE)
    job = rested(runtime, runtime.submit(selection_plan(tmp_path)))
    assert job.stage is Stage.READY
    assert creations(service) == 2
    assert decimations(service) == {job.steps[1].task_id}
    ids = [one["request_id"] for one in recorded(service, DECIMATE)]
    assert len(set(ids)) == 2


def test_after_a_500_the_account_is_asked_before_anything_is_sent_again(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    add_fault(service, "status", path=DECIMATE, status=500)
    job = rested(runtime, runtime.submit(selection_plan(tmp_path)))
    assert job.stage is Stage.READY
    order = [one["path"] for one in recorded(service) if one["path"] in (DECIMATE, USAGE)]
    assert order[:2] == [DECIMATE, USAGE]
    assert creations(service) == 2
    assert decimations(service) == {job.steps[1].task_id}


@pytest.mark.parametrize("body", ["<html>Gateway Time-out</html>", {"message": "Endpoint request timed out"}])
def test_a_gateway_that_gives_up_says_nothing_about_the_service_behind_it(
    service: LocalService, tmp_path: Path, body: Any
) -> None:
    with runtime_on(settings_for(service, tmp_path / "data"), timing=PATIENT) as runtime:
        source = imported_task(runtime, tmp_path)
        add_fault(service, "status", path=DECIMATE, status=504, body=body)
        job_id = runtime.submit(task_plan(source))
        wait_until(lambda: len(recorded(service, USAGE)) > 2)  # where a second request was sent at the latest
        job = runtime.job(job_id)
        assert "looking at the service whether the task exists" in job.text
        assert "at most" in job.text
        assert creations(service) == 1
        finished_late = decimate_elsewhere(service, source, marker_of(runtime, job_id))
        job = rested(runtime, job_id)
    assert (job.stage, job.steps[0].task_id) == (Stage.READY, finished_late)
    assert decimations(service) == {finished_late}


def test_a_request_behind_a_gateway_is_sent_again_when_it_cannot_be_at_work_any_more(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    source = imported_task(runtime, tmp_path)
    add_fault(service, "status", path=DECIMATE, status=504, body="<html></html>")
    job = rested(runtime, runtime.submit(task_plan(source)))
    first, second = recorded(service, DECIMATE)
    assert second["at"] - first["at"] > QUICK.lost_request
    assert (job.stage, decimations(service)) == (Stage.READY, {job.steps[0].task_id})


@pytest.fixture(params=[-3600.0, 3600.0])
def clock_set(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of day is another one when the answer is lost than it was when the request left."""
    clocks = SimpleNamespace(time=lambda: time.time() + request.param, monotonic=time.monotonic)
    monkeypatch.setattr(lost_answer, "time", clocks)


@pytest.mark.usefixtures("clock_set")
def test_a_clock_that_is_set_while_an_answer_is_due_shortens_no_wait(service: LocalService, tmp_path: Path) -> None:
    with runtime_on(settings_for(service, tmp_path / "data"), timing=PATIENT) as runtime:
        source = imported_task(runtime, tmp_path)
        add_fault(service, "status", path=DECIMATE, status=504, body="<html></html>")
        job_id = runtime.submit(task_plan(source))
        wait_until(lambda: len(recorded(service, USAGE)) > 4)
        assert creations(service) == 1
        finished_late = decimate_elsewhere(service, source, marker_of(runtime, job_id))
        job = rested(runtime, job_id)
    assert (job.stage, job.steps[0].task_id) == (Stage.READY, finished_late)


def test_a_lost_request_is_waited_for_longer_than_the_client_waits_for_its_answer() -> None:
    assert Timing().lost_request >= READ_TIMEOUT + 60.0


def test_a_service_that_keeps_failing_ends_in_a_sentence(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    add_fault(service, "status", path="/v3/models/import", status=500, message="overloaded", times=None)
    job = rested(runtime, runtime.submit(selection_plan(tmp_path)), seconds=60)
    assert (job.stage, job.exit_code) == (Stage.FAILED, 5)
    assert "overloaded" in job.error
    # Once there were five under load, and nobody knew why: the records would tell whether two have the same id.
    sent = recorded(service, "/v3/models/import", "POST")
    assert len(sent) == 4, sent
    clear_faults(service)
    runtime.act(job.id, Action.RETRY)
    assert rested(runtime, job.id).stage is Stage.READY


def test_two_unknown_tasks_are_for_the_user_to_decide(unmarked: Runtime, service: LocalService, tmp_path: Path) -> None:
    source = imported_task(unmarked, tmp_path)
    job_id = lost_among_others(unmarked, service, source)
    job = rested(unmarked, job_id)
    assert (job.stage, job.exit_code) == (Stage.UNCERTAIN, 6)
    assert "2 tasks that it could be" in job.error
    assert job.request_id == recorded(service, DECIMATE)[0]["request_id"]
    assert job.actions == {Action.ADOPT, Action.LOOK_AGAIN, Action.RESEND, Action.FORGET}
    assert creations(service) == 2


def lost_among_others(runtime: Runtime, service: LocalService, source: str) -> str:
    """Submits a job whose answer is lost, while somebody else makes a task of the same kind."""
    add_fault(service, "drop_after", path=DECIMATE)
    add_fault(service, "delay", path=USAGE, seconds=0.5)
    job_id = runtime.submit(task_plan(source))
    deadline = time.monotonic() + SECONDS
    while not recorded(service, USAGE) and time.monotonic() < deadline:
        time.sleep(0.005)
    decimate_elsewhere(service, source)
    return job_id


def test_adopting_takes_a_task_and_pays_nothing_more(unmarked: Runtime, service: LocalService, tmp_path: Path) -> None:
    job_id = lost_among_others(unmarked, service, imported_task(unmarked, tmp_path))
    rested(unmarked, job_id)
    unmarked.act(job_id, Action.ADOPT)
    job = rested(unmarked, job_id)
    assert job.stage is Stage.READY
    assert job.steps[0].task_id in decimations(service)
    assert creations(service) == 2


def test_resending_makes_another_task(
    unmarked: Runtime, service: LocalService, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    job_id = lost_among_others(unmarked, service, imported_task(unmarked, tmp_path))
    rested(unmarked, job_id)
    before = decimations(service)
    with caplog.at_level(logging.INFO):
        unmarked.act(job_id, Action.RESEND)
        job = rested(unmarked, job_id)
    (resent,) = [line for line in caplog.messages if "sending another request" in line]
    assert job_id in resent
    assert all(task_id in resent for task_id in before)
    assert job.stage is Stage.READY
    assert job.steps[0].task_id not in before
    assert creations(service) == 3


def test_forgetting_gives_up_and_sends_nothing(unmarked: Runtime, service: LocalService, tmp_path: Path) -> None:
    job_id = lost_among_others(unmarked, service, imported_task(unmarked, tmp_path))
    rested(unmarked, job_id)
    unmarked.act(job_id, Action.FORGET)
    job = unmarked.job(job_id)
    assert job.stage is Stage.STOPPED
    assert job.actions == {Action.DISMISS}
    assert creations(service) == 2


def test_a_task_of_somebody_else_is_not_adopted(unmarked: Runtime, service: LocalService, tmp_path: Path) -> None:
    ours, theirs = imported_task(unmarked, tmp_path), imported_task(unmarked, tmp_path)
    add_fault(service, "drop_before", path=DECIMATE)
    add_fault(service, "delay", path=USAGE, seconds=0.5)
    job_id = unmarked.submit(task_plan(ours))
    deadline = time.monotonic() + SECONDS
    while not recorded(service, USAGE) and time.monotonic() < deadline:
        time.sleep(0.005)
    decimate_elsewhere(service, theirs)
    job = rested(unmarked, job_id)
    assert job.stage is Stage.UNCERTAIN
    assert "works on something else" in job.error


def test_an_account_that_cannot_be_read_is_for_the_user_to_decide(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    add_fault(service, "drop_after", path=DECIMATE)
    add_fault(service, "status", path=USAGE, status=404, code=4001, times=None)
    job = rested(runtime, runtime.submit(selection_plan(tmp_path)))
    assert job.stage is Stage.UNCERTAIN
    assert job.actions == {Action.LOOK_AGAIN, Action.RESEND, Action.FORGET}
    assert creations(service) == 1


@pytest.mark.parametrize(
    "trouble",
    [
        {"action": "status", "status": 503},
        {"action": "status", "status": 502, "body": "<html>Bad Gateway</html>"},
        {"action": "status", "status": 403, "body": "<html>Log in</html>"},
        {"action": "drop_before"},
    ],
)
def test_trouble_with_the_usage_is_waited_out_and_nothing_is_sent(
    runtime: Runtime, service: LocalService, tmp_path: Path, trouble: dict[str, Any]
) -> None:
    source = imported_task(runtime, tmp_path)
    add_fault(service, "drop_after", path=DECIMATE)
    add_fault(service, path=USAGE, times=None, **trouble)
    job_id = runtime.submit(task_plan(source))
    # For longer than a job that has not paid, or has, tries to reach a service.
    begun = time.monotonic()
    wait_until(lambda: time.monotonic() - begun > 2 * QUICK.unreachable_paid)
    job = runtime.job(job_id)
    assert job.stage is Stage.CREATE, job.error
    assert "nothing is sent until the service says whether the task exists" in job.text
    clear_faults(service)
    job = rested(runtime, job_id)
    assert (job.stage, decimations(service)) == (Stage.READY, {job.steps[0].task_id})
    assert creations(service) == 1


def test_among_tasks_of_others_a_job_finds_its_own_by_its_marker(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    source = imported_task(runtime, tmp_path)
    job_id = lost_among_others(runtime, service, source)
    job = rested(runtime, job_id)
    assert job.stage is Stage.READY
    told = ask(service, "GET", f"/v3/tasks/{job.steps[0].task_id}")
    assert told["input"]["face_limit"] == 5000
    assert creations(service) == 2


def test_two_jobs_that_lose_their_answers_at_once_get_their_own_tasks(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    sources = [imported_task(runtime, tmp_path) for _ in range(2)]
    add_fault(service, "drop_after", path=DECIMATE, times=2)
    ids = [runtime.submit(task_plan(source)) for source in sources]
    for source, job in zip(sources, [rested(runtime, job_id) for job_id in ids], strict=True):
        assert job.stage is Stage.READY
        told = ask(service, "GET", f"/v3/tasks/{job.steps[0].task_id}")
        assert told["input"]["input"] == source
    assert creations(service) == 2


# A process that dies


def die_in_creation(
    service: LocalService, data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, sent: bool
) -> str:
    """A job whose process dies between intent and answer; returns its id."""
    real = Tasks.create
    dying = threading.Event()

    def create(self: Tasks, request: Any, **named: Any) -> Any:
        if request.name != "decimate":
            return real(self, request, **named)
        if sent:
            real(self, request, **named)
        dying.set()
        raise SystemExit  # the thread ends here, and nothing after it is recorded

    with monkeypatch.context() as patch:
        patch.setattr(Tasks, "create", create)
        patch.setattr(threading, "excepthook", lambda _: None)
        runtime = Runtime(
            settings_for(service, data_dir), news=SimpleQueue(), converter=InstantConverter(), timing=QUICK
        )
        runtime.start()
        job_id = runtime.submit(selection_plan(tmp_path))
        assert dying.wait(SECONDS)
        kill(runtime)
    return job_id


def test_a_process_that_died_after_sending_finds_its_task_again(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = die_in_creation(service, tmp_path / "data", tmp_path, monkeypatch, sent=True)
    with runtime_on(settings_for(service, tmp_path / "data")) as runtime:
        job = rested(runtime, job_id)
    assert job.stage is Stage.READY
    assert creations(service) == 1
    assert decimations(service) == {job.steps[1].task_id}


def test_a_process_that_died_before_sending_sends_once(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = die_in_creation(service, tmp_path / "data", tmp_path, monkeypatch, sent=False)
    with runtime_on(settings_for(service, tmp_path / "data")) as runtime:
        job = rested(runtime, job_id)
    assert job.stage is Stage.READY
    assert creations(service) == 1
    assert recorded(service, USAGE), "the account must be asked before anything is sent"


def test_a_request_that_outlives_its_process_is_not_sent_again(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = die_in_creation(service, tmp_path / "data", tmp_path, monkeypatch, sent=False)
    with runtime_on(settings_for(service, tmp_path / "data"), timing=PATIENT) as heir:
        wait_until(lambda: len(recorded(service, USAGE)) > 2)
        assert creations(service) == 0
        finished_late = decimate_elsewhere(service, heir.job(job_id).steps[0].task_id, marker_of(heir, job_id))
        job = rested(heir, job_id)
    assert (job.stage, job.steps[1].task_id) == (Stage.READY, finished_late)
    assert decimations(service) == {finished_late}


@pytest.mark.usefixtures("clock_set")
def test_a_clock_that_is_set_between_two_processes_shortens_no_wait(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = die_in_creation(service, tmp_path / "data", tmp_path, monkeypatch, sent=False)
    with runtime_on(settings_for(service, tmp_path / "data"), timing=PATIENT) as heir:
        wait_until(lambda: len(recorded(service, USAGE)) > 4)
        assert creations(service) == 0
        finished_late = decimate_elsewhere(service, heir.job(job_id).steps[0].task_id, marker_of(heir, job_id))
        job = rested(heir, job_id)
    assert (job.stage, job.steps[1].task_id) == (Stage.READY, finished_late)


def test_a_living_process_takes_over_what_a_dead_one_left(service: LocalService, tmp_path: Path) -> None:
    settings = settings_for(service, tmp_path / "data")
    add_fault(service, "delay", path="/v3/files", seconds=0.3)
    doomed = Runtime(settings, news=SimpleQueue(), converter=InstantConverter(), timing=QUICK)
    doomed.start()
    with runtime_on(settings) as heir:
        job_id = doomed.submit(selection_plan(tmp_path))
        assert _shown(heir, job_id)
        kill(doomed)
        assert rested(heir, job_id).stage is Stage.READY
    assert creations(service) == 1


def _shown(runtime: Runtime, job_id: str) -> bool:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        if any(job.id == job_id for job in runtime.jobs()):
            return True
        time.sleep(0.01)
    raise AssertionError("the other process does not show the job")


def test_two_processes_never_work_on_the_same_job(tmp_path: Path) -> None:
    runner = GatedRunner()
    with local_engine(tmp_path, runner=runner) as service:
        settings = settings_for(service, tmp_path / "data")
        with runtime_on(settings) as first, runtime_on(settings) as second:
            ids = [(first, second)[number % 2].submit(selection_plan(tmp_path)) for number in range(6)]
            for job_id in ids:
                assert _shown(first, job_id)
                assert _shown(second, job_id)
            runner.gate.set()
            for job_id in ids:
                assert rested(first, job_id).stage is Stage.READY
                assert rested(second, job_id).stage is Stage.READY
        assert creations(service) == len(ids)
        assert len(recorded(service, "/v3/files")) == len(ids)


def test_a_stop_reaches_the_process_that_runs_the_job(tmp_path: Path) -> None:
    with local_engine(tmp_path, runner=GatedRunner()) as service:
        settings = settings_for(service, tmp_path / "data")
        with runtime_on(settings) as first, runtime_on(settings) as second:
            job_id = first.submit(selection_plan(tmp_path))
            assert _shown(second, job_id)
            second.act(job_id, Action.STOP)
            assert rested(first, job_id).stage is Stage.STOPPED
            assert rested(second, job_id).stage is Stage.STOPPED


def test_a_shut_down_job_goes_on_at_the_next_start_without_another_task(tmp_path: Path) -> None:
    runner = GatedRunner()
    with local_engine(tmp_path, runner=runner) as service:
        settings = settings_for(service, tmp_path / "data")
        with runtime_on(settings) as first:
            job_id = first.submit(selection_plan(tmp_path))
            until(first, job_id, lambda job: bool(job.steps[1].task_id))
        runner.gate.set()
        with runtime_on(settings) as second:
            assert rested(second, job_id).stage is Stage.READY
        assert creations(service) == 1


_VICTIM = """
import sys, time
from pathlib import Path
from queue import SimpleQueue
sys.path[:0] = [sys.argv[1] + "/scripts", sys.argv[1] + "/tests"]
from load_extension import load_package
load_package()
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.addon.core.stages import lost_answer
from asset_generation.addon.core.settings import Settings
from asset_generation.vendor.background_blender import BlenderCommand
from support.core import QUICK, InstantConverter, selection_plan
folder, url, key = Path(sys.argv[2]), sys.argv[3], sys.argv[4]
settings = Settings(BlenderCommand.of_python(), folder / "data", base_url=url, api_key=key)
runtime = Runtime(settings, news=SimpleQueue(), converter=InstantConverter(), timing=QUICK)
runtime.start()
print(runtime.submit(selection_plan(folder)), flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("stage", ["while the answer is due", "while the task runs"])
def test_sigkill_loses_nothing_and_pays_nothing_twice(tmp_path: Path, stage: str) -> None:
    runner = GatedRunner()
    with local_engine(tmp_path, runner=runner) as service:
        if stage == "while the answer is due":
            # The task is made at once, and its answer would come when the process is dead.
            add_fault(service, "drop_after", path=DECIMATE)
            add_fault(service, "delay", path=USAGE, seconds=60)
        victim = subprocess.Popen(
            [sys.executable, "-c", _VICTIM, str(ROOT), str(tmp_path), service.base_url, KEY],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert victim.stdout is not None
            job_id = victim.stdout.readline().strip()
            deadline = time.monotonic() + SECONDS
            wanted = USAGE if stage == "while the answer is due" else DECIMATE
            while not recorded(service, wanted) and time.monotonic() < deadline:
                time.sleep(0.01)
        finally:
            os.kill(victim.pid, signal.SIGKILL)
            victim.communicate()
        clear_faults(service)
        runner.gate.set()
        with runtime_on(settings_for(service, tmp_path / "data")) as heir:
            job = rested(heir, job_id)
        assert job.stage is Stage.READY, job.error
        assert creations(service) == 1
        assert decimations(service) == {job.steps[1].task_id}


@pytest.mark.parametrize("noted", ["wait", "create"], ids=["by this version", "by an earlier one"])
def test_a_task_of_an_unknown_status_is_read_again_before_another_is_paid_for(tmp_path: Path, noted: str) -> None:
    runner = GatedRunner()
    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job_id = runtime.submit(task_plan(imported_task(runtime, tmp_path)))
        task = until(runtime, job_id, lambda job: job.stage is Stage.WAIT).steps[0].task_id
        strange = {"task_id": task, "type": "decimate-model", "status": "postprocessing", "credits_consumed": 7.5}
        body = {"code": 0, "status": "success", "data": {"tasks": {task: strange}, "missed": []}}
        add_fault(service, "status", path="/v3/tasks/list", status=200, body=body)
        failed = rested(runtime, job_id)
        assert failed.stage is Stage.FAILED
        assert "took 7.5 credits" in failed.error
        assert "not charged" not in f"{failed.error} {failed.advice}"
        runner.gate.set()
        with closing(sqlite3.connect(tmp_path / "data" / "journal.sqlite3")) as connection, connection:
            connection.execute("UPDATE jobs SET resume = ? WHERE id = ?", (noted, job_id))
        runtime.act(job_id, Action.RETRY)
        ready = rested(runtime, job_id)
        assert ready.stage is Stage.READY
        assert [step.task_id for step in ready.steps] == [task]
        assert creations(service) == 1


def test_a_job_of_another_computer_is_left_to_it_until_it_was_silent_for_long(tmp_path: Path) -> None:
    data_dir, owner = tmp_path / "data", "1-abc@render-farm-7"
    (data_dir / "owners").mkdir(parents=True)
    (data_dir / MARK).touch()
    (data_dir / "owners" / owner).touch()  # nothing here knows of its lock
    with (
        local_engine(tmp_path) as service,
        runtime_on(settings_for(service, data_dir)) as runtime,
        closing(Journal(data_dir / "journal.sqlite3", owner)) as elsewhere,
    ):
        plan = task_plan(imported_task(runtime, tmp_path))
        elsewhere.add("theirs", plan, runtime._settings.service_id, Stage.CREATE)
        wait_until(lambda: "theirs" in [job.id for job in runtime.jobs()])
        time.sleep(5 * QUICK.take_over)
        assert elsewhere.job("theirs").owner == owner
        assert creations(service) == 0
        silent = time.time() - 16 * 60
        os.utime(data_dir / "owners" / owner, (silent, silent))
        assert rested(runtime, "theirs").stage is Stage.READY
        assert creations(service) == 1
