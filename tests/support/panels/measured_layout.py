"""A layout that draws nothing: it shares out its width as Blender does, and tells which texts are cut.

The margins were measured in windows, with texts of growing length in each kind of item: from where on they are cut.
All lengths are pixels at scale 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import blf
import bpy

UNIT = 20.0
_WIDE = 10 * UNIT  # what anything with words asks for where it may grow
_SPACE = 8.0  # between items of a row that is not aligned
_BOX = 11.0
_HEADER = 36.0  # the arrow of a part that can be closed
_SPLIT = 0.4  # of the width is for the names of properties, where they stand before them
_LABEL = 3.0
_SPLIT_LABEL = 8.0
_BUTTON = 6.0
_ICON = 20.0
_MENU = 20.0  # the arrow
_CHECK_BOX = 26.0
_NUMBER = 38.0  # the arrows, and what is between name and value
_FIELD = 12.0


class Cut(NamedTuple):
    """A text that does not fit: what it says, the pixels it needs, and those it has."""

    text: str
    needed: float
    room: float


class _Item(NamedTuple):
    """Something with words: what the margins take away beside them, and the width that it asks for."""

    text: str
    margin: float
    asks: float
    is_fixed: bool = False
    label: str = ""
    """A name that stands before it, in the part for names."""
    is_switch: bool = False


def text_width(text: str, scale: float) -> float:
    """Pixels at scale 1 that a text has in the font of the interface, whose letters have whole pixels at each scale."""
    blf.size(0, bpy.context.preferences.ui_styles[0].widget.points * scale)
    return float(blf.dimensions(0, text)[0]) / scale


class MeasuredLayout:
    """Takes what panels call, as far as they do; :meth:`cuts` then tells what does not fit at a resolution scale."""

    def __init__(self, scale: float, kind: str = "column", parent: MeasuredLayout | None = None, **facts: Any) -> None:
        self.scale, self.kind, self.facts = scale, kind, facts
        self.items: list[MeasuredLayout | _Item] = []
        self.alignment = "EXPAND"
        self.use_property_split = parent is not None and parent.use_property_split
        self.use_property_decorate = False
        self.enabled = self.active = True
        self.alert = self.active_default = self.activate_init = False
        self.emboss, self.operator_context = "NORMAL", "EXEC_DEFAULT"
        self.scale_x = self.scale_y = 1.0
        self.ui_units_x = self.ui_units_y = 0.0
        self.direction = "VERTICAL"

    # Layouts

    def _sub(self, kind: str, **facts: Any) -> MeasuredLayout:
        sub = MeasuredLayout(self.scale, kind, self, **facts)
        self.items.append(sub)
        return sub

    def row(self, *, align: bool = False, **_words: Any) -> MeasuredLayout:
        return self._sub("row", align=align)

    def column(self, *, align: bool = False, **_words: Any) -> MeasuredLayout:
        return self._sub("column", align=align)

    def box(self) -> MeasuredLayout:
        return self._sub("box")

    def split(self, *, factor: float = 0.0, align: bool = False) -> MeasuredLayout:
        return self._sub("split", factor=factor, align=align)

    def grid_flow(self, *, columns: int = 0, align: bool = False, **_options: Any) -> MeasuredLayout:
        return self._sub("grid", columns=columns, align=align)

    def panel(self, _name: str, *, default_closed: bool = False) -> tuple[MeasuredLayout, MeasuredLayout]:
        """A part that can be closed. It is open, whatever its state."""
        return self._sub("header", align=False), self._sub("column", align=False)

    def panel_prop(self, _data: Any, _name: str) -> tuple[MeasuredLayout, MeasuredLayout]:
        return self.panel("")

    # Things with words

    def label(self, *, text: str = "", icon: str = "NONE", icon_value: int = 0, **_words: Any) -> None:
        self._add(text, _LABEL, has_icon=icon != "NONE" or bool(icon_value))

    def operator(self, command: str, *, text: str | None = None, icon: str = "NONE", **_options: Any) -> Any:
        folder, _, name = command.partition(".")
        words = getattr(getattr(bpy.ops, folder), name).get_rna_type().name if text is None else text
        self._add(words, _BUTTON, has_icon=icon != "NONE")
        return SimpleNamespace()

    def operator_menu_enum(self, command: str, _property: str, *, text: str | None = None, icon: str = "NONE") -> Any:
        return self.operator(command, text=text, icon=icon)

    def menu(self, name: str, *, text: str | None = None, icon: str = "NONE", **_words: Any) -> None:
        words = getattr(bpy.types, name).bl_rna.name if text is None else text
        self._add(words, _MENU if words else 0.0, has_icon=icon != "NONE")

    def popover(self, panel: str, *, text: str | None = None, icon: str = "NONE", **_words: Any) -> None:
        self.menu(panel, text=text, icon=icon)

    def progress(self, *, text: str = "", factor: float = 0.0, type: str = "BAR", **_options: Any) -> None:
        self._add(text, _BUTTON, has_icon=False)

    def prop_enum(self, data: Any, name: str, value: str, *, text: str | None = None, icon: str = "NONE") -> None:
        item = data.bl_rna.properties[name].enum_items[value]
        words = item.name if text is None else text
        self._add(words, _BUTTON, has_icon=icon != "NONE" or item.icon != "NONE")

    def prop_search(
        self, data: Any, name: str, _among: Any, _names: str, *, text: str | None = None, icon: str = "NONE"
    ) -> None:
        self.prop(data, name, text=text, icon=icon)

    def prop(
        self,
        data: Any,
        name: str,
        *,
        text: str | None = None,
        icon: str = "NONE",
        placeholder: str = "",
        expand: bool = False,
        icon_only: bool = False,
        **_options: Any,
    ) -> None:
        item = data.bl_rna.properties[name]
        words = item.name if text is None else text
        if item.type == "ENUM":
            self._choice(data, item, words, expand=expand, icon_only=icon_only)
        elif item.type == "BOOLEAN" and not words:
            self.items.append(_Item("", 0.0, UNIT, is_fixed=True))
        elif item.type == "BOOLEAN":
            self.items.append(_Item(words, _CHECK_BOX, _WIDE, is_switch=self.use_property_split))
        elif item.type in ("INT", "FLOAT"):
            shown = getattr(data, name)
            value = str(shown) if item.type == "INT" else f"{shown:.{item.precision}f}"
            if self.use_property_split:
                self.items.append(_Item(value, _NUMBER, _WIDE, label=words))
            else:
                self.items.append(_Item(f"{words} {value}", _NUMBER, _WIDE))
        else:
            margin = _FIELD + (_ICON if icon != "NONE" else 0.0) + (_ICON if item.subtype.endswith("PATH") else 0.0)
            self._named(words, _Item(placeholder, margin, _WIDE))

    def _choice(self, data: Any, item: Any, words: str, *, expand: bool, icon_only: bool) -> None:
        if icon_only:
            for _ in item.enum_items if expand else (item,):
                self.items.append(_Item("", 0.0, UNIT, is_fixed=True))
        elif expand:
            # Beside or below each other, as all that is added to this layout.
            place = self
            if self.use_property_split and words:
                split = self._sub("split", factor=_SPLIT, align=True)
                split._add(words, _SPLIT_LABEL, has_icon=False)
                place = split._sub(self.kind, align=True)
            for choice in item.enum_items:
                place._add(choice.name, _BUTTON, has_icon=choice.icon != "NONE")
        else:
            chosen = item.enum_items[getattr(data, item.identifier)]
            margin = _MENU + (_ICON if chosen.icon != "NONE" else 0.0)
            self._named(words, _Item(chosen.name, margin, _WIDE))

    def _named(self, words: str, item: _Item) -> None:
        """Something with its name before it, where it has one."""
        if self.use_property_split or not words:
            self.items.append(item._replace(label=words))
            return
        row = self._sub("row", align=True)
        row._add(words + ":", _LABEL, has_icon=False)
        row.items.append(item)

    # Things without

    def template_icon(self, *, icon_value: int, scale: float = 1.0) -> None:
        self.items.append(_Item("", 0.0, UNIT * scale, is_fixed=True))

    def template_list(self, *_names: Any, **_options: Any) -> None:
        """Its rows are drawn for themselves; see :data:`LIST`."""

    def separator(self, **_options: Any) -> None:
        pass

    def _add(self, text: str, margin: float, *, has_icon: bool) -> None:
        if not text:
            self.items.append(_Item("", 0.0, UNIT, is_fixed=True))
            return
        margin += _ICON if has_icon else 0.0
        asks = (
            _WIDE
            if self.alignment == "EXPAND"
            else text_width(text, self.scale) + 1.5 * UNIT + (_ICON if has_icon else 0.0)
        )
        self.items.append(_Item(text, margin, asks))

    def texts(self) -> Iterator[str]:
        """All that is said, from the top to the bottom."""
        for item in self.items:
            if isinstance(item, MeasuredLayout):
                yield from item.texts()
            else:
                yield from filter(None, (item.label, item.text))

    @property
    def lines(self) -> int:
        """How many lines lie below each other."""
        if not self.items:
            return 0
        below = [item.lines if isinstance(item, MeasuredLayout) else 1 for item in self.items]
        return max(below) if self.kind in {"row", "split", "header"} else sum(below)

    # Measuring

    def cuts(self, width: float) -> Iterator[Cut]:
        """The texts that do not fit into ``width`` pixels at scale 1."""
        if self.kind == "box":
            width -= _BOX
        if self.kind == "header":
            width -= _HEADER
        names = _SPLIT * width
        for item, room in zip(self.items, self._shares(width), strict=True):
            if isinstance(item, MeasuredLayout):
                yield from item.cuts(room)
                continue
            if item.label:
                yield from self._checked(item.label, names - _SPLIT_LABEL)
                room -= names
            elif item.is_switch:
                room -= names
            yield from self._checked(item.text, room - item.margin)

    def _checked(self, text: str, room: float) -> Iterator[Cut]:
        if text and (needed := text_width(text, self.scale)) > room + 0.5:
            yield Cut(text, needed, room)

    @property
    def _asks(self) -> float:
        asked = [item._asks if isinstance(item, MeasuredLayout) else item.asks for item in self.items]
        if self.ui_units_x:
            return self.ui_units_x * UNIT
        if self.kind in ("row", "split", "header"):
            return sum(asked) * self.scale_x
        return max(asked, default=0.0) * self.scale_x

    @property
    def _is_fixed(self) -> bool:
        """Whether it has nothing but pictograms, which do not grow."""
        return bool(self.items) and all(
            item._is_fixed if isinstance(item, MeasuredLayout) else item.is_fixed for item in self.items
        )

    def _shares(self, width: float) -> list[float]:
        number = len(self.items)
        space = 0.0 if self.facts.get("align") else _SPACE
        if self.kind == "grid":
            columns = max(1, self.facts["columns"])
            return [(width - space * (columns - 1)) / columns] * number
        if self.kind == "split":
            first = self.facts["factor"] or 1 / max(1, number)
            room = width - space * (number - 1)
            return [room * first, *[room * (1 - first) / max(1, number - 1)] * (number - 1)][:number]
        if self.kind not in ("row", "header"):
            return [width] * number
        asked = [item._asks if isinstance(item, MeasuredLayout) else item.asks for item in self.items]
        fixed = [item._is_fixed if isinstance(item, MeasuredLayout) else item.is_fixed for item in self.items]
        room = width - space * (number - 1) - sum(a for a, f in zip(asked, fixed, strict=True) if f)
        wanted = sum(a for a, f in zip(asked, fixed, strict=True) if not f)
        grows = self.alignment == "EXPAND" or wanted > room
        factor = room / wanted if wanted and grows else 1.0
        return [a if f else a * factor for a, f in zip(asked, fixed, strict=True)]


LIST = 44.0
"""What the frame of a list takes away, with its scroll bar and the borders of a row."""

PANEL = 54.0
"""What the tabs and the borders of a side bar's panel take away."""

DIALOG = 16.0
"""What the borders of a dialog take away."""

PREFERENCES = 60.0
"""What the borders of the preferences, and of the part of one extension in them, take away."""

FILE_BROWSER = 36.0
"""What the borders of the region at its side take away."""
