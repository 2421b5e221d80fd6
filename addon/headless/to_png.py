"""Writes an image as a PNG. Runs in a background Blender.

Request: ``image`` (whatever Blender reads) and ``out``. The file is all it gives: its answer is empty.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "vendor"))

import bpy
from background_blender.child import Report, main


def work(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Reads the image and writes it."""
    source = Path(request["image"])
    try:
        image = bpy.data.images.load(str(source))
    except RuntimeError:
        image = None
    if image is None or not image.size[0]:
        raise ValueError(f"{source.name} is not an image that Blender can read.")
    report(0.5, "Writing the picture")
    image.filepath_raw = request["out"]
    image.file_format = "PNG"
    image.save()
    return {}


if __name__ == "__main__":
    main(work)
