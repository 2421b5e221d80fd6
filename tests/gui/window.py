"""Starts the windowed Blender, plays a scenario in it, and reads what it saw."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "build" / "gui"
BLENDER = os.environ.get("BLENDER", "")
ZIP = os.environ.get("ASSETGEN_TEST_ZIP", "")


def blender(home: Path, *arguments: str, seconds: float, data: str = "data") -> str:
    """Runs Blender with user and data folders of its own and returns what it printed."""
    environment = {
        **os.environ,
        "BLENDER_USER_RESOURCES": str(home / "blender"),
        "ASSETGEN_DATA_DIR": str(home / data),
    }
    done = subprocess.run(
        [BLENDER, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    return done.stdout


def play(home: Path, scenario: str, seconds: float = 660.0, data: str = "") -> dict[str, Any]:
    """Plays a scenario in a window, in a data folder of its own, and returns what it saw."""
    folder = PICTURES / scenario
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    driver = str(ROOT / "tests" / "gui" / "driver.py")
    arguments = ("--enable-event-simulate", "--python", driver, "--", scenario, str(folder))
    log = blender(home, *arguments, seconds=seconds, data=data or scenario)
    (folder / "log.txt").write_text(log, encoding="utf-8")
    seen: dict[str, Any] = json.loads((folder / "seen.json").read_text(encoding="utf-8"))
    assert "error" not in seen, seen["error"] + log[-2000:]
    assert seen["ended"]
    return seen
