"""Every button of a job, in every mode: it works, or says in a sentence why not."""

from __future__ import annotations

import importlib
from typing import Any

import bpy
import pytest
from support.addon import add_mesh, select

MODES = (
    *("EDIT", "SCULPT", "VERTEX_PAINT", "WEIGHT_PAINT", "TEXTURE_PAINT", "PARTICLE_EDIT"),
    *("EDIT armature", "POSE armature", "EDIT curve"),
)
HARMLESS = ("retry", "adopt", "look_again", "resend", "forget", "stop")
"""What cannot be done with a job that is done, and must be refused in a sentence."""


def enter(mode: str) -> None:
    """Puts an object of its own into a mode."""
    name, _, kind = mode.partition(" ")
    if kind == "armature":
        bpy.ops.object.armature_add()
    elif kind == "curve":
        bpy.ops.curve.primitive_bezier_circle_add()
    else:
        item = add_mesh("Worked on", location=(9, 0, 0))
        if name == "PARTICLE_EDIT":
            item.modifiers.new("Hair", "PARTICLE_SYSTEM")
            item.particle_systems[0].settings.type = "HAIR"
    bpy.ops.object.mode_set(mode=name)
    assert bpy.context.mode != "OBJECT"


def press(name: str, **properties: Any) -> str:
    """Runs an operator; the sentence with which it refuses, if it does."""
    try:
        getattr(bpy.ops.assetgen, name)(**properties)
    except RuntimeError as error:
        return str(error).strip()
    return ""


@pytest.fixture
def done(service: Any, addon: Any) -> Any:
    add_mesh("Thing")
    assert bpy.ops.assetgen.decimate() == {"FINISHED"}
    select()
    return addon.scripting.last_job()


def test_every_button_of_a_job_in_every_mode(
    service: Any, addon: Any, done: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    objects = set(bpy.data.objects)
    for mode in MODES:
        enter(mode)
        before = (bpy.context.mode, bpy.context.view_layer.objects.active, set(bpy.data.objects))
        words = press("job_action", job_id=done.id, action="apply")
        assert words == f"Error: The result of {done.name} cannot come in now: waits for Object Mode", mode
        words = press("apply_result", job_id=done.id)
        assert words.startswith("Error: ") and "Object Mode" in words, (mode, words)
        assert "Object Mode" in press("select_result", job_id=done.id), mode
        for action in HARMLESS:
            assert "Traceback" not in press("job_action", job_id=done.id, action=action)
        assert "Traceback" not in press("open_folder", job_id="no job")
        assert press("copy_details", job_id=done.id) == ""
        assert before == (bpy.context.mode, bpy.context.view_layer.objects.active, set(bpy.data.objects)), mode
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.data.batch_remove([item for item in bpy.data.objects if item not in objects])
    printed = capfd.readouterr()
    assert "Traceback" not in printed.out + printed.err
    state = importlib.import_module(f"{addon.package}.addon.bridge.state").state
    assert str(state.jobs[done.id].stage) == "applied"
    assert press("job_action", job_id=done.id, action="apply") == "", "and in Object Mode it comes in again"
