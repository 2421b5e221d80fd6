"""The command line on a computer whose clock is wrong: ``python wrong_clock.py DAYS ARGUMENT...``."""

from __future__ import annotations

import runpy
import sys
import time
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "scripts" / "assetgen.py"

if __name__ == "__main__":
    true_time, wrong_by = time.time, float(sys.argv.pop(1)) * 86400.0
    time.time = lambda: true_time() + wrong_by
    sys.argv[0] = "assetgen"
    sys.path.insert(0, str(PROGRAM.parent))
    runpy.run_path(str(PROGRAM), run_name="__main__")
