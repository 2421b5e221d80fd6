"""Shortcuts that the user may give to our menus. None is taken from Blender: they are empty until then."""

from __future__ import annotations

from typing import Any, NamedTuple

import bpy

from ..translation.interface import translated
from . import menus

_MENU = "wm.call_menu"


class _Entry(NamedTuple):
    """A shortcut: where it holds, what it runs, the menu that it opens if it is one, and its words."""

    keymap: str
    space: str
    command: str
    menu: str
    words: str


_ENTRIES = (
    _Entry("Object Mode", "EMPTY", _MENU, menus.ASSETGEN_MT_object.bl_idname, "Work on the Selected Object"),
    _Entry("Object Mode", "EMPTY", _MENU, menus.ASSETGEN_MT_add.bl_idname, "Add a Model or an Image"),
    _Entry("Image", "IMAGE_EDITOR", _MENU, menus.ASSETGEN_MT_image.bl_idname, "Work on the Shown Image"),
    _Entry("3D View", "VIEW_3D", "assetgen.show_tab", "", "Show the Tab"),
)

_added: list[tuple[bpy.types.KeyMap, bpy.types.KeyMapItem]] = []


def draw(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draws a field for each shortcut, to be set by pressing it."""
    keyconfig = context.window_manager.keyconfigs.user
    column = layout.column()
    column.label(text="Shortcuts")
    for entry in _ENTRIES:
        item = _item_of(keyconfig, entry)
        if item is not None:
            row = column.split(factor=0.55)
            row.label(text=translated(entry.words), translate=False)
            row.prop(item, "type", text="", full_event=True)


def _item_of(keyconfig: Any, entry: _Entry) -> bpy.types.KeyMapItem | None:
    """The user's own item, which remembers what was set."""
    keymap = keyconfig.keymaps.get(entry.keymap) if keyconfig is not None else None
    for item in keymap.keymap_items if keymap is not None else ():
        if item.idname == entry.command and (not entry.menu or item.properties.name == entry.menu):
            return item
    return None


def register() -> None:
    """Adds the shortcuts; without a window there are none."""
    keyconfig = bpy.context.window_manager.keyconfigs.addon
    if keyconfig is None:
        return
    for entry in _ENTRIES:
        keymap = keyconfig.keymaps.new(name=entry.keymap, space_type=entry.space)
        item = keymap.keymap_items.new(entry.command, type="NONE", value="PRESS")
        if entry.menu:
            item.properties.name = entry.menu
        _added.append((keymap, item))


def unregister() -> None:
    """Removes them; what the user set is remembered by Blender."""
    for keymap, item in _added:
        keymap.keymap_items.remove(item)
    _added.clear()


CLASSES = ()
