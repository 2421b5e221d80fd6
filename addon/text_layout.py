"""Sentences in panels: Blender's labels are one line each and are cut off at the edge, so we break lines ourselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple

import blf
import bpy

from .translation.interface import translated

_FONT = 0
_MARGIN = 46  # pixels at scale 1, as all of these: the borders of the panel and of the label
_TABS = 26  # the strip of tabs that a side bar has at its edge
_PREFERENCES = 20  # the borders there of the part of one extension
BOX = 16
"""What a box takes away; the ``indent`` of a paragraph in one."""
ICON = 22
"""What a pictogram takes away, or a button with nothing else on it."""
_SMALLEST = 60  # into less no sentence is broken
_LONGEST_WORD = 1000  # letters that are measured at once; more are in no line
_NARROW = 278  # a side bar has 280 when Blender is new; from here on the longest name of a field fits beside it
_GAP = "\u2026"
MOST_LINES = 40
"""More of a text is not shown: a panel of thousands of lines is no help, and to measure them takes seconds."""

_IDEOGRAPHS = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
"""Chinese and Japanese signs and their punctuation: a line may end after each of them."""
_OPENING, _CLOSING = "（「『《【“‘", "），。、；：！？」』》】”’…"
_UNIT = rf"(\s*)([{_OPENING}]*(?:[{_IDEOGRAPHS}]|[^\s{_IDEOGRAPHS}]+)[{_CLOSING}]*|[{_OPENING}{_CLOSING}]+)"
"""What stays in one line, with the space before it: a word, or a sign with its punctuation. Not compiled yet: that
takes milliseconds, and enabling the extension need not wait for it.
"""

_popup_width = 0
"""Of the pop-up that is being drawn, in pixels at scale 1; 0 outside of one."""


class _Measures(NamedTuple):
    """What texts are laid out by.

    Attributes:
        width: Of the region, in pixels.
        border: What is at the edge of a region of this kind, in pixels at scale 1.
        scale: The resolution scale.
        points: The size of the interface's font, at that scale.
    """

    width: float
    border: int
    scale: float
    points: float


_drawing: _Measures | None = None
"""Of the panel that is being drawn; None where none has said so."""


@contextmanager
def measured_once(context: bpy.types.Context) -> Iterator[None]:
    """Has Blender asked once for what is the same for all texts of a drawing: each of them would ask several times."""
    global _drawing
    before, _drawing = _drawing, _measured(context)
    try:
        yield
    finally:
        _drawing = before


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
    if _popup_width:
        return _popup_width
    measures = _measures(context)
    return measures.width / measures.scale


def is_narrow(context: bpy.types.Context) -> bool:
    """Whether there is too little room for names beside their fields, and for words side by side. All that is drawn
    asks here.
    """
    return region_width(context) < _NARROW


def paragraph(
    layout: bpy.types.UILayout,
    text: str,
    context: bpy.types.Context,
    *,
    icon: str = "NONE",
    indent: int = 0,
    quiet: bool = False,
    width: int = 0,
    place: float = 0.0,
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
        place: The width that the words themselves have, where that is known better than from the surroundings.
        translate: Not for words of the user's.
    """
    text = translated(text) if translate else text
    column = layout.column(align=True)
    column.active = not quiet
    column.scale_y = 0.82
    measures = _measures(context)
    room = place * measures.scale or _room(measures, indent + (ICON if icon != "NONE" else 0), width)
    room = max(room, _SMALLEST * measures.scale)
    for number, line in enumerate(lines_of(text, room, measures.points)):
        if icon == "NONE":
            column.label(text=line, translate=False)
        else:
            column.label(text=line, icon=icon if number == 0 else "BLANK1", translate=False)


def fits(text: str, context: bpy.types.Context, *, taken: int = 0) -> bool:
    """Whether a text is seen whole in one line, where ``taken`` pixels at scale 1 are taken away beside the usual."""
    measures = _measures(context)
    return len(lines_of(text, _room(measures, taken), measures.points)) <= 1


def fitting(words: tuple[str, ...], context: bpy.types.Context, taken: int = 0) -> str:
    """The first of some words that is seen whole in a line, where ``taken`` pixels at scale 1 are taken away; the last
    one where none is. They come out in the interface's language.
    """
    translations = [translated(item) for item in words]
    return next((item for item in translations if fits(item, context, taken=taken)), translations[-1])


def shortened(text: str, context: bpy.types.Context, *, taken: int = 0, place: float = 0.0) -> str:
    """A name for one line, its middle left out where it is too long: names that begin alike differ at their ends.

    Args:
        text: The name.
        context: Tells the width.
        taken: As for :func:`fits`.
        place: The width that the words themselves have, in pixels at scale 1, where it is not a line of the region.
    """
    measures = _measures(context)
    room = place * measures.scale if place else _room(measures, taken)
    return without_middle(text, room, measures.points)


def _room(measures: _Measures, taken: int, width: int = 0) -> float:
    taken += _MARGIN
    width = width or _popup_width
    if width:
        return (width - taken) * measures.scale
    return measures.width - (taken + measures.border) * measures.scale


def _measures(context: bpy.types.Context) -> _Measures:
    return _drawing or _measured(context)


def _measured(context: bpy.types.Context) -> _Measures:
    region, preferences = context.region, context.preferences
    scale = float(preferences.system.ui_scale)
    points = float(preferences.ui_styles[0].widget.points) * scale
    # A pop-up may have no region; its width is told.
    width = float(region.width) if region is not None else 0.0
    return _Measures(width, _TABS if region is not None and region.type == "UI" else _PREFERENCES, scale, points)


@lru_cache(maxsize=256)
def lines_of(text: str, width: float, points: float) -> tuple[str, ...]:
    """The lines of a text that are not wider than ``width`` pixels; a longer word is broken. Of more than
    :data:`MOST_LINES`, the rest is left out.
    """
    blf.size(_FONT, points)
    lines: list[str] = []
    line = ""
    for space, word in re.findall(_UNIT, text):
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


@lru_cache(maxsize=512)
def without_middle(text: str, width: float, points: float) -> str:
    """A text that is not wider than ``width`` pixels, with "\u2026" for the letters of its middle that had to go."""
    blf.size(_FONT, points)
    text = " ".join(text.split())
    if len(text) <= _LONGEST_WORD and _width(text) <= width:
        return text
    low, high = 1, min(len(text), _LONGEST_WORD) - 1
    while low < high:
        kept = (low + high + 1) // 2
        if _width(_ends(text, kept)) <= width:
            low = kept
        else:
            high = kept - 1
    return _ends(text, low)


def _ends(text: str, kept: int) -> str:
    """The first and the last letters of a text, ``kept`` in all."""
    last = kept // 3
    return text[: kept - last].rstrip() + _GAP + text[len(text) - last :].lstrip()


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
