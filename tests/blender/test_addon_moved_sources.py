"""A source that is not any more where it was when its job was started: the result goes where the source is now."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import bpy
import pytest
from mathutils import Euler, Matrix, Vector
from support.addon import add_mesh, box_error, is_under_way, select, shear_of, world_box

Change = Callable[[Any], Any]
PLACE = {"location": (3.0, -2.0, 1.5), "rotation_euler": (0.4, -0.7, 1.9), "scale": (0.5, 3.0, 1.2)}


def decimate_while(addon: Any, change: Callable[[], Any]) -> bpy.types.Object:
    """Runs a job on the selection, changes the scene while its task is running, and returns the result."""
    changed: list[bool] = []

    def watch(job: Any) -> None:
        if is_under_way(job) and not changed:
            changed.append(True)
            change()

    with addon.scripting.watching(watch):
        assert bpy.ops.assetgen.decimate() == {"FINISHED"}
    assert changed
    (result,) = addon.scripting.result_objects()
    return result


def parent_to_empty(item: Any) -> None:
    holder = bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(holder)
    holder.location, holder.rotation_euler = (1, 2, 3), (0.2, 0.4, -0.6)
    item.parent = holder


MOVES: dict[str, Change] = {
    "moved": lambda item: setattr(item, "location", (8.0, 1.0, -2.0)),
    "turned": lambda item: setattr(item, "rotation_euler", (1.0, 0.3, -0.5)),
    "scaled": lambda item: setattr(item, "scale", (1.0, 6.0, 0.4)),
    "mirrored": lambda item: setattr(item, "scale", (-0.5, 3.0, 1.2)),
    "parented": parent_to_empty,
    "renamed": lambda item: setattr(item, "name", "Renamed"),
}


@pytest.mark.parametrize("move", MOVES)
def test_the_result_goes_where_the_source_is_now(service: Any, addon: Any, move: str) -> None:
    source = add_mesh("Thing", **PLACE)
    result = decimate_while(addon, lambda: MOVES[move](source))
    bpy.context.view_layer.update()
    assert box_error(world_box(result), world_box(source)) < 0.001
    assert shear_of(result.matrix_world) < 1e-5
    assert result.name == f"{source.name} decimated"
    assert source.hide_get()


def test_so_does_the_result_of_a_task_that_needed_no_upload(service: Any, addon: Any) -> None:
    source = add_mesh("Thing", **PLACE)
    bpy.ops.assetgen.import_model()
    result = decimate_while(addon, lambda: setattr(source, "location", (8.0, 1.0, -2.0)))
    assert [step.capability for step in addon.scripting.last_job().steps] == ["decimate"]
    bpy.context.view_layer.update()
    assert box_error(world_box(result), world_box(source)) < 0.001
    # And the result knows where its model stands, so that the next one lies upon it again.
    (again,) = (bpy.ops.assetgen.texture(text="rusty iron"), addon.scripting.result_objects())[1]
    assert box_error(world_box(again), world_box(source)) < 0.001


def test_several_sources_that_moved_together_are_followed(service: Any, addon: Any) -> None:
    first, second = add_mesh("First", "cube", location=(1, 0, 0)), add_mesh("Second", location=(-3, 1, 2))
    select(first, second)
    turn = Matrix.Translation((0, 0, 4)) @ Euler((0.3, 0.2, 0.1)).to_matrix().to_4x4()

    def move() -> None:
        for item in (first, second):
            item.matrix_world = turn @ item.matrix_world

    moved: list[bool] = []

    def watch(job: Any) -> None:
        if is_under_way(job) and not moved:
            moved.append(True)
            move()

    with addon.scripting.watching(watch):
        bpy.ops.assetgen.decimate()
    bpy.context.view_layer.update()
    assert box_error(world_box(*addon.scripting.result_objects()), world_box(first, second)) < 0.001


def apply_transforms(item: Any) -> None:
    item.data.transform(item.matrix_world)
    item.matrix_world = Matrix.Identity(4)


def set_origin(item: Any) -> None:
    item.data.transform(Matrix.Translation((-5, 0, 0)))
    item.matrix_world = item.matrix_world @ Matrix.Translation((5, 0, 0))


STAYS: dict[str, Change] = {"applied transforms": apply_transforms, "another origin": set_origin}


@pytest.mark.parametrize("change", STAYS)
def test_an_edited_mesh_leaves_the_result_where_it_was(service: Any, addon: Any, change: str) -> None:
    source = add_mesh("Thing", **PLACE)
    wanted = world_box(source)
    result = decimate_while(addon, lambda: STAYS[change](source))
    bpy.context.view_layer.update()
    assert box_error(world_box(source), wanted) < 0.001, "what is seen of it has not moved"
    assert box_error(world_box(result), wanted) < 0.001


def test_sources_that_went_different_ways_are_each_followed(service: Any, addon: Any) -> None:
    first, second = add_mesh("First", "cube", location=(1, 0, 0)), add_mesh("Second", location=(-3, 1, 2))
    select(first, second)

    def watch(job: Any) -> None:
        if is_under_way(job):
            second.location = (7, 7, 7)

    with addon.scripting.watching(watch):
        bpy.ops.assetgen.decimate()
    results = sorted(addon.scripting.result_objects(), key=lambda item: item.name)
    assert box_error(world_box(results[0]), world_box(first)) < 0.001
    assert box_error(world_box(results[1]), world_box(second)) < 0.001


def test_an_animation_does_not_carry_the_result_away(service: Any, addon: Any) -> None:
    source = add_mesh("Walker")
    for frame, x in ((1, 0.0), (20, 10.0)):
        source.location.x = x
        source.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    wanted = world_box(source)
    result = decimate_while(addon, lambda: bpy.context.scene.frame_set(20))
    assert box_error(world_box(result), wanted) < 0.001


def test_another_collection_is_followed(service: Any, addon: Any) -> None:
    source = add_mesh("Thing")
    shelf = bpy.data.collections.new("Shelf")
    bpy.context.scene.collection.children.link(shelf)

    def move() -> None:
        bpy.data.collections["Work"].objects.unlink(source)
        shelf.objects.link(source)

    result = decimate_while(addon, move)
    assert [collection.name for collection in result.users_collection] == ["Shelf"]


def test_another_scene_is_followed(service: Any, addon: Any) -> None:
    source = add_mesh("Thing", **PLACE)
    other = bpy.data.scenes.new("Other")

    def move() -> None:
        bpy.data.collections["Work"].objects.unlink(source)
        other.collection.objects.link(source)

    result = decimate_while(addon, move)
    assert list(result.users_scene) == [other]
    assert box_error(box_in_closed_scene(result), box_in_closed_scene(source)) < 0.001


def box_in_closed_scene(item: Any) -> tuple[Vector, Vector]:
    """What lies in a scene that nobody sees is not evaluated."""
    points = [item.matrix_basis @ vertex.co for vertex in item.data.vertices]
    return Vector(map(min, zip(*points, strict=True))), Vector(map(max, zip(*points, strict=True)))


def test_a_source_that_became_something_else_does_not_matter(service: Any, addon: Any) -> None:
    source = add_mesh("Thing", "cube", **PLACE)
    wanted = world_box(source)

    def convert() -> None:
        select(source)
        source.data.clear_geometry()
        source.data.from_pydata([(0, 0, 0), (1, 0, 0)], [(0, 1)], [])
        bpy.ops.object.convert(target="CURVE")
        source.location.x += 5
        assert source.type == "CURVE"

    assert box_error(world_box(decimate_while(addon, convert)), wanted) < 0.001


def test_where_vertices_lie_is_the_same_read_one_by_one_or_at_once(addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mesh can be large at the press and small when its result comes; many small ones are read with one call each."""
    source_poses = importlib.import_module(f"{addon.package}.addon.bridge.objects.source_poses")
    item, scene = add_mesh("Thing", "monkey"), bpy.context.scene
    at_once = source_poses.pose_of(item, scene)
    monkeypatch.setattr(source_poses, "_READ_AT_ONCE", 0)
    assert source_poses.pose_of(item, scene) == at_once
    item.data.vertices[0].co.z += 0.01
    assert source_poses.pose_of(item, scene) != at_once
    assert source_poses.moved_since(item, at_once, scene) is not None, "one vertex is an edit here and there"


def test_the_points_of_all_objects_are_summed_up_together(addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A press may be on hundreds of objects; one without a vertex takes no part of the next one's."""
    source_poses = importlib.import_module(f"{addon.package}.addon.bridge.objects.source_poses")
    scene = bpy.context.scene
    empty = bpy.data.objects.new("Empty", bpy.data.meshes.new("Empty"))
    items = [add_mesh("One", "monkey"), empty, *(add_mesh(f"Thing {number}") for number in range(20))]
    items[3].data.vertices[0].co.z += 0.5
    bpy.context.view_layer.update()
    alone = [source_poses.pose_of(item, scene) for item in items]
    sums, summed = source_poses._checksums, []

    def count(points: Any) -> Any:
        summed.append(points)
        return sums(points)

    monkeypatch.setattr(source_poses, "_checksums", count)
    assert list(source_poses.all_poses(items, scene)) == alone
    assert len(summed) == 1
    assert alone[1].shape == "0 "
    assert alone[3].shape != alone[4].shape == alone[5].shape
    assert all(source_poses.moved_since(item, pose, scene) is not None for item, pose in zip(items, alone, strict=True))
