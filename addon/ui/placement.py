"""Where a result goes, in the form above Run: one row, and what few people need in a part that is closed at first."""

from __future__ import annotations

from typing import Any

import bpy

from ..core.jobs.place import Place
from ..props import scene_settings
from ..props.field_info import CapabilityInfo


def draw(layout: bpy.types.UILayout, info: CapabilityInfo, settings: Any) -> None:
    """Draws the choice; nothing for what gives no model, or a file."""
    if not info.comes_into_scene or info.file_kinds:
        return
    header, body = layout.panel("assetgen_placement", default_closed=True)
    row = header.row()
    row.label(text="Place")
    choice = row.row()
    choice.scale_x = 1.6
    choice.prop(settings, scene_settings.placement_of(info), text="")
    into_object = getattr(settings, scene_settings.placement_of(info)) == Place.OBJECT
    if into_object:
        (body or layout).prop(settings, "placement_object", text="")
    if body is None:
        return
    column = body.column()
    column.use_property_split = True
    column.use_property_decorate = False
    if into_object:
        column.prop(settings, "placement_fit")
        column.prop(settings, "placement_object_after")
    if info.works_on_model:
        column.prop(settings, "source_after")
    column.prop(settings, "placeholder")
