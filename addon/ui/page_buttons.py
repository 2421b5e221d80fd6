"""The way to the pages before and behind the one that is shown."""

from __future__ import annotations

import bpy


def draw(layout: bpy.types.UILayout, page: int, pages: int, *, of_history: bool = False) -> None:
    """Draws both buttons, and between them which page it is of how many; ``page`` counts from 0."""
    row = layout.row()
    for other, icon in ((page - 1, "TRIA_LEFT"), (page + 1, "TRIA_RIGHT")):
        if other > page:
            middle = row.row()
            middle.alignment = "CENTER"
            middle.label(text=f"{page + 1} of {pages}")
        turn = row.row()
        turn.enabled = 0 <= other < pages
        operator = turn.operator("assetgen.turn_page", text="", icon=icon)
        operator.page, operator.of_history = max(0, other), of_history
