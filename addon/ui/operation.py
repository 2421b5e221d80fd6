"""One operation as it is shown before it is started: what it works on, its fields, what it costs, what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy

from ..bridge.objects.triangle_counts import counts
from ..bridge.session import session
from ..bridge.state import state
from ..core.errors import Refused
from ..core.settings import Settings
from ..ops.dialogs import WIDTH, AsksForFields
from ..props import field_values, scene_settings
from ..props.field_info import CapabilityInfo
from ..text_layout import BOX, ICON, inside, is_narrow, paragraph, shortened
from ..translation.interface import translated
from . import fields

if TYPE_CHECKING:
    from ..bridge.objects.selection import Selection
    from ..ops import checks, sources


class Shown(NamedTuple):
    """What was drawn: why it cannot be started, a sentence without its full stop (empty when it can be), how many jobs
    it would start, the place of its button, which is above the advanced fields, and what stands on it of the price.
    """

    refusal: str
    jobs: int
    below: bpy.types.UILayout
    price: str = ""


def draw(
    layout: bpy.types.UILayout, context: bpy.types.Context, info: CapabilityInfo, *, has_button: bool = True
) -> Shown:
    """Draws an operation without its button. Where that follows, a price that it names is not said twice."""
    from ..bridge import preflight  # here, as below: enabling the extension need not wait for it
    from ..ops import checks, costs, place_choice, sources
    from . import placement

    settings = session.settings
    info = info.for_service(is_local=settings.is_local)
    if settings.is_local and info.local:
        paragraph(layout, info.local, context, quiet=True)
    scene = scene_settings.settings_of(context)
    group = getattr(scene, info.name)
    reason, source = preflight.obstacle(settings) or not_local(info, settings), None
    models = _draw_choice(layout, scene, info, context)
    try:
        source = sources.panel_source(context, info, settings, models)
    except Refused as error:
        reason = reason or str(error)
    else:
        if source is not None:
            _draw_source(layout, source, info, context)
    if filled := state.filled.get(info.name, ""):
        paragraph(layout, f"{filled}.", context, icon="LOOP_BACK")
    troubles = checks.panel_troubles(info, group, is_drawn_again=has_button)
    shown = fields.draw(layout, context, info, group, troubles)
    placement.draw(layout, context, info, scene)
    reason = reason or place_choice.panel_obstacle(scene, info, context)
    below = layout.column()
    shown |= fields.draw_advanced(layout, context, info, group, troubles)
    uploads, jobs = (source.uploads, source.jobs) if source is not None else (0, 1)
    price = costs.price_text(info, group, settings, uploads=uploads, jobs=jobs)
    words = costs.button_words(info, group, uploads=uploads, jobs=jobs)
    if price and not (has_button and price == words):
        paragraph(below, price, context, quiet=True)
    return Shown(reason or _missing_input(group, info) or _refusal(group, troubles, shown), jobs, below, words)


def draw_dialog(layout: bpy.types.UILayout, context: bpy.types.Context, info: CapabilityInfo) -> None:
    """Draws an operation in a dialog, or at the side of the file browser, which has the width of its region."""
    from ..ops import costs

    space = context.space_data
    with inside(0 if space is not None and space.type == "FILE_BROWSER" else WIDTH):
        shown = draw(layout, context, info, has_button=False)
        if reason := shown.refusal:
            paragraph(shown.below, reason + ".", context, icon="INFO")
        else:
            group = getattr(scene_settings.settings_of(context), info.name)
            costs.draw_budget(shown.below, context, info, costs.set_fields(info, group) or {}, shown.jobs)


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


def _draw_choice(
    layout: bpy.types.UILayout, settings: Any, info: CapabilityInfo, context: bpy.types.Context
) -> list[Selection]:
    """Draws the choice of what becomes of several selected models; those that get a job each."""
    from ..ops import sources

    models = sources.models_in(context, info)
    if len(models) < 2:
        return []
    choice = layout.column(align=True) if is_narrow(context) else layout.row(align=True)
    choice.prop(settings, "several", expand=True)
    return models if settings.several == scene_settings.EACH else []


def _refusal(group: Any, troubles: checks.PanelTroubles, shown: set[str]) -> str:
    """Why the fields cannot be sent; what stands under a field that is seen is not said twice."""
    name, words = troubles.refusal
    return f"See {group.bl_rna.properties[name].name} above" if name in shown else words


def _draw_source(
    layout: bpy.types.UILayout, source: sources.PanelSource, info: CapabilityInfo, context: bpy.types.Context
) -> None:
    from ..ops import sources

    objects = source.selection.objects
    column = layout.box().column(align=True)
    title = source.selection.title if len(objects) == 1 else translated(source.selection.title)
    title = shortened(title, context, taken=BOX + ICON)
    column.label(text=title, icon="MESH_DATA" if len(objects) == 1 else "OUTLINER_OB_MESH", translate=False)
    if source.uploads < source.jobs:
        row = column.row()
        words = f"Uploads {source.uploads} of {source.jobs}" if source.uploads else "Uploads nothing"
        row.label(text=translated(words), icon="LINKED", translate=False)
        if info.takes not in sources.EARLIER_RESULTS:
            row.operator("assetgen.forget_task", text="", icon="X", emboss=False)
    words = "Without what was edited since" if source.edited else _triangles(objects)
    paragraph(column, words, context, icon="BLANK1", indent=BOX, quiet=True)
    if source.uploads:
        _draw_pose(column, objects, info, context)


def _draw_pose(
    layout: bpy.types.UILayout, objects: Sequence[bpy.types.Object], info: CapabilityInfo, context: bpy.types.Context
) -> None:
    """Draws which position of an armature is uploaded, and without it. To whoever looks for a body it matters which: at
    rest limbs are apart more often than in mid-motion.
    """
    if not info.finds_body:
        if any(item.find_armature() for item in objects):
            paragraph(layout, "As posed, without the armature", context, icon="INFO", indent=BOX)
        return
    from ..bridge.objects.selection import posing_armature  # here: enabling the extension need not wait for it

    if (armature := posing_armature(objects)) is None:
        return
    is_local = session.settings.is_local  # its upload has both
    if armature.data.pose_position == "POSE":
        words = "Its rest position is tried as well" if is_local else "A body is found more surely in rest position"
        paragraph(layout, words, context, icon="INFO", indent=BOX)
    if not is_local:
        layout.prop(armature.data, "pose_position", text="")


def _triangles(objects: Sequence[bpy.types.Object]) -> str:
    """How many triangles are uploaded."""
    from ..bridge.objects.selection import triangle_count  # here: enabling the extension need not wait for it

    total = counts.total(objects)
    if total is not None:
        return f"{total:,} triangles" + (" with modifiers" if any(item.modifiers for item in objects) else "")
    return f"{sum(triangle_count(item) for item in objects):,} triangles before modifiers"


def register() -> None:
    """Has operators ask for their fields when they are started by hand."""
    AsksForFields.draw_fields = staticmethod(draw_dialog)


def unregister() -> None:
    """They ask nothing any more."""
    AsksForFields.draw_fields = None
