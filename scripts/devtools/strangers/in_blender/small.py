"""Started by path inside a background Blender: writes pictures again as small files.

Request: ``{"pairs": [[the PNG, the WebP]]}``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

_QUALITY = 70


def work(request: dict[str, Any], _report: Any) -> dict[str, Any]:
    """Writes them; the answer is empty."""
    import bpy

    for source, target in request["pairs"]:
        image = bpy.data.images.load(source)
        image.file_format = "WEBP"
        image.save(filepath=target, quality=_QUALITY)
    return {}


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "vendor"))
    from background_blender.child import main

    main(work)
