"""Draws panels into a layout that measures, in a side bar of any width."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import bpy

from .measured_layout import PANEL, Cut, MeasuredLayout


class NarrowContext:
    """Blender's context, but for the region that is drawn in and the scale.

    Args:
        width: Of the region, in pixels at scale 1.
        scale: The resolution scale.
        region: Its type.
    """

    def __init__(self, width: float, *, scale: float = 1.0, region: str = "UI") -> None:
        self.region = SimpleNamespace(width=round(width * scale), height=1000, type=region)
        given = bpy.context.preferences
        self.preferences = _Changed(given, system=_Changed(given.system, ui_scale=scale))

    def __getattr__(self, name: str) -> Any:
        return getattr(bpy.context, name)


class _Changed:
    """A thing of Blender with some of its values replaced."""

    def __init__(self, thing: Any, **values: Any) -> None:
        self.__dict__.update(values)
        self._thing = thing

    def __getattr__(self, name: str) -> Any:
        return getattr(self._thing, name)


def cuts_of(draw: Callable[[Any, Any], Any], width: float, *, scale: float = 1.0, taken: float = PANEL) -> list[Cut]:
    """What is cut of a drawing.

    Args:
        draw: Takes the layout and the context.
        width: Of the region, in pixels at scale 1.
        scale: The resolution scale.
        taken: What the surroundings take away of the width.
    """
    layout = MeasuredLayout(scale)
    draw(layout, NarrowContext(width, scale=scale))
    return list(layout.cuts(width - taken))


def panel(cls: Any) -> Callable[[Any, Any], None]:
    """The drawing of a panel, with its header and all parts of it open."""

    def draw(layout: Any, context: Any) -> None:
        cls.draw(SimpleNamespace(layout=layout), context)

    return draw
