"""Has Blender draw again what shows our state, and nothing else."""

from __future__ import annotations

import bpy


def redraw(*area_types: str) -> None:
    """Tags the side bars of 3D viewports, or the named kinds of areas, in every window."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area_types:
                if area.type in area_types:
                    area.tag_redraw()
            elif area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == "UI":
                        region.tag_redraw()


def redraw_status_bar() -> None:
    """Has every window's status bar drawn again. It is no area that Python could tag, and to set its text would wipe
    what a running tool says there; but it listens to this.
    """
    bpy.msgbus.publish_rna(key=(bpy.types.ViewLayer, "name"))
