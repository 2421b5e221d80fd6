"""A process that is started ahead of its request. A plain Python stands in for Blender."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from asset_generation.vendor.background_blender import BlenderCommand, BlenderFailed, BlenderMissing, SpareBlender
from asset_generation.vendor.background_blender.spare import AHEAD_SECONDS
from load_extension import ROOT
from support.processes import is_running

PYTHON = BlenderCommand.of_python()
SCRIPT = f"""
import os, sys
sys.path.insert(0, {str(ROOT / "vendor")!r})
from background_blender.child import main

log = os.path.join(os.path.dirname(os.path.abspath(__file__)), "log")

def note(word):
    with open(log, "a") as file:
        file.write(f"{{os.getpid()}} {{word}}\\n")

def work(request, report):
    note("work")
    if request.get("fail"):
        raise KeyError("as asked")
    return {{"pid": os.getpid(), **request}}

main(work, warm_up=lambda: note("warm"))
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


@pytest.fixture
def spare(script: Path) -> Iterator[SpareBlender]:
    made = SpareBlender(PYTHON, script)
    yield made
    made.close()


def log(script: Path) -> list[tuple[int, str]]:
    path = script.with_name("log")
    lines = path.read_text().splitlines() if path.exists() else []
    return [(int(pid), word) for pid, word in (line.split() for line in lines)]


def wait_until(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_nothing_is_started_before_the_first_request(spare: SpareBlender, script: Path) -> None:
    assert not spare.is_warm
    assert log(script) == []


def test_the_second_request_finds_a_process_that_has_warmed_up(spare: SpareBlender, script: Path) -> None:
    first = spare.run({"n": 1})
    wait_until(lambda: [word for _, word in log(script)] == ["warm", "work", "warm"])
    waiting = log(script)[-1][0]
    second = spare.run({"n": 2})
    assert (first["n"], second["n"]) == (1, 2)
    assert second["pid"] == waiting != first["pid"]


def test_the_next_process_leaves_the_cores_to_what_follows_a_request(spare: SpareBlender, script: Path) -> None:
    spare.run({})
    ended = time.monotonic()
    assert not spare.is_warm
    wait_until(lambda: spare.is_warm)
    assert time.monotonic() - ended >= AHEAD_SECONDS / 2


def test_every_process_does_one_request_only(spare: SpareBlender) -> None:
    pids = [spare.run({})["pid"] for _ in range(3)]
    assert len(set(pids)) == 3


def test_an_error_is_told_and_leaves_a_fresh_spare(spare: SpareBlender) -> None:
    with pytest.raises(BlenderFailed, match="as asked"):
        spare.run({"fail": True})
    wait_until(lambda: spare.is_warm)
    assert spare.run({"n": 3})["n"] == 3


@pytest.mark.skipif(sys.platform == "win32", reason="ends a process by a signal")
def test_a_spare_that_has_died_is_not_used(spare: SpareBlender, script: Path) -> None:
    spare.run({})
    wait_until(lambda: len(log(script)) == 3)
    os.kill(log(script)[-1][0], signal.SIGKILL)
    wait_until(lambda: not spare.is_warm)
    assert spare.run({"n": 4})["n"] == 4


def test_a_spare_that_nobody_wants_is_ended(script: Path) -> None:
    spare = SpareBlender(PYTHON, script, idle_seconds=0.3)
    spare.run({})
    wait_until(lambda: spare.is_warm)
    wait_until(lambda: not spare.is_warm)
    spare.close()


def test_none_is_kept_when_none_is_wanted(script: Path) -> None:
    spare = SpareBlender(PYTHON, script, idle_seconds=0)
    spare.run({})
    assert not spare.is_warm
    spare.close()


@pytest.mark.skipif(sys.platform == "win32", reason="asks for a process by a signal")
def test_closing_ends_the_spare(spare: SpareBlender, script: Path) -> None:
    spare.run({})
    wait_until(lambda: len(log(script)) == 3)
    pid = log(script)[-1][0]
    spare.close()
    wait_until(lambda: not is_running(pid))
    spare.run({})
    assert not spare.is_warm


def test_a_program_that_is_not_there_is_told(tmp_path: Path, script: Path) -> None:
    spare = SpareBlender(BlenderCommand.of_program(str(tmp_path / "no-blender")), script)
    with pytest.raises(BlenderMissing):
        spare.run({})
    spare.close()


def test_a_spare_that_was_asked_for_serves_the_first_request(spare: SpareBlender) -> None:
    spare.prepare()
    spare.prepare()
    assert spare.is_warm
    child = spare._child
    assert child is not None
    assert spare.run({})["pid"] == child._process.pid


def test_a_process_that_is_as_new_is_asked_again_and_starts_no_other(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT.replace("**request}", "**request, 'goes_on': not request.get('marks')}"))
    spare = SpareBlender(PYTHON, path, ahead=False)
    first, second, third = (spare.run({"n": n, "marks": n == 2}) for n in range(3))
    assert [answer["n"] for answer in (first, second, third)] == [0, 1, 2]
    assert first["pid"] == second["pid"] == third["pid"]
    assert "goes_on" not in first
    assert not spare.is_warm, "what is not as new is not kept"
    assert spare.run({"n": 4})["pid"] != first["pid"]
    with pytest.raises(BlenderFailed, match="as asked"):
        spare.run({"fail": True})
    assert not spare.is_warm, "what has failed is not kept"
    spare.close()


@pytest.mark.skipif(sys.platform == "win32", reason="ends a process by a signal")
def test_one_that_died_while_it_waited_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT.replace("**request}", "**request, 'goes_on': True}"))
    spare = SpareBlender(PYTHON, path, ahead=False, idle_seconds=30)
    pid = spare.run({})["pid"]
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not spare.is_warm)
    again = spare.run({"n": 1})
    assert again["n"] == 1 and again["pid"] != pid
    spare.close()
    wait_until(lambda: not is_running(again["pid"]))


def test_one_that_nobody_asks_again_is_ended(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT.replace("**request}", "**request, 'goes_on': True}"))
    spare = SpareBlender(PYTHON, path, ahead=False, idle_seconds=0.3)
    pid = spare.run({})["pid"]
    wait_until(lambda: not spare.is_warm and not is_running(pid))
    spare.close()
