"""Started by path inside a background Blender: writes the made shapes and the table of what is expected of them.

Request: ``{"folder": path}``. Answer: ``{"models": [name]}``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

_SCRIPTS = Path(__file__).resolve().parents[3]


def work(request: dict[str, Any], report: Any) -> dict[str, Any]:
    """Writes them all."""
    from devtools.strangers.made.shapes import write_all

    return {"models": write_all(Path(request["folder"]), report)}


if __name__ == "__main__":
    sys.path[:0] = [str(_SCRIPTS), str(_SCRIPTS.parent / "vendor")]
    from background_blender.child import main

    main(work)
