"""Presets of each operation: how something is made, and not what of."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import bpy
import pytest


@pytest.fixture
def folder(addon: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Blender keeps the user's presets now."""

    def user_resource(_kind: str, *, path: str = "", create: bool = False) -> str:
        found = tmp_path / "scripts" / path
        if create:
            found.mkdir(parents=True, exist_ok=True)
        return str(found)

    monkeypatch.setattr(bpy.utils, "user_resource", user_resource)
    monkeypatch.setattr(bpy.utils, "preset_paths", lambda subdir: [str(tmp_path / "scripts" / "presets" / subdir)])
    return tmp_path / "scripts" / "presets" / "asset_generation"


def test_a_preset_gives_the_fields_again_and_leaves_the_words(addon: Any, folder: Path) -> None:
    settings = bpy.context.scene.asset_generation
    settings.group = "Create"
    settings.operation_create = "text_to_model"
    group = settings.text_to_model
    group.prompt, group.face_limit, group.quad, group.model_version = "a chair", 4321, True, "v3.0-20250812"
    assert bpy.ops.assetgen.add_preset(name="Low Poly") == {"FINISHED"}
    written = folder / "text_to_model" / "Low_Poly.py"
    assert "chair" not in written.read_text()
    group.prompt, group.face_limit, group.model_version = "a table", 0, "v3.1-20260211"
    group.property_unset("quad")
    assert bpy.ops.script.execute_preset(filepath=str(written), menu_idname="ASSETGEN_PT_presets") == {"FINISHED"}
    assert (group.prompt, group.face_limit, group.quad, group.model_version) == ("a table", 4321, True, "v3.0-20250812")
    settings.group = "Mesh"
    settings.operation_mesh = "decimate"
    assert bpy.ops.assetgen.add_preset(name="Low Poly") == {"FINISHED"}, "each operation has presets of its own"
    assert (folder / "decimate" / "Low_Poly.py").is_file()


def test_no_preset_holds_words_files_or_sources(addon: Any) -> None:
    presets = importlib.import_module(f"{addon.package}.addon.ui.presets")
    table = importlib.import_module(f"{addon.package}.addon.props.task_properties").CAPABILITIES
    kept = {name: {field.name for field in presets.kept_fields(info)} for name, info in table.items()}
    assert kept["decimate"] >= {"face_limit", "quad"}
    others = {"prompt", "negative_prompt", "text", "file", "files", "front", "input", "part_names"}
    assert not [(name, names & others) for name, names in kept.items() if names & others]
    assert kept["text_to_model"] >= {"model_version", "face_limit", "texture_quality"}
