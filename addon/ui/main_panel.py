"""The panel that starts jobs: which service, which mesh, which operation, Run. It reads and never changes anything."""

from __future__ import annotations

import bpy

from ..bridge import marks, prefs, pump, readiness
from ..bridge.mirror import mirror
from ..bridge.selection import Selection, glance, triangle_count
from ..bridge.session import session
from ..core.errors import Refused
from ..core.settings import Settings
from ..props import scene_settings
from ..props.task_properties import CAPABILITIES
from . import fields
from .wrap import paragraph

CATEGORY = "Asset Gen"
_ICONS = {"texture": "TEXTURE", "decimate": "MOD_DECIM", "convert": "FILE_REFRESH", "import_model": "EXPORT"}


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
        found = session.settings
        layout = self.layout
        _draw_service(layout, found, context)
        info = CAPABILITIES[getattr(context.scene, scene_settings.ATTRIBUTE).operation]
        reason = readiness.trouble(found)
        try:
            selection = glance(context)
        except Refused as error:
            selection, reason = None, reason or str(error)
        else:
            _draw_selection(layout, selection, found, in_true_size=info.name == "convert")
        fields.draw(layout, context, info)
        _draw_run(layout, info.name, reason, context)


def _begin_to_load() -> None:
    """The first drawing of the panel is the first sign that the extension will be used: what Run needs is loaded on a
    thread of its own meanwhile. Nothing of Blender's data changes by it.
    """
    if session.ready is None and not bpy.app.background:
        session.warm_up()
        pump.start()


def _draw_service(layout: bpy.types.UILayout, found: Settings, context: bpy.types.Context) -> None:
    if found.is_local:
        paragraph(layout, "Local engine: free, no AI", context, icon="DESKTOP")
        return
    row = layout.row()
    row.label(text=found.service_id, icon="URL")
    if mirror.service is not None and mirror.service.ok and mirror.service.balance:
        credits = row.row()
        credits.alignment = "RIGHT"
        credits.label(text=f"{mirror.service.balance} credits")


def _draw_selection(layout: bpy.types.UILayout, selection: Selection, found: Settings, *, in_true_size: bool) -> None:
    box = layout.box()
    column = box.column(align=True)
    column.label(text=selection.title, icon="MESH_DATA" if len(selection.objects) == 1 else "OUTLINER_OB_MESH")
    triangles = sum(triangle_count(item) for item in selection.objects)
    words = f"{triangles:,} triangles"
    if any(item.modifiers for item in selection.objects):
        words += " before modifiers"
    known = marks.glance(selection.objects, found.service_id)
    if known is not None and not (in_true_size and abs(known.scale - 1) > marks.SAME_SCALE):
        row = column.row()
        row.label(text="Uploads nothing", icon="LINKED")
        row.operator("assetgen.forget_task", text="", icon="X", emboss=False)
    detail = column.row()
    detail.active = False
    detail.label(text=words, icon="BLANK1")


def _draw_run(layout: bpy.types.UILayout, name: str, reason: str, context: bpy.types.Context) -> None:
    row = layout.row()
    row.scale_y = 1.4
    row.enabled = not reason
    run = row.operator(f"assetgen.{name}", text="Run", icon="PLAY")
    run.use_panel_settings = True
    if reason:
        paragraph(layout, reason + ".", context, icon="INFO")


CLASSES = (ASSETGEN_PT_main,)
