"""Started by path inside a background Blender: welds three faces of a mesh of a million points.

The second face has points of its own, each at the same place as another point, two of which the third one has. Answer:
``points``, how many are left: 7 where the second and the third are joined.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

_VENDOR = Path(__file__).resolve().parents[3] / "vendor"
_POINTS = 1_000_100


def work(request: dict[str, Any], report: Any) -> dict[str, Any]:
    """Welds them; ``apart`` of the request says how far behind the points of the first face those places are."""
    import bpy
    import numpy as np

    build, merged = (importlib.import_module(f"assetgen_engine.mesh.{name}") for name in ("build", "merged"))
    places = np.arange(3 * _POINTS, dtype=np.float32).reshape(-1, 3)
    first = request["apart"]
    places[-3:] = places[first : first + 3]
    faces = np.array([(0, 1, 2), (_POINTS - 3, _POINTS - 2, _POINTS - 1), (first, first + 1, first + 9)])
    mesh = build.filled(bpy.data.meshes.new("three"), places, faces.ravel(), np.full(3, 3))
    scene_object = bpy.data.objects.new("Three", mesh)
    bpy.context.collection.objects.link(scene_object)
    return {"points": len(merged.merge([scene_object], "whole").welded(1e6).whole.data.vertices)}


if __name__ == "__main__":
    from small_engine import engine_main  # this folder is where Python looks first

    sys.path.insert(0, str(_VENDOR))
    engine_main()
    from background_blender.child import main

    main(work)
