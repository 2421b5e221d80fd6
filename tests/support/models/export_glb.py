"""Started by path inside a background Blender: writes a .blend as a GLB. Its arguments are both paths."""

from __future__ import annotations

import os
import sys

import bpy

blend, glb = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.wm.open_mainfile(filepath=blend)
bpy.ops.export_scene.gltf(filepath=glb)
os._exit(0)  # a process that has done so hangs (4.5) or crashes (4.2) at its exit
