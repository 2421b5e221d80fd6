"""A layout that draws nothing, and writes down every text as it would be shown in a language."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import bpy

_TITLES = frozenset({"label", "operator", "menu", "progress", "prop", "prop_search", "popover"})
_LAYOUTS = frozenset({"row", "column", "box", "split", "grid_flow", "column_flow"})


class DrawnTexts:
    """Stands for a UILayout, and for all that it gives.

    Args:
        texts: Where they are written down.
        look_up: What Blender does with a text that it is given without ``translate=False``.
    """

    def __init__(self, texts: list[str], look_up: Callable[[str], str]) -> None:
        self.__dict__.update(_texts=texts, _look_up=look_up)

    def __getattr__(self, name: str) -> Any:
        if name in _TITLES:
            return lambda *args, **named: self._take(name, args, named)
        if name in ("panel", "panel_prop"):
            return lambda *_args, **_named: (self, self)
        if name in _LAYOUTS:
            return lambda **_named: self
        return lambda *_args, **_named: SimpleNamespace()

    def __setattr__(self, _name: str, _value: Any) -> None:
        return

    def _take(self, name: str, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        text = named.get("text")
        if name == "operator" and text is None:
            module, _, command = args[0].partition(".")
            text = getattr(getattr(bpy.ops, module), command).get_rna_type().name
        elif name in ("prop", "prop_search"):
            self._take_property(args[0].bl_rna.properties[args[1]], named)
        elif name == "menu" and text is None:
            text = getattr(bpy.types, args[0]).bl_label
        if text:
            self._texts.append(self._look_up(text) if named.get("translate", True) else text)
        return SimpleNamespace()

    def _take_property(self, item: bpy.types.Property, named: dict[str, Any]) -> None:
        names = [] if "text" in named else [item.name]
        if item.type == "ENUM":
            names += [one.name for one in item.enum_items]
        if named.get("placeholder"):
            names.append(named["placeholder"])
        self._texts.extend(self._look_up(name) for name in [*names, item.description] if name)
