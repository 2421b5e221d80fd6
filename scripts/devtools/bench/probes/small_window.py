"""A window that is drawn in a few milliseconds without a graphics card, so that a redraw hides nothing that is ours.

Started with ``--window-geometry 0 0 640 480``, the smallest one that Blender makes. It has the sidebar of a 3D View
beside an empty Text Editor; of the 3D View itself a strip is left.
"""

from __future__ import annotations

from typing import Any

import bpy
from window_loop import Steps  # type: ignore[import-not-found, unused-ignore]

_SETTLED_SECONDS = 0.3


def make_small() -> Steps:
    """Leaves the two areas in the window, with the sidebar on the tab that Blender shows first."""
    bpy.context.preferences.system.use_region_overlap = False  # or the 3D View goes on behind the sidebar
    window = bpy.context.window_manager.windows[0]
    view = _view(window)
    for area in list(window.screen.areas):
        if area != view:
            with bpy.context.temp_override(window=window, area=area):
                bpy.ops.screen.area_close()
            yield _SETTLED_SECONDS
    view = _view(window)
    space = view.spaces.active
    space.show_object_viewport_mesh = False
    space.overlay.show_overlays = space.show_gizmo = space.show_region_toolbar = False
    space.show_region_header = space.show_region_tool_header = False
    space.show_region_ui = True
    with bpy.context.temp_override(window=window, area=view):
        bpy.ops.screen.area_split(direction="VERTICAL", factor=0.5)
    yield _SETTLED_SECONDS
    empty = max(window.screen.areas, key=lambda area: area.x)
    empty.type = "TEXT_EDITOR"
    empty.spaces.active.show_region_header = empty.spaces.active.show_region_footer = False
    yield _SETTLED_SECONDS


def open_tab(name: str) -> None:
    """Shows a tab of the sidebar."""
    view = _view(bpy.context.window_manager.windows[0])
    next(region for region in view.regions if region.type == "UI").active_panel_category = name


def _view(window: bpy.types.Window) -> Any:
    return next(area for area in window.screen.areas if area.type == "VIEW_3D")
