"""scripts/examples as programs, with the real local engine behind them: what they write is opened and measured."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bmesh
import bpy
import pytest
from asset_generation.vendor.assetgen_local.background import engine
from load_extension import ROOT
from support.addon import add_mesh
from support.engine.engine_run import SMALL
from support.fork_server.command import forked_python
from support.models.inspected import inspect
from support.services.local_engine import KEY, add_fault, local_engine, recorded

EXAMPLES = ROOT / "scripts" / "examples"
IMPORT = "/v3/models/import"

# They are programs of Python; what they call is tested with every Blender.
pytestmark = [pytest.mark.each_python, pytest.mark.slow]

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The local engine with few pixels in what it makes: what its textures are like is not what the examples show."""
    options: dict[str, Any] = {"runner": None, "capabilities": None, "workers": 1, "blender": forked_python()}
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(engine, "ENGINE_SCRIPT", SMALL)
        with local_engine(tmp_path_factory.mktemp("engine"), **options) as running:
            yield running


@pytest.fixture
def run(service: Any, tmp_path: Path) -> Run:
    """Runs an example as a program of its own; gives its exit code and both outputs."""

    def call(name: str, *arguments: object) -> tuple[int, str, str]:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("ASSETGEN_")},
            "ASSETGEN_DATA_DIR": str(tmp_path / "data"),
            "ASSETGEN_BASE_URL": service.base_url,
            "ASSETGEN_API_KEY": KEY,
            "BLENDER_USER_RESOURCES": str(tmp_path / "blender"),
        }
        # -P: as in Blender, what lies beside a script is not found by itself.
        command = [sys.executable, "-P", str(EXAMPLES / name), "--", *map(str, arguments)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
        return done.returncode, done.stdout, done.stderr

    return call


def imports(service: Any) -> int:
    return len(recorded(service, IMPORT, "POST"))


@pytest.fixture
def statue(tmp_path: Path) -> Path:
    """An OBJ of 3,968 triangles: a monkey that was smoothed once."""
    bpy.ops.wm.read_homefile(use_empty=True)
    item = add_mesh("Statue", "monkey", scale=(1.0, 2.0, 1.0))
    item.modifiers.new("Smooth", "SUBSURF").levels = 1
    path = tmp_path / "statue.obj"
    bpy.ops.wm.obj_export(filepath=str(path), apply_modifiers=True)
    return path


def size(bounds: list[list[float]]) -> list[float]:
    return [high - low for low, high in zip(*bounds, strict=True)]


def test_every_mesh_of_a_scene_is_textured_where_it_stands(run: Run, tmp_path: Path) -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    parent = bpy.data.objects.new("Group", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.location = (0.0, 0.0, 5.0)
    places = {"Table": (1.0, 2.0, 3.0), "Chair": (-4.0, 0.0, 0.5)}
    for name, location in places.items():
        add_mesh(name, "cube", location=location, scale=(1.0, 2.0, 0.5)).parent = parent
    add_mesh("Points", "circle")  # it has no faces
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "in.blend"))
    code, out, errors = run(
        "texture_scene.py", tmp_path / "in.blend", tmp_path / "out.blend", "--prompt", "weathered oak"
    )
    assert code == 0, out + errors
    assert "2 meshes textured" in out
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"))
    meshes = {item.name: item for item in bpy.data.objects if item.type == "MESH"}
    assert set(meshes) == {*places, "Points"}
    for name, (x, y, z) in places.items():
        corners = [meshes[name].matrix_world @ vertex.co for vertex in meshes[name].data.vertices]
        low, high = ([pick(corner[axis] for corner in corners) for axis in range(3)] for pick in (min, max))
        assert low == pytest.approx([x - 1, y - 2, z + 4.5], abs=1e-3)
        assert high == pytest.approx([x + 1, y + 2, z + 5.5], abs=1e-3)
        (material,) = meshes[name].data.materials
        pictures = [node.image for node in material.node_tree.nodes if node.type == "TEX_IMAGE"]
        assert pictures and all(picture.packed_file and min(picture.size) >= 256 for picture in pictures)


def test_words_become_a_walking_fbx(run: Run, service: Any, tmp_path: Path) -> None:
    before = imports(service)
    code, out, errors = run("walking_character.py", "a robot", tmp_path / "robot.fbx")
    assert code == 0, out + errors
    assert "Riggable: biped" in out
    assert imports(service) == before, "nothing was uploaded"
    model = inspect(tmp_path / "robot.fbx")
    assert 500 < model["triangles"] <= 5000
    assert len(model["bones"]) > 15
    (clip,) = model["clips"].values()
    assert clip["frames"] > 10 and max(clip["travel"]) > 0.01
    width, depth, height = size(model["bounds"])
    assert min(height, width) > 2 * depth, "it stands upright, arms out"


def test_levels_of_detail_are_made_of_one_upload(run: Run, service: Any, statue: Path, tmp_path: Path) -> None:
    before = imports(service)
    code, out, errors = run("lod_set.py", statue, tmp_path / "lods", "--faces", 500, 2000, 1000)
    assert code == 0, out + errors
    assert imports(service) == before + 1
    whole = size(inspect(statue)["bounds"])
    for number, most in enumerate((2000, 1000, 500)):
        level = inspect(tmp_path / "lods" / f"statue_LOD{number}.glb")
        assert 0.7 * most < level["triangles"] <= most
        assert size(level["bounds"]) == pytest.approx(whole, rel=0.1)


def test_a_folder_of_obj_files_becomes_usdz(run: Run, statue: Path, tmp_path: Path) -> None:
    folder = tmp_path / "objs"
    folder.mkdir()
    statue.rename(folder / "statue.obj")
    bpy.ops.wm.read_homefile(use_empty=True)
    add_mesh("Box", "cube", scale=(1.0, 2.0, 3.0))
    bpy.ops.wm.obj_export(filepath=str(folder / "box.obj"))
    code, out, errors = run("obj_folder_to_usdz.py", folder, tmp_path / "usdz")
    assert code == 0, out + errors
    assert sorted(path.name for path in (tmp_path / "usdz").iterdir()) == ["box.usdz", "statue.usdz"]
    box, other = (inspect(tmp_path / "usdz" / f"{name}.usdz") for name in ("box", "statue"))
    assert (box["triangles"], other["triangles"]) == (12, 3936)
    assert sorted(size(box["bounds"])) == pytest.approx([2.0, 4.0, 6.0], abs=0.01)


def open_below(item: bpy.types.Object) -> None:
    """Takes the lowest vertices away, with their faces: a hole."""
    mesh = bmesh.new()
    mesh.from_mesh(item.data)
    bmesh.ops.delete(mesh, geom=[vertex for vertex in mesh.verts if vertex.co.z < -0.8], context="VERTS")
    mesh.to_mesh(item.data)
    mesh.free()


def test_a_model_is_taken_apart_and_its_parts_are_closed(run: Run, tmp_path: Path) -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    for name, place in (("A", 0.0), ("B", 3.0)):
        add_mesh(name, "ico_sphere", location=(place, 0.0, 0.0))
        open_below(bpy.context.view_layer.objects.active)
    bpy.ops.wm.obj_export(filepath=str(tmp_path / "toy.obj"))
    code, out, errors = run("segment_and_complete.py", tmp_path / "toy.obj", tmp_path / "parts.blend")
    assert code == 0, out + errors
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "parts.blend")) as (there, here):
        here.objects = list(there.objects)
    parts = [item for item in here.objects if item.type == "MESH"]
    assert len(parts) >= 2
    for item in parts:
        uses: dict[tuple[int, ...], int] = {}
        places = {vertex.index: tuple(round(value, 4) for value in vertex.co) for vertex in item.data.vertices}
        names = {place: number for number, place in enumerate(sorted(set(places.values())))}
        for face in item.data.polygons:
            corners = [names[places[index]] for index in face.vertices]
            for edge in zip(corners, [*corners[1:], corners[0]], strict=True):
                uses[tuple(sorted(edge))] = uses.get(tuple(sorted(edge)), 0) + 1
        assert set(uses.values()) == {2}, f"{item.name} is not closed"


def test_what_goes_wrong_is_a_sentence_and_an_exit_code(run: Run, service: Any, statue: Path, tmp_path: Path) -> None:
    add_fault(service, "task", path="/v3/mesh/decimate", status="failed", error_code=2008)
    code, _, errors = run("lod_set.py", statue, tmp_path / "lods", "--faces", 500)
    assert code == 1
    assert "moderation" in errors.lower() or "rejected" in errors.lower(), errors
    assert "Traceback" not in errors
    code, _, errors = run("lod_set.py", tmp_path / "missing.obj", tmp_path / "lods")
    assert code == 2 and "missing.obj" in errors and "Traceback" not in errors
