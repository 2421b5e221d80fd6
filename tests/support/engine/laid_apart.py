"""Started by path inside a background Blender: unwraps plates of which some lie over others.

Each plate is a square of its own place, and as many of them as ``over`` of the request have a second square on the same
points. Answer: ``over``, how many faces lie over others in the end, and ``inside``, whether all are in the map.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

_VENDOR = Path(__file__).resolve().parents[3] / "vendor"
_PLATES = 60
_SIZE = 1024


def work(request: dict[str, Any], report: Any) -> dict[str, Any]:
    """Unwraps them."""
    import bpy
    import numpy as np

    build, unwrap = (importlib.import_module(f"assetgen_engine.mesh.{name}") for name in ("build", "unwrap"))
    square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], np.float32)
    sizes = np.where(np.arange(_PLATES) < request["over"], request["size"], 1.0)
    places = np.concatenate([square * size + (2 * number, 0, 0) for number, size in enumerate(sizes)])
    plates = np.arange(4 * _PLATES).reshape(-1, 4)
    faces = np.concatenate((plates, plates[: request["over"]]))
    mesh = build.filled(bpy.data.meshes.new("plates"), places.astype(np.float32), faces.ravel(), np.full(len(faces), 4))
    scene_object = bpy.data.objects.new("Plates", mesh)
    bpy.context.collection.objects.link(scene_object)
    unwrap.unwrap(scene_object, _SIZE)
    uv = np.array([corner.vector[:] for corner in mesh.uv_layers[0].uv]).reshape(-1, 4, 2)
    low, high = uv.min(axis=1), uv.max(axis=1)
    apart = ((low[:, None] >= high[None] - 1e-6) | (low[None] >= high[:, None] - 1e-6)).any(axis=2)
    inside = bool((low >= 0).all() and (high <= 1).all())
    return {"over": int((~apart).sum() - len(faces)), "inside": inside}


if __name__ == "__main__":
    from small_engine import engine_main  # this folder is where Python looks first

    sys.path.insert(0, str(_VENDOR))
    engine_main()
    from background_blender.child import main

    main(work)
