"""Import Model of a file: it comes into the scene, and what works on it there uploads nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from support.addon import add_mesh, box_error, echo_runner, export_glb, select, world_box
from support.services.local_engine import recorded

pytestmark = pytest.mark.parametrize("service", [{"runner": echo_runner}], indirect=True)


def test_a_file_comes_in_at_the_cursor(service: Any, addon: Any, tmp_path: Path) -> None:
    add_mesh("Thing", "cube", location=(9, 9, 9))
    (item,) = imported(addon, tmp_path)
    assert uploads(service) == 1
    assert addon.scripting.last_job().name == "Import Model thing.glb"
    assert item.type == "MESH"
    low, high = world_box(item)
    assert tuple(round((one + other) / 2, 3) for one, other in zip(low, high, strict=True)) == (5, 0, 1)


def test_a_file_can_stand_where_it_has_it(service: Any, addon: Any, tmp_path: Path) -> None:
    add_mesh("Thing", "cube", location=(9, 9, 9))
    (item,) = imported(addon, tmp_path, placement="FILE")
    assert tuple(round(value, 3) for value in item.matrix_world.translation) == (9, 9, 9)


def test_what_works_on_what_came_in_uploads_nothing(service: Any, addon: Any, tmp_path: Path) -> None:
    add_mesh("Thing", "cube")
    (item,) = imported(addon, tmp_path)
    select(item)
    assert bpy.ops.assetgen.texture(text="red plastic") == {"FINISHED"}
    assert [step.capability for step in addon.scripting.last_job().steps] == ["texture"]
    assert uploads(service) == 1


def test_a_part_on_a_bone_that_moves_is_still_of_the_whole(service: Any, addon: Any, tmp_path: Path) -> None:
    add_figure()
    parts = imported(addon, tmp_path, placement="FILE")
    meshes = [item for item in parts if item.type == "MESH"]
    assert {item.parent_type for item in meshes} == {"OBJECT", "BONE"}
    held = next(item for item in meshes if item.parent_type == "BONE")
    before = held.matrix_world.copy()
    bpy.context.scene.frame_set(20)
    assert (held.matrix_world.translation - before.translation).length > 0.1, "the bone carries it"
    select(*meshes)
    assert bpy.ops.assetgen.texture(text="red plastic") == {"FINISHED"}
    assert [step.capability for step in addon.scripting.last_job().steps] == ["texture"]
    held.location.x += 1
    bpy.context.view_layer.update()
    select(*meshes)
    assert bpy.ops.assetgen.texture(text="red plastic") == {"FINISHED"}
    steps = [step.capability for step in addon.scripting.last_job().steps]
    assert steps == ["import_model", "texture"], "what was moved on its bone is not what the task has"


def test_what_a_bone_of_the_scene_carries_has_its_result_where_it_is_by_then(service: Any, addon: Any) -> None:
    add_figure()
    held = bpy.data.objects["Held"]
    select(held)
    assert bpy.ops.assetgen.import_model() == {"FINISHED"}
    before = world_box(held)
    bpy.context.scene.frame_set(20)
    wanted = world_box(held)
    assert box_error(before, wanted) > 0.1, "the bone carries it"
    select(held)
    assert bpy.ops.assetgen.texture(text="red plastic") == {"FINISHED"}
    assert [step.capability for step in addon.scripting.last_job().steps] == ["texture"]
    (result,) = addon.scripting.result_objects()
    assert box_error(world_box(result), wanted) < 0.001


def imported(addon: Any, folder: Path, **choices: Any) -> list[bpy.types.Object]:
    """What comes of a file with all that is in the scene, which is empty then."""
    path = folder / "thing.glb"
    export_glb(path)
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    bpy.context.scene.cursor.location = (5, 0, 0)
    assert bpy.ops.assetgen.import_model(file=str(path), **choices) == {"FINISHED"}
    bpy.context.view_layer.update()
    return list(addon.scripting.result_objects())


def uploads(service: Any) -> int:
    return len(recorded(service, "/v3/files", "POST"))


def add_figure() -> None:
    """A body on a bone, and a thing that hangs on it; the bone turns."""
    rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.scene.collection.objects.link(rig)
    select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    bone = rig.data.edit_bones.new("hand")
    bone.head, bone.tail = (0, 0, 0), (0, 0.2, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.location = (1, 2, 3)
    body = add_mesh("Body", "cube")
    group = body.vertex_groups.new(name="hand")
    group.add(range(len(body.data.vertices)), 1.0, "REPLACE")
    body.parent = rig
    body.modifiers.new("Armature", "ARMATURE").object = rig
    held = add_mesh("Held", "cube", scale=(0.1, 0.2, 0.3), location=(0.5, 0.5, 0))
    held.parent, held.parent_type, held.parent_bone = rig, "BONE", "hand"
    turned = rig.pose.bones["hand"]
    turned.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.3), (20, 1.2)):
        turned.rotation_euler.x = angle
        turned.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(1)
