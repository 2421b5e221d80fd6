"""Many buttons are icons: what they do stands in their tooltips."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

import pytest

bpy = pytest.importorskip("bpy", reason="this Python has no bpy")


def operators(addon: Any) -> list[Any]:
    registration = importlib.import_module(f"{addon.package}.addon.registration")
    classes = [cls for module in registration.MODULES for cls in getattr(module, "CLASSES", ())]
    return [cls for cls in classes if issubclass(cls, bpy.types.Operator)]


def test_every_operator_says_what_it_does(addon: Any) -> None:
    found = operators(addon)
    assert len(found) > 30
    for cls in found:
        words = cls.bl_description
        assert len(words.split()) >= 4, cls.bl_idname
        assert words != cls.bl_label, cls.bl_idname
        assert not words.endswith("."), f"{cls.bl_idname}: Blender adds the full stop"


def test_every_action_on_a_job_says_what_it_does(addon: Any) -> None:
    jobs = importlib.import_module(f"{addon.package}.addon.ops.jobs")
    job = importlib.import_module(f"{addon.package}.addon.core.jobs.job")
    views = {
        str(stage): job.JobView(str(stage), "Knight", stage, 1.0, "", delivered=(("model", "/out/Knight.stl"),))
        for stage in job.Stage
    }
    addon.state.jobs.update(views)
    said = {}
    for action in job.Action:
        for stage in views:
            properties: Any = SimpleNamespace(action=action.value, job_id=stage)
            said[action, stage] = jobs.ASSETGEN_OT_job_action.description(None, properties)
            assert len(said[action, stage].split()) >= 5, action
    assert "there already" in said[job.Action.APPLY, "applied"]
    assert "/out" in jobs.ASSETGEN_OT_open_folder.description(None, SimpleNamespace(job_id="applied"))


def test_every_group_and_operation_says_what_it_is(addon: Any) -> None:
    settings = bpy.context.scene.asset_generation
    choices = [item for item in settings.bl_rna.properties if item.identifier.startswith(("group", "operation_"))]
    assert len(choices) > 4
    for choice in choices:
        for item in choice.enum_items:
            assert len(item.description.split()) >= 3, (choice.identifier, item.identifier)
