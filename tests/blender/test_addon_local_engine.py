"""The extension with the engine that it brings: a real process, real geometry, the first minute of a new user."""

from __future__ import annotations

from typing import Any

import bpy
import pytest
from asset_generation.vendor.background_blender import BlenderCommand
from support.addon import add_mesh, box_error, select, world_box
from support.fork_server.command import forked_python

pytestmark = pytest.mark.slow


@pytest.fixture
def background_blender(request: pytest.FixtureRequest) -> BlenderCommand | None:
    """Each is started as a user's is where a test asks for that."""
    return None if getattr(request, "param", "") == "as a user's" else forked_python()


@pytest.fixture
def ball() -> bpy.types.Object:
    item = add_mesh("Ball", "ico_sphere", location=(2, 0, 1), rotation_euler=(0.2, 0.1, 0.9))
    item.modifiers.new("Subdivision", "SUBSURF").levels = 3
    bpy.context.view_layer.update()
    return item


@pytest.mark.parametrize("background_blender", ["as a user's"], indirect=True)
def test_decimate_without_a_service(addon: Any, ball: bpy.types.Object) -> None:
    wanted = world_box(ball)
    assert bpy.ops.assetgen.decimate(face_limit=600, bake=False) == {"FINISHED"}
    (result,) = addon.scripting.result_objects()
    assert len(result.data.polygons) in range(480, 601)
    assert box_error(world_box(result), wanted) < 0.01
    job = addon.scripting.last_job()
    assert [step.capability for step in job.steps] == ["import_model", "decimate"]
    assert all(step.task_id and step.credits for step in job.steps)


@pytest.mark.each_python  # what the engine makes and what comes in of it have tests of their own with every Blender
def test_texture_and_convert_without_a_service(addon: Any, ball: bpy.types.Object) -> None:
    wanted = world_box(ball)
    assert bpy.ops.assetgen.texture(text="red plastic", pbr=False) == {"FINISHED"}
    (textured,) = addon.scripting.result_objects()
    assert textured.data.uv_layers
    images = [node.image for node in textured.active_material.node_tree.nodes if node.type == "TEX_IMAGE"]
    assert images and all(image.packed_file for image in images)
    assert box_error(world_box(textured), wanted) < 0.01
    for kind, comes_in in (("STL", True), ("3MF", False)):  # where Blender can read it
        select(textured)
        assert bpy.ops.assetgen.convert(format=kind, bring_in=True) == {"FINISHED"}
        job = addon.scripting.last_job()
        assert [step.capability for step in job.steps] == ["convert"]
        assert job.result.lower().endswith(kind.lower())
        assert bool(addon.scripting.result_objects()) is comes_in
        if not comes_in:
            assert job.result in job.text
