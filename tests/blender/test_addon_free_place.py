"""A model that comes from nothing lands at the 3D cursor, and beside what is there already."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import bpy
import pytest
from mathutils import Matrix, Vector
from support.addon import add_mesh, select, world_box
from support.finished_job import arrive, made


def chair(width: float = 1.0, depth: float = 1.0, height: float = 1.0) -> bpy.types.Mesh:
    """A box that stands on the floor, its origin in the middle of its underside."""
    bpy.ops.mesh.primitive_cube_add(size=1)
    item = bpy.context.view_layer.objects.active
    mesh = item.data
    mesh.transform(Matrix.Diagonal((width, depth, height, 1)) @ Matrix.Translation((0, 0, 0.5)))
    bpy.data.objects.remove(item)
    return mesh


def place_of(addon: Any, folder: Path, mesh: bpy.types.Mesh | None = None) -> Vector:
    """Where the origin of a chair comes to stand."""
    (result,) = arrive(addon, made(addon, folder, mesh or chair()))
    return result.matrix_world.translation.copy()


def overlap(one: bpy.types.Object, other: bpy.types.Object) -> float:
    """How deep the boxes of two objects are in each other; negative when they are apart."""
    (low, high), (other_low, other_high) = world_box(one), world_box(other)
    return min(min(high[axis], other_high[axis]) - max(low[axis], other_low[axis]) for axis in range(3))


def test_an_empty_place_is_taken_exactly(addon: Any, tmp_path: Path) -> None:
    bpy.context.scene.cursor.location = (1, 2, 3)
    assert place_of(addon, tmp_path)[:] == pytest.approx((1, 2, 3), abs=1e-5)


def test_the_first_chair_stands_beside_the_default_cube(addon: Any, tmp_path: Path) -> None:
    cube = add_mesh("Cube", "cube")
    (result,) = arrive(addon, made(addon, tmp_path, chair()))
    assert overlap(result, cube) == pytest.approx(-0.1, abs=1e-5), "a tenth of its width beside it"
    assert result.matrix_world.translation[:] == pytest.approx((1.6, 0, 0), abs=1e-5)
    assert (cube.matrix_world, cube.visible_get()) == (Matrix.Identity(4), True)


def test_a_small_thing_does_not_land_in_the_cube_either(addon: Any, tmp_path: Path) -> None:
    add_mesh("Cube", "cube")
    assert place_of(addon, tmp_path, chair(0.1, 0.1, 0.1)).x > 1


def test_results_that_come_one_after_another_stand_side_by_side(addon: Any, tmp_path: Path) -> None:
    cube = add_mesh("Cube", "cube")
    sizes = (1.0, 2.0, 0.5, 1.0)
    results = [arrive(addon, made(addon, tmp_path, chair(size, size, size)))[0] for size in sizes]
    everything = [cube, *results]
    for number, item in enumerate(everything):
        assert all(overlap(item, other) < 0 for other in everything[number + 1 :])
    assert all(item.matrix_world.translation.yz == Vector((0, 0)) for item in results)


def test_a_gap_that_is_wide_enough_is_used(addon: Any, tmp_path: Path) -> None:
    add_mesh("Cube", "cube")
    add_mesh("Near", "cube", location=(3.0, 0, 0))  # leaves a gap of 1 m
    add_mesh("Far", "cube", location=(6.5, 0, 0))  # and one of 1.5 m
    assert place_of(addon, tmp_path).x == pytest.approx(4.6, abs=1e-5)


@pytest.mark.parametrize(
    ("what", "where"),
    [("hidden", 0.0), ("empty", 0.0), ("light", 0.0), ("behind", 0.0), ("above", 0.0), ("moved", 1.6)],
)
def test_what_is_not_in_the_way_does_not_count(addon: Any, tmp_path: Path, what: str, where: float) -> None:
    if what == "empty":
        bpy.context.scene.collection.objects.link(bpy.data.objects.new("Empty", None))
    elif what == "light":
        bpy.context.scene.collection.objects.link(bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN")))
    else:
        item = add_mesh("Cube", "cube", location={"behind": (0, 2, 0), "above": (0, 0, 2.5)}.get(what, (0, 0, 0)))
        item.hide_set(what == "hidden")
        if what == "moved":
            item.modifiers.new("Array", "ARRAY")
            item.matrix_world = Matrix.Rotation(3.14159265, 4, "Z")
    bpy.context.view_layer.update()
    assert place_of(addon, tmp_path).x == pytest.approx(where, abs=1e-4)


def add_room(kind: str) -> Any:
    if kind == "floor":
        return add_mesh("Floor", "plane", scale=(10, 10, 1))
    if kind == "hilly floor":
        return add_mesh("Hills", "uv_sphere", scale=(20, 20, 0.5))
    if kind == "room":
        return add_mesh("Room", "cube", scale=(3, 2.5, 1.5), location=(0, 0, 1.5))
    return add_mesh("Sky", "uv_sphere", scale=(100, 100, 100))


@pytest.mark.parametrize("kind", ["floor", "hilly floor", "room", "sky"])
def test_a_result_stands_on_a_floor_and_in_a_room(addon: Any, tmp_path: Path, kind: str) -> None:
    add_room(kind)
    assert place_of(addon, tmp_path)[:] == pytest.approx((0, 0, 0), abs=1e-5)
    assert place_of(addon, tmp_path).x == pytest.approx(1.1, abs=1e-5), "and the next one beside it, in the same room"


def test_it_stands_on_a_table_under_the_cursor(addon: Any, tmp_path: Path) -> None:
    add_mesh("Table", "cube", location=(0, 0, 0))
    bpy.context.scene.cursor.location = (0, 0, 1)
    assert place_of(addon, tmp_path, chair(0.3, 0.3, 0.3))[:] == pytest.approx((0, 0, 1), abs=1e-5)


def test_the_subdivided_shape_counts(addon: Any, tmp_path: Path) -> None:
    add_mesh("Cube", "cube").modifiers.new("Array", "ARRAY").count = 3  # from -1 to 5
    bpy.context.view_layer.update()
    assert place_of(addon, tmp_path).x == pytest.approx(5.6, abs=1e-5)


def test_what_an_empty_shows_of_a_collection_counts(addon: Any, tmp_path: Path) -> None:
    kit = bpy.data.collections.new("Kit")
    part = add_mesh("Part", "cube", location=(10, 0, 0))
    kit.objects.link(part)
    instance = bpy.data.objects.new("Instance", None)
    instance.instance_type, instance.instance_collection, instance.location = "COLLECTION", kit, (-10, 0, 0)
    bpy.context.scene.collection.objects.link(instance)
    bpy.context.view_layer.update()
    assert place_of(addon, tmp_path).x == pytest.approx(1.6, abs=1e-5)


def test_ten_thousand_objects_are_looked_at_in_no_time(addon: Any, tmp_path: Path) -> None:
    mesh = add_mesh("Cube", "cube").data
    collection = bpy.data.collections["Work"]
    for number in range(10_000):
        item = bpy.data.objects.new("Cube", mesh)
        item.location = (number % 100 * 2.5, number // 100 * 2.5, 0)
        collection.objects.link(item)
    select()
    bpy.context.view_layer.update()
    bounds = (-0.5, -0.5, 0.0, 0.5, 0.5, 1.0)
    find = addon.free_place.shift_to_free_place
    times, references = [], []
    for _ in range(3):
        begin = time.thread_time()
        shift = find(bounds, bpy.context.view_layer, ())
        times.append(time.thread_time() - begin)
        begin = time.thread_time()
        for item in bpy.context.view_layer.objects:
            _ = item.matrix_world.copy(), item.bound_box[:]
        references.append(time.thread_time() - begin)
    print(f"free place among 10,000 objects: {min(times) * 1000:.1f} ms of {min(references) * 1000:.1f} ms")
    assert shift.translation.x == pytest.approx(99 * 2.5 + 1.6, abs=1e-3), "at the end of the row"
    assert min(times) < 3 * min(references), "against one plain loop that reads where each is: not each with each"
