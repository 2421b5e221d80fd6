"""scripting: start, wait and results for scripts, on the same path as the operators."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from support.addon import add_mesh, select
from support.services.local_engine import add_fault, recorded


@pytest.fixture
def errors(addon: Any) -> Any:
    return addon.scripting


def test_jobs_are_started_waited_for_and_give_their_results(service: Any, addon: Any) -> None:
    first, second = add_mesh("First", "cube"), add_mesh("Second", "monkey")
    select(second)
    seen: list[str] = []
    jobs = [addon.scripting.start("decimate", objects=[item], face_limit=900) for item in (first, second)]
    assert len(set(jobs)) == 2
    assert not addon.scripting.result_objects(jobs[0]), "it has not waited"
    assert list(bpy.context.view_layer.objects.selected) == [second], "the selection is as it was"
    ended = addon.scripting.wait(jobs, lambda job: seen.append(job.id), timeout=60)
    assert [ended[job].name for job in jobs] == ["Decimate First", "Decimate Second"]
    assert set(seen) == set(jobs)
    for job, triangles in zip(jobs, (12, 968), strict=True):
        results = addon.scripting.results(job)
        assert (results.job, results.images, results.answer) == (ended[job], [], "")
        (item,) = results.objects
        assert sum(len(face.vertices) - 2 for face in item.data.polygons) == triangles
        assert results.task_id == results.job.steps[-1].task_id != ""
        assert results.files["model"].read_bytes()[:4] == b"glTF"
    assert addon.scripting.results() == addon.scripting.results(jobs[1]), "the last one, when none is named"


def test_what_came_of_a_job_is_worked_on_without_another_upload(service: Any, addon: Any) -> None:
    first = addon.scripting.start("decimate", objects=[add_mesh("Thing", "cube")], face_limit=900)
    addon.scripting.wait(first)
    again = addon.scripting.start("texture", objects=addon.scripting.results(first).objects, text="rust")
    assert addon.scripting.wait(again).stage == "applied"
    assert len(recorded(service, "/v3/models/import")) == 1


def test_the_pieces_of_a_result_are_not_waited_for_as_long_as_a_job(
    service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    wanted = [addon.pump.QUICK_INTERVAL, addon.pump.QUICK_INTERVAL, addon.pump.BUSY_INTERVAL]
    tick = addon.pump.tick
    job = addon.scripting.start("decimate", objects=[add_mesh("Thing", "cube")], face_limit=900)
    monkeypatch.setattr(addon.pump, "tick", lambda: wanted.pop(0) if wanted else tick())
    monkeypatch.setattr(addon.scripting, "time", SimpleNamespace(sleep=lambda pause: pauses.append(pause)))
    addon.scripting.follow([job])
    assert pauses[:2] == [addon.pump.SHORT_LOOK_SECONDS] * 2
    assert pauses[2] == addon.scripting.LOOK_SECONDS > addon.pump.SHORT_LOOK_SECONDS


def test_each_object_gets_a_job(service: Any, addon: Any) -> None:
    items = [add_mesh(name, "cube") for name in "AB"]
    jobs = addon.scripting.start_each("decimate", objects=items, face_limit=900)
    assert [job.name for job in addon.scripting.wait(jobs).values()] == ["Decimate A", "Decimate B"]


def test_what_cannot_be_started_is_a_typed_error_and_nothing_is_sent(service: Any, addon: Any, errors: Any) -> None:
    item = add_mesh("Thing", "cube")
    away = bpy.data.objects.new("Away", item.data)
    wrong: list[tuple[str, dict[str, Any], type[Exception], str]] = [
        ("decimat", {}, errors.BadRequest, 'There is no operation "decimat"'),
        ("storage_scan", {}, errors.BadRequest, "There is no operation"),
        ("decimate", {"faces": 5}, errors.BadRequest, "Decimate: .*faces"),
        ("decimate", {"face_limit": "many"}, errors.BadRequest, "Decimate: .*face_limit"),
        ("decimate", {"face_limit": 5}, errors.BadRequest, "500"),
        ("texture", {"objects": [away], "text": "rust"}, errors.Refused, '"Away" is not in the view layer'),
        ("texture", {"objects": [], "text": "rust"}, errors.Refused, "Nothing is selected"),
        ("texture", {"image": "/nowhere.png"}, errors.BadRequest, "nowhere.png"),
    ]
    for capability, fields, error, words in wrong:
        with pytest.raises(error, match=words):
            addon.scripting.start(capability, **fields)
    assert not [one for one in recorded(service, method="POST") if "_local" not in one["path"]]
    assert addon.state.jobs == {}
    with pytest.raises(RuntimeError, match="500"):  # and the operator still tells its own callers in Blender's way
        bpy.ops.assetgen.decimate(face_limit=5)


def test_a_job_that_fails_is_a_typed_error_with_the_job(service: Any, addon: Any, errors: Any) -> None:
    item = add_mesh("Thing", "cube")
    add_fault(service, "task", path="/v3/mesh/decimate", status="failed", error_code=2008)
    job = addon.scripting.start("decimate", objects=[item], face_limit=900)
    with pytest.raises(errors.JobFailed) as failed:
        addon.scripting.wait(job, timeout=60)
    assert (failed.value.job.id, failed.value.exit_code, failed.value.job.stage) == (job, 1, "failed")
    assert failed.value.advice
    with pytest.raises(errors.JobFailed):
        addon.scripting.results(job)


def test_time_runs_out_and_the_job_goes_on(service: Any, addon: Any, errors: Any) -> None:
    add_fault(service, "delay", path="/v3/mesh/decimate", seconds=1.5)
    job = addon.scripting.start("decimate", objects=[add_mesh("Thing", "cube")], face_limit=900)
    with pytest.raises(errors.StillRunning) as running:
        addon.scripting.wait([job], timeout=0.1)
    assert running.value.job_ids == [job]
    with pytest.raises(errors.StillRunning):
        addon.scripting.results(job)
    assert addon.scripting.wait(job).stage == "applied"


def test_a_job_that_is_not_there_is_not_waited_for(service: Any, addon: Any, errors: Any) -> None:
    addon.scripting.wait(addon.scripting.start("decimate", objects=[add_mesh("Thing", "cube")], face_limit=900))
    with pytest.raises(errors.Refused, match='There is no job "j"'):
        addon.scripting.wait("j")
    with pytest.raises(errors.Refused, match='There is no job "j"'):
        addon.scripting.results("j")
