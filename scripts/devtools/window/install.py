"""Runs inside a background Blender: installs the zip as a user would from the disk, and saves the preferences."""

from __future__ import annotations

import sys

import bpy

PACKAGE = "bl_ext.user_default.asset_generation"

(package,) = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.extensions.package_install_files(filepath=package, repo="user_default", enable_on_install=True)
assert PACKAGE in bpy.context.preferences.addons, "the extension is not enabled after its installation"
bpy.context.preferences.view.show_splash = False  # it would eat the first click
bpy.context.preferences.addons[PACKAGE].preferences.told_where = True  # so would the note after the installation
# Without a graphics card every redraw of a viewport is work for all cores, and smooth edges take eight of them.
bpy.context.preferences.system.viewport_aa = "OFF"
bpy.context.preferences.view.smooth_view = 0  # nor does it travel to another view in many pictures
bpy.ops.wm.save_userpref()
