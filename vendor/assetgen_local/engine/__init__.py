"""The local engine's geometry: scripts that run inside a background Blender, one process per task.

``main.py`` is started by path and is given a request; everything else is reached from it by relative imports. This is
the only part of the local engine that has bpy, and it has nothing else: no HTTP, no pydantic, only the standard library
and numpy.

Axes and units: inside Blender +Z is up and a model's front faces -Y; lengths are Blender units, which glTF calls
metres. Importers and exporters turn to and from the +Y up of GLB and OBJ. STL, 3MF and PLY are +Z up on both sides.
"""

import bpy  # noqa: F401  bmesh and mathutils can only be imported after it
