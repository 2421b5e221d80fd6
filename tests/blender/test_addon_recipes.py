"""Recipes in Blender: on the selection, from Python, and the four that come along."""

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
from support.services.local_engine import recorded

LEVELS = """
[variables]
model = { type = "model" }
faces = [900, 800]

[[step]]
name = "level"
use = "decimate"
from = "{model}"
each = { face_limit = "{faces}" }
out = "{source}_{face_limit}.glb"
"""
SHIPPED = ("character", "game_asset", "level_of_detail", "print")


def core(addon: Any, name: str) -> Any:
    return importlib.import_module(f"{addon.package}.addon.{name}")


def creations(service: Any) -> list[str]:
    paths = [item["path"] for item in recorded(service, method="POST")]
    return [path.rpartition("/")[2] for path in paths if path not in ("/v3/files", "/v3/tasks/list")]


@pytest.fixture
def levels(tmp_path: Path) -> Path:
    path = tmp_path / "levels.toml"
    path.write_text(LEVELS)
    return path


def select_only(item: bpy.types.Object) -> None:
    """As a user would: results are selected when they arrive."""
    bpy.ops.object.select_all(action="DESELECT")
    item.select_set(True)
    bpy.context.view_layer.objects.active = item


def run(recipe: Path | str, out: Path, **values: Any) -> Any:
    options = {"values": json.dumps(values)} if values else {}
    return bpy.ops.assetgen.run_recipe(recipe=str(recipe), folder=str(out), **options)


def test_a_recipe_runs_on_the_selection_into_a_folder_and_into_the_scene(
    addon: Any, service: Any, levels: Path, tmp_path: Path
) -> None:
    source = add_mesh("Bust")
    assert run(levels, tmp_path / "out") == {"FINISHED"}
    end = addon.scripting.last_recipe()
    assert sorted(Path(path).name for path in end.files) == ["Bust_800.glb", "Bust_900.glb"]
    assert Path(end.picture) == tmp_path / "out" / "levels-results.png"
    assert Path(end.picture).read_bytes().startswith(b"\x89PNG")
    assert sorted(creations(service)) == ["decimate", "decimate", "import"]
    others = [item for item in bpy.context.scene.objects if item.type == "MESH" and item != source]
    assert len(others) == 2, "both levels"
    assert source.visible_get()
    places = {tuple(round(value, 1) for value in item.matrix_world.translation) for item in (source, *others)}
    assert len(places) == 3, "beside each other"


@pytest.mark.slow
def test_run_again_it_does_only_what_has_changed(addon: Any, service: Any, levels: Path, tmp_path: Path) -> None:
    source = add_mesh("Bust")
    assert run(levels, tmp_path / "out") == {"FINISHED"}
    select_only(source)
    before = creations(service)
    assert run(levels, tmp_path / "out") == {"FINISHED"}
    end = addon.scripting.last_recipe()
    assert (end.unchanged, end.total) == (2, 2)
    assert creations(service) == before
    assert run(levels, tmp_path / "out", faces=[900, 700]) == {"FINISHED"}
    assert creations(service)[len(before) :] == ["decimate"]
    select_only(source)
    source.data.vertices[0].co.x += 1.0
    assert run(levels, tmp_path / "out") == {"FINISHED"}
    assert sorted(creations(service)[len(before) + 1 :]) == ["decimate", "decimate", "import"]


def test_files_alone_where_nothing_shall_come_into_the_scene(
    addon: Any, service: Any, levels: Path, tmp_path: Path
) -> None:
    add_mesh("Bust")
    before = len(bpy.data.objects)
    result = bpy.ops.assetgen.run_recipe(recipe=str(levels), folder=str(tmp_path / "out"), into_scene=False)
    assert (result, len(bpy.data.objects)) == ({"FINISHED"}, before)


def test_what_is_wrong_is_said_at_the_press_and_nothing_is_sent(
    addon: Any, service: Any, levels: Path, tmp_path: Path
) -> None:
    with pytest.raises(RuntimeError, match="select a mesh"):
        run(levels, tmp_path / "out")
    add_mesh("Bust")
    with pytest.raises(RuntimeError, match=r"levels\.toml:4.*allowed: a list"):
        run(levels, tmp_path / "out", faces=5)
    levels.write_text(LEVELS.replace("decimate", "decimat"))
    with pytest.raises(RuntimeError, match=r"levels\.toml:8.*did you mean decimate"):
        run(levels, tmp_path / "out")
    with pytest.raises(RuntimeError, match="not saved yet"):
        run("game_asset", Path("//results"))
    with pytest.raises(RuntimeError, match="no recipe nothing"):
        run("nothing", tmp_path)
    assert recorded(service, method="POST") == []


@pytest.mark.parametrize("name", SHIPPED)
def test_those_that_come_along_can_be_run_on_a_selection(addon: Any, name: str) -> None:
    recipes = core(addon, "core.recipes.recipe_view")
    shipped = core(addon, "core.recipes.shipped")
    view = recipes.look_at(shipped.find_recipe(name), {}, "Bust", "local", lambda *_: None)
    assert view.troubles == ()
    assert view.steps and view.needs_selection and view.description
    assert [path.stem for path in shipped.recipe_files(None)] == list(SHIPPED)


def test_recipes_of_the_users_folder_are_offered_and_win_over_those_that_come_along(addon: Any, tmp_path: Path) -> None:
    folder = tmp_path / "recipes"
    folder.mkdir()
    for name in ("mine", "print"):
        (folder / f"{name}.toml").write_text(LEVELS)
    preferences = bpy.context.preferences.addons[addon.package].preferences
    preferences.recipe_folder = str(folder)
    try:
        assert addon.prefs.recipe_folder() == folder
        shipped = core(addon, "core.recipes.shipped")
        files = shipped.recipe_files(addon.prefs.recipe_folder())
        assert [path.stem for path in files] == ["mine", "print", "character", "game_asset", "level_of_detail"]
        assert shipped.find_recipe("print", folder).parent == folder
    finally:
        preferences.recipe_folder = ""


@pytest.mark.slow
@pytest.mark.once
def test_a_recipe_that_comes_along_runs_by_the_local_engine_without_any_setting(tmp_path: Path) -> None:
    """From an OBJ to a GLB, an FBX and the picture of both, in a plain Python; then nothing is left to do."""
    model = tmp_path / "ball.obj"
    write_obj(model, cube_sphere(16))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ASSETGEN_")}
    command = [sys.executable, str(ROOT / "scripts" / "assetgen.py"), "run", "game_asset", "--set", f"model={model}"]

    def events(*more: str) -> list[dict[str, Any]]:
        done = subprocess.run(
            [*command, "--set", "faces=800", "--out", str(tmp_path / "out"), "--json", *more],
            env=environment | {"ASSETGEN_DATA_DIR": str(tmp_path / "data")},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    told = events()[-1]
    assert sorted(Path(path).name for path in told["files"]) == ["ball_game.fbx", "ball_game.glb"]
    assert (tmp_path / "out" / "ball_game.glb").read_bytes()[:4] == b"glTF"
    assert (tmp_path / "out" / "ball_game.fbx").read_bytes()[:18] == b"Kaydara FBX Binary"
    assert Path(told["picture"]).read_bytes()[:4] == b"\x89PNG"
    assert events("--dry-run")[-1]["requests"] == 0
