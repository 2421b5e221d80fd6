"""A short campaign: what `dev.py campaign` does a thousand times, and the judge at work on a broken product."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from devtools.paths import SCRIPTS
from devtools.terminal import clean_environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the campaign forks its processes")

SECONDS = 240.0


def campaign(folder: Path, *arguments: str) -> tuple[int, dict[str, Any], str]:
    """Exit code, figures and table."""
    figures = folder / "figures.json"
    command = [sys.executable, str(SCRIPTS / "campaign.py"), "--json", str(figures), *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, env=clean_environment(), check=False
    )
    return done.returncode, json.loads(figures.read_text()), done.stdout + done.stderr


@pytest.mark.slow
def test_nothing_is_paid_twice_and_nothing_is_lost(tmp_path: Path) -> None:
    code, figures, table = campaign(tmp_path, "--runs", "36", "--seed", "5")
    assert code == 0, table
    assert figures["total"]["duplicates"] == figures["total"]["losses"] == 0
    assert figures["total"]["paid"] > 100
    killed = {"killed", "killed itself"} & {*figures["happened"]}
    assert killed and any(name.startswith("create: ") for name in figures["happened"]), figures["happened"]


@pytest.mark.slow
def test_a_product_that_sends_again_at_once_is_caught(tmp_path: Path) -> None:
    code, figures, table = campaign(tmp_path, "--runs", "16", "--seed", "3", "--only", "lost creation", "--impatient")
    assert code == 1, table
    assert figures["total"]["duplicates"] >= 1, table
    assert "paid twice" in table
