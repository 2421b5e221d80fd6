"""What stands in the scene while a job runs: it can be moved, deleted and saved, and its result comes in its stead."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest
from mathutils import Matrix, Vector
from support.addon import add_mesh, block_names, box_error, world_box
from support.finished_job import arrive, made
from support.services.local_engine import instant_runner

Job = Any
Run = Callable[..., Job]
VERSION = "v3.1-20260211"


@pytest.fixture
def run(addon: Any, tmp_path: Path) -> Iterator[Run]:
    """Starts a job whose place is shown; it runs until it is told to end."""
    places = importlib.import_module(f"{addon.package}.addon.bridge.objects.places")
    place = importlib.import_module(f"{addon.package}.addon.core.jobs.place").Place

    def start(name: str = "CURSOR", size: float = 1.0, **values: Any) -> Job:
        bpy.ops.mesh.primitive_cube_add(size=size)
        item = bpy.context.view_layer.objects.active
        mesh = item.data
        bpy.data.objects.remove(item)
        choice = places.PlaceChoice(place=place(name), placeholder=True, **values)
        job = made(addon, tmp_path, mesh, choice=choice)
        say(addon, job, stage="wait", progress=0.4)
        return job

    yield start
    addon.state.clear()
    addon.pump.stop()


def say(addon: Any, job: Job, **values: Any) -> Job:
    """Has a job look different, as the workers say it."""
    jobs = importlib.import_module(f"{addon.package}.addon.core.jobs.job")
    if "stage" in values:
        values["stage"] = jobs.Stage(values["stage"])
    job = addon.state.jobs.get(job.id, job)._replace(**values)
    addon.session.news.put(importlib.import_module(f"{addon.package}.addon.core.status.messages").JobChanged(job))
    addon.pump.tick()
    bpy.context.view_layer.update()
    return job


def end(addon: Any, job: Job) -> list[bpy.types.Object]:
    """The job is done; what has come."""
    jobs = importlib.import_module(f"{addon.package}.addon.core.jobs.job")
    addon.state.jobs[job.id] = job
    objects = arrive(addon, job)
    say(addon, job, stage=jobs.Stage.APPLIED)
    return objects


def standing(job: Job) -> bpy.types.Object:
    """What stands for a job."""
    (item,) = [
        item for item in bpy.data.objects if dict(item.get("asset_generation_placeholder", {})).get("job") == job.id
    ]
    return item


def box(low: tuple[float, ...], high: tuple[float, ...]) -> tuple[Vector, Vector]:
    return Vector(low), Vector(high)


def empty_box(item: bpy.types.Object) -> tuple[Vector, Vector]:
    """The box that an empty shows."""
    corners = [item.matrix_world @ Vector((x, y, z)) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    return Vector(map(min, zip(*corners, strict=True))), Vector(map(max, zip(*corners, strict=True)))


def near(found: tuple[Vector, Vector], wanted: tuple[Vector, Vector]) -> bool:
    return box_error(found, wanted) < 1e-5


def test_an_empty_stands_where_the_result_will_be(addon: Any, run: Run) -> None:
    bpy.context.scene.cursor.location = (3, 0, 1)
    job = run()
    item = standing(job)
    assert (item.type, item.empty_display_type, item.name) == ("EMPTY", "CUBE", job.name)
    assert near(empty_box(item), box((2.5, -0.5, 1), (3.5, 0.5, 2)))
    (result,) = end(addon, job)
    assert near(world_box(result), box((2.5, -0.5, 1), (3.5, 0.5, 2)))
    assert result.name == "a chair"
    assert [item.type for item in bpy.context.scene.objects] == ["MESH"]


def test_nothing_stands_there_where_it_is_not_wanted(addon: Any, run: Run) -> None:
    job = run()
    bpy.data.objects.remove(standing(job))
    plan = job.plan
    placement = plan.delivery.placement._replace(placeholder=False)
    import dataclasses

    plan = dataclasses.replace(plan, delivery=plan.delivery._replace(placement=placement))
    before = block_names()
    say(addon, job._replace(id="other", plan=plan), plan=plan, stage="wait")
    assert block_names() == before


def test_what_is_done_with_it_is_done_with_the_result(addon: Any, run: Run) -> None:
    job = run()
    item = standing(job)
    item.matrix_world = Matrix.Translation((10, 0, 4)) @ Matrix.Rotation(1.5707963, 4, "Z") @ item.matrix_world
    item.scale *= 2
    bpy.context.view_layer.update()
    wanted = empty_box(item)
    (result,) = end(addon, job)
    assert near(world_box(result), wanted)
    assert result.rotation_euler.z == pytest.approx(1.5707963)


def test_moved_into_something_it_comes_there(addon: Any, run: Run) -> None:
    job = run()
    standing(job).location = (20, 0, 0)
    add_mesh("Cube", "cube", location=(20, 0, 0))
    (result,) = end(addon, job)
    assert near(world_box(result), box((19.5, -0.5, -0.5), (20.5, 0.5, 0.5))), "whoever puts it there means it"


def test_deleted_it_comes_where_that_was_last(addon: Any, run: Run) -> None:
    job = run()
    item = standing(job)
    item.location.x = 30
    bpy.context.view_layer.update()
    placeholders = importlib.import_module(f"{addon.package}.addon.bridge.placeholders").placeholders
    placeholders._follow_at = 0.0
    say(addon, job, progress=0.5, stage="wait")
    bpy.data.objects.remove(standing(job))
    say(addon, job, progress=0.6, stage="wait")
    assert not bpy.context.scene.objects, "what the user deletes is not made again"
    (result,) = end(addon, job)
    assert near(world_box(result), box((29.5, -0.5, 0), (30.5, 0.5, 1)))


def test_many_at_once_stand_side_by_side_and_so_do_their_results(addon: Any, run: Run) -> None:
    jobs = [run(size=size) for size in (3, 1, 2)]
    lows = [empty_box(standing(job))[0].x for job in jobs]
    assert lows == pytest.approx([-0.5, 0.6, 1.7])
    boxes = [world_box(*end(addon, job)) for job in jobs]
    assert near(boxes[0], box((-1.5, -1.5, 0), (1.5, 1.5, 3))), "in the stead of its own"
    for number, (low, high) in enumerate(boxes):
        for other_low, other_high in boxes[number + 1 :]:
            assert low.x >= other_high.x or other_low.x >= high.x


def test_those_that_are_made_together_stand_side_by_side_too(
    addon: Any, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addon.idle, "busy_reason", lambda: "Waits for Object Mode")
    jobs = [run() for _ in range(3)]
    assert not bpy.context.scene.objects
    monkeypatch.undo()
    addon.pump.tick()
    bpy.context.view_layer.update()
    assert [empty_box(standing(job))[0].x for job in jobs] == pytest.approx([-0.5, 0.6, 1.7])


@pytest.mark.parametrize("stage", ["failed", "stopped", "removed"])
def test_it_goes_when_there_will_be_no_result(addon: Any, run: Run, stage: str) -> None:
    job = run()
    if stage == "removed":
        removed = importlib.import_module(f"{addon.package}.addon.core.status.messages").JobRemoved
        addon.session.news.put(removed(job.id))
        addon.pump.tick()
    else:
        say(addon, job, stage=stage)
    assert not bpy.context.scene.objects


def test_after_retry_it_stands_there_again(addon: Any, run: Run) -> None:
    job = run()
    say(addon, job, stage="failed")
    say(addon, job, stage="wait")
    assert standing(job)


def test_started_in_edit_mode_it_is_made_when_that_is_left(addon: Any, run: Run) -> None:
    source = add_mesh("Cube", "cube")
    job = run()
    bpy.data.objects.remove(standing(job))
    bpy.context.view_layer.objects.active = source
    source.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    other = say(addon, job._replace(id="in-edit-mode"), stage="wait")
    assert [item.name for item in bpy.context.scene.objects] == ["Cube"]
    assert bpy.context.mode == "EDIT_MESH"
    bpy.ops.object.mode_set(mode="OBJECT")
    addon.pump.tick()
    assert standing(other)


def test_it_is_in_the_scene_that_the_job_was_started_from(addon: Any, run: Run) -> None:
    here = bpy.context.scene
    job = run()
    there = bpy.data.scenes.new("There")
    bpy.context.window.scene = there
    say(addon, job, progress=0.5, stage="wait")
    other = say(addon, job._replace(id="other"), stage="wait")
    assert {standing(job).name, standing(other).name} == {item.name for item in here.objects}
    (result,) = end(addon, job)
    assert result.name in here.objects and not there.objects
    say(addon, other, stage="failed")
    assert [item.type for item in here.objects] == ["MESH"]


def test_it_survives_saving_and_opening(addon: Any, run: Run, tmp_path: Path) -> None:
    job = run()
    standing(job).location = (40, 0, 0)
    path = str(tmp_path / "work.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    import dataclasses

    origin = job.plan.delivery.origin._replace(blend_path=path)
    job = job._replace(plan=dataclasses.replace(job.plan, delivery=job.plan.delivery._replace(origin=origin)))
    bpy.ops.wm.open_mainfile(filepath=path)
    say(addon, job, progress=0.5, stage="wait")
    assert len([item for item in bpy.data.objects if item.type == "EMPTY"]) == 1, "it is known again"
    (result,) = end(addon, job)
    assert near(world_box(result), box((39.5, -0.5, -0.5), (40.5, 0.5, 0.5)))
    assert [item.type for item in bpy.context.scene.objects] == ["MESH"]


def test_what_hangs_on_it_stays_where_it_is(addon: Any, run: Run) -> None:
    job = run()
    item = standing(job)
    child = add_mesh("Child", "cube", location=(1, 2, 3))
    child.parent = item
    bpy.context.view_layer.update()
    wanted = world_box(child)
    end(addon, job)
    assert child.parent is None
    assert near(world_box(child), wanted)


def test_a_result_that_cannot_come_in_leaves_it(addon: Any, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    job = run()
    chosen_place = importlib.import_module(f"{addon.package}.addon.bridge.results.chosen_place")
    monkeypatch.setattr(chosen_place, "matrix", lambda *_arguments: 1 / 0)
    before = block_names()
    with pytest.raises(Exception, match="could not be brought in"):
        addon.apply_result.apply(job, bpy.context)
    assert block_names() == before


def test_an_object_that_it_goes_into_needs_none(addon: Any, run: Run) -> None:
    target = add_mesh("Stand-in", "cube")
    run("OBJECT", target=target)
    run("FILE")
    assert list(bpy.context.scene.objects) == [target]


@pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)
def test_a_script_can_move_it_while_it_waits(service: Any, addon: Any) -> None:
    def move(_job: Any) -> None:
        item = addon.scripting.placeholder(addon.state.newest_first()[0].id)
        if item is not None:
            item.location.x = 5.5

    with addon.scripting.watching(move):
        bpy.ops.assetgen.text_to_model(prompt="a red chair", model_version=VERSION, placeholder=True)
    (result,) = addon.scripting.result_objects()
    assert (world_box(result)[0].x, world_box(result)[1].x) == pytest.approx((5, 6), abs=1e-4)
    assert addon.scripting.placeholder() is None
    assert not [item for item in bpy.data.objects if item.type == "EMPTY"]


# What is said there


def test_a_viewport_says_how_far_it_is_and_nothing_in_the_background(addon: Any, run: Run) -> None:
    overlay = importlib.import_module(f"{addon.package}.addon.ui.progress_overlay")
    job = run()
    (line,) = overlay.lines()
    assert (line.name, line.words, line.fraction) == ("a chair", "40%", 0.4)
    assert not overlay.is_drawn(), "there is no viewport"
    say(addon, job, stage="stopped")
    assert overlay.lines() == ()
