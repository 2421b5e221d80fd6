"""A short soak: what `dev.py soak` does with hundreds of jobs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from devtools.paths import SCRIPTS
from devtools.terminal import clean_environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the soak forks its processes")


@pytest.mark.slow
def test_nothing_grows_in_two_processes_with_faults(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    command = [sys.executable, str(SCRIPTS / "soak.py"), "--jobs", "30", "--bpy-jobs", "0", "--json", str(figures)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, env=clean_environment(), check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    samples = json.loads(figures.read_text())["samples"]
    assert [len(one) for one in samples.values()] == [3, 3]
    assert all(one[-1]["threads"] > 0 for one in samples.values())
