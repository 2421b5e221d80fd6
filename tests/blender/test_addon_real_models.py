"""Real models go out and come in again: what each object is, compared by numbers. Skipped where there are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from support.addon import box_error, normalising_runner, select, world_box

MODELS = Path(__file__).parents[3] / "shared" / "data" / "models"
NAMES = ("spot.glb", "box_textured.glb", "robot_expressive.glb", "characters/knight_with_sword.glb")

pytestmark = [
    pytest.mark.skipif(not MODELS.is_dir(), reason="the shared models are not on this machine"),
    pytest.mark.slow,
]


def opened(name: str) -> list[bpy.types.Object]:
    """The meshes of a model that are seen, each with a group of the upper half of its vertices."""
    bpy.ops.import_scene.gltf(filepath=str(MODELS / name))
    bpy.context.view_layer.update()
    found = [item for item in bpy.context.scene.objects if item.type == "MESH" and item.visible_get()]
    for number, item in enumerate(found):
        heights = positions(item)[:, 2]
        upper = np.flatnonzero(heights >= np.median(heights)).tolist()
        item.vertex_groups.new(name="Upper").add(upper, 1.0, "REPLACE")
        item["rank"] = number
    return found


def positions(item: bpy.types.Object) -> Any:
    """The vertices of a mesh in its own coordinates, (n, 3)."""
    values = np.empty(len(item.data.vertices) * 3, np.float32)
    item.data.vertices.foreach_get("co", values)
    return values.reshape(-1, 3)


def share_in_group(item: bpy.types.Object, name: str) -> float:
    """The mean weight of the vertices of a mesh in a group."""
    index = item.vertex_groups[name].index
    weights = [entry.weight for vertex in item.data.vertices for entry in vertex.groups if entry.group == index]
    return sum(weights) / len(item.data.vertices)


def is_rigid(matrix: Matrix) -> bool:
    """Whether a matrix can be that of an object: neither sheared nor flat."""
    return abs(matrix.determinant()) > 1e-12 and abs(matrix.to_3x3().normalized().determinant()) > 0.999


@pytest.mark.parametrize("service", [{"runner": normalising_runner}], indirect=True, ids=["normalising"])
@pytest.mark.parametrize("name", NAMES)
def test_what_each_object_of_a_real_model_is_stays(service: Any, addon: Any, name: str) -> None:
    sources = opened(name)
    wanted = {item.name: item for item in sources}
    boxes = {item.name: world_box(item) for item in sources}
    size = max(max(high - low) for low, high in boxes.values())
    select(*sources)
    assert bpy.ops.assetgen.decimate() == {"FINISHED"}
    bpy.context.view_layer.update()
    results = {item.name: item for item in addon.scripting.result_objects() if item.type == "MESH"}
    assert sorted(results) == sorted(f"{source} decimated" for source in wanted)
    for source_name, source in wanted.items():
        result = results[f"{source_name} decimated"]
        assert box_error(world_box(result), boxes[source_name]) < 0.001
        if is_rigid(source.matrix_world):
            origins = result.matrix_world.translation, source.matrix_world.translation
            assert (origins[0] - origins[1]).length < 0.001 * size
        assert [group.name for group in result.vertex_groups] == [group.name for group in source.vertex_groups]
        assert share_in_group(result, "Upper") == pytest.approx(share_in_group(source, "Upper"), abs=0.15)
        assert result["rank"] == source["rank"]
        assert source.hide_get() and result.visible_get()
        assert not [slot for slot in result.material_slots if ".0" in slot.material.name]
