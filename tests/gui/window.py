"""Plays the tests' scenarios in a window."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from devtools.window import player

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "build" / "gui"
BLENDER = os.environ.get("BLENDER", "")
ZIP = os.environ.get("ASSETGEN_TEST_ZIP", "")
SIZE = ("900", "900")
"""Pixels of the window: as high as many buttons are, and no wider than it must be, since without a graphics card each
pixel is computed at every drawing."""


def play(home: Path, scenario: str, seconds: float = 660.0, data: str = "") -> dict[str, Any]:
    """Plays a scenario in a window, in a data folder of its own, and returns what it saw."""
    folder = PICTURES / scenario
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    scenarios = ROOT / "tests" / "gui" / "scenarios"
    options = ("--window-geometry", "0", "0", *SIZE)
    return player.play(scenarios, scenario, home, folder, seconds=seconds, data=data or scenario, options=options)
