"""Runs a probe: a script with bpy, in a fresh process, that measures and prints what it found as JSON."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from ..environments.environment import Environment
from ..paths import SCRIPTS
from ..terminal import Trouble, clean_environment, last_lines, run

_PROBES = Path(__file__).parent / "probes"


def run_probe(environment: Environment, name: str, *arguments: str) -> dict[str, Any]:
    """Runs ``probes/<name>.py`` with an empty Blender profile and returns the JSON object of its last line.

    Raises:
        Trouble: It failed or printed no JSON.
    """
    with tempfile.TemporaryDirectory(prefix="assetgen-bench-") as home:
        done = run(
            [environment.python, _PROBES / f"{name}.py", *arguments],
            env=clean_environment(
                BLENDER_USER_RESOURCES=home,
                ASSETGEN_DATA_DIR=str(Path(home) / "data"),
                PYTHONPATH=str(SCRIPTS),
                PYTHONDONTWRITEBYTECODE="",  # Blender keeps compiled files, so the figures have to be with them
            ),
        )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        raise Trouble(f"The probe {name} failed (exit code {done.returncode}):\n{last_lines(done.stdout)}")
    answer: dict[str, Any] = json.loads(lines[-1])
    return answer
