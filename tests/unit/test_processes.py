"""Whether a process is running, as tests of processes ask it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from support.processes import is_running

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signal 0 is not harmless there")


def test_a_process_runs_until_it_has_ended() -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE) as process:
        assert is_running(process.pid)
    assert not is_running(process.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_one_that_nobody_has_asked_after_has_ended() -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", ""]) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and stays listed
        os.kill(process.pid, 0)
        assert not is_running(process.pid)
