"""Background Blenders stay behind the one that somebody works with. A plain Python stands in for Blender."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from asset_generation.vendor.background_blender import BlenderCommand, cores_behind, run, usable_cores

from .test_parent import PYTHON, script

_ASKED = """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    return {"niceness": os.nice(0), "cores": cores, "threads": os.environ.get("OMP_NUM_THREADS", "")}
"""

_WHERE = """
    import json, subprocess
    ask = "import os; print(sorted(os.sched_getaffinity(0)))"
    children = json.loads(subprocess.check_output([sys.executable, "-c", ask]))
    return {"cores": sorted(os.sched_getaffinity(0)), "children": children, "policy": os.sched_getscheduler(0)}
"""


@pytest.mark.skipif(sys.platform != "linux", reason="cores can be given out on Linux only")
def test_a_limited_process_is_behind_and_on_its_cores(tmp_path: Path) -> None:
    said = run(PYTHON.limited(1), script(tmp_path, _ASKED), {})
    assert said == {"niceness": max(15, os.nice(0)), "cores": 1, "threads": "1"}


@pytest.mark.skipif(not hasattr(os, "nice"), reason="asks for the niceness of POSIX")
def test_without_a_limit_it_is_as_any_other(tmp_path: Path) -> None:
    said = run(PYTHON, script(tmp_path, _ASKED), {})
    assert said["niceness"] == os.nice(0)
    assert said["cores"] in (0, usable_cores())


def test_blender_is_told_how_many_threads_to_start() -> None:
    command = BlenderCommand.of_program("/opt/blender")
    assert "--threads" not in command.argv(Path("s.py"))
    limited = command.limited(3).argv(Path("s.py"))
    assert limited[:3] == ["/opt/blender", "--threads", "3"]
    assert limited[3:] == command.argv(Path("s.py"))[1:]


def test_one_core_is_left_where_there_are_several() -> None:
    assert cores_behind() == max(1, usable_cores() - 1)


@pytest.mark.skipif(sys.platform != "linux", reason="cores can be given out on Linux only")
def test_all_that_are_behind_share_the_same_cores(tmp_path: Path) -> None:
    """However many there are, whatever number of threads each has, and whatever they start themselves."""
    program = tmp_path / "blender"
    program.write_text(f'#!/bin/sh\nshift 2  # --threads N\nexec "{sys.executable}" "$@"\n')
    program.chmod(0o755)
    commands = [PYTHON.limited(1), BlenderCommand((str(program), "-B")).limited(1)]
    last = sorted(os.sched_getaffinity(0))[-1:]
    answers = [run(command, script(tmp_path, _WHERE), {}) for command in commands]
    assert answers == [{"cores": last, "children": last, "policy": os.SCHED_BATCH}] * 2


def test_threads_are_a_share_of_the_cores() -> None:
    limited = BlenderCommand.of_program("/opt/blender").limited(2, shared=4)
    assert limited.argv(Path("s.py"))[1:3] == ["--threads", "2"]
    assert (limited.cores, limited.shared_cores) == (2, 4)
