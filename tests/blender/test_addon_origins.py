"""Each object of a result has its origin where its source has it: told by numbers on made scenes and real models."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from support.addon import add_mesh, box_error, is_under_way, normalising_runner, select, world_box

Sources = list[bpy.types.Object]
MODELS = Path(__file__).parents[1] / "support" / "models"


def run(addon: Any, *sources: bpy.types.Object, capability: str = "decimate", **fields: Any) -> Sources:
    """Runs a job on objects and returns its meshes, each in the place of its source."""
    select(*sources)
    assert getattr(bpy.ops.assetgen, capability)(**fields) == {"FINISHED"}
    bpy.context.view_layer.update()
    boxes = [world_box(item) for item in sources]
    found = []
    results = [item for item in addon.scripting.result_objects() if item.type == "MESH"]
    assert len(results) == len(sources)
    for box in boxes:
        found.append(min(results, key=lambda item: box_error(world_box(item), box)))
    assert len(set(found)) == len(results)
    return found


def matrix_error(found: Matrix, wanted: Matrix) -> float:
    return max(abs(one - other) for rows in zip(found, wanted, strict=True) for one, other in zip(*rows, strict=True))


def three_in_a_row() -> Sources:
    return [
        add_mesh("Sphere", "uv_sphere"),
        add_mesh("Torus", "torus", location=(3, 0, 0)),
        add_mesh("Monkey", location=(0, 3, 0)),
    ]


def stretched_and_turned() -> Sources:
    return [
        add_mesh("Stretched", location=(4, -2, 1), rotation_euler=(0.3, -0.9, 2.0), scale=(0.5, 3.0, 1.2)),
        add_mesh("Mirrored", "cone", location=(-4, 5, 2), rotation_euler=(1.0, 0.2, 0.1), scale=(-1.0, 1.5, 1.0)),
    ]


def held_in_hands() -> Sources:
    """Turned about Y by nearly a right angle, where Blender takes two of three angles from numbers nearly zero."""
    turns = [(0.3, math.pi / 2 + 4e-5, 0.8), (-2.0, 3e-4 - math.pi / 2, 1.1)]
    return [
        add_mesh(f"Sword {number}", "cone", location=(3 * number, 1, 2), rotation_euler=turn)
        for number, turn in enumerate(turns)
    ]


def in_empties() -> Sources:
    holder = bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(holder)
    holder.location, holder.rotation_euler, holder.scale = (1, 2, 3), (0.2, 0.4, -0.6), (2, 2, 2)
    first, second = add_mesh("Arm", "cube", location=(1, 0, 0)), add_mesh("Leg", "cone", location=(-2, 0, 4))
    first.parent = second.parent = holder
    bpy.context.view_layer.update()
    return [first, second]


def sharing_a_mesh() -> Sources:
    first = add_mesh("Chair", "monkey", location=(0, 0, 0))
    second = bpy.data.objects.new("Chair.001", first.data)
    bpy.context.scene.collection.objects.link(second)
    second.location, second.rotation_euler = (5, 0, 0), (0, 0, 2)
    bpy.context.view_layer.update()
    return [first, second]


def far_from_their_origins() -> Sources:
    """Meshes that lie away from where their objects are, one with modifiers, with names that are hard to keep."""
    first = add_mesh("Größe " + "x" * 52 + ".001", "cube", location=(1, 1, 1))
    first.data.transform(Matrix.Translation((3, 0, 0)))
    second = add_mesh("Größe " + "x" * 52 + ".002", "torus", location=(-6, 0, 1), rotation_euler=(1, 0, 0))
    second.data.transform(Matrix.Translation((0, 0, 2)))
    second.modifiers.new("Array", "ARRAY").count = 2
    bpy.context.view_layer.update()
    return [first, second]


SCENES: list[Callable[[], Sources]] = [
    three_in_a_row,
    stretched_and_turned,
    held_in_hands,
    in_empties,
    sharing_a_mesh,
    far_from_their_origins,
]


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("together", [True, False], ids=["together", "alone"])
def test_origins_are_those_of_the_sources(
    service: Any, addon: Any, scene: Callable[[], Sources], together: bool
) -> None:
    sources = scene()
    wanted = [world_box(item) for item in sources]
    results = run(addon, *sources) if together else [run(addon, item)[0] for item in sources]
    for source, result, box in zip(sources, results, wanted, strict=True):
        assert matrix_error(result.matrix_world, source.matrix_world) < 1e-5
        assert box_error(world_box(result), box) < 1e-4


@pytest.mark.parametrize("service", [{"runner": normalising_runner}], indirect=True)
def test_so_they_are_where_a_service_has_a_size_of_its_own(service: Any, addon: Any) -> None:
    (source,) = stretched_and_turned()[:1]
    (result,) = run(addon, source)
    assert matrix_error(result.matrix_world, source.matrix_world) < 1e-4
    assert box_error(world_box(result), world_box(source)) < 0.001


def test_the_next_job_on_results_that_were_renamed_knows_them_again(service: Any, addon: Any) -> None:
    results = run(addon, *three_in_a_row())
    for number, item in enumerate(results):
        item.name = f"Other {2 - number}"
    again = run(addon, *results, capability="texture", text="rusty iron")
    assert [step.capability for step in addon.scripting.last_job().steps] == ["texture"], "nothing was uploaded"
    for source, result in zip(results, again, strict=True):
        assert matrix_error(result.matrix_world, source.matrix_world) < 1e-5


def test_a_source_that_was_moved_takes_its_origin_along(service: Any, addon: Any) -> None:
    source = stretched_and_turned()[0]
    moved: list[bool] = []

    def move(job: Any) -> None:
        if is_under_way(job) and not moved:
            moved.append(True)
            source.location, source.scale = (8, 1, -2), (2, 1, 1)

    with addon.scripting.watching(move):
        (result,) = run(addon, source)
    assert matrix_error(result.matrix_world, source.matrix_world) < 1e-4
    assert box_error(world_box(result), world_box(source)) < 1e-4


def corner_normals(item: bpy.types.Object) -> Any:
    """The normals of a mesh's corners in the world."""
    normals = np.empty(len(item.data.loops) * 3, np.float32)
    item.data.corner_normals.foreach_get("vector", normals)
    turned = normals.reshape(-1, 3) @ np.array(item.matrix_world.inverted().to_3x3(), np.float32)
    return turned / np.linalg.norm(turned, axis=1, keepdims=True)


def test_a_stretched_source_gives_no_other_shading(service: Any, addon: Any) -> None:
    for source in stretched_and_turned():
        for polygon in source.data.polygons:
            polygon.use_smooth = True
        (result,) = run(addon, source)
        wanted, found = corner_normals(source), corner_normals(result)
        places = {
            tuple(np.round(source.matrix_world @ source.data.vertices[loop.vertex_index].co, 3)): wanted[loop.index]
            for loop in source.data.loops
        }
        matches = [
            float(found[loop.index] @ places[key])
            for loop in result.data.loops
            if (key := tuple(np.round(result.matrix_world @ result.data.vertices[loop.vertex_index].co, 3))) in places
        ]
        assert len(matches) > len(found) // 2
        assert math.degrees(math.acos(min(1.0, float(np.median(matches))))) < 2
