"""The way to the extension's tab, for who has just installed it."""

from __future__ import annotations

import bpy

TAB = "Asset Gen"
"""What the tab in the side bar is called."""

WHERE = f"In the side bar of the 3D viewport: press N there and choose the tab {TAB}"


class ASSETGEN_OT_show_tab(bpy.types.Operator):
    """Open the side bar of the 3D viewport at the extension's tab."""

    bl_idname = "assetgen.show_tab"
    bl_label = "Show Asset Generation"
    bl_description = "Open the side bar of the 3D viewport at the tab of this extension"
    bl_options = {"REGISTER"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        windows = context.window_manager.windows
        areas = [area for window in windows for area in window.screen.areas if area.type == "VIEW_3D"]
        if not areas:
            self.report({"ERROR"}, "No 3D viewport is open. Open one, and press N in it")
            return {"CANCELLED"}
        area = context.area if context.area in areas else max(areas, key=lambda item: item.width * item.height)
        area.spaces.active.show_region_ui = True
        side_bar = next(region for region in area.regions if region.type == "UI")
        try:
            side_bar.active_panel_category = TAB
        except (AttributeError, TypeError):  # its tabs are not known before it was drawn once
            _choose_later(side_bar)
        area.tag_redraw()
        return {"FINISHED"}


def _choose_later(side_bar: bpy.types.Region) -> None:
    def choose() -> None:
        try:
            side_bar.active_panel_category = TAB
        except (AttributeError, TypeError, ReferenceError):
            return  # the area is not there any more; the side bar is open all the same
        side_bar.tag_redraw()

    if not bpy.app.background:
        bpy.app.timers.register(choose, first_interval=0.3)


CLASSES = (ASSETGEN_OT_show_tab,)
