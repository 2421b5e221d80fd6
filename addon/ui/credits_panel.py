"""What the account has, and what was spent in this session and in this month. Nothing of it for the local engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..bridge import prefs
from ..bridge.session import session
from ..bridge.state import state
from ..props.task_properties import CAPABILITIES
from ..text_layout import is_narrow, paragraph
from .main_panel import CATEGORY, ASSETGEN_PT_main

if TYPE_CHECKING:
    from decimal import Decimal

    from ..core.status.spending import Spending

_MOST = 8
"""Operations that are listed; what the others cost is in the sums."""

_NAMES, _FREE = 0.5, 0.2  # of the width: names before costs, and what is left free where they stand above them


class ASSETGEN_PT_credits(bpy.types.Panel):
    """What the account has, and what was spent."""

    bl_idname = "ASSETGEN_PT_credits"
    bl_label = "Credits"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = CATEGORY
    bl_parent_id = ASSETGEN_PT_main.bl_idname
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        return not session.settings.is_local

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        self.layout.operator("assetgen.test_service", text="", icon="FILE_REFRESH", emboss=False)

    def draw(self, context: bpy.types.Context) -> None:
        runtime = session.ready
        spending = runtime.spending() if runtime is not None else None
        if state.service is not None and state.service.ok and state.service.balance:
            _line(self.layout, "Balance", f"{state.service.balance} credits")
            if state.service.frozen not in ("", "0"):
                _line(self.layout, "Held by tasks", state.service.frozen)
        if spending is None:
            return
        _draw_budget(self.layout, spending, context)
        _draw_operations(self.layout, spending, context)


def _draw_budget(layout: bpy.types.UILayout, spending: Spending, context: bpy.types.Context) -> None:
    values = prefs.preferences()
    budget = values.monthly_budget if values is not None else 0
    if not budget:
        return
    share = float(spending.month) / budget
    row = layout.row()
    row.alert = share >= 1
    row.progress(factor=min(1.0, share), type="BAR", text=f"{spending.month:f} of {budget} this month")
    if share >= 1:
        paragraph(layout, "The month's budget is used up: every further job is asked about.", context, icon="INFO")


def _draw_operations(layout: bpy.types.UILayout, spending: Spending, context: bpy.types.Context) -> None:
    if not spending.operations:
        paragraph(layout, "Nothing was charged this month.", context, quiet=True)
        return
    column = layout.column(align=True)
    narrow = is_narrow(context)
    share = _FREE if narrow else _NAMES
    _row(column, share, "", "Session", "Month", quiet=True)
    for item in spending.operations[:_MOST]:
        label = CAPABILITIES[item.capability].label if item.capability in CAPABILITIES else item.capability
        if narrow:
            column.label(text=label)
        _row(column, share, "" if narrow else label, _credits(item.session), _credits(item.month))
    _row(column, share, "All", _credits(spending.session), _credits(spending.month))


def _row(
    column: bpy.types.UILayout, share: float, label: str, session_cost: str, month_cost: str, *, quiet: bool = False
) -> None:
    row = column.row(align=True)
    row.active = not quiet
    split = row.split(factor=share)
    split.label(text=label)
    for words in (session_cost, month_cost):
        cell = split.row()
        cell.alignment = "RIGHT"
        cell.label(text=words)


def _line(layout: bpy.types.UILayout, label: str, value: str) -> None:
    row = layout.row()
    left = row.row()
    left.alignment = "LEFT"
    left.label(text=label)
    right = row.row()
    right.alignment = "RIGHT"
    right.label(text=value)


def _credits(credits: Decimal) -> str:
    return f"{credits.normalize():f}" if credits else "-"


CLASSES = (ASSETGEN_PT_credits,)
