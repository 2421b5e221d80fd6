"""What each stage of a background Blender costs, noted for measurements.

The environment variable ``ASSETGEN_STAGES`` names a file; without it nothing is noted. Every stage that begins is one
line of JSON there: ``script``, ``stage``, ``process``, ``clock`` (Unix seconds) and ``processor`` (seconds, of all
threads since the process began).
"""

from __future__ import annotations

import json
import os
import time

_FILE = os.environ.get("ASSETGEN_STAGES")


def note(script: str, stage: str) -> None:
    """Notes that a stage begins now, which ends the one before it."""
    if _FILE is None:
        return
    line = {"script": script, "stage": stage, "process": os.getpid()}
    line |= {"clock": time.time(), "processor": time.process_time()}
    with open(_FILE, "a", encoding="utf-8") as file:  # noqa: PTH123, one short line, which arrives whole
        file.write(json.dumps(line) + "\n")
