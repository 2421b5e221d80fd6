"""The panel that starts jobs: which service, which operation, on what, Run. It reads and never changes anything."""

from __future__ import annotations

from typing import Any

import bpy

from ..bridge import prefs, preload, pump
from ..bridge.session import session
from ..bridge.state import state
from ..core.settings import Settings
from ..ops.show_tab import TAB
from ..props import scene_settings
from ..props.task_properties import CAPABILITIES
from ..text_layout import ICON, fits, is_narrow, measured_once, paragraph, shortened
from ..translation.interface import translated
from . import operation, presets

CATEGORY = TAB

_CREDITS = 100  # pixels at scale 1, as these: what the balance takes beside the name of the service
_BESIDE = 88  # what the other groups take beside the name of the chosen one


class ASSETGEN_PT_main(bpy.types.Panel):
    """Start a job on the selected mesh."""

    bl_idname = "ASSETGEN_PT_main"
    bl_label = "Asset Generation"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = CATEGORY

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        if not is_narrow(context):  # else they would lie on the title
            presets.draw_header(self.layout)
        show = self.layout.operator("preferences.addon_show", text="", icon="PREFERENCES", emboss=False)
        show.module = prefs.ROOT_PACKAGE

    def draw(self, context: bpy.types.Context) -> None:
        _begin_to_load()
        with measured_once(context):
            _draw(self.layout, context)


def _draw(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    from . import quick_actions  # here: enabling the extension need not wait for it

    _draw_service(layout, session.settings, context)
    quick_actions.draw(layout, context)
    settings = scene_settings.settings_of(context)
    _draw_chooser(layout, settings, context)
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
    # Where Run is must not depend on what is still being opened or asked: a line that comes or goes above it would put
    # another button under the mouse, and that may cost something.
    if settings.is_local:
        paragraph(layout, "Local engine: free, no AI", context, icon="SORTTIME" if session.loading else "DESKTOP")
        return
    balance = state.service.balance if state.service is not None and state.service.ok else ""
    beside = bool(balance) and not is_narrow(context)
    row = layout.row() if beside else layout.column(align=True)
    name = row.row()
    name.alignment = "LEFT"  # else it would take more than it needs of what is beside it
    host = shortened(settings.service_id, context, taken=ICON + _CREDITS * beside)
    name.label(text=host, icon="SORTTIME" if session.loading else "URL", translate=False)
    if balance or is_narrow(context):
        credits = row.row()
        credits.alignment = "RIGHT" if beside else "LEFT"
        words = translated(f"{balance} credits") if balance else ""
        credits.label(text=words, icon="NONE" if beside else "BLANK1", translate=False)


def _draw_chooser(layout: bpy.types.UILayout, settings: Any, context: bpy.types.Context) -> None:
    """The groups side by side, the chosen one by its name where there is room for that; below them its operations."""
    narrow, chosen = is_narrow(context), settings.group
    taken = _BESIDE + ICON * narrow
    is_named = all(fits(translated(tier), context, taken=taken) for tier in scene_settings.TIERS)
    column = layout.column(align=True)
    row = column.row(align=True)
    for tier in scene_settings.TIERS:
        row.prop_enum(settings, "group", tier, **({} if tier == chosen and is_named else {"text": ""}))
    if narrow:
        presets.draw_header(row.row())
    column.prop(settings, scene_settings.choice_of(chosen), text="")


def _draw_run(layout: bpy.types.UILayout, name: str, shown: operation.Shown, context: bpy.types.Context) -> None:
    row = layout.row()
    row.scale_y = 1.4
    rests = state.rests(name)
    words = f"Run {shown.jobs} Jobs" if shown.jobs > 1 else "Run"
    priced, words = translated(f"{words} ({shown.price})" if shown.price else words), translated(words)
    has_room = fits(priced, context, taken=ICON)
    # Not disabled while it rests: Blender 4.3 keeps a button under the mouse so until that leaves it.
    row.enabled, row.active = not shown.refusal, not rests
    run = row.operator(
        f"assetgen.{name}",
        text=translated("Started") if rests else priced if has_room else words,
        translate=False,
        icon="CHECKMARK" if rests else "PLAY",
    )
    run.use_panel_settings = True
    if shown.price and not has_room:
        paragraph(layout, shown.price.capitalize(), context, quiet=True)
    if shown.refusal:
        paragraph(layout, shown.refusal + ".", context, icon="INFO")


def _load_ahead() -> None:
    from ..bridge import library, records  # noqa: F401
    from ..ops import checks, costs, place_choice, sources  # noqa: F401
    from . import (  # noqa: F401
        field_rows,
        first_steps,
        job_details,
        job_grid,
        placement,
        quick_actions,
        running_jobs,
        thumbnails,
    )


def register() -> None:
    """Has a thread load what drawing needs."""
    preload.loaders.append(_load_ahead)


def unregister() -> None:
    """Takes that back."""
    preload.loaders.remove(_load_ahead)


CLASSES = (ASSETGEN_PT_main,)
