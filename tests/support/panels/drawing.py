"""Draws panels into a layout that measures, in a side bar of any width."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType, SimpleNamespace
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
        self.preferences = Changed(given, system=Changed(given.system, ui_scale=scale))

    def __getattr__(self, name: str) -> Any:
        return getattr(bpy.context, name)


class Changed:
    """A thing of Blender with some of its values replaced."""

    def __init__(self, thing: Any, **values: Any) -> None:
        self.__dict__.update(values)
        self._thing = thing

    def __getattr__(self, name: str) -> Any:
        return getattr(self._thing, name)


class _Asking:
    """An operator while it asks: the values of its properties, and its methods."""

    def __init__(self, cls: Any, layout: Any, values: dict[str, Any]) -> None:
        folder, _, name = cls.bl_idname.partition(".")
        self.bl_rna = getattr(getattr(bpy.ops, folder), name).get_rna_type()
        self.layout, self._cls = layout, cls
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        if (item := self.bl_rna.properties.get(name)) is not None:
            return item.default
        thing = getattr(self._cls, name)
        if isinstance(thing, property):
            return thing.fget(self)  # type: ignore[misc]
        return MethodType(thing, self) if callable(thing) else thing


def cuts_of(
    draw: Callable[[Any, Any], Any],
    width: float,
    *,
    scale: float = 1.0,
    taken: float = PANEL,
    region: str = "UI",
) -> list[Cut]:
    """What is cut of a drawing.

    Args:
        draw: Takes the layout and the context.
        width: Of the region, in pixels at scale 1.
        scale: The resolution scale.
        taken: What the surroundings take away of the width.
        region: Its type.
    """
    layout = MeasuredLayout(scale)
    draw(layout, NarrowContext(width, scale=scale, region=region))
    return list(layout.cuts(width - taken))


def panel(cls: Any) -> Callable[[Any, Any], None]:
    """The drawing of a panel, with its header and all parts of it open."""

    return lambda layout, context: cls.draw(SimpleNamespace(layout=layout), context)


def dialog(cls: Any, **values: Any) -> Callable[[Any, Any], None]:
    """The drawing of what an operator asks, with some of its properties set."""
    return lambda layout, context: cls.draw(_Asking(cls, layout, values), context)
