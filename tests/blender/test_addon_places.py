"""The place that is chosen for a result: on the cursor, beside the selection, into an object, as in the file."""

from __future__ import annotations

import importlib
import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest
from mathutils import Euler, Matrix, Vector
from support.addon import add_mesh, box_error, select, world_box
from support.finished_job import arrive, made, started
from support.services.local_engine import instant_runner

Choice = Callable[..., Any]
VERSION = "v3.1-20260211"
NEAR = 1e-5


@pytest.fixture
def choice(addon: Any) -> Choice:
    places = importlib.import_module(f"{addon.package}.addon.bridge.objects.places")
    place = importlib.import_module(f"{addon.package}.addon.core.jobs.place").Place
    return lambda name, **values: places.PlaceChoice(place=place(name), **values)


def block(width: float, depth: float, height: float, at: tuple[float, float, float] = (0.3, -0.2, 0.7)) -> Any:
    """The mesh of a box whose origin is somewhere in it."""
    bpy.ops.mesh.primitive_cube_add(size=1)
    item = bpy.context.view_layer.objects.active
    mesh = item.data
    mesh.transform(Matrix.Translation(at) @ Matrix.Diagonal((width, depth, height, 1)))
    bpy.data.objects.remove(item)
    return mesh


def room(name: str = "Stand-in", kind: str = "cube", **transform: Any) -> bpy.types.Object:
    item = add_mesh(name, kind, **transform)
    select()
    return item


def box(low: tuple[float, ...], high: tuple[float, ...]) -> tuple[Vector, Vector]:
    return Vector(low), Vector(high)


def near(found: tuple[Vector, Vector], wanted: tuple[Vector, Vector]) -> bool:
    return box_error(found, wanted) < NEAR


# On the 3D cursor


def test_on_the_cursor_it_stands_as_on_a_floor(addon: Any, tmp_path: Path, choice: Choice) -> None:
    bpy.context.scene.cursor.location = (3, 4, 5)
    (result,) = arrive(addon, made(addon, tmp_path, block(1, 2, 4), choice=choice("CURSOR")))
    assert near(world_box(result), box((2.5, 3, 5), (3.5, 5, 9)))


def test_the_result_of_a_source_goes_to_the_cursor_and_the_source_stays(
    addon: Any, tmp_path: Path, choice: Choice
) -> None:
    source = add_mesh("Thing", "cube", scale=(1, 2, 3), rotation_euler=(0, 0, math.pi / 2), location=(9, 9, 9))
    parent = add_mesh("Parent", "cube", location=(30, 0, 0))
    source.parent = parent
    source.matrix_parent_inverse = parent.matrix_world.inverted()
    bpy.context.scene.cursor.location = (0, 0, 1)
    (result,) = arrive(addon, started(addon, tmp_path, source, choice=choice("CURSOR")))
    assert near(world_box(result), box((-2, -1, 1), (2, 1, 7))), "turned as its source is"
    assert source.visible_get() and result.visible_get() and result.parent is None


def test_what_is_made_of_nothing_stands_on_the_cursor_without_a_choice(
    addon: Any, tmp_path: Path, choice: Choice
) -> None:
    bpy.context.scene.cursor.location = (0, 0, 2)
    (result,) = arrive(addon, made(addon, tmp_path, block(1, 1, 1), choice=choice("SOURCE")))
    assert near(world_box(result), box((-0.5, -0.5, 2), (0.5, 0.5, 3)))


def test_many_on_one_cursor_stand_side_by_side(addon: Any, tmp_path: Path, choice: Choice) -> None:
    jobs = [made(addon, tmp_path, block(size, size, size), choice=choice("CURSOR")) for size in (1, 3, 2)]
    boxes = [world_box(*arrive(addon, job)) for job in jobs]
    for (_, high), (low, _) in itertools.pairwise(boxes):
        assert low.x > high.x
    assert all(abs(low.z) < NEAR for low, _ in boxes), "all on one floor"


# Beside the selection


def test_beside_the_selection_it_is_in_one_row_with_it(addon: Any, tmp_path: Path, choice: Choice) -> None:
    mesh = block(1, 2, 3)
    add_mesh("Shelf", "cube", location=(10, 20, 31), scale=(2, 1, 1))
    (result,) = arrive(addon, made(addon, tmp_path, mesh, choice=choice("BESIDE")))
    assert near(world_box(result), box((12.1, 19, 30), (13.1, 21, 33)))


def test_it_follows_what_was_selected(addon: Any, tmp_path: Path, choice: Choice) -> None:
    mesh = block(1, 2, 3)
    first, second = add_mesh("First", "cube"), add_mesh("Second", "cube", location=(3, 0, 0))
    select(first, second)
    job = made(addon, tmp_path, mesh, choice=choice("BESIDE"))
    select()
    second.location.x = 103
    bpy.context.view_layer.update()
    (result,) = arrive(addon, job)
    assert near(world_box(result), box((104.1, -1, -1), (105.1, 1, 2)))


def test_where_that_is_gone_it_stands_beside_where_it_was(addon: Any, tmp_path: Path, choice: Choice) -> None:
    mesh = block(1, 2, 3)
    add_mesh("Shelf", "cube", location=(10, 0, 1))
    job = made(addon, tmp_path, mesh, choice=choice("BESIDE"))
    bpy.data.objects.remove(bpy.data.objects["Shelf"])
    (result,) = arrive(addon, job)
    assert near(world_box(result), box((11.1, -1, 0), (12.1, 1, 3)))


def test_beside_nothing_is_on_the_cursor(addon: Any, tmp_path: Path, choice: Choice) -> None:
    bpy.context.scene.cursor.location = (5, 5, 5)
    mesh = block(1, 1, 1)
    bpy.ops.object.select_all(action="DESELECT")
    (result,) = arrive(addon, made(addon, tmp_path, mesh, choice=choice("BESIDE")))
    assert near(world_box(result), box((4.5, 4.5, 5), (5.5, 5.5, 6)))


def test_results_of_a_source_stand_beside_it_one_after_another(addon: Any, tmp_path: Path, choice: Choice) -> None:
    source = add_mesh("Thing", "cube")
    jobs = [started(addon, tmp_path, source, choice=choice("BESIDE")) for _ in range(3)]
    lows = [world_box(*arrive(addon, job))[0] for job in jobs]
    assert [low.x for low in lows] == pytest.approx([1.2, 3.4, 5.6], abs=NEAR)
    assert source.visible_get()


# Into an object


@pytest.mark.parametrize(
    ("size", "wanted"),
    [
        ((1, 1, 4), ((-0.25, -0.25, -1), (0.25, 0.25, 1))),
        ((8, 1, 1), ((-1, -0.125, -1), (1, 0.125, -0.75))),
        ((0.1, 0.1, 0.1), ((-1, -1, -1), (1, 1, 1))),
    ],
    ids=["tall", "long", "small"],
)
def test_it_is_fitted_and_stands_on_the_floor_of_the_object(
    addon: Any, tmp_path: Path, choice: Choice, size: Any, wanted: Any
) -> None:
    target = room()
    (result,) = arrive(addon, made(addon, tmp_path, block(*size), choice=choice("OBJECT", target=target)))
    assert near(world_box(result), box(*wanted))
    assert not target.visible_get(), "it has made way"


def test_it_lies_as_the_object_lies_in_quarter_turns(addon: Any, tmp_path: Path, choice: Choice) -> None:
    target = room(scale=(4, 1, 2), location=(5, 6, 7))
    (result,) = arrive(addon, made(addon, tmp_path, block(1, 4, 1), choice=choice("OBJECT", target=target)))
    assert near(world_box(result), box((1, 5, 5), (9, 7, 7)))
    assert result.rotation_euler.z == pytest.approx(math.pi / 2)


def test_it_has_the_rotation_of_the_object(addon: Any, tmp_path: Path, choice: Choice) -> None:
    turn = Euler((0.3, -0.4, 0.9))
    target = room(scale=(2, 1, 3), rotation_euler=turn, location=(1, 2, 3))
    wanted = world_box(target)
    (result,) = arrive(addon, made(addon, tmp_path, block(1, 0.5, 1.5), choice=choice("OBJECT", target=target)))
    assert near(world_box(result), wanted), "its proportions are the same, so it fills it"


def test_in_an_object_that_an_importer_has_turned_it_stands(addon: Any, tmp_path: Path, choice: Choice) -> None:
    target = room(scale=(1, 2, 1), rotation_euler=(math.pi / 2, 0, 0))  # its mesh has Y up
    (result,) = arrive(addon, made(addon, tmp_path, block(1, 1, 4), choice=choice("OBJECT", target=target)))
    assert near(world_box(result), box((-0.5, -0.5, -2), (0.5, 0.5, 2)))
    assert result.rotation_euler[:] == pytest.approx((0, 0, 0), abs=1e-6)


def test_stretched_it_fills_the_box_of_the_object(addon: Any, tmp_path: Path, choice: Choice) -> None:
    target = room(scale=(2, 1, 3), rotation_euler=(0, 0, 0.5))
    wanted = world_box(target)
    place = choice("OBJECT", target=target, stretch=True)
    (result,) = arrive(addon, made(addon, tmp_path, block(5, 0.1, 0.1), choice=place))
    assert near(world_box(result), wanted)


def test_what_stretching_would_shear_is_held_by_a_parent(addon: Any, tmp_path: Path, choice: Choice) -> None:
    first = add_mesh("First", "cube", rotation_euler=(0, 0.6, 0.4), scale=(1, 2, 1))
    second = add_mesh("Second", "cube", location=(4, 0, 0))
    target = room(scale=(1, 5, 0.5), location=(0, 40, 0))
    wanted = world_box(target)
    job = started(addon, tmp_path, first, second, choice=choice("OBJECT", target=target, stretch=True))
    parts = [item for item in arrive(addon, job) if item.type == "MESH"]
    assert near(world_box(*parts), wanted)


@pytest.mark.parametrize("kind", ["CUBE", "PLAIN_AXES"])
def test_an_empty_has_the_box_of_what_it_shows(addon: Any, tmp_path: Path, choice: Choice, kind: str) -> None:
    target = bpy.data.objects.new("Stand-in", None)
    target.empty_display_type, target.empty_display_size, target.scale = kind, 2.0, (1, 1, 0.5)
    bpy.context.scene.collection.objects.link(target)
    bpy.context.view_layer.update()
    (result,) = arrive(addon, made(addon, tmp_path, block(1, 1, 0.1), choice=choice("OBJECT", target=target)))
    assert near(world_box(result), box((-2, -2, -1), (2, 2, -0.6)))
    assert target.hide_get()


def test_it_goes_where_the_object_is_by_then(addon: Any, tmp_path: Path, choice: Choice) -> None:
    target = room()
    job = made(addon, tmp_path, block(1, 1, 1), choice=choice("OBJECT", target=target))
    target.location, target.scale = (7, 0, 0), (2, 2, 2)
    bpy.context.view_layer.update()
    assert near(world_box(*arrive(addon, job)), box((5, -2, -2), (9, 2, 2)))


@pytest.mark.parametrize("how", ["removed", "unlinked"])
def test_where_the_object_is_gone_it_goes_where_that_was(addon: Any, tmp_path: Path, choice: Choice, how: str) -> None:
    target = room(location=(7, 0, 0))
    job = made(addon, tmp_path, block(1, 1, 1), choice=choice("OBJECT", target=target))
    if how == "removed":
        bpy.data.objects.remove(target)
    else:  # as Delete does with what the panel still points to
        bpy.context.scene.asset_generation.placement_object = target
        target.users_collection[0].objects.unlink(target)
    assert near(world_box(*arrive(addon, job)), box((6, -1, -1), (8, 1, 1)))


def test_it_has_the_collection_and_the_parent_of_the_object_but_not_its_looks(
    addon: Any, tmp_path: Path, choice: Choice
) -> None:
    holder = add_mesh("Holder", "cube", location=(0, 0, 10))
    target = room(location=(5, 0, 0))
    target.parent, target.hide_render, target.display_type = holder, True, "BOUNDS"
    shelf = bpy.data.collections.new("Shelf")
    bpy.context.scene.collection.children.link(shelf)
    shelf.objects.link(target)
    bpy.data.collections["Work"].objects.unlink(target)
    bpy.context.view_layer.update()
    (result,) = arrive(addon, made(addon, tmp_path, block(1, 1, 1), choice=choice("OBJECT", target=target)))
    assert near(world_box(result), box((4, -1, 9), (6, 1, 11)))
    assert (result.parent, [holder.name for holder in result.users_collection]) == (holder, ["Shelf"])
    assert (result.hide_render, result.display_type) == (False, "TEXTURED")


@pytest.mark.parametrize("after", ["HIDE", "KEEP", "REMOVE"])
def test_what_becomes_of_the_object(addon: Any, tmp_path: Path, choice: Choice, after: str) -> None:
    target = room()
    arrive(addon, made(addon, tmp_path, block(1, 1, 1), choice=choice("OBJECT", target=target, after=after)))
    assert target.name in bpy.data.objects, "nothing of the user's is deleted"
    assert (target.name in bpy.context.scene.objects) == (after != "REMOVE")
    assert target.visible_get() == (after == "KEEP")


def test_an_object_with_children_is_hidden_instead_of_removed(addon: Any, tmp_path: Path, choice: Choice) -> None:
    target = room()
    child = add_mesh("Child", "cube")
    child.parent = target
    arrive(addon, made(addon, tmp_path, block(1, 1, 1), choice=choice("OBJECT", target=target, after="REMOVE")))
    assert target.name in bpy.context.scene.objects and target.hide_get() and not child.hide_get()


def test_the_second_in_one_object_stands_beside_the_first(addon: Any, tmp_path: Path, choice: Choice) -> None:
    target = room()
    in_the_way = add_mesh("Table", "cube", location=(0, 0, -0.5), scale=(1, 1, 0.6))
    select()
    jobs = [made(addon, tmp_path, block(1, 1, 1), choice=choice("OBJECT", target=target)) for _ in range(3)]
    lows = [world_box(*arrive(addon, job))[0] for job in jobs]
    assert [low.x for low in lows] == pytest.approx([-1, 1.2, 3.4], abs=NEAR), "what the user put there is no matter"
    assert in_the_way.visible_get()


def test_an_object_that_is_a_result_itself_holds_another(addon: Any, tmp_path: Path, choice: Choice) -> None:
    (target,) = arrive(addon, made(addon, tmp_path, block(2, 2, 2), choice=choice("FILE")))
    wanted = world_box(target)
    (result,) = arrive(addon, made(addon, tmp_path, block(1, 1, 1), choice=choice("OBJECT", target=target)))
    assert near(world_box(result), wanted)


@pytest.mark.parametrize("stretch", [False, True], ids=["fitted", "stretched"])
def test_the_result_of_a_source_goes_into_an_object_and_on_from_there(
    addon: Any, tmp_path: Path, choice: Choice, stretch: bool
) -> None:
    source = add_mesh("Thing", "cube", location=(1, 2, 3), rotation_euler=(0.1, 0.2, 0.3), scale=(1, 3, 1))
    target = room(scale=(4, 1, 1), location=(20, 0, 0))
    job = started(addon, tmp_path, source, choice=choice("OBJECT", target=target, stretch=stretch))
    (result,) = arrive(addon, job)
    side = 4 if stretch else 3
    wanted = box((20 - side, -1, -1), (20 + side, 1, 1))
    assert near(world_box(result), wanted)
    assert source.visible_get()
    known = addon.provenance.unmodified_task([result], "local")
    assert (known is None) == stretch, "the service has no model of other proportions, so that would be uploaded"
    (textured,) = arrive(addon, started(addon, tmp_path, result, capability="texture"))
    assert near(world_box(textured), wanted)
    assert not result.visible_get()


# As the file says


def test_as_in_the_file_nothing_is_moved(addon: Any, tmp_path: Path, choice: Choice) -> None:
    bpy.context.scene.cursor.location = (3, 4, 5)
    add_mesh("Cube", "cube")
    (result,) = arrive(addon, made(addon, tmp_path, block(1, 2, 4), choice=choice("FILE")))
    assert near(world_box(result), box((-0.2, -1.2, -1.3), (0.8, 0.8, 2.7)))


def test_as_in_the_file_a_result_is_where_the_upload_had_it(addon: Any, tmp_path: Path, choice: Choice) -> None:
    source = add_mesh("Thing", "cube", location=(9, 9, 9), rotation_euler=(0.3, -0.2, 3), scale=(1, 2, 3))
    (result,) = arrive(addon, started(addon, tmp_path, source, choice=choice("FILE")))
    assert near(world_box(result), box((-1, -2, -3), (1, 2, 3)))


# Through the operators


@pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)
def test_operators_take_a_place(service: Any, addon: Any) -> None:
    target = room(location=(0, 0, 1))
    run = {"prompt": "a red chair", "model_version": VERSION}
    assert bpy.ops.assetgen.text_to_model(placement_object="Stand-in", **run) == {"FINISHED"}
    (result,) = addon.scripting.result_objects()
    assert near(world_box(result), box((-1, -1, 0), (1, 1, 0))) or world_box(result)[0].z == pytest.approx(0, abs=1e-5)
    assert target.hide_get()
    bpy.context.scene.cursor.location = (50, 0, 0)
    assert bpy.ops.assetgen.decimate(placement="CURSOR", source_after="COLLECT") == {"FINISHED"}
    (second,) = addon.scripting.result_objects()
    low, high = world_box(second)
    assert (low.x + high.x) / 2 == pytest.approx(50, abs=1e-4)
    assert [holder.name for holder in result.users_collection] == ["Sources"], "what is said counts"


@pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)
def test_the_panel_has_a_place_for_what_is_made_and_one_for_what_is_worked_on(service: Any, addon: Any) -> None:
    settings = bpy.context.scene.asset_generation
    settings.placement_new, settings.placement_object = "OBJECT", room(location=(0, 0, 1))
    settings.text_to_model.prompt = "a red chair"
    settings.text_to_model.model_version = VERSION
    assert bpy.ops.assetgen.text_to_model(use_panel_settings=True) == {"FINISHED"}
    (made_result,) = addon.scripting.result_objects()
    assert bpy.ops.assetgen.decimate(use_panel_settings=True) == {"FINISHED"}
    (result,) = addon.scripting.result_objects()
    assert near(world_box(result), world_box(made_result)), "that of what is worked on is another choice"
    assert not made_result.visible_get()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"placement": "OBJECT"}, "Choose the object that the result goes into"),
        ({"placement_object": "Nobody"}, 'There is no object "Nobody" in this scene'),
        ({"placement_object": "Sun"}, 'A result cannot go into "Sun": choose a mesh or an empty'),
        ({"placement_object": "Thing"}, 'The result cannot go into "Thing", which it is made from'),
    ],
)
def test_a_place_that_there_is_not_is_refused_before_anything_is_sent(
    service: Any, addon: Any, values: dict[str, str], words: str
) -> None:
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    bpy.context.scene.collection.objects.link(sun)
    add_mesh("Thing")
    with pytest.raises(RuntimeError, match=words.replace('"', ".")):
        bpy.ops.assetgen.decimate(**values)
    assert addon.scripting.last_job() is None or not addon.state.jobs


# What goes on from there


def test_variants_stand_beside_the_result_where_that_is_by_now(service: Any, addon: Any) -> None:
    add_mesh("Thing", "cube", location=(1, 2, 3))
    assert bpy.ops.assetgen.texture(text="red paint") == {"FINISHED"}
    job = addon.scripting.last_job()
    (first,) = addon.scripting.result_objects()
    first.location = (20, 30, 40)
    bpy.context.view_layer.update()
    assert bpy.ops.assetgen.vary(job_id=job.id, count=2, seed=5) == {"FINISHED"}
    lows = [world_box(*addon.open_file.objects_of(other.id))[0] for other in addon.scripting.last_jobs()]
    assert sorted(low.x for low in lows) == pytest.approx([21.2, 23.4], abs=1e-3)
    assert all((low.y, low.z) == pytest.approx((29, 39), abs=1e-3) for low in lows)


@pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)
def test_edit_and_run_again_has_the_place_again(service: Any, addon: Any) -> None:
    target = room(location=(0, 0, 1))
    run = {"prompt": "a red chair", "model_version": VERSION}
    bpy.ops.assetgen.text_to_model(
        placement_object="Stand-in", placement_fit="STRETCH", placement_object_after="KEEP", placeholder=True, **run
    )
    settings = bpy.context.scene.asset_generation
    assert (settings.placement_new, settings.placement_object) == ("CURSOR", None)
    assert bpy.ops.assetgen.edit_again(job_id=addon.scripting.last_job().id) == {"FINISHED"}
    assert (settings.placement_new, settings.placement_object, settings.placement_fit) == ("OBJECT", target, "STRETCH")
    assert (settings.placement_object_after, settings.placeholder, settings.placement) == ("KEEP", True, "SOURCE")
