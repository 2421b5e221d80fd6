"""The two scripts that run in a background Blender: what they keep of a selection, and what they can read."""

from __future__ import annotations

import importlib
import json
import struct
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from asset_generation.addon.bridge.objects.selection import triangle_count
from asset_generation.addon.bridge.results.append import append
from asset_generation.addon.core.jobs.job import plain
from asset_generation.addon.core.jobs.late_files import late_files
from asset_generation.addon.core.paths import Locations
from asset_generation.vendor.background_blender import BlenderFailed, run
from support.addon import add_mesh, box_error, export_glb, place_on_points, select, world_box
from support.fork_server.command import forked_python

HEADLESS = Path(__file__).resolve().parents[2] / "addon" / "headless"


def glb_of(addon: Any, folder: Path, *objects: bpy.types.Object) -> dict[str, Any]:
    """Takes a snapshot of objects and turns it into a GLB; returns the GLB's description."""
    bridge = f"{addon.package}.addon.bridge"
    snapshot, selection = (
        importlib.import_module(f"{bridge}.{name}") for name in ("objects.snapshot", "objects.selection")
    )
    select(*objects)
    source = snapshot.write(bpy.context, selection.usable_selection(bpy.context), Locations(folder))
    late_files.wait_for(folder)
    out = folder / "out.glb"
    run(forked_python(), HEADLESS / "to_glb.py", {**plain(source.snapshot), "blend": source.path, "out": str(out)})
    data = out.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    document: dict[str, Any] = json.loads(data[20 : 20 + length])
    return document


def triangles_of(document: dict[str, Any]) -> int:
    """The triangles in a GLB, from its description."""
    primitives = [primitive for mesh in document["meshes"] for primitive in mesh["primitives"]]
    return sum(document["accessors"][primitive["indices"]]["count"] // 3 for primitive in primitives)


def blend_of(model: Path, folder: Path, name: str = "Result") -> None:
    run(forked_python(), HEADLESS / "to_blend.py", {"model": str(model), "out": str(folder / "r.blend"), "name": name})


def painted_material(name: str, colour: tuple[float, float, float, float]) -> bpy.types.Material:
    """A material with an image that was painted on and never saved."""
    image = bpy.data.images.new(f"{name} Paint", 8, 8)
    image.pixels.foreach_set(np.tile(np.array(colour, dtype=np.float32), 64))
    image.update()
    material = bpy.data.materials.new(name)
    if not material.node_tree:
        material.use_nodes = True
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    principled = material.node_tree.nodes["Principled BSDF"]
    material.node_tree.links.new(node.outputs["Color"], principled.inputs["Base Color"])
    return material


def test_unsaved_paint_travels_and_stays_as_it_was(addon: Any, tmp_path: Path) -> None:
    item = add_mesh("Painted", "cube")
    item.data.materials.append(painted_material("Skin", (0.2, 0.4, 0.6, 1.0)))
    images = set(bpy.data.images)
    document = glb_of(addon, tmp_path, item)
    assert set(bpy.data.images) == images
    assert bpy.data.images["Skin Paint"].is_dirty
    assert len(document["images"]) == 1
    blend_of(tmp_path / "out.glb", tmp_path)
    (result,) = append(tmp_path / "r.blend", bpy.data.collections["Work"])
    (image,) = [node.image for node in result.data.materials[0].node_tree.nodes if node.type == "TEX_IMAGE"]
    assert image.packed_file
    assert [round(value, 2) for value in image.pixels[:3]] == [0.2, 0.4, 0.6]


def test_materials_on_the_object_win_over_those_on_the_mesh(addon: Any, tmp_path: Path) -> None:
    item = add_mesh("Dressed", "cube")
    item.data.materials.append(bpy.data.materials.new("On Mesh"))
    item.material_slots[0].link = "OBJECT"
    item.material_slots[0].material = bpy.data.materials.new("On Object")
    document = glb_of(addon, tmp_path, item)
    assert [material["name"] for material in document["materials"]] == ["On Object"]


def test_uvs_normals_and_colours_are_written(addon: Any, tmp_path: Path) -> None:
    item = add_mesh("Coloured", "cube")
    colours = item.data.color_attributes.new("Colour", "FLOAT_COLOR", "POINT")
    colours.data.foreach_set("color", [0.5] * 4 * len(item.data.vertices))
    item.data.color_attributes.active_color = colours
    document = glb_of(addon, tmp_path, item)
    assert {"POSITION", "NORMAL", "TEXCOORD_0", "COLOR_0"} <= set(document["meshes"][0]["primitives"][0]["attributes"])
    assert triangles_of(document) == 12
    assert not document.get("animations") and not document.get("cameras")


def test_hidden_modifier_targets_count(addon: Any, tmp_path: Path) -> None:
    cutter = add_mesh("Cutter", "cube", location=(1, 1, 1))
    cutter.hide_viewport = True
    item = add_mesh("Block", "cube")
    modifier = item.modifiers.new("Cut", "BOOLEAN")
    modifier.object, modifier.operation, modifier.solver = cutter, "DIFFERENCE", "EXACT"
    document = glb_of(addon, tmp_path, item)
    assert triangles_of(document) > 12
    assert [node["name"] for node in document["nodes"]] == ["Block"], "what is only a modifier's target stays at home"


PLACED = {
    "nothing but instances": ("GeometryNodeMeshCube", False, 4 * 12),
    "a mesh and instances": ("GeometryNodeMeshCube", True, 2 + 4 * 12),
    "another object": ("GeometryNodeObjectInfo", False, 4 * 12),
    "a collection": ("GeometryNodeCollectionInfo", False, 4 * 12),
}


@pytest.mark.parametrize("case", PLACED)
def test_what_geometry_nodes_place_is_written(addon: Any, tmp_path: Path, case: str) -> None:
    kind, joined, triangles = PLACED[case]
    stone = add_mesh("Stone", "cube", location=(0, 0, 50))
    bpy.data.collections.new("Stones").objects.link(stone)
    stone.data.materials.append(bpy.data.materials.new("Granite"))
    item = add_mesh("Field", "plane")
    place_on_points(item, kind, joined=joined)
    document = glb_of(addon, tmp_path, item)
    assert triangles_of(document) == triangles
    assert [node["name"] for node in document["nodes"]] == ["Field"]
    assert [material["name"] for material in document["materials"]] == ["Granite"]


WRITERS = {
    "glb": lambda path: export_glb(Path(path)),
    "fbx": lambda path: bpy.ops.export_scene.fbx(filepath=path),
    "obj": lambda path: bpy.ops.wm.obj_export(filepath=path),
    "stl": lambda path: bpy.ops.wm.stl_export(filepath=path),
    "ply": lambda path: bpy.ops.wm.ply_export(filepath=path, forward_axis="Y", up_axis="Z"),
    "usdz": lambda path: bpy.ops.wm.usd_export(filepath=path, convert_orientation=True),
}


@pytest.mark.parametrize("kind", WRITERS)
def test_every_format_comes_in_as_it_went_out(addon: Any, tmp_path: Path, kind: str) -> None:
    item = add_mesh("Cone", "cone", location=(1, 2, 3), rotation_euler=(0.3, 0, 0.7), scale=(1, 1, 2))
    wanted = world_box(item)
    WRITERS[kind](str(tmp_path / f"model.{kind}"))
    blend_of(tmp_path / f"model.{kind}", tmp_path)
    with bpy.data.libraries.load(str(tmp_path / "r.blend")) as (there, _):
        assert there.collections == ["Result"]
    results = append(tmp_path / "r.blend", bpy.data.collections["Work"])
    meshes = [item for item in results if item.type == "MESH"]
    assert len(meshes) == 1
    assert triangle_count(meshes[0]) >= 62
    assert box_error(world_box(*meshes), wanted) < 0.001


def test_a_broken_file_is_a_sentence(addon: Any, tmp_path: Path) -> None:
    (tmp_path / "model.glb").write_bytes(b"glTF not really")
    with pytest.raises(BlenderFailed, match="The GLB file cannot be read") as caught:
        blend_of(tmp_path / "model.glb", tmp_path)
    assert "Traceback" not in str(caught.value)


def test_a_format_without_an_importer_is_a_sentence(addon: Any, tmp_path: Path) -> None:
    (tmp_path / "model.3mf").write_bytes(b"PK")
    with pytest.raises(BlenderFailed, match=r"Blender has no importer for \.3mf"):
        blend_of(tmp_path / "model.3mf", tmp_path)
