"""What can be done with the selected object, in one click each."""

from __future__ import annotations

import bpy

from ..bridge.session import session
from ..core.errors import Refused
from ..core.settings import Settings
from ..ops import sources
from ..props.field_info import CapabilityInfo
from ..props.task_properties import CAPABILITIES

_QUICK = tuple(info for info in CAPABILITIES.values() if info.quick)


def draw(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draws a button for each operation that can be run on the selection; nothing where there is none."""
    settings = session.settings
    infos = [info for info in _QUICK if _can_run(context, info, settings)]
    if not infos:
        return
    grid = layout.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
    grid.operator_context = "INVOKE_DEFAULT"
    for info in infos:
        grid.operator(f"assetgen.{info.name}", text=info.label, icon=info.icon).at_once = True


def _can_run(context: bpy.types.Context, info: CapabilityInfo, settings: Settings) -> bool:
    if settings.is_local and not info.local:
        return False
    try:
        if info.takes in sources.EARLIER_RESULTS:
            sources.accepted_source(context, info, settings.service_id)
            return True
        return sources.has_meshes(context)
    except Refused:
        return False
