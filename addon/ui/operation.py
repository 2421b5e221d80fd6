"""One operation as it is shown before it is started: what it works on, its fields, what it costs, what is missing."""

from __future__ import annotations

from typing import Any

import bpy

from ..bridge import preflight
from ..bridge.objects.selection import triangle_count
from ..bridge.session import session
from ..core.errors import Refused
from ..core.settings import Settings
from ..ops import costs, sources
from ..ops.dialogs import WIDTH, AsksForFields
from ..props import field_values, scene_settings
from ..props.field_info import CapabilityInfo
from ..text_layout import BOX, inside, paragraph
from . import fields


def draw(layout: bpy.types.UILayout, context: bpy.types.Context, info: CapabilityInfo) -> str:
    """Draws an operation without its button.

    Returns:
        Why it cannot be started, as a sentence without its full stop; empty when it can be.
    """
    settings = session.settings
    if settings.is_local and info.local:
        paragraph(layout, info.local, context, quiet=True)
    group = getattr(scene_settings.settings_of(context), info.name)
    reason, source = preflight.obstacle(settings) or not_local(info, settings), None
    try:
        source = sources.panel_source(context, info, settings)
    except Refused as error:
        reason = reason or str(error)
    else:
        if source is not None:
            _draw_source(layout, source, info, context)
    fields.draw(layout, context, info, group)
    price = costs.price_text(info, group, settings, uploads=source is not None and source.uploads)
    if price:
        paragraph(layout, price, context, quiet=True)
    return reason or _missing_input(group, info)


def draw_dialog(layout: bpy.types.UILayout, context: bpy.types.Context, info: CapabilityInfo) -> None:
    """Draws an operation in a dialog."""
    with inside(WIDTH):
        reason = draw(layout, context, info)
        if reason:
            paragraph(layout, reason + ".", context, icon="INFO")


def not_local(info: CapabilityInfo, settings: Settings) -> str:
    """Why the local engine cannot do it; empty when it can, or another service is asked."""
    return (
        "Not in the local engine yet: needs the online service and a key"
        if settings.is_local and not info.local
        else ""
    )


def _missing_input(group: Any, info: CapabilityInfo) -> str:
    if info.takes == field_values.VIEWS_TASK and not getattr(group, str(info.source_field)):
        return "Choose the views to work on"
    return field_values.missing_input(group, info)


def _draw_source(
    layout: bpy.types.UILayout, source: sources.PanelSource, info: CapabilityInfo, context: bpy.types.Context
) -> None:
    objects = source.selection.objects
    column = layout.box().column(align=True)
    column.label(text=source.selection.title, icon="MESH_DATA" if len(objects) == 1 else "OUTLINER_OB_MESH")
    if not source.uploads:
        row = column.row()
        row.label(text="Uploads nothing", icon="LINKED")
        if info.takes not in sources.EARLIER_RESULTS:
            row.operator("assetgen.forget_task", text="", icon="X", emboss=False)
    words = f"{sum(triangle_count(item) for item in objects):,} triangles"
    if any(item.modifiers for item in objects) and info.takes not in sources.EARLIER_RESULTS:
        words += " before modifiers"
    words = "Without what was edited since" if source.edited else words
    paragraph(column, words, context, icon="BLANK1", indent=BOX, quiet=True)


def register() -> None:
    """Has operators ask for their fields when they are started by hand."""
    AsksForFields.draw_fields = staticmethod(draw_dialog)


def unregister() -> None:
    """They ask nothing any more."""
    AsksForFields.draw_fields = None
