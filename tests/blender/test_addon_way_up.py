"""What is uploaded goes out the way up that one sees, and without the turn that it has as one thing."""

from __future__ import annotations

import importlib
import math
from pathlib import Path
from typing import Any

import bpy
import pytest
from mathutils import Matrix, Vector
from support.addon import add_mesh, box_error, normalising_runner, select, world_box
from support.models.bodies import arms_down

QUARTER = math.pi / 2


@pytest.fixture
def upload_matrix(addon: Any) -> Any:
    return importlib.import_module(f"{addon.package}.addon.bridge.objects.transforms").upload_matrix


@pytest.fixture
def figure(tmp_path: Path) -> bpy.types.Object:
    """A body as Blender's OBJ importer brings it in, moved, turned and scaled by a user."""
    (shape,) = arms_down()
    lines = [f"v {x:.5f} {y:.5f} {z:.5f}" for x, y, z in shape.positions]
    lines += [f"f {a} {b} {c}" for a, b, c in shape.triangles + 1]
    path = tmp_path / "figure.obj"
    path.write_text("\n".join(lines))
    bpy.ops.wm.obj_import(filepath=str(path))
    item = bpy.context.view_layer.objects.active
    assert item.rotation_euler.x == pytest.approx(QUARTER), "or this tests nothing"
    item.location, item.scale = (2, 1, 0.5), (1.5, 1.5, 1.5)
    item.rotation_euler.z = 0.7
    select(item)
    bpy.context.view_layer.update()
    return item


def near(found: Matrix, wanted: Matrix, tolerance: float = 1e-6) -> bool:
    return all((one - other).length < tolerance for one, other in zip(found, wanted, strict=True))


WAYS = {
    "as modelled": ((0, 0, 0), (0, 0, 1)),
    "Y up": ((QUARTER, 0, 0), (0, 1, 0)),
    "Y down": ((-QUARTER, 0, 0), (0, -1, 0)),
    "X up": ((0, -QUARTER, 0), (1, 0, 0)),
    "X down": ((0, QUARTER, 0), (-1, 0, 0)),
    "upside down": ((math.pi, 0, 0), (0, 0, -1)),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("yaw", [0.0, 2.5])
def test_the_axis_that_is_seen_up_is_up(upload_matrix: Any, way: str, yaw: float) -> None:
    angles, up = WAYS[way]
    item = add_mesh("Thing", "cube", location=(1, 2, 3), scale=(2, 1, 0.5), rotation_euler=(*angles[:2], yaw))
    frame = upload_matrix([item])
    sent = (frame.inverted() @ item.matrix_world).to_3x3().normalized() @ Vector(up)
    assert (sent - Vector((0, 0, 1))).length < 1e-6
    assert frame.translation == item.matrix_world.translation and frame.determinant() == pytest.approx(1)


def test_a_turn_about_the_vertical_and_a_lean_are_not_sent(upload_matrix: Any) -> None:
    item = add_mesh("Leaning", "cube", rotation_euler=(0.5, 0.4, 3.0))
    assert near(upload_matrix([item]), item.matrix_world)
    imported = add_mesh("Imported", "cube", rotation_euler=(QUARTER + 0.5, 0, 3.0))
    upright = Matrix.Rotation(3.0, 4, "Z") @ Matrix.Rotation(0.5, 4, "X")
    assert near(upload_matrix([imported]), upright)


@pytest.mark.parametrize("mirrored", [(-1, 1, 1), (1, -1, 1), (-1, -1, -1)])
def test_what_is_mirrored_goes_out_mirrored_and_the_way_up_that_is_seen(upload_matrix: Any, mirrored: Any) -> None:
    item = add_mesh("Mirrored", "cone", scale=mirrored)
    sent = upload_matrix([item]).inverted() @ item.matrix_world
    assert sent.determinant() < 0
    assert (sent @ Vector((0, 0, 1)) - Vector((0, 0, mirrored[2]))).length < 1e-6


def pair(**transform: Any) -> list[bpy.types.Object]:
    return [add_mesh("One", "cube", **transform), add_mesh("Two", "cone", location=(3, 0, 1), **transform)]


def test_of_several_on_one_parent_the_turn_of_that_is_not_sent(upload_matrix: Any) -> None:
    parent = bpy.data.objects.new("Car", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.location, parent.rotation_euler, parent.scale = (5, 4, 3), (0.2, 0, 2.0), (2, 2, 2)
    one, two = pair(rotation_euler=(0.4, 0.5, 0.6))
    one.parent, two.parent = parent, one
    bpy.context.view_layer.update()
    placed = Matrix.LocRotScale(*parent.matrix_world.decompose()[:2], None)
    other = add_mesh("Other", "cube")
    other.parent = parent
    bpy.context.view_layer.update()
    assert near(upload_matrix([one, other]), placed)
    assert near(upload_matrix([one, two]), upload_matrix([one])), "one of them has the other"
    assert near(upload_matrix([two, add_mesh("Apart", "cube")]), Matrix.Identity(4))


def test_of_several_the_turn_that_is_common_to_all_is_not_sent(upload_matrix: Any) -> None:
    objects = pair(rotation_euler=(QUARTER, 0, 0.7), scale=(1, 2, 3))  # as of an OBJ file, turned together
    assert near(upload_matrix(objects), Matrix.Rotation(0.7, 4, "Z"))
    objects[1].rotation_euler.z = 0.8
    bpy.context.view_layer.update()
    assert upload_matrix(objects) == Matrix.Identity(4)


@pytest.mark.parametrize("service", [{"runner": normalising_runner}], indirect=True)
@pytest.mark.parametrize("parented", [True, False])
def test_results_of_several_that_are_turned_alike_stand_where_these_do(
    service: Any, addon: Any, parented: bool
) -> None:
    sources = pair(rotation_euler=(QUARTER, 0, 0.7))
    if parented:
        parent = add_mesh("Parent", "cube", rotation_euler=(0.1, 0.2, 0.9), location=(5, 6, 7))
        for item in sources:
            item.parent = parent
    select(*sources)
    bpy.context.view_layer.update()
    assert bpy.ops.assetgen.decimate() == {"FINISHED"}
    bpy.context.view_layer.update()
    results = sorted(addon.scripting.result_objects(), key=lambda item: item.name)
    assert [item.name for item in results] == ["One decimated", "Two decimated"]
    for result, source in zip(results, sources, strict=True):
        assert box_error(world_box(result), world_box(source)) < 1e-3
        assert near(result.matrix_world, source.matrix_world, 1e-4)
    select(*results)
    assert bpy.ops.assetgen.texture(text="rust") == {"FINISHED"}
    assert [step.capability for step in addon.scripting.last_job().steps] == ["texture"], "nothing was uploaded"


@pytest.mark.parametrize("service", [{"runner": normalising_runner}], indirect=True)
def test_a_result_is_turned_as_its_source(service: Any, addon: Any, figure: bpy.types.Object) -> None:
    assert bpy.ops.assetgen.decimate() == {"FINISHED"}
    (result,) = addon.scripting.result_objects()
    assert box_error(world_box(result), world_box(figure)) < 1e-3
    assert result.rotation_euler[:] == pytest.approx(figure.rotation_euler[:], abs=1e-4)
    assert result.scale[:] == pytest.approx(figure.scale[:], abs=1e-4)
    select(result)
    assert bpy.ops.assetgen.texture(text="rust") == {"FINISHED"}
    assert [step.capability for step in addon.scripting.last_job().steps] == ["texture"], "nothing was uploaded"
    (again,) = addon.scripting.result_objects()
    assert box_error(world_box(again), world_box(figure)) < 1e-3


@pytest.mark.slow
def test_a_body_that_an_importer_has_turned_is_a_body(addon: Any, figure: bpy.types.Object) -> None:
    assert bpy.ops.assetgen.rig_check() == {"FINISHED"}
    assert "biped" in addon.scripting.last_job().answer
    select(figure)
    assert bpy.ops.assetgen.rig() == {"FINISHED"}
    bpy.context.view_layer.update()
    results = addon.scripting.result_objects()
    assert box_error(world_box(*(item for item in results if item.type == "MESH")), world_box(figure)) < 0.02
    (armature,) = (item for item in results if item.type == "ARMATURE")
    assert armature.matrix_world.to_3x3().normalized()[2][2] > 0.999, "it stands"
    head, waist = (armature.matrix_world @ armature.pose.bones[name].head for name in ("Head", "Waist"))
    assert head.z - waist.z > 0.5 and (head - waist).xy.length < 0.2
