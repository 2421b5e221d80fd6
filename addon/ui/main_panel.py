"""The panel that starts jobs: which service, which operation, on what, Run. It reads and never changes anything."""

from __future__ import annotations

from typing import Any

import bpy

from ..bridge import preflight, prefs, pump
from ..bridge.objects.selection import triangle_count
from ..bridge.session import session
from ..bridge.state import state
from ..core.errors import Refused
from ..core.settings import Settings
from ..ops import checks, costs, sources
from ..props import field_values, scene_settings
from ..props.field_info import CapabilityInfo
from ..props.task_properties import CAPABILITIES
from ..text_layout import BOX, paragraph
from . import fields

CATEGORY = "Asset Gen"


class ASSETGEN_PT_main(bpy.types.Panel):
    """Start a job on the selected mesh."""

    bl_idname = "ASSETGEN_PT_main"
    bl_label = "Asset Generation"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = CATEGORY

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        show = self.layout.operator("preferences.addon_show", text="", icon="PREFERENCES", emboss=False)
        show.module = prefs.ROOT_PACKAGE

    def draw(self, context: bpy.types.Context) -> None:
        _begin_to_load()
        service_settings = session.settings
        layout = self.layout
        _draw_service(layout, service_settings, context)
        if session.loading:
            paragraph(layout, "Connecting...", context, icon="SORTTIME", quiet=True)
        settings = scene_settings.settings_of(context)
        _draw_chooser(layout, settings)
        info = CAPABILITIES[scene_settings.chosen_capability(settings)].for_service(is_local=service_settings.is_local)
        if service_settings.is_local and info.local:
            paragraph(layout, info.local, context, quiet=True)
        group = getattr(settings, info.name)
        reason, source = preflight.obstacle(service_settings) or _not_local(info, service_settings), None
        try:
            source = sources.panel_source(context, info, service_settings)
        except Refused as error:
            reason = reason or str(error)
        else:
            if source is not None:
                _draw_source(layout, source, info, context)
        troubles = checks.panel_troubles(info, group)
        shown = fields.draw(layout, context, info, group, troubles)
        below = layout.column()  # Run is always at the same place, whether the advanced fields are seen or not
        shown |= fields.draw_advanced(layout, context, info, group, troubles)
        price = costs.price_text(info, group, service_settings, uploads=source is not None and source.uploads)
        if price:
            paragraph(below, price, context, quiet=True)
        _draw_run(below, info.name, reason or _missing_input(group, info) or _refusal(group, troubles, shown), context)


def _begin_to_load() -> None:
    """The first drawing of the panel is the first sign that the extension will be used: what Run needs is loaded on a
    thread of its own meanwhile. Nothing of Blender's data changes by it. A later drawing may find news of another
    Blender that began to work after the timer had ended here.
    """
    if bpy.app.background:
        return
    if session.ready is None:
        session.warm_up()
        pump.start()
    elif not session.news.empty():
        pump.start()


def _draw_service(layout: bpy.types.UILayout, settings: Settings, context: bpy.types.Context) -> None:
    if settings.is_local:
        paragraph(layout, "Local engine: free, no AI", context, icon="DESKTOP")
        return
    row = layout.row()
    row.label(text=settings.service_id, icon="URL")
    if state.service is not None and state.service.ok and state.service.balance:
        credits = row.row()
        credits.alignment = "RIGHT"
        credits.label(text=f"{state.service.balance} credits")


def _draw_chooser(layout: bpy.types.UILayout, settings: Any) -> None:
    """The groups side by side, the chosen one by its name, and below them its operations."""
    column = layout.column(align=True)
    row = column.row(align=True)
    for tier in scene_settings.TIERS:
        row.prop_enum(settings, "group", tier, **({} if tier == settings.group else {"text": ""}))
    column.prop(settings, scene_settings.choice_of(settings.group), text="")


def _not_local(info: CapabilityInfo, settings: Settings) -> str:
    return (
        "Not in the local engine yet: needs the online service and a key"
        if settings.is_local and not info.local
        else ""
    )


def _missing_input(group: Any, info: CapabilityInfo) -> str:
    if info.takes == field_values.VIEWS_TASK and not getattr(group, str(info.source_field)):
        return "Choose the views to work on"
    return field_values.missing_input(group, info)


def _refusal(group: Any, troubles: checks.PanelTroubles, shown: set[str]) -> str:
    """Why the fields cannot be sent; what stands under a field that is seen is not said twice."""
    name, words = troubles.refusal
    return f"See {group.bl_rna.properties[name].name} above" if name in shown else words


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


def _draw_run(layout: bpy.types.UILayout, name: str, reason: str, context: bpy.types.Context) -> None:
    row = layout.row()
    row.scale_y = 1.4
    rests = state.rests(name)
    row.enabled = not reason and not rests
    run = row.operator(f"assetgen.{name}", text="Started" if rests else "Run", icon="CHECKMARK" if rests else "PLAY")
    run.use_panel_settings = True
    if reason:
        paragraph(layout, reason + ".", context, icon="INFO")


CLASSES = (ASSETGEN_PT_main,)
