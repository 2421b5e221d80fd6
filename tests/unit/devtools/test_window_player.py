"""A windowed Blender that takes too long is ended, whatever has started it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from devtools.window import player
from support.processes import is_running

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="windows are opened on Linux")


def test_what_takes_too_long_is_ended_with_all_that_it_has_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starter = tmp_path / "blender"
    starter.write_text('#!/bin/sh\nsleep 60 &\necho $! > "$1"\nwait\n')
    starter.chmod(0o755)
    monkeypatch.setenv("BLENDER", str(starter))
    with pytest.raises(subprocess.TimeoutExpired):
        player.blender(tmp_path, str(tmp_path / "pid"), seconds=1)
    pid = int((tmp_path / "pid").read_text())
    until = time.monotonic() + 10
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_running(pid)
