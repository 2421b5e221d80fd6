"""scripts/process_model.py as a program: its exit codes, its words, and what it writes."""

from __future__ import annotations

import functools
import json
import os
import subprocess
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from asset_generation.vendor.background_blender import BlenderCommand
from load_extension import ROOT
from support.addon import echo_runner
from support.fork_server.command import load_ahead
from support.services.local_engine import KEY, add_fault, local_engine

SCRIPT = ROOT / "scripts" / "process_model.py"
_LOADER = ROOT / "tests" / "support" / "load_process_model.py"
_PACKAGES = ("asset_generation", "load_extension")


@pytest.fixture
def cube(tmp_path: Path) -> Path:
    """A cube as an OBJ file."""
    path = tmp_path / "cube.obj"
    corners = [f"v {x} {y} {z}" for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    faces = ["f 1 2 4 3", "f 5 7 8 6", "f 1 5 6 2", "f 3 4 8 7", "f 1 3 7 5", "f 2 6 8 4"]
    path.write_text("\n".join([*corners, *faces, ""]))
    return path


@functools.cache
def _forked() -> BlenderCommand:
    return load_ahead(_LOADER, _PACKAGES, (SCRIPT,))


def process(
    tmp_path: Path, *arguments: object, service: Any = None, alone: bool = False, **variables: str
) -> tuple[int, str, str]:
    """Runs the program and returns its exit code and both outputs; ``alone`` starts its Python as users do."""
    python = BlenderCommand.of_python() if alone else _forked()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("ASSETGEN_")},
        "ASSETGEN_DATA_DIR": str(tmp_path / "data"),
        "BLENDER_USER_RESOURCES": str(tmp_path / "blender"),
    }
    if service is not None:
        environment |= {"ASSETGEN_BASE_URL": service.base_url, "ASSETGEN_API_KEY": KEY}
    done = subprocess.run(
        python.argv(SCRIPT, *map(str, arguments)),
        env=environment | variables,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def events(stdout: str) -> list[dict[str, Any]]:
    """The JSON events of an output, in which Blender may have put lines of its own."""
    return [json.loads(line) for line in stdout.splitlines() if line.startswith("{")]


@pytest.mark.slow
def test_the_steps_run_in_their_order_and_the_model_is_written(tmp_path: Path, cube: Path) -> None:
    target = tmp_path / "out.glb"
    with local_engine(tmp_path, runner=echo_runner) as service:
        arguments = (cube, target, "--texture", "rusty iron", "--decimate", 5000, "--json")
        code, stdout, stderr = process(tmp_path, *arguments, service=service, alone=True)
    assert code == 0, stdout + stderr
    steps = [event for event in events(stdout) if event["event"] == "step"]
    assert [step["capability"] for step in steps] == ["texture", "decimate"]
    assert len(steps[0]["tasks"]) == 2, "the model is brought into the service once"
    assert len(steps[1]["tasks"]) == 1, "and not again for the second operation"
    assert [step["triangles_before"] for step in steps] == [12, 12]
    assert any(event["event"] == "progress" for event in events(stdout))
    assert events(stdout)[-1] == {
        "event": "done",
        "message": f"Wrote {target}",
        "path": str(target),
        "triangles": 12,
    }
    assert target.read_bytes()[:4] == b"glTF"


@pytest.mark.each_python
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.glb", "out.glb", "--decimate", "5000"], "There is no file missing.glb"),
        (["{readme}", "out.glb", "--decimate", "5000"], "is not a model file"),
        (["{broken}", "out.glb", "--decimate", "5000"], "broken.glb cannot be read"),
        (["{cube}", "nowhere/out.glb", "--decimate", "5000"], "There is no folder"),
        (["{cube}", "out.docx", "--decimate", "5000"], "out.docx cannot be written"),
        (["{cube}", "{out}", "--decimate", "100"], "500"),
        (["{cube}", "{out}"], "Nothing to do"),
        (["{cube}"], "OUT"),
        (["{cube}", "{out}", "--decimate", "many"], "invalid int value"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_code_2(tmp_path: Path, cube: Path, arguments: list[str], words: str) -> None:
    broken = tmp_path / "broken.glb"
    broken.write_bytes(b"glTF\x02\x00\x00\x00 and then nothing that makes sense")
    places = {"cube": cube, "out": tmp_path / "out.glb", "readme": ROOT / "README.md", "broken": broken}
    code, _, stderr = process(tmp_path, *(argument.format(**places) for argument in arguments))
    assert code == 2, stderr
    assert words in stderr
    assert "Traceback" not in stderr
    assert not (tmp_path / "out.glb").exists()


@pytest.mark.slow
@pytest.mark.each_python
def test_a_wrong_key_is_exit_code_3(tmp_path: Path, cube: Path) -> None:
    with local_engine(tmp_path, runner=echo_runner) as service:
        arguments = (cube, tmp_path / "out.glb", "--decimate", 5000)
        code, _, stderr = process(tmp_path, *arguments, service=service, ASSETGEN_API_KEY="of-another-region")
    assert code == 3, stderr
    assert "region" in stderr
    assert "of-another-region" not in stderr


@pytest.mark.slow
@pytest.mark.each_python
def test_an_empty_account_is_exit_code_4(tmp_path: Path, cube: Path) -> None:
    with local_engine(tmp_path, runner=echo_runner, credits=Decimal(1)) as service:
        code, _, stderr = process(tmp_path, cube, tmp_path / "out.glb", "--decimate", 5000, service=service)
    assert code == 4, stderr
    assert "credits" in stderr


@pytest.mark.slow
@pytest.mark.each_python
def test_a_failed_task_is_exit_code_1_with_the_reason(tmp_path: Path, cube: Path) -> None:
    with local_engine(tmp_path, runner=echo_runner) as service:
        add_fault(service, "task", path="/v3/mesh/decimate", status="failed", error_code=2008)
        arguments = (cube, tmp_path / "out.glb", "--decimate", 5000, "--json")
        code, stdout, _ = process(tmp_path, *arguments, service=service)
    assert code == 1, stdout
    assert events(stdout)[-1]["event"] == "error"
    assert events(stdout)[-1]["exit_code"] == 1
    assert "Traceback" not in stdout


@pytest.mark.each_python
def test_help_tells_the_options_and_the_exit_codes(tmp_path: Path) -> None:
    code, stdout, _ = process(tmp_path, "--help", alone=True)
    assert code == 0
    assert "--decimate FACES" in stdout
    assert "130 interrupted" in stdout
