"""Starts the windowed Blender that ``BLENDER`` names, installs the extension in it, and plays a scenario there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..paths import ROOT
from ..terminal import Trouble, last_lines

_HERE = Path(__file__).resolve().parent
INSTALL, DRIVER = _HERE / "install.py", _HERE / "driver.py"


def blender(home: Path, *arguments: str, seconds: float, data: str = "data") -> str:
    """Runs Blender with user and data folders of its own, and returns what it printed.

    Args:
        home: The folder that holds both.
        arguments: Blender's own.
        seconds: The longest that it may take.
        data: What the data folder in ``home`` is called.

    Raises:
        Trouble: It failed.
        subprocess.TimeoutExpired: It took longer and was ended.
    """
    environment = {
        **os.environ,
        "BLENDER_USER_RESOURCES": str(home / "blender"),
        "ASSETGEN_DATA_DIR": str(home / data),
    }
    with subprocess.Popen(
        [os.environ["BLENDER"], *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,  # what BLENDER names may be a script that starts the real one
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode != 0:
        raise Trouble(f"Blender failed (exit code {process.returncode}):\n{last_lines(output, 40)}")
    return output


def install(home: Path, archive: str, *, plain: bool = False) -> None:
    """Installs and enables the extension from its zip, as a user would; ``plain`` viewports are drawn sooner."""
    looks = ["plain"] if plain else []
    arguments = ["--background", "--python-exit-code", "1", "--python", str(INSTALL), "--", archive, *looks]
    blender(home, *arguments, seconds=120)


def play(
    scenarios: Path,
    scenario: str,
    home: Path,
    folder: Path,
    *,
    seconds: float,
    data: str,
    options: Sequence[str] = (),
) -> dict[str, Any]:
    """Plays a scenario in a window and returns what it saw.

    Args:
        scenarios: The folder of Python files, one of which has a function of the scenario's name.
        scenario: The name.
        home: Where the extension is installed; see :func:`install`.
        folder: What there is to keep goes there: pictures, ``seen.json`` and Blender's output as ``log.txt``.
        seconds: The longest that it may take.
        data: What the data folder in ``home`` is called.
        options: Further arguments for Blender.

    Raises:
        AssertionError: The scenario failed; with its traceback and the end of the output.
    """
    # A driver that cannot even begin, as where no scenario has the name, would leave a window that nobody closes.
    arguments = [*options, "--enable-event-simulate", "--python-exit-code", "1", "--python", str(DRIVER), "--"]
    log = blender(home, *arguments, str(scenarios), scenario, str(folder), seconds=seconds, data=data)
    (folder / "log.txt").write_text(log, encoding="utf-8")
    seen: dict[str, Any] = json.loads((folder / "seen.json").read_text(encoding="utf-8"))
    assert "error" not in seen, seen["error"] + log[-2000:]
    assert seen["ended"], f"{scenario} did not come to its end; see {(folder / 'log.txt').relative_to(ROOT)}"
    return seen
