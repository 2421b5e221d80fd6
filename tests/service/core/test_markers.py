"""A creation carries a marker, and is recognised by it: whatever the service does with the marker, one task is paid."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from asset_generation.addon.core.errors import Refused
from asset_generation.addon.core.jobs.job import (
    Action,
    Delivery,
    JobPlan,
    JobView,
    Source,
    SourceKind,
    Stage,
    StepPlan,
)
from asset_generation.addon.core.jobs.journal import Journal
from asset_generation.addon.core.jobs.service_table import MarkerFate
from asset_generation.addon.core.limits.timeouts import Timing
from asset_generation.addon.core.paths import Locations
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.addon.core.settings import Settings
from asset_generation.vendor.background_blender import BlenderCommand
from support.core import QUICK, changes_of, kill, rested, runtime_on, task_plan, until, wait_until
from support.services.local_engine import tiny_glb
from support.services.marking_service import DECIMATE, IMPORT, LIST, USAGE, MarkingService, Treatment, marking_service
from support.services.scripted_service import KEY, Reply, failure, ok

pytestmark = pytest.mark.usefixtures("hurry")

SOURCE = "11111111-2222-4333-8444-555555555555"
PATIENT = Timing(**{name: getattr(QUICK, name) for name in QUICK.__slots__} | {"lost_request": 20.0})
"""Never gives a lost request up while a test lasts."""


@pytest.fixture
def service() -> Iterator[MarkingService]:
    with marking_service() as running:
        yield running


def settings_of(service: MarkingService, tmp_path: Path, **changes: Any) -> Settings:
    fields: dict[str, Any] = {"base_url": service.base_url, "api_key": KEY, "data_dir": tmp_path / "data"}
    return Settings(BlenderCommand.of_python(), **(fields | changes))


@contextmanager
def working(service: MarkingService, tmp_path: Path, timing: Timing = QUICK, **changes: Any) -> Iterator[Runtime]:
    with runtime_on(settings_of(service, tmp_path, **changes), timing=timing) as runtime:
        yield runtime


def fate(service: MarkingService, tmp_path: Path) -> MarkerFate:
    """What another process reads of the service in the journal."""
    journal = Journal(Locations(tmp_path / "data").journal, "reader")
    try:
        return journal.services.marker_fate(settings_of(service, tmp_path).service_id)
    finally:
        journal.close()


def done(runtime: Runtime, job_id: str) -> JobView:
    job = rested(runtime, job_id)
    assert job.stage is Stage.READY, job
    return job


def paid(service: MarkingService) -> set[str]:
    return set(service.tasks)


def others_work(service: MarkingService) -> set[str]:
    """Tasks of the same account, of the same kind and on the same model, that no job of ours knows."""
    return {service.add(original_model_task_id=SOURCE, face_limit=5000) for _ in range(3)}


# What carries which marker


def test_every_sending_of_a_step_carries_the_same_marker_and_every_step_and_job_its_own(
    service: MarkingService, tmp_path: Path
) -> None:
    service.script.reply("POST", DECIMATE, failure(500, 1000))
    with working(service, tmp_path) as runtime:
        first = done(runtime, runtime.submit(task_plan(SOURCE)))
        done(runtime, runtime.submit(task_plan(first.steps[0].task_id)))
    sent = [request.json["client_request_id"] for request in service.script.seen(DECIMATE)]
    assert len(sent) == 3
    assert sent[0] == sent[1] != sent[2]
    assert all(len(marker) == 32 for marker in sent)


def test_a_new_task_after_a_failed_one_has_a_new_marker(service: MarkingService, tmp_path: Path) -> None:
    service.new_status = "failed"
    with working(service, tmp_path) as runtime:
        job = rested(runtime, runtime.submit(task_plan(SOURCE)))
        assert job.stage is Stage.FAILED
        service.new_status = "success"
        runtime.act(job.id, Action.RETRY)
        done(runtime, job.id)
    assert len(set(service.markers)) == 2


def test_a_preference_switches_the_marker_off(service: MarkingService, tmp_path: Path) -> None:
    with working(service, tmp_path, mark_requests=False) as runtime:
        done(runtime, runtime.submit(task_plan(SOURCE)))
    assert service.markers == [""]
    assert fate(service, tmp_path) is MarkerFate.UNKNOWN


# Lost answers


@pytest.mark.parametrize("off_by", [0.0, -10_800.0, 90_000.0, 40_000_000.0])
@pytest.mark.parametrize("called", ["decimate-model", "reducing_faces", "rig-model"])
def test_an_echoed_marker_finds_the_task_whatever_type_and_clock_say(
    service: MarkingService, tmp_path: Path, off_by: float, called: str
) -> None:
    service.types[DECIMATE] = called
    service.clock_is_off_by = off_by
    service.lose = 1
    theirs = others_work(service)
    with working(service, tmp_path) as runtime:
        job_id = runtime.submit(task_plan(SOURCE))
        theirs |= others_work(service)
        job = done(runtime, job_id)
    assert paid(service) == theirs | {job.steps[0].task_id}
    assert len(service.bodies) == 1
    assert fate(service, tmp_path) is MarkerFate.ECHOED


def test_a_task_that_comes_to_life_late_is_found_by_its_marker(service: MarkingService, tmp_path: Path) -> None:
    service.lose, service.born_late = 1, 1.0
    theirs = others_work(service)
    with working(service, tmp_path, PATIENT) as runtime:
        job = done(runtime, runtime.submit(task_plan(SOURCE)))
    assert paid(service) == theirs | {job.steps[0].task_id}


def test_where_markers_are_echoed_a_task_without_one_is_nobodys_doubt(service: MarkingService, tmp_path: Path) -> None:
    with working(service, tmp_path) as runtime:
        done(runtime, runtime.submit(task_plan(SOURCE)))
        wait_until(lambda: fate(service, tmp_path) is MarkerFate.ECHOED)
        before = paid(service)
        service.script.reply("POST", DECIMATE, Reply(504, b"<html>"))
        job_id = runtime.submit(task_plan(SOURCE))
        theirs = others_work(service)
        job = done(runtime, job_id)
    assert paid(service) == before | theirs | {job.steps[0].task_id}


def test_where_markers_are_dropped_the_task_is_found_by_type_time_and_content(
    service: MarkingService, tmp_path: Path
) -> None:
    service.treatment = Treatment.DROPS
    with working(service, tmp_path) as runtime:
        first = done(runtime, runtime.submit(task_plan(SOURCE)))
        service.lose = 1
        second = done(runtime, runtime.submit(task_plan(SOURCE)))
    assert paid(service) == {first.steps[0].task_id, second.steps[0].task_id}
    assert fate(service, tmp_path) is MarkerFate.DROPPED


@pytest.mark.parametrize("off_by", [0.0, 40_000_000.0])
def test_where_markers_are_dropped_an_upload_of_our_own_is_proof(
    service: MarkingService, tmp_path: Path, off_by: float
) -> None:
    service.treatment = Treatment.DROPS
    service.types[IMPORT] = "new-kind"
    service.clock_is_off_by = off_by
    service.lose = 1
    theirs = {service.add(IMPORT, file={"type": "glb", "file_token": "file_theirs"}) for _ in range(2)}
    model = tmp_path / "model.glb"
    model.write_bytes(tiny_glb())
    plan = JobPlan("In", Source(SourceKind.MODEL_FILE, str(model)), (StepPlan("import_model"),), Delivery())
    with working(service, tmp_path) as runtime:
        job = rested(runtime, runtime.submit(plan))
    assert job.stage is Stage.APPLIED, job
    assert paid(service) == theirs | {job.steps[0].task_id}


# A service that refuses


@pytest.mark.parametrize("treatment", [Treatment.REFUSES_BY_NAME, Treatment.REFUSES])
def test_a_service_that_refuses_markers_is_sent_none_from_then_on(
    service: MarkingService, tmp_path: Path, treatment: Treatment
) -> None:
    service.treatment = treatment
    with working(service, tmp_path) as runtime:
        jobs = [done(runtime, runtime.submit(task_plan(SOURCE)))]
    assert fate(service, tmp_path) is MarkerFate.REFUSED
    with working(service, tmp_path) as heir:  # it reads this in the journal
        jobs.append(done(heir, heir.submit(task_plan(SOURCE))))
        service.lose = 1
        jobs.append(done(heir, heir.submit(task_plan(SOURCE))))
    assert [bool(marker) for marker in service.markers] == [True, False, False, False]
    assert paid(service) == {job.steps[0].task_id for job in jobs}


def test_an_answer_that_is_lost_after_a_refusal_is_looked_for_without_a_marker(
    service: MarkingService, tmp_path: Path
) -> None:
    service.treatment = Treatment.REFUSES
    service.lose = 1  # of those that are taken
    with working(service, tmp_path) as runtime:
        job = done(runtime, runtime.submit(task_plan(SOURCE)))
    assert [bool(marker) for marker in service.markers] == [True, False]
    assert paid(service) == {job.steps[0].task_id}


def test_a_bad_value_is_no_refusal_of_the_marker(service: MarkingService, tmp_path: Path) -> None:
    service.refuses_all = "`face_limit` is too large"
    with working(service, tmp_path) as runtime:
        job = rested(runtime, runtime.submit(task_plan(SOURCE)))
        assert (job.stage, job.exit_code) == (Stage.FAILED, 2)
        assert "face_limit" in job.error
        assert [bool(marker) for marker in service.markers] == [True, False]
        assert fate(service, tmp_path) is MarkerFate.UNKNOWN
        service.refuses_all = ""
        runtime.act(job.id, Action.RETRY)
        done(runtime, job.id)
        wait_until(lambda: fate(service, tmp_path) is MarkerFate.ECHOED)
        service.refuses_all = "`face_limit` is too large"
        sent = len(service.bodies)
        assert rested(runtime, runtime.submit(task_plan(SOURCE))).stage is Stage.FAILED
    assert len(service.bodies) == sent + 1, "where markers are echoed there is no second try"


def test_a_gateway_that_refuses_says_nothing_about_markers(service: MarkingService, tmp_path: Path) -> None:
    service.script.reply("POST", DECIMATE, Reply(400, b'{"code": 400, "message": "client_request_id"}'))
    with working(service, tmp_path) as runtime:
        job = rested(runtime, runtime.submit(task_plan(SOURCE)))
    assert job.stage is Stage.FAILED
    assert service.bodies == []


# Look Again, Resend Now


def test_a_waiting_job_looks_again_at_once_when_asked(service: MarkingService, tmp_path: Path) -> None:
    slow = Timing(**{name: getattr(PATIENT, name) for name in PATIENT.__slots__} | {"look_again": 30.0})
    service.lose, service.born_late = 1, 0.3
    with working(service, tmp_path, slow) as runtime:
        job_id = runtime.submit(task_plan(SOURCE))
        job = until(runtime, job_id, lambda job: Action.LOOK_AGAIN in job.actions and "at most" in job.text)
        assert job.actions == {Action.STOP, Action.LOOK_AGAIN, Action.RESEND}
        time.sleep(0.5)
        assert runtime.job(job_id).stage is Stage.CREATE
        runtime.act(job_id, Action.LOOK_AGAIN)
        assert done(runtime, job_id).steps[0].task_id in paid(service)
    assert len(service.bodies) == 1


def test_a_request_that_is_on_its_way_offers_neither(service: MarkingService, tmp_path: Path) -> None:
    service.answer_delay = 0.5
    with working(service, tmp_path) as runtime, working(service, tmp_path) as other:
        job_id = runtime.submit(task_plan(SOURCE))
        wait_until(lambda: bool(service.bodies))
        time.sleep(0.2)  # the other process has seen the open intent by now
        for one in (runtime, other):
            assert one.job(job_id).actions == {Action.STOP}
            with pytest.raises(Refused):
                one.act(job_id, Action.RESEND)
        done(runtime, job_id)
        assert not any(Action.LOOK_AGAIN in job.actions for job in changes_of(runtime, job_id))


def test_resend_now_sends_the_same_marker_and_a_task_that_still_comes_is_named_on_the_job(
    service: MarkingService, tmp_path: Path
) -> None:
    service.lose, service.born_late = 1, 1.0
    service.new_status = "running"
    with working(service, tmp_path, PATIENT) as runtime:
        job_id = runtime.submit(task_plan(SOURCE))
        until(runtime, job_id, lambda job: Action.RESEND in job.actions)
        runtime.act(job_id, Action.RESEND)
        until(runtime, job_id, lambda job: job.stage is Stage.WAIT)
        first, second = service.tasks.values()
        wait_until(lambda: time.time() > first.born_at)
        first.status = second.status = "success"
        job = done(runtime, job_id)
        assert job.steps[0].task_id == second.id
        assert first.id in job.note
        assert "charged too" in job.note
        assert service.markers[0] == service.markers[1]
        # It is accounted for: no later search takes it for a lost one.
        service.lose, service.born_late, service.new_status = 1, 0.0, "success"
        later = done(runtime, runtime.submit(task_plan(SOURCE)))
        assert (later.steps[0].task_id in {first.id, second.id}, later.note) == (False, "")
    with working(service, tmp_path) as heir:
        assert first.id in heir.job(job_id).note


def test_of_two_tasks_that_came_to_life_one_is_adopted_and_the_other_named(
    service: MarkingService, tmp_path: Path
) -> None:
    service.lose, service.born_late = 2, 0.6
    with working(service, tmp_path, PATIENT) as runtime:
        job_id = runtime.submit(task_plan(SOURCE))
        until(runtime, job_id, lambda job: Action.RESEND in job.actions)
        runtime.act(job_id, Action.RESEND)
        wait_until(lambda: len(service.tasks) == 2)
        first, second = service.tasks.values()
        first.born_at = second.born_at = time.time() + 0.2
        job = done(runtime, job_id)
    assert {job.steps[0].task_id} | {task for task in paid(service) if task in job.note} == paid(service)


def test_a_job_that_asks_can_look_again_and_then_finds_its_task(service: MarkingService, tmp_path: Path) -> None:
    service.lose = 1
    service.script.reply("GET", USAGE, failure(404, 4001))
    with working(service, tmp_path) as runtime:
        job_id = runtime.submit(task_plan(SOURCE))
        job = rested(runtime, job_id)
        assert job.stage is Stage.UNCERTAIN
        assert "Look Again" in job.advice
        runtime.act(job_id, Action.LOOK_AGAIN)
        job = done(runtime, job_id)
    assert paid(service) == {job.steps[0].task_id}


def test_a_list_that_cannot_be_read_is_not_waited_for_without_end(service: MarkingService, tmp_path: Path) -> None:
    service.lose = 1
    service.script.handle("GET", USAGE, lambda _: ok({"surprise": 1}))
    with working(service, tmp_path) as runtime:
        job = rested(runtime, runtime.submit(task_plan(SOURCE)))
    assert job.stage is Stage.UNCERTAIN
    assert "cannot be read" in job.error
    assert len(service.bodies) == 1


def test_trouble_with_echoes_is_waited_out(service: MarkingService, tmp_path: Path) -> None:
    service.lose = 1
    service.script.reply("POST", LIST, *[failure(503, 1000)] * 3)
    with working(service, tmp_path, PATIENT) as runtime:
        theirs = others_work(service)
        job = done(runtime, runtime.submit(task_plan(SOURCE)))
    assert paid(service) == theirs | {job.steps[0].task_id}


# Two processes


def test_a_task_that_another_job_took_meanwhile_is_no_error(service: MarkingService, tmp_path: Path) -> None:
    # Nothing tells the two requests apart, and one process looks while the other one's answer is still to come.
    with working(service, tmp_path, PATIENT, mark_requests=False) as first:
        service.lose, service.born_late = 1, 60.0
        doomed = first.submit(task_plan(SOURCE))
        until(first, doomed, lambda job: Action.LOOK_AGAIN in job.actions)
        (never,) = service.tasks
        del service.tasks[never]  # the request of the first has not arrived
        service.answer_delay = 1.0
        with working(service, tmp_path, mark_requests=False) as second:
            job_id = second.submit(task_plan(SOURCE))
            taken = done(first, doomed)
            service.answer_delay = 0.0
            job = done(second, job_id)
            words = [view.error + view.text for view in changes_of(second, job_id)]
    assert not any("TaskTaken" in text or taken.steps[0].task_id in text for text in words)
    assert paid(service) == {taken.steps[0].task_id, job.steps[0].task_id}


def test_two_processes_that_lose_answers_at_once_find_their_own_tasks(service: MarkingService, tmp_path: Path) -> None:
    service.lose = 6
    with working(service, tmp_path) as first, working(service, tmp_path) as second:
        ids = [(first, second)[number % 2].submit(task_plan(SOURCE)) for number in range(6)]
        jobs = [done((first, second)[number % 2], job_id) for number, job_id in enumerate(ids)]
    assert paid(service) == {job.steps[0].task_id for job in jobs}
    assert len(service.bodies) == 6


def test_a_process_that_dies_leaves_its_marker_to_the_next(service: MarkingService, tmp_path: Path) -> None:
    service.lose, service.born_late = 1, 1.0
    doomed = Runtime(settings_of(service, tmp_path), news=SimpleQueue(), timing=PATIENT)
    doomed.start()
    job_id = doomed.submit(task_plan(SOURCE))
    until(doomed, job_id, lambda job: Action.LOOK_AGAIN in job.actions)
    kill(doomed)
    theirs = others_work(service)
    with working(service, tmp_path, PATIENT) as heir:
        job = done(heir, job_id)
    assert paid(service) == theirs | {job.steps[0].task_id}
