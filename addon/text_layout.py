"""Sentences in panels: Blender's labels are one line each and are cut off at the edge, so we break lines ourselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import blf
import bpy

from .translation.interface import translated

_FONT = 0
_MARGIN = 46  # pixels at scale 1, as all of these: the borders of the panel and of the label
_TABS = 26  # the strip of tabs that a side bar has at its edge
BOX = 16
"""What a box takes away; the ``indent`` of a paragraph in one."""
_ICON = 22
_SMALLEST = 60
_LONGEST_WORD = 1000  # letters that are measured at once; more are in no line
MOST_LINES = 40
"""More of a text is not shown: a panel of thousands of lines is no help, and to measure them takes seconds."""

_IDEOGRAPHS = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
"""Chinese and Japanese signs and their punctuation: a line may end after each of them."""
_OPENING, _CLOSING = "（「『《【“‘", "），。、；：！？」』》】”’…"
_UNIT = re.compile(rf"(\s*)([{_OPENING}]*(?:[{_IDEOGRAPHS}]|[^\s{_IDEOGRAPHS}]+)[{_CLOSING}]*|[{_OPENING}{_CLOSING}]+)")
"""What stays in one line, with the space before it: a word, or a sign with its punctuation."""

_popup_width = 0
"""Of the pop-up that is being drawn, in pixels at scale 1; 0 outside of one."""


@contextmanager
def inside(width: int) -> Iterator[None]:
    """Has texts broken to the width of a pop-up, in pixels at scale 1, while that is drawn."""
    global _popup_width
    before, _popup_width = _popup_width, width
    try:
        yield
    finally:
        _popup_width = before


def region_width(context: bpy.types.Context) -> float:
    """Of what is being drawn in, in pixels at scale 1."""
    return _popup_width or context.region.width / context.preferences.system.ui_scale


def paragraph(
    layout: bpy.types.UILayout,
    text: str,
    context: bpy.types.Context,
    *,
    icon: str = "NONE",
    indent: int = 0,
    quiet: bool = False,
    width: int = 0,
    translate: bool = True,
) -> None:
    """Adds a text in the interface's language, broken to the width of the region, with an icon before its first line.

    Args:
        layout: Where to add it.
        text: The words.
        context: Tells the width.
        icon: Before the first line.
        indent: Pixels at scale 1 that the surroundings take away beside the usual.
        quiet: Greyed, for what is good to know but not important.
        width: Of the surroundings, in pixels at scale 1, where it is not the region's, as in a pop-up.
        translate: Not for words of the user's.
    """
    text = translated(text) if translate else text
    column = layout.column(align=True)
    column.active = not quiet
    column.scale_y = 0.82
    room = _room(context, indent + (_ICON if icon != "NONE" else 0), width)
    for number, line in enumerate(lines_of(text, room, _points(context))):
        if icon == "NONE":
            column.label(text=line, translate=False)
        else:
            column.label(text=line, icon=icon if number == 0 else "BLANK1", translate=False)


def fits(text: str, context: bpy.types.Context, *, taken: int = 0) -> bool:
    """Whether a text is seen whole in one line, where ``taken`` pixels at scale 1 are taken away beside the usual."""
    return len(lines_of(text, _room(context, taken), _points(context))) <= 1


def _room(context: bpy.types.Context, taken: int, width: int = 0) -> float:
    scale = context.preferences.system.ui_scale
    taken += _MARGIN
    width = width or _popup_width
    if width:
        return max(width - taken, _SMALLEST) * scale
    taken += _TABS if context.region.type == "UI" else 0
    return float(max(context.region.width - taken * scale, _SMALLEST * scale))


def _points(context: bpy.types.Context) -> float:
    return float(context.preferences.ui_styles[0].widget.points * context.preferences.system.ui_scale)


@lru_cache(maxsize=256)
def lines_of(text: str, width: float, points: float) -> tuple[str, ...]:
    """The lines of a text that are not wider than ``width`` pixels; a longer word is broken. Of more than
    :data:`MOST_LINES`, the rest is left out.
    """
    blf.size(_FONT, points)
    lines: list[str] = []
    line = ""
    for space, word in _UNIT.findall(text):
        if len(lines) > MOST_LINES:
            break
        candidate = f"{line}{' ' if space else ''}{word}" if line else word
        if _width(candidate) <= width:
            line = candidate
            continue
        if line:
            lines.append(line)
        while len(word) > 1 and len(lines) < MOST_LINES and _width(word[:_LONGEST_WORD]) > width:
            fits = _fitting(word[:_LONGEST_WORD], width)
            lines.append(word[:fits])
            word = word[fits:]
        line = word
    whole = (*lines, line) if line else tuple(lines)
    return whole if len(whole) <= MOST_LINES else (*whole[:MOST_LINES], "...")


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
