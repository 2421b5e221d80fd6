"""What can be done with the selected object, in one click each; with a reference image, what can be done with that."""

from __future__ import annotations

import bpy

from ..bridge.objects import provenance
from ..bridge.objects.selection import Selection, selected_meshes
from ..bridge.session import session
from ..core.errors import Refused
from ..core.settings import Settings
from ..ops import pictures, sources
from ..props.field_info import CapabilityInfo
from ..props.task_properties import CAPABILITIES
from ..text_layout import is_narrow
from ..translation.interface import translated
from . import menus

_QUICK = tuple(info for info in CAPABILITIES.values() if info.quick)


def draw(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draws a button for each operation that can be run on the selection; nothing where there is none."""
    infos = _runnable(context)
    if not infos:
        if pictures.shown_image(context) is not None:
            menus.draw_image_actions(layout, context, briefly=is_narrow(context))
        return
    grid = layout.grid_flow(row_major=True, columns=1 if is_narrow(context) else 2, even_columns=True, align=True)
    grid.operator_context = "INVOKE_DEFAULT"
    for info in infos:
        operator = grid.operator(f"assetgen.{info.name}", text=translated(info.label), icon=info.icon, translate=False)
        operator.at_once = True
        if info.file_kinds:  # it asks for the file, and knows its format from the panel
            operator.use_panel_settings = True


def _runnable(context: bpy.types.Context) -> list[CapabilityInfo]:
    """Those that can work on the selected meshes, as far as can be told without a look at their geometry."""
    try:
        selection = selected_meshes(context)
    except Refused:
        return []
    settings = session.settings
    has_task = provenance.common_task(selection.objects) is not None
    return [
        info
        for info in _QUICK
        if (info.local or not settings.is_local)
        and (info.takes not in sources.EARLIER_RESULTS or (has_task and _takes(context, info, settings, selection)))
    ]


def _takes(context: bpy.types.Context, info: CapabilityInfo, settings: Settings, selection: Selection) -> bool:
    """Whether the result that is selected is one that the operation works on."""
    try:
        sources.accepted_source(context, info, settings.service_id, selection)
    except Refused:
        return False
    return True
