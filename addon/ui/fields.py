"""The chosen operation and its fields."""

from __future__ import annotations

from typing import Any

import bpy

from ..props import scene_settings
from ..props.field_info import CapabilityInfo, FieldInfo

_PLACEHOLDERS = {("texture", "text"): "rusty iron, oak planks..."}
_WIDE = frozenset({"text"})
"""Fields that get a whole line, with their name above it."""


def draw(layout: bpy.types.UILayout, context: bpy.types.Context, info: CapabilityInfo) -> None:
    """Draws the chooser, the fields, and the closed part with the advanced ones."""
    settings = getattr(context.scene, scene_settings.ATTRIBUTE)
    group = getattr(settings, info.name)
    layout.prop(settings, "operation", text="")
    plain = [field for field in info.own_fields if not field.advanced]
    advanced = [field for field in info.own_fields if field.advanced]
    if plain:
        _column(layout, group, info, plain)
    if advanced:
        header, body = layout.panel(f"assetgen_advanced_{info.name}", default_closed=True)
        header.label(text="Advanced")
        if body is not None:
            _column(body, group, info, advanced)


def _column(layout: bpy.types.UILayout, group: Any, info: CapabilityInfo, fields: list[FieldInfo]) -> None:
    column = layout.column()
    for field in fields:
        if field.name in _WIDE:
            column.prop(group, field.name, text="", placeholder=_PLACEHOLDERS.get((info.name, field.name), ""))
            continue
        row = column.column()
        row.use_property_split = True
        row.use_property_decorate = False
        row.prop(group, field.name)
