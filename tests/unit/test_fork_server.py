"""What stands in for the start of a background Blender behaves as it does: exit codes, pipes, folders, ends."""

from __future__ import annotations

import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from asset_generation.vendor.background_blender import BlenderCommand
from load_extension import ROOT
from support.fork_server.command import forked_python, load_ahead
from support.fork_server.program import ForkedProgram, run_program
from support.processes import is_running

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("bpy") is None, reason="this Python has no bpy"),
    pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only"),
]


def start(folder: Path, code: str, *arguments: str, **options: str) -> subprocess.Popen[str]:
    script = folder / "script.py"
    script.write_text(code, encoding="utf-8")
    return subprocess.Popen(
        forked_python().argv(script, *arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env={**os.environ, **options},
    )


def test_a_script_runs_as_in_a_process_of_its_own(tmp_path: Path) -> None:
    code = """if __name__ == "__main__":
    import os, sys, tempfile, bpy
    print(sys.argv[1:], sys.path[0], os.getcwd(), os.environ["MINE"], tempfile.gettempdir(), bpy.app.tempdir, sep="\\n")
    print(sys.stdin.readline().strip())
    raise SystemExit(7)"""
    place = tmp_path / "temporary"
    place.mkdir()
    process = start(tmp_path, code, "a b", MINE="1", TMPDIR=str(place))
    output, _ = process.communicate("hello\n", timeout=60)
    arguments, path, folder, mine, temporary, of_blender, word = output.splitlines()
    assert arguments == "['--', 'a b']"
    assert path == folder == str(tmp_path)
    assert (mine, temporary, word) == ("1", str(place), "hello")
    assert Path(of_blender).parent == place
    assert process.returncode == 7


def test_nothing_is_left_of_the_script_before(tmp_path: Path) -> None:
    code = "import bpy, random, sys; print(len(bpy.data.objects), random.random(), 'mine' in sys.modules)\n"
    code += (
        "bpy.ops.wm.read_factory_settings(use_empty=True); sys.modules['mine'] = bpy; bpy.data.objects.new('x', None)"
    )
    seen = [start(tmp_path, code).communicate(timeout=60)[0].split()[:3] for _ in range(2)]
    assert seen[0][0] == seen[1][0] and seen[0][2] == seen[1][2] == "False"
    assert seen[0][1] != seen[1][1], "each has random numbers of its own"


def test_what_is_loaded_ahead_is_there_for_its_script_alone(tmp_path: Path) -> None:
    loader = tmp_path / "loader.py"
    loader.write_text("import sys, types; sys.path.insert(0, ''); sys.modules['ahead'] = types.ModuleType('ahead')")
    code = "import sys; print('ahead' in sys.modules, '' in sys.path)"
    load_ahead(loader, ["ahead"], [tmp_path / "script.py"])
    (other := tmp_path / "other").mkdir()
    seen = [start(folder, code).communicate(timeout=60)[0].split() for folder in (tmp_path, other)]
    assert seen == [["True", "False"], ["False", "False"]]


def test_what_cannot_be_loaded_ahead_is_told_and_no_other_suffers(tmp_path: Path) -> None:
    loader = tmp_path / "loader.py"
    loader.write_text("1 / 0")
    with pytest.raises(RuntimeError, match=r"loader\.py"):
        load_ahead(loader, ["ahead"], [tmp_path / "script.py"])
    assert start(tmp_path, "print(1)").communicate(timeout=60)[0] == "1\n"


@pytest.mark.parametrize(("ending", "code"), [("raise ValueError('oh')", 1), ("os._exit(5)", 5), ("os.abort()", -6)])
def test_it_ends_as_the_script_does(tmp_path: Path, ending: str, code: int) -> None:
    process = start(tmp_path, f"import os; {ending}")
    output, _ = process.communicate(timeout=60)
    assert process.returncode == code
    assert ("ValueError: oh" in output) == (code == 1)


def test_it_is_killed_with_what_stands_for_it(tmp_path: Path) -> None:
    process = start(tmp_path, "import os, time; print(os.getpid(), flush=True); time.sleep(600)")
    assert process.stdout is not None
    pid = int(process.stdout.readline())
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    while is_running(pid):
        time.sleep(0.01)


def test_several_run_at_once(tmp_path: Path) -> None:
    code = "import sys; print('here', flush=True); sys.stdin.readline()"
    folders = [tmp_path / name for name in ("a", "b", "c")]
    for folder in folders:
        folder.mkdir()
    processes = [start(folder, code) for folder in folders]
    for process in processes:
        assert process.stdout is not None and process.stdout.readline() == "here\n"
    for process in reversed(processes):
        process.communicate("\n", timeout=60)
        assert process.returncode == 0


def test_every_kind_of_image_can_be_written(tmp_path: Path) -> None:
    """OpenEXR waits for threads that it started before the process was forked."""
    code = """import bpy, os
scene, image = bpy.context.scene, bpy.data.images.new("x", 64, 64, float_buffer=True)
for kind in ("OPEN_EXR", "PNG", "JPEG", "TIFF", "HDR"):
    scene.render.image_settings.file_format = kind
    image.save_render(os.path.abspath(f"image.{kind}"), scene=scene)
"""
    process = start(tmp_path, code)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0, output
    assert len(list(tmp_path.glob("image.*"))) == 5


def test_the_command_forks_here() -> None:
    assert len(forked_python().prefix) > len(BlenderCommand.of_python().prefix)
    assert forked_python() is forked_python(), "one server for all"


def test_our_programs_are_processes_of_their_own(tmp_path: Path) -> None:
    program = ROOT / "scripts" / "assetgen.py"
    done = run_program(program, "jobs", "no-such-action", cwd=tmp_path, env={"ASSETGEN_DATA_DIR": str(tmp_path)})
    assert (done.returncode, done.stdout) == (2, "")
    assert "no-such-action" in done.stderr
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    arguments = ("webhooks", "listen", "--port", port, "--secret", "whsec_YQ==", "--json")
    variables = {
        "ASSETGEN_DATA_DIR": str(tmp_path),
        "ASSETGEN_API_KEY": "key",
        "ASSETGEN_BASE_URL": "http://127.0.0.1:9",
    }
    with ForkedProgram[str](program, *arguments, env=variables, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "listening" in process.stdout.readline()
        assert process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.01)
        assert Path(f"/proc/{process.pid}").exists()
        process.kill()
        assert process.wait(60) == -signal.SIGKILL
        assert not Path(f"/proc/{process.pid}").exists(), "its end is told when nothing is left of it"
