"""Runs every model of a folder through the local engine. Run it through ``python3 scripts/dev.py strangers``."""

from __future__ import annotations

import os
import sys

from devtools.strangers.command import main

if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)  # threads of the engine's service may still wait for a Blender that was ended
