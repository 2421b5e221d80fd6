"""Where a result goes, in the form above Run: one row, and what few people need in a part that is closed at first."""

from __future__ import annotations

from typing import Any

import bpy

from ..core.jobs.place import Place
from ..props import scene_settings
from ..props.field_info import CapabilityInfo
from ..text_layout import is_narrow
from ..translation.interface import translated


def draw(layout: bpy.types.UILayout, context: bpy.types.Context, info: CapabilityInfo, settings: Any) -> None:
    """Draws the choice; nothing for what gives no model, or a file."""
    if not info.comes_into_scene or info.file_kinds:
        return
    header, body = layout.panel("assetgen_placement", default_closed=True)
    below = layout if body is None else body.column()
    row = header.row()
    row.label(text="Place")
    if is_narrow(context):
        choice = below
    else:
        choice = row.row()
        choice.scale_x = 1.6
    choice.prop(settings, scene_settings.placement_of(info), text="")
    into_object = getattr(settings, scene_settings.placement_of(info)) == Place.OBJECT
    if into_object:
        below.prop(settings, "placement_object", text="")
    if body is None:
        return
    column = body.column()
    column.use_property_split = not is_narrow(context)
    column.use_property_decorate = False
    if into_object:
        _draw_choice(column, context, settings, "placement_fit")
        _draw_choice(column, context, settings, "placement_object_after")
    if info.works_on_model:
        _draw_choice(column, context, settings, "source_after")
    column.prop(settings, "placeholder")


def _draw_choice(column: bpy.types.UILayout, context: bpy.types.Context, settings: Any, name: str) -> None:
    """A choice with its name before it; above it where there is little room."""
    if is_narrow(context):
        column.label(text=translated(settings.bl_rna.properties[name].name), translate=False)
        column.prop(settings, name, text="")
    else:
        column.prop(settings, name)
