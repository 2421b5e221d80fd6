"""What can be done with the selected object, in one click each; with a reference image, what can be done with that."""

from __future__ import annotations

import bpy

from ..bridge.session import session
from ..core.errors import Refused
from ..core.settings import Settings
from ..ops import pictures, sources
from ..props.field_info import CapabilityInfo
from ..props.task_properties import CAPABILITIES
from ..text_layout import is_narrow
from . import menus

_QUICK = tuple(info for info in CAPABILITIES.values() if info.quick)


def draw(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draws a button for each operation that can be run on the selection; nothing where there is none."""
    settings = session.settings
    infos = [info for info in _QUICK if _can_run(context, info, settings)] if sources.has_meshes(context) else []
    if not infos:
        if pictures.shown_image(context) is not None:
            menus.draw_image_actions(layout, context, briefly=is_narrow(context))
        return
    grid = layout.grid_flow(row_major=True, columns=1 if is_narrow(context) else 2, even_columns=True, align=True)
    grid.operator_context = "INVOKE_DEFAULT"
    for info in infos:
        operator = grid.operator(f"assetgen.{info.name}", text=info.label, icon=info.icon)
        operator.at_once = True
        operator.use_panel_settings = bool(info.file_kinds)  # it asks for the file, and knows its format from the panel


def _can_run(context: bpy.types.Context, info: CapabilityInfo, settings: Settings) -> bool:
    """Whether it can work on the selected meshes, as far as can be told without a look at their geometry."""
    if settings.is_local and not info.local:
        return False
    if info.takes not in sources.EARLIER_RESULTS:
        return True
    try:
        sources.accepted_source(context, info, settings.service_id)
    except Refused:
        return False
    return True
