"""The exchange with a background Blender. A plain Python stands in for Blender: the exchange does not need bpy."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from asset_generation.vendor.background_blender import (
    BlenderCommand,
    BlenderFailed,
    BlenderMissing,
    BlenderStopped,
    BlenderTimedOut,
    run,
)
from load_extension import ROOT
from support.processes import is_running

PYTHON = BlenderCommand.of_python()


def script(folder: Path, body: str) -> Path:
    """A child script whose work function has the given body."""
    path = folder / "script.py"
    path.write_text(
        f"import sys, os, time\nsys.path.insert(0, {str(ROOT / 'vendor')!r})\n"
        "from background_blender.child import main\n"
        f"def work(request, report):\n{textwrap.indent(textwrap.dedent(body), '    ')}\nmain(work)\n"
    )
    return path


def test_the_answer_and_the_progress_come_back(tmp_path: Path) -> None:
    seen: list[tuple[float, str]] = []
    body = """
        print("Blender's own chatter")
        report(0.5, "half")
        return {"twice": request["n"] * 2}
    """
    answer = run(
        PYTHON, script(tmp_path, body), {"n": 21}, on_progress=lambda fraction, words: seen.append((fraction, words))
    )
    assert answer == {"twice": 42}
    assert seen == [(0.5, "half")]


def test_an_error_of_the_script_keeps_its_kind_and_message(tmp_path: Path) -> None:
    with pytest.raises(BlenderFailed, match="no faces") as caught:
        run(PYTHON, script(tmp_path, "raise KeyError('no faces')"), {})
    assert caught.value.kind == "KeyError"
    assert "Traceback" in caught.value.log


def test_a_crash_is_told_with_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(BlenderFailed, match="exit code 9") as caught:
        run(PYTHON, script(tmp_path, "print('out of memory', flush=True); os._exit(9)"), {})
    assert "out of memory" in caught.value.log


def test_a_missing_program_is_named() -> None:
    with pytest.raises(BlenderMissing, match="no-such-blender"):
        run(BlenderCommand.of_program("/no-such-blender"), Path("x.py"), {})


def test_a_hang_is_ended(tmp_path: Path) -> None:
    with pytest.raises(BlenderTimedOut):
        run(PYTHON, script(tmp_path, "time.sleep(60)"), {}, timeout=0.5)


def test_a_stop_is_obeyed_at_once(tmp_path: Path) -> None:
    started = time.monotonic()
    with pytest.raises(BlenderStopped):
        run(PYTHON, script(tmp_path, "time.sleep(60)"), {}, stopped=lambda: time.monotonic() - started > 0.5)
    assert time.monotonic() - started < 20


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks processes up in /proc")
def test_the_child_ends_with_its_parent(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    child = script(tmp_path, f"open({str(pid_file)!r}, 'w').write(str(os.getpid())); time.sleep(60)")
    parent = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'vendor')!r})\n"
        "from background_blender import BlenderCommand, run; from pathlib import Path\n"
        f"run(BlenderCommand.of_python(), Path({str(child)!r}), {{}})"
    )
    process = subprocess.Popen([sys.executable, "-c", parent])
    _until(lambda: pid_file.exists() and pid_file.read_text() != "")
    process.kill()
    process.wait()
    _until(lambda: not is_running(int(pid_file.read_text())))


def test_a_command_survives_the_way_to_another_process() -> None:
    command = BlenderCommand.of_program("/opt/my blender/blender")
    assert BlenderCommand.from_json(command.to_json()) == command
    assert command.argv(Path("s.py"), "x")[-3:] == ["s.py", "--", "x"]


def _until(true: object, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():  # type: ignore[operator]
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)
