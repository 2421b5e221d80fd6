"""The command line in Blender: registered with the extension, and the whole way through the real local engine."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import bpy
import pytest
from load_extension import ROOT
from support.addon import add_mesh
from support.models.meshes import cube_sphere, write_obj


def test_enabling_makes_the_command_known_and_disabling_takes_it_back(
    addon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = importlib.import_module(f"{addon.package}.addon.cli.command")
    known: list[tuple[str, Any]] = []
    monkeypatch.setattr(bpy.utils, "register_cli_command", lambda name, run: known.append((name, run)) or known[-1])
    monkeypatch.setattr(bpy.utils, "unregister_cli_command", known.remove)
    kept = list(command._registered)
    command._registered.clear()
    try:
        command.register()
        assert known == [("assetgen", command._run)]
        command.unregister()
        assert known == []
        assert command._registered == []
    finally:
        command._registered[:] = kept
    assert len(kept) == 1, "the extension itself registered it once"


def test_the_command_runs_in_blender_with_its_settings(
    addon: Any, service: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = importlib.import_module(f"{addon.package}.addon.cli.command")
    model = tmp_path / "ball.obj"
    write_obj(model, cube_sphere(4))
    assert command._run(["decimate", str(model), "--face-limit", "500", "--out", str(tmp_path / "out"), "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    assert events[-1]["event"] == "done"
    assert len(list((tmp_path / "out").iterdir())) == 1
    assert command._run(["decimate", str(model), "--face-limit", "5"]) == 2
    assert "--face-limit" in capsys.readouterr().err
    assert command._run(["--help"]) == 0
    assert "usage: blender --command assetgen" in capsys.readouterr().out


def test_results_of_panel_and_command_line_become_assets(
    addon: Any, service: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = importlib.import_module(f"{addon.package}.addon.cli.command")

    def run(*arguments: object) -> tuple[int, list[dict[str, Any]]]:
        code = command._run([*map(str, arguments), "--json"])
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]

    folder = tmp_path / "library"
    folder.mkdir()
    add_mesh("Bust")
    assert bpy.ops.assetgen.decimate(face_limit=900) == {"FINISHED"}
    of_panel = addon.scripting.last_job().id
    model = tmp_path / "ball.obj"
    write_obj(model, cube_sphere(4))
    of_command = run("decimate", model, "--face-limit", "500", "--out", tmp_path / "out")[1][-1]["job"]
    code, told = run("library", "add", of_panel, of_command, "--library", folder)
    assert (code, [event["event"] for event in told]) == (0, ["asset", "asset"]), told
    for event in told:
        with bpy.data.libraries.load(event["path"], assets_only=True) as (there, _):
            assert len(there.objects) + len(there.collections) == 1
    assert len(list(folder.glob("*.blend"))) == 2
    assert "Decimate" in (folder / "blender_assets.cats.txt").read_text(encoding="utf-8")
    assert run("library", "add", of_panel, "--library", folder)[0] == 0
    assert len(list(folder.glob("*.blend"))) == 2, "it replaces its own file"
    code, told = run("library", "add", of_panel)
    assert (code, "No asset library is chosen" in told[-1]["message"]) == (2, True)


@pytest.mark.slow
@pytest.mark.each_python
def test_a_model_is_decimated_by_the_local_engine_without_any_setting(tmp_path: Path) -> None:
    """As the first minute of a user of the command line: no key, no address, a plain Python."""
    model = tmp_path / "ball.obj"
    write_obj(model, cube_sphere(16))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ASSETGEN_")}
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "assetgen.py"), "decimate", str(model), "--face-limit", "800",
         "--out", str(tmp_path / "out"), "--json"],
        env=environment | {"ASSETGEN_DATA_DIR": str(tmp_path / "data")},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events[-1]["event"] == "done"
    assert {Path(path).parent for path in events[-1]["files"].values()} == {tmp_path / "out"}
    content = Path(events[-1]["files"]["model"]).read_bytes()
    assert content[:4] == b"glTF"
    length = int.from_bytes(content[12:16], "little")
    document = json.loads(content[20 : 20 + length])
    (primitive,) = document["meshes"][0]["primitives"]
    triangles = document["accessors"][primitive["indices"]]["count"] // 3
    assert 300 < triangles <= 800
