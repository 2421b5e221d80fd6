"""Started by path inside a background Blender: measures and draws the results of one model.

Request: ``{"source": path, "results": [{"key", "path", "compared", "measures", "drawn"}], "folder": where pictures
go, "joints": {bone: place}}``, the results in the order of the plan. Answer: step → ``{"figures": {...}, "trouble":
sentence or empty}``; the picture of a step is ``<step>.npy`` in the folder.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

_SCRIPTS = Path(__file__).resolve().parents[3]
_VENDOR = _SCRIPTS.parent / "vendor"


def work(request: dict[str, Any], report: Any) -> dict[str, Any]:
    """Reads every result once; what goes wrong with one keeps no other from being looked at."""
    from devtools.strangers.in_blender import examined

    return examined.examine(request, report)


if __name__ == "__main__":
    sys.path[:0] = [str(_SCRIPTS), str(_VENDOR)]
    from background_blender.child import main

    main(work)
