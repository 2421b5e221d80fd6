"""Makes uploads and results ready, one after another in the same background Blender.

Request: that of :mod:`to_glb`, :mod:`file_to_glb`, :mod:`to_blend` or :mod:`to_picture`, and the script's name as
``type``. Each of them begins with an empty file, so what one leaves behind the next does not see.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "vendor")]

import bpy
from background_blender.child import Report, main
from background_blender.protocol import GOES_ON


def work(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Does one of them."""
    answer: dict[str, Any] = importlib.import_module(request["type"]).work(request, report)
    return {**answer, GOES_ON: True}


def give_back() -> None:
    """Frees the meshes and images: Blender may wait for a while."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


if __name__ == "__main__":
    main(work, tidy=give_back)
