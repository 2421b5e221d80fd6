"""Runs inside a background Blender: installs the zip as a user would from the disk, and saves the preferences.

Started as ``blender --python install.py -- ZIP [plain]``; with ``plain`` the viewports are drawn sooner: without a
grid, and beside the side bar instead of below it too.
"""

from __future__ import annotations

import sys

import bpy

PACKAGE = "bl_ext.user_default.asset_generation"

package, *looks = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.extensions.package_install_files(filepath=package, repo="user_default", enable_on_install=True)
assert PACKAGE in bpy.context.preferences.addons, "the extension is not enabled after its installation"
bpy.context.preferences.view.show_splash = False  # it would eat the first click
bpy.context.preferences.addons[PACKAGE].preferences.told_where = True  # so would the note after the installation
# Without a graphics card every redraw of a viewport is work for all cores, and smooth edges take eight of them.
bpy.context.preferences.system.viewport_aa = "OFF"
bpy.context.preferences.view.smooth_view = 0  # nor does it travel to another view in many pictures
if "plain" in looks:
    # A drawing takes a third less without the grid, and a seventh less where wires have hard edges.
    bpy.context.preferences.system.use_overlay_smooth_wire = False
    bpy.context.preferences.system.use_region_overlap = False
    for space in (area.spaces.active for screen in bpy.data.screens for area in screen.areas):
        if space.type == "VIEW_3D":
            space.overlay.show_floor = space.overlay.show_axis_x = space.overlay.show_axis_y = False
    bpy.ops.wm.save_homefile()
bpy.ops.wm.save_userpref()
