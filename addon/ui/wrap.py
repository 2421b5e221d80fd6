"""Sentences in panels: Blender's labels are one line each and are cut off at the edge, so we break lines ourselves."""

from __future__ import annotations

from functools import lru_cache

import blf
import bpy

_FONT = 0
_MARGIN = 46  # pixels at scale 1, as all of these: the borders of the panel and of the label
_TABS = 26  # the strip of tabs that a side bar has at its edge
BOX = 16
"""What a box takes away; the ``indent`` of a paragraph in one."""
_ICON = 22
_SMALLEST = 60


def paragraph(
    layout: bpy.types.UILayout,
    text: str,
    context: bpy.types.Context,
    *,
    icon: str = "NONE",
    indent: int = 0,
    quiet: bool = False,
    width: int = 0,
) -> None:
    """Adds a text, broken to the width of the region, with an icon before its first line.

    Args:
        layout: Where to add it.
        text: The words.
        context: Tells the width.
        icon: Before the first line.
        indent: Pixels at scale 1 that the surroundings take away beside the usual.
        quiet: Greyed, for what is good to know but not important.
        width: Of the surroundings, in pixels at scale 1, where it is not the region's, as in a pop-up.
    """
    scale = context.preferences.system.ui_scale
    taken = _MARGIN + indent + (_ICON if icon != "NONE" else 0)
    if width:
        room = (width - taken) * scale
    else:
        taken += _TABS if context.region.type == "UI" else 0
        room = context.region.width - taken * scale
    column = layout.column(align=True)
    column.active = not quiet
    column.scale_y = 0.82
    points = context.preferences.ui_styles[0].widget.points * scale
    for number, line in enumerate(lines_of(text, max(room, _SMALLEST * scale), points)):
        if icon == "NONE":
            column.label(text=line)
        else:
            column.label(text=line, icon=icon if number == 0 else "BLANK1")


@lru_cache(maxsize=256)
def lines_of(text: str, width: float, points: float) -> tuple[str, ...]:
    """The lines of a text that are not wider than ``width`` pixels; a longer word is broken."""
    blf.size(_FONT, points)
    lines: list[str] = []
    line = ""
    for word in text.split():
        candidate = f"{line} {word}" if line else word
        if _width(candidate) <= width:
            line = candidate
            continue
        if line:
            lines.append(line)
        while len(word) > 1 and _width(word) > width:
            fits = _fitting(word, width)
            lines.append(word[:fits])
            word = word[fits:]
        line = word
    return (*lines, line) if line else tuple(lines)


def _width(text: str) -> float:
    return float(blf.dimensions(_FONT, text)[0])


def _fitting(word: str, width: float) -> int:
    """How many letters of a word fit; at least one."""
    low, high = 1, len(word)
    while low < high:
        middle = (low + high + 1) // 2
        if _width(word[:middle]) <= width:
            low = middle
        else:
            high = middle - 1
    return low
