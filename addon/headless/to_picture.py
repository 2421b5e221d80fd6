"""Draws a small picture of a result that is ready to be brought in. Runs in a background Blender.

Request: ``blend`` (of :mod:`to_blend`) and ``picture`` (a PNG). The file is all it gives, its answer is empty; there is
none where there is nothing to be seen.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "vendor")]

import bpy
from background_blender.child import Report, main
from thumbnail import write_thumbnail  # type: ignore[import-not-found, unused-ignore]


def work(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Loads the result and draws it."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    report(0.1, "Drawing a small picture")
    with bpy.data.libraries.load(request["blend"], link=False) as (there, here):
        here.collections = list(there.collections)
    for collection in here.collections:
        bpy.context.scene.collection.children.link(collection)
    bpy.context.view_layer.update()
    write_thumbnail(list(bpy.data.objects), Path(request["picture"]))
    report(1.0, "Drawn")
    return {}


if __name__ == "__main__":
    main(work)
