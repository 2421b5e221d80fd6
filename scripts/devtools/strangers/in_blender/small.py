"""Started by path inside a background Blender: writes pictures again as small files.

Request: ``{"pairs": [[the PNG, the WebP]]}``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

_QUALITY = 60  # in per cent; Image.save takes no notice of one


def work(request: dict[str, Any], _report: Any) -> dict[str, Any]:
    """Writes them; the answer is empty."""
    import bpy

    scene = bpy.context.scene
    scene.view_settings.view_transform = "Standard"  # which leaves colours of sRGB as they are
    scene.render.image_settings.file_format = "WEBP"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.quality = _QUALITY
    for source, target in request["pairs"]:
        bpy.data.images.load(source).save_render(target, scene=scene)
    return {}


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "vendor"))
    from background_blender.child import main

    main(work)
