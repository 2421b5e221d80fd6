"""The panel that starts jobs: which service, which operation, on what, Run. It reads and never changes anything."""

from __future__ import annotations

from typing import Any

import bpy

from ..bridge import prefs, pump
from ..bridge.session import session
from ..bridge.state import state
from ..core.settings import Settings
from ..ops.show_tab import TAB
from ..props import scene_settings
from ..props.task_properties import CAPABILITIES
from ..text_layout import paragraph
from ..translation.interface import translated
from . import operation, presets, quick_actions

CATEGORY = TAB


class ASSETGEN_PT_main(bpy.types.Panel):
    """Start a job on the selected mesh."""

    bl_idname = "ASSETGEN_PT_main"
    bl_label = "Asset Generation"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = CATEGORY

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        presets.draw_header(self.layout)
        show = self.layout.operator("preferences.addon_show", text="", icon="PREFERENCES", emboss=False)
        show.module = prefs.ROOT_PACKAGE

    def draw(self, context: bpy.types.Context) -> None:
        _begin_to_load()
        service_settings = session.settings
        layout = self.layout
        _draw_service(layout, service_settings, context)
        if session.loading:
            paragraph(layout, "Connecting...", context, icon="SORTTIME", quiet=True)
        quick_actions.draw(layout, context)
        settings = scene_settings.settings_of(context)
        _draw_chooser(layout, settings)
        info = CAPABILITIES[scene_settings.chosen_capability(settings)]
        shown = operation.draw(layout, context, info)
        _draw_run(shown.below, info.name, shown, context)


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
    row.label(text=settings.service_id, icon="URL", translate=False)
    if state.service is not None and state.service.ok and state.service.balance:
        credits = row.row()
        credits.alignment = "RIGHT"
        credits.label(text=translated(f"{state.service.balance} credits"), translate=False)


def _draw_chooser(layout: bpy.types.UILayout, settings: Any) -> None:
    """The groups side by side, the chosen one by its name, and below them its operations."""
    column = layout.column(align=True)
    row = column.row(align=True)
    for tier in scene_settings.TIERS:
        row.prop_enum(settings, "group", tier, **({} if tier == settings.group else {"text": ""}))
    column.prop(settings, scene_settings.choice_of(settings.group), text="")


def _draw_run(layout: bpy.types.UILayout, name: str, shown: operation.Shown, context: bpy.types.Context) -> None:
    row = layout.row()
    row.scale_y = 1.4
    rests = state.rests(name)
    words = f"Run {shown.jobs} Jobs" if shown.jobs > 1 else "Run"
    if shown.price:
        words += f" ({shown.price})"
    # Not disabled while it rests: Blender 4.3 keeps a button under the mouse so until that leaves it.
    row.enabled, row.active = not shown.refusal, not rests
    words = translated("Started" if rests else words)
    run = row.operator(f"assetgen.{name}", text=words, icon="CHECKMARK" if rests else "PLAY", translate=False)
    run.use_panel_settings = True
    if shown.refusal:
        paragraph(layout, shown.refusal + ".", context, icon="INFO")


CLASSES = (ASSETGEN_PT_main,)
