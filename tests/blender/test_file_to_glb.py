"""Model files that the service does not take, made a GLB of in a background Blender: alone, and as part of a job."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from asset_generation.addon.cli.main import main
from asset_generation.vendor.background_blender import BlenderTrouble, run
from load_extension import ROOT
from support.fork_server.command import forked_python
from support.models.rigged import Rigged
from support.services.local_engine import tiny_glb, tiny_png, tiny_splat
from support.services.stand_in import KEY, stand_in

SCRIPT = ROOT / "addon" / "headless" / "file_to_glb.py"

_MAKE = """
import os, sys, bpy
folder = sys.argv[1]
bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
bpy.ops.mesh.primitive_cube_add()
cube = bpy.context.object
cube.name = "Cube"
image = bpy.data.images.new("Look", 8, 8)
image.pixels = [0.8, 0.1, 0.1, 1.0] * 64
image.pack()
material = bpy.data.materials.new("Red")
material.use_nodes = True
node = material.node_tree.nodes.new("ShaderNodeTexImage")
node.image = image
shader = next(one for one in material.node_tree.nodes if one.type == "BSDF_PRINCIPLED")
material.node_tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
cube.data.materials.append(material)
bpy.ops.object.select_all(action="SELECT")
path = lambda name: os.path.join(folder, name)
bpy.ops.wm.ply_export(filepath=path("thing.ply"))
bpy.ops.export_scene.gltf(filepath=path("thing.gltf"), export_format="GLTF_SEPARATE")
bpy.ops.wm.usd_export(filepath=path("thing.usda"))
bpy.ops.wm.usd_export(filepath=path("thing.usdc"))
if "alembic_export" in dir(bpy.ops.wm):  # Debian's Blender has none
    bpy.ops.wm.alembic_export(filepath=path("thing.abc"), as_background_job=False)
if "collada_export" in dir(bpy.ops.wm):  # until 4.5
    bpy.ops.wm.collada_export(filepath=path("thing.dae"))
# As Sketchfab hands out what was an FBX: a scale is taken back further down, and bones stand as no animation has them.
small, large = (bpy.data.objects.new(name, None) for name in ("Small", "Large"))
small.scale, large.scale, large.parent = [0.01] * 3, [100] * 3, small
frame = bpy.data.objects.new("Frame", bpy.data.armatures.new("Frame"))
body = bpy.data.objects.new("Body", cube.data.copy())
frame.parent, body.parent = large, frame
body.modifiers.new("Frame", "ARMATURE").object = frame
for item in (small, large, frame, body):
    bpy.context.scene.collection.objects.link(item)
bpy.context.view_layer.objects.active = frame
bpy.ops.object.mode_set(mode="EDIT")
for name, low in (("Lower", -1), ("Upper", 0)):
    bone = frame.data.edit_bones.new(name)
    bone.head, bone.tail = (0, 0, low), (0, 0, low + 1)
bone.parent = frame.data.edit_bones["Lower"]
bpy.ops.object.mode_set(mode="OBJECT")
for vertex in body.data.vertices:
    group = body.vertex_groups.get(name := "Upper" if vertex.co.z > 0 else "Lower") or body.vertex_groups.new(name=name)
    group.add([vertex.index], 1, "REPLACE")
frame.pose.bones["Lower"].location, frame.pose.bones["Lower"].scale = (2, 3, 4), [5] * 3
frame.pose.bones["Upper"].rotation_quaternion = (0.7, 0.7, 0, 0)
bpy.ops.object.select_all(action="DESELECT")
for item in (small, large, frame, body):
    item.select_set(True)
for kind, name in (("GLTF_SEPARATE", "bent.gltf"), ("GLB", "bent.glb")):
    bpy.ops.export_scene.gltf(
        filepath=path(name), export_format=kind, use_selection=True, export_rest_position_armature=False
    )
for item in (body, frame, large, small):
    bpy.data.objects.remove(item)
bpy.ops.mesh.primitive_monkey_add()
bpy.context.object.name = "Monkey"
bpy.context.object.modifiers.new("Twice", "MIRROR")
curve = bpy.data.curves.new("Line", "CURVE")
bpy.context.scene.collection.objects.link(bpy.data.objects.new("Line", curve))
bpy.ops.wm.save_as_mainfile(filepath=path("house.blend"), compress=True)
os._exit(0)
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    done = subprocess.run([sys.executable, "-c", _MAKE, str(folder)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    (folder / "arm.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\ng f_arm\nf 1 2 3\ng f_leg\nf 1 2 4\n")
    (folder / "points.ply").write_bytes(tiny_splat())
    (folder / "apart.glb").write_bytes(_with_pictures_beside(folder / "thing.gltf"))
    return folder


def _with_pictures_beside(gltf: Path) -> bytes:
    """A GLB of a glTF file: its geometry is inside, its pictures are still beside it, as packs of models share one."""
    written = json.loads(gltf.read_bytes())
    (buffer,) = written["buffers"]
    data = gltf.with_name(buffer.pop("uri")).read_bytes()
    data += bytes(-len(data) % 4)
    text = json.dumps(written).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data))
    return head + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data


def document(glb: Path | bytes) -> dict[str, Any]:
    data = glb if isinstance(glb, bytes) else glb.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    found: dict[str, Any] = json.loads(data[20 : 20 + length])
    return found


def convert(model: Path, out: Path, item: str = "") -> dict[str, Any]:
    run(forked_python(), SCRIPT, {"model": str(model), "object": item, "out": str(out)})
    return document(out)


@pytest.mark.parametrize(
    "name",
    ["thing.ply", "thing.gltf", "thing.usda", "thing.usdc", "thing.abc", "thing.dae", "house.blend", "apart.glb"],
)
def test_what_blender_opens_becomes_one_glb(files: Path, tmp_path: Path, name: str) -> None:
    if not (files / name).exists():
        assert name == "thing.dae" and bpy.app.version >= (5, 0), "only Collada is gone"
        pytest.skip(f"this Blender does not write {name}")
    made = convert(files / name, tmp_path / "out.glb")
    assert made["meshes"]
    assert all("uri" not in one for one in (*made["buffers"], *made.get("images", ())))
    if name in ("thing.gltf", "thing.usdc", "house.blend", "apart.glb"):
        assert made["images"], "textures beside the file are taken in"


def test_a_rigged_file_without_animations_comes_as_it_is_seen(files: Path, tmp_path: Path) -> None:
    """It came with its bones at rest: torn apart where what is above them and their rest are of different sizes."""
    convert(files / "bent.gltf", tmp_path / "out.glb")
    seen, made = (
        np.concatenate(rigged.skinned(rigged.local()))
        for rigged in map(Rigged, (files / "bent.glb", tmp_path / "out.glb"))
    )
    assert np.ptp(seen, axis=0).min() > 4, "it is seen bent, and five times as large"
    for end in (np.min, np.max):
        assert end(made, axis=0) == pytest.approx(end(seen, axis=0), abs=1e-3)


def test_an_object_of_a_blend_comes_alone_and_with_its_modifiers(files: Path, tmp_path: Path) -> None:
    made = convert(files / "house.blend", tmp_path / "out.glb", "Monkey")
    assert [node["name"] for node in made["nodes"]] == ["Monkey"]
    whole = convert(files / "house.blend", tmp_path / "whole.glb")
    assert {node["name"] for node in whole["nodes"]} >= {"Cube", "Monkey"}


@pytest.mark.parametrize(
    ("name", "item", "words"),
    [
        ("house.blend", "Door", "There is no object named Door in house.blend"),
        ("house.blend", "Line", "There are no faces in house.blend"),
        ("points.ply", "", "There are no faces in points.ply"),
        ("broken.usda", "", "broken.usda"),
        ("lost.glb", "", "lost.glb needs Lost.png, which is not where it says"),
    ],
)
def test_what_is_no_model_is_said_in_a_sentence(files: Path, tmp_path: Path, name: str, item: str, words: str) -> None:
    (files / "broken.usda").write_bytes(b"#usda 1.0\nnonsense")
    (files / "lost.glb").write_bytes((files / "apart.glb").read_bytes().replace(b'"Look.png"', b'"Lost.png"'))
    with pytest.raises(BlenderTrouble, match=words):
        convert(files / name, tmp_path / "out.glb", item)


@pytest.mark.parametrize("name", ["thing.ply", "house.blend:Cube", "arm.obj", "apart.glb"])
def test_a_command_takes_it(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
    with stand_in(model=tiny_glb(), image=tiny_png()) as service:
        monkeypatch.setenv("ASSETGEN_BASE_URL", service.base_url)
        code = main(["decimate", str(files / name), "--out", str(tmp_path / "out"), "--json"])
        assert code == 0, capsys.readouterr().out
        assert service.complaints() == []
        (body,) = service.sent("/v3/models/import")
        (content,) = service.uploads.values()
    if name == "arm.obj":
        assert body["file"]["type"] == "obj" and content == (files / name).read_bytes()
    else:
        assert body["file"]["type"] == "glb" and content.startswith(b"glTF")
    if name == "apart.glb":
        images = document(content)["images"]
        assert images and all("bufferView" in image for image in images), "what is beside it is uploaded with it"


def test_an_operator_takes_it(files: Path, addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import bpy

    monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
    with stand_in(model=tiny_glb(), image=tiny_png()) as service:
        monkeypatch.setenv("ASSETGEN_BASE_URL", service.base_url)
        assert bpy.ops.assetgen.import_model(file=f"{files / 'house.blend'}:Monkey") == {"FINISHED"}
        (content,) = service.uploads.values()
        addon.session.shutdown()
    assert content.startswith(b"glTF")
