"""What comes back hangs where its source hangs: on an object, a bone or a vertex, at the same place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from mathutils import Euler, Matrix, Vector
from support.addon import add_mesh, box_error, select, shear_of, world_box
from support.finished_job import arrive, started

PLACE = {"location": (3.0, -2.0, 1.5), "rotation_euler": (0.4, -0.7, 1.9), "scale": (0.5, 3.0, 1.2)}
CLOSE = 1e-5


def add_empty(name: str = "Holder", **transform: Any) -> Any:
    empty = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(empty)
    for key, value in transform.items():
        setattr(empty, key, value)
    bpy.context.view_layer.update()
    return empty


def add_rig() -> Any:
    data = bpy.data.armatures.new("Bones")
    rig = bpy.data.objects.new("Rig", data)
    bpy.context.scene.collection.objects.link(rig)
    select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    bone = data.edit_bones.new("hand")
    bone.head, bone.tail = (0, 0, 1), (0.5, 0, 2)
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.location, rig.pose.bones["hand"].location = (1, 2, 3), (0.3, 0.2, 0.1)
    bpy.context.view_layer.update()
    return rig


def hang_on_empty(child: Any) -> Any:
    child.parent = add_empty(location=(1, 2, 3), rotation_euler=(0.2, 0.4, -0.6), scale=(2, 2, 2))
    return child.parent


def hang_with_inverse(child: Any) -> Any:
    holder = hang_on_empty(child)
    child.matrix_parent_inverse = holder.matrix_world.inverted()
    return holder


def hang_on_stretched(child: Any) -> Any:
    child.parent = add_mesh("Parent", "cube", scale=(1.0, 4.0, 0.5), rotation_euler=(0, 0, 0.6))
    return child.parent


def hang_on_bone(child: Any) -> Any:
    child.parent, child.parent_type, child.parent_bone = add_rig(), "BONE", "hand"
    return child.parent


def hang_on_vertex(child: Any) -> Any:
    child.parent, child.parent_type = add_mesh("Parent", "cube", location=(0, 5, 0)), "VERTEX"
    child.parent_vertices = (3, 0, 0)
    return child.parent


def hang_on_triangle(child: Any) -> Any:
    child.parent, child.parent_type = add_mesh("Parent", "cube", location=(0, 5, 0)), "VERTEX_3"
    child.parent_vertices = (3, 1, 6)
    return child.parent


PARENTS = {
    "empty": hang_on_empty,
    "empty with inverse": hang_with_inverse,
    "stretched mesh": hang_on_stretched,
    "bone": hang_on_bone,
    "vertex": hang_on_vertex,
    "triangle": hang_on_triangle,
}


def same_box(one: bpy.types.Object, other: bpy.types.Object) -> bool:
    return box_error(world_box(one), world_box(other)) < CLOSE


@pytest.mark.parametrize("when", ["before", "meanwhile"])
@pytest.mark.parametrize("kind", PARENTS)
def test_the_result_has_the_parent_of_its_source(addon: Any, tmp_path: Path, kind: str, when: str) -> None:
    source = add_mesh("Thing", **PLACE)
    if when == "before":
        parent = PARENTS[kind](source)
    bpy.context.view_layer.update()
    select(source)
    job = started(addon, tmp_path, source)
    if when == "meanwhile":
        parent = PARENTS[kind](source)
        bpy.context.view_layer.update()
    (result,) = arrive(addon, job)
    assert (result.parent, result.parent_type, result.parent_bone) == (parent, source.parent_type, source.parent_bone)
    assert same_box(result, source)
    assert shear_of(result.matrix_world) < CLOSE or shear_of(source.matrix_world) > CLOSE
    # And it goes along with its parent as the source does.
    parent.matrix_world = Matrix.Translation((2, 1, 0)) @ Euler((0, 0, 0.5)).to_matrix().to_4x4() @ parent.matrix_world
    bpy.context.view_layer.update()
    assert same_box(result, source)


def test_a_parent_that_moves_carries_the_result(addon: Any, tmp_path: Path) -> None:
    source = add_mesh("Thing", **PLACE)
    holder = hang_on_empty(source)
    for frame, x in ((1, 0.0), (20, 10.0)):
        holder.location.x = x
        holder.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    select(source)
    job = started(addon, tmp_path, source)
    bpy.context.scene.frame_set(15)
    (result,) = arrive(addon, job)
    for frame in (1, 15, 20):
        bpy.context.scene.frame_set(frame)
        assert same_box(result, source)


def test_a_delta_transform_counts(addon: Any, tmp_path: Path) -> None:
    source = add_mesh("Thing", **PLACE, delta_location=(1, 2, 3), delta_scale=(1, 1, 2))
    hang_on_empty(source)
    select(source)
    job = started(addon, tmp_path, source)
    source.delta_location.x = 5
    bpy.context.view_layer.update()
    (result,) = arrive(addon, job)
    assert same_box(result, source)


def test_a_constraint_that_places_the_source_places_the_result(addon: Any, tmp_path: Path) -> None:
    source, target = add_mesh("Thing", **PLACE), add_empty("Target", location=(4, 4, 4))
    source.constraints.new("COPY_LOCATION").target = target
    hang_on_empty(source)
    select(source)
    (result,) = arrive(addon, started(addon, tmp_path, source))
    assert same_box(result, source)


def test_parent_and_child_that_went_out_together_stay_together(addon: Any, tmp_path: Path) -> None:
    table, cup = add_mesh("Table", "cube", location=(1, 0, 0)), add_mesh("Cup", "cone", location=(0, 0, 2))
    cup.parent, table.parent = table, add_empty(location=(0, 3, 0))
    bpy.context.view_layer.update()
    select(table, cup)
    results = {
        item.name.removesuffix(" decimated"): item for item in arrive(addon, started(addon, tmp_path, table, cup))
    }
    assert results["Table"].parent.name == "Holder"
    assert results["Cup"].parent == results["Table"]
    assert same_box(results["Cup"], cup) and same_box(results["Table"], table)
    wanted = tuple(corner + Vector((0, 0, 2)) for corner in world_box(cup))
    results["Table"].matrix_world = Matrix.Translation((0, 0, 2)) @ results["Table"].matrix_world
    assert box_error(world_box(results["Cup"]), (wanted[0], wanted[1])) < CLOSE


def test_the_children_of_a_source_stay_in_sight_and_in_place(addon: Any, tmp_path: Path) -> None:
    source, child = add_mesh("Table", "cube", **PLACE), add_mesh("Cup", "cone", location=(0, 0, 2))
    child.parent = source
    bpy.context.view_layer.update()
    select(source)
    wanted = world_box(child)
    arrive(addon, started(addon, tmp_path, source))
    assert source.hide_get()
    assert (child.parent, child.visible_get(), child.hide_render) == (source, True, False)
    assert box_error(world_box(child), wanted) < CLOSE


def test_sources_that_went_different_ways_are_each_followed(addon: Any, tmp_path: Path) -> None:
    first, second = add_mesh("First", "cube", location=(1, 0, 0)), add_mesh("Second", location=(-3, 1, 2))
    second.parent = add_empty()
    select(first, second)
    job = started(addon, tmp_path, first, second)
    second.parent.location = (7, 7, 7)
    first.location.x += 1
    bpy.context.view_layer.update()
    results = {item.name.removesuffix(" decimated"): item for item in arrive(addon, job)}
    assert same_box(results["First"], first) and same_box(results["Second"], second)
    assert addon.provenance.probable_task(list(results.values()), "local") is None, "they are no one model any more"


def test_the_result_for_a_source_that_is_gone_stays_while_the_others_are_followed(addon: Any, tmp_path: Path) -> None:
    first, second = add_mesh("First", "cube", location=(1, 0, 0)), add_mesh("Second", location=(-3, 1, 2))
    select(first, second)
    job = started(addon, tmp_path, first, second)
    wanted = world_box(first)
    bpy.data.objects.remove(first)
    second.location = (7, 7, 7)
    bpy.context.view_layer.update()
    results = {item.name.removesuffix(" decimated"): item for item in arrive(addon, job)}
    assert box_error(world_box(results["First"]), wanted) < CLOSE
    assert same_box(results["Second"], second)


def test_a_vertex_that_was_edited_does_not_keep_the_result_back(addon: Any, tmp_path: Path) -> None:
    source = add_mesh("Thing", **PLACE)
    job = started(addon, tmp_path, source)
    wanted = world_box(source)
    source.data.vertices[0].co *= 1.01
    source.location.x += 5
    bpy.context.view_layer.update()
    (result,) = arrive(addon, job)
    moved = tuple(corner + Vector((5, 0, 0)) for corner in wanted)
    assert box_error(world_box(result), (moved[0], moved[1])) < CLOSE


def test_a_linked_duplicate_stays_as_it_is(addon: Any, tmp_path: Path) -> None:
    source = add_mesh("Thing", **PLACE)
    twin = source.copy()
    bpy.data.collections["Work"].objects.link(twin)
    twin.location.x += 5
    before, mesh = twin.matrix_basis.copy(), twin.data
    select(source)
    (result,) = arrive(addon, started(addon, tmp_path, source))
    assert (twin.data, twin.visible_get(), twin.matrix_basis) == (mesh, True, before)
    assert source.data == mesh and result.data != mesh
    assert same_box(result, source)


def test_two_linked_duplicates_get_a_result_each(addon: Any, tmp_path: Path) -> None:
    source = add_mesh("Thing", **PLACE)
    twin = source.copy()
    bpy.data.collections["Work"].objects.link(twin)
    twin.location.x += 5
    bpy.context.view_layer.update()
    select(source, twin)
    results = arrive(addon, started(addon, tmp_path, source, twin))
    assert same_box(results[0], source) and same_box(results[1], twin)
    assert source.hide_get() and twin.hide_get()
