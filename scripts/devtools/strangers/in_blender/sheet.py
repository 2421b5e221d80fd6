"""Started by path inside a background Blender: puts the pictures of many models onto one sheet.

Request: ``{"path": the PNG, "columns": [title], "rows": [{"title": [line], "cells": [cell]}]}``, and of each cell
``{"picture": path of an .npy or empty, "words": [line], "missed": bool}``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

_SCRIPTS = Path(__file__).resolve().parents[3]


def work(request: dict[str, Any], report: Any) -> dict[str, Any]:
    """Writes the sheet; the answer is empty."""
    from devtools.strangers.in_blender import composed

    composed.compose(request, report)
    return {}


if __name__ == "__main__":
    sys.path[:0] = [str(_SCRIPTS), str(_SCRIPTS.parent / "vendor"), str(_SCRIPTS.parent / "addon" / "headless")]
    from background_blender.child import main

    main(work)
