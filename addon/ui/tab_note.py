"""A note after the installation: where the extension's tab is. It is shown once."""

from __future__ import annotations

import bpy

from ..bridge import prefs
from ..ops.show_tab import TAB
from ..translation.interface import translated

_SOON_SECONDS = 2.0  # what the installation itself has to say is on the screen by then


def _draw(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    layout = menu.layout
    layout.label(text="It is in the side bar of the 3D viewport:", icon="VIEW3D")
    layout.label(text=translated(f"press N there and choose the tab {TAB}."), icon="BLANK1", translate=False)
    layout.separator()
    layout.operator("assetgen.show_tab", text="Show It Now", icon="FORWARD")


def _tell() -> None:
    values = prefs.preferences()
    manager = bpy.context.window_manager
    if values is None or values.told_where or not manager.windows:
        return
    values.told_where = True
    with bpy.context.temp_override(window=manager.windows[0]):
        manager.popup_menu(_draw, title="Asset Generation is installed", icon="INFO")


def register() -> None:
    """Shows the note a moment later, unless it was shown before."""
    values = prefs.preferences()
    if not bpy.app.background and values is not None and not values.told_where:
        bpy.app.timers.register(_tell, first_interval=_SOON_SECONDS, persistent=True)


def unregister() -> None:
    """It is not shown any more."""
    if bpy.app.timers.is_registered(_tell):
        bpy.app.timers.unregister(_tell)


CLASSES = ()
