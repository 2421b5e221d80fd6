"""Presets of each operation, in Blender's own way: a file for each below ``presets/asset_generation/CAPABILITY``."""

from __future__ import annotations

from typing import Any

import bpy
from bl_operators.presets import AddPresetBase
from bl_ui.utils import PresetPanel

from ..props import scene_settings
from ..props.field_info import CapabilityInfo, FieldInfo
from ..props.task_properties import CAPABILITIES
from ..translation.interface import translated

_FOLDER = "asset_generation"
_PATHS = frozenset({"file", "files"})


def subdir_of(info: CapabilityInfo) -> str:
    """Where the presets of a capability are, below Blender's folder of presets."""
    return f"{_FOLDER}/{info.name}"


def kept_fields(info: CapabilityInfo) -> list[FieldInfo]:
    """The fields that a preset holds: how something is made, and not what is made of what."""
    return [field for field in info.own_fields if field.panel and not _is_content(field, info)]


def _is_content(field: FieldInfo, info: CapabilityInfo) -> bool:
    is_words = field.kind == "text" and not field.advanced
    return is_words or field.kind in _PATHS or field.names_parts or field.name == info.task_field


def _info(context: bpy.types.Context) -> CapabilityInfo:
    return CAPABILITIES[scene_settings.chosen_capability(scene_settings.settings_of(context))]


class ASSETGEN_PT_presets(PresetPanel, bpy.types.Panel):
    """The presets of the chosen operation."""

    bl_idname = "ASSETGEN_PT_presets"
    bl_label = "Presets"
    preset_operator = "script.execute_preset"
    preset_add_operator = "assetgen.add_preset"

    def draw(self, context: bpy.types.Context) -> None:
        layout, info = self.layout, _info(context)
        layout.emboss = "PULLDOWN_MENU"
        layout.operator_context = "EXEC_DEFAULT"
        paths = bpy.utils.preset_paths(subdir_of(info))
        if not paths:
            layout.label(text=translated(f"No presets of {info.label} yet"), translate=False)
        self.path_menu(
            paths or bpy.utils.preset_paths(""),
            self.preset_operator,
            filter_ext=lambda ending: bool(paths) and ending.lower() == ".py",
            add_operator=self.preset_add_operator,
            display_name=lambda name: bpy.path.display_name(name, title_case=False),
        )


class ASSETGEN_OT_add_preset(AddPresetBase, bpy.types.Operator):
    """Keep the fields of the chosen operation as a preset, or remove one."""

    bl_idname = "assetgen.add_preset"
    bl_label = "Add Preset"
    bl_description = (
        "Keep the fields of this operation as a preset: how something is made, without its words, images and source"
    )
    preset_menu = ASSETGEN_PT_presets.bl_idname

    @property
    def preset_subdir(self) -> str:
        return subdir_of(_info(bpy.context))

    @property
    def preset_values(self) -> list[str]:
        info = _info(bpy.context)
        group = f"bpy.context.scene.{scene_settings.ATTRIBUTE}.{info.name}"
        return [f"{group}.{field.name}" for field in kept_fields(info)]


def draw_header(layout: Any) -> None:
    """The button that opens them."""
    ASSETGEN_PT_presets.draw_panel_header(layout)


CLASSES = (ASSETGEN_PT_presets, ASSETGEN_OT_add_preset)
