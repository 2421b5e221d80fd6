"""The fingerprint follows all that an upload of an object would carry, and nothing that is about how it is shown."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from support.addon import add_mesh
from support.services.local_engine import instant_runner, tiny_png

SIDE = 16


def add_dressed(folder: Path) -> bpy.types.Object:
    """A cube with one of everything that can go out: layers, weights, shape keys, modifiers, nodes and images."""
    item = add_mesh("Dressed", "cube")
    mesh = item.data
    mesh.uv_layers.new(name="Second")
    for name in ("Colour", "Other"):
        mesh.color_attributes.new(name, "FLOAT_COLOR", "POINT")
    for name in ("Upper", "Lower"):
        item.vertex_groups.new(name=name).add([0, 1, 2], 0.5, "REPLACE")
    mesh.normals_split_custom_set_from_vertices([vertex.normal for vertex in mesh.vertices])
    item.modifiers.new("Bevel", "BEVEL").profile_type = "CUSTOM"
    mesh.materials.append(material_with_images(folder))
    mesh.materials.append(bpy.data.materials.new("Plain"))
    return item


def material_with_images(folder: Path) -> bpy.types.Material:
    """A material with an image of each kind: painted, packed, on the disk, generated."""
    material = bpy.data.materials.new("Skin")
    if not material.node_tree:
        material.use_nodes = True
    (folder / "photo.png").write_bytes(tiny_png())
    (folder / "packed.png").write_bytes(tiny_png())
    painted = bpy.data.images.new("Painted", SIDE, SIDE)
    paint(painted, 0.25)
    packed = bpy.data.images.load(str(folder / "packed.png"))
    packed.pack()
    generated = bpy.data.images.new("Generated", SIDE, SIDE)
    for image in (painted, packed, bpy.data.images.load(str(folder / "photo.png")), generated):
        material.node_tree.nodes.new("ShaderNodeTexImage").image = image
    shader = material.node_tree.nodes["Principled BSDF"]
    picture = material.node_tree.nodes["Image Texture"]
    material.node_tree.links.new(picture.outputs["Color"], shader.inputs["Base Color"])
    material.node_tree.nodes.new("ShaderNodeRGB")
    material.node_tree.nodes.new("ShaderNodeRGBCurve")
    return material


def paint(image: bpy.types.Image, value: float, *, pixel: int | None = None) -> None:
    """Paints on an image, without saving it: all of it, or one pixel."""
    pixels = np.empty(SIDE * SIDE * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    pixels[slice(None) if pixel is None else slice(pixel * 4, pixel * 4 + 3)] = value
    image.pixels.foreach_set(pixels)
    image.update()


def node(item: bpy.types.Object, name: str) -> Any:
    return item.data.materials[0].node_tree.nodes[name]


def colour_node(item: bpy.types.Object) -> Any:
    """Its name differs between the Blenders."""
    return next(node for node in item.data.materials[0].node_tree.nodes if node.bl_idname == "ShaderNodeRGB")


def image(kind: str) -> bpy.types.Image:
    return next(image for image in bpy.data.images if image.name.lower().startswith(kind))


def _move_uv(item: bpy.types.Object) -> None:
    item.data.uv_layers[0].data[3].uv.x += 0.25


def _bend_normal(item: bpy.types.Object) -> None:
    normals = [corner.vector.copy() for corner in item.data.corner_normals]
    normals[5].x += 0.4
    item.data.normals_split_custom_set([normal.normalized() for normal in normals])


def _sharpen(item: bpy.types.Object) -> None:
    item.data.edges[2].use_edge_sharp = True


def _flip_face(item: bpy.types.Object) -> None:
    item.data.polygons[1].flip()


def _paint_corner(item: bpy.types.Object) -> None:
    item.data.color_attributes["Colour"].data[1].color = (0.1, 0.2, 0.3, 1.0)


def _turn_curve(item: bpy.types.Object) -> None:
    item.modifiers["Bevel"].custom_profile.points[0].location.x -= 0.1


def _pack_another(item: bpy.types.Object) -> None:
    """The same size in bytes and in pixels; another picture."""
    content = bytearray(tiny_png())
    content[-20] ^= 1
    packed = image("packed")
    packed.pack(data=bytes(content), data_len=len(content))


def _save_another(item: bpy.types.Object) -> None:
    """Another program writes the file anew, as long as it was."""
    path = Path(image("photo").filepath)
    before = path.stat()
    path.write_bytes(path.read_bytes())
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1_000_000))


CHANGES: dict[str, Callable[[bpy.types.Object], Any]] = {
    "a vertex moves": lambda item: setattr(item.data.vertices[0].co, "x", 5.0),
    "a face is turned over": _flip_face,
    "a corner of the UVs moves": _move_uv,
    "another UV map counts": lambda item: setattr(item.data.uv_layers["Second"], "active_render", True),
    "a colour": _paint_corner,
    "another colour attribute counts": lambda item: setattr(item.data.color_attributes, "render_color_index", 1),
    "another colour attribute is active": lambda item: setattr(item.data.color_attributes, "active_color_index", 1),
    "an edge is sharp": _sharpen,
    "a custom normal": _bend_normal,
    "a face has another material": lambda item: setattr(item.data.polygons[0], "material_index", 1),
    "a weight": lambda item: item.vertex_groups["Upper"].add([1], 0.75, "REPLACE"),
    "a vertex leaves a group": lambda item: item.vertex_groups["Upper"].remove([1]),
    "a group has another name": lambda item: setattr(item.vertex_groups["Upper"], "name", "Hip"),
    "a modifier's width": lambda item: setattr(item.modifiers["Bevel"], "width", 0.02),
    "a modifier's curve": _turn_curve,
    "a modifier is off": lambda item: setattr(item.modifiers["Bevel"], "show_viewport", False),
    "a socket's value": lambda item: setattr(node(item, "Principled BSDF").inputs["Roughness"], "default_value", 0.123),
    "a value that is an output": lambda item: setattr(
        colour_node(item).outputs[0], "default_value", (0.1, 0.2, 0.3, 1)
    ),
    "a node's curve": lambda item: setattr(node(item, "RGB Curves").mapping.curves[3].points[0], "location", (0, 0.2)),
    "a node is muted": lambda item: setattr(node(item, "Image Texture"), "mute", True),
    "a link is gone": lambda item: item.data.materials[0].node_tree.links.remove(
        item.data.materials[0].node_tree.links[0]
    ),
    "another image": lambda item: setattr(node(item, "Image Texture"), "image", image("generated")),
    "another material": lambda item: item.data.materials.__setitem__(1, item.data.materials[0]),
    "a material on the object": lambda item: setattr(item.material_slots[1], "link", "OBJECT"),
    "backfaces": lambda item: setattr(item.data.materials[0], "use_backface_culling", True),
    "more paint on an unsaved image": lambda item: paint(image("painted"), 0.75, pixel=37),
    "paint on a packed image": lambda item: image("packed").pixels.__setitem__(0, 0.5),
    "another packed picture": _pack_another,
    "another file": _save_another,
    "no file any more": lambda item: Path(image("photo").filepath).unlink(),
    "a generated colour": lambda item: setattr(image("generated"), "generated_color", (1, 0, 0, 1)),
    "a generated pattern": lambda item: setattr(image("generated"), "generated_type", "UV_GRID"),
    "a colour space": lambda item: setattr(image("photo").colorspace_settings, "name", "Non-Color"),
    "an alpha mode": lambda item: setattr(image("photo"), "alpha_mode", "CHANNEL_PACKED"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_goes_out_counts(addon: Any, tmp_path: Path, change: str) -> None:
    item = add_dressed(tmp_path)
    before = addon.fingerprint.fingerprint(item)
    assert before == addon.fingerprint.fingerprint(item) != ""
    CHANGES[change](item)
    assert addon.fingerprint.fingerprint(item) != before


KEY_CHANGES: dict[str, Callable[[Any], Any]] = {
    "its points": lambda key: setattr(key.data[3].co, "z", 4.0),
    "its value": lambda key: setattr(key, "value", 0.5),
    "whether it counts": lambda key: setattr(key, "mute", True),
    "its group": lambda key: setattr(key, "vertex_group", "Upper"),
}


@pytest.mark.parametrize("change", KEY_CHANGES)
def test_shape_keys_count(addon: Any, tmp_path: Path, change: str) -> None:
    item = add_dressed(tmp_path)
    item.shape_key_add(name="Basis")
    key = item.shape_key_add(name="Smile")
    before = addon.fingerprint.fingerprint(item)
    KEY_CHANGES[change](key)
    assert addon.fingerprint.fingerprint(item) != before


def test_a_shape_key_that_is_animated_has_no_value_of_its_own(addon: Any) -> None:
    item = add_mesh("Face", "cube")
    item.shape_key_add(name="Basis")
    key = item.shape_key_add(name="Smile")
    for frame, value in ((1, 0.0), (10, 1.0)):
        key.value = value
        key.keyframe_insert("value", frame=frame)
    prints = set()
    for frame in (1, 5, 10):
        bpy.context.scene.frame_set(frame)
        prints.add(addon.fingerprint.fingerprint(item))
    assert len(prints) == 1


CALM: dict[str, Callable[[bpy.types.Object], Any]] = {
    "the selection": lambda item: item.data.vertices[0].__setattr__("select", False),
    "where a node is": lambda item: setattr(node(item, "Image Texture"), "location", (500, 500)),
    "the object's place": lambda item: setattr(item, "location", (5, 0, 0)),
    "a look at an image": lambda item: image("photo").pixels[0],
    "a material's preview": lambda item: setattr(item.data.materials[0], "preview_render_type", "CUBE"),
    "an open modifier": lambda item: setattr(item.modifiers["Bevel"], "show_expanded", False),
}


@pytest.mark.parametrize("change", CALM)
def test_what_stays_at_home_does_not_count(addon: Any, tmp_path: Path, change: str) -> None:
    item = add_dressed(tmp_path)
    before = addon.fingerprint.fingerprint(item)
    CALM[change](item)
    assert addon.fingerprint.fingerprint(item) == before


def test_a_step_back_is_the_old_picture_again(addon: Any, tmp_path: Path) -> None:
    item = add_dressed(tmp_path)
    before = addon.fingerprint.fingerprint(item)
    pixels = np.empty(SIDE * SIDE * 4, dtype=np.float32)
    image("painted").pixels.foreach_get(pixels)
    paint(image("painted"), 0.75, pixel=37)
    assert addon.fingerprint.fingerprint(item) != before
    image("painted").pixels.foreach_set(pixels)
    assert addon.fingerprint.fingerprint(item) == before


@pytest.mark.parametrize("face", [0, 50_001, 160_000])
def test_one_face_of_many_counts(addon: Any, face: int) -> None:
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=410, y_subdivisions=410)
    item = bpy.context.view_layer.objects.active
    before = addon.fingerprint.fingerprint(item)
    item.data.polygons[face].flip()
    assert addon.fingerprint.fingerprint(item) != before, "the same numbers in another order"


def test_of_a_mesh_that_was_edited_only_the_vertices_are_read(addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A press on a million triangles has no time to read what tells nothing more."""
    mesh_notes = importlib.import_module(f"{addon.package}.addon.headless.mesh_notes")
    item = add_mesh("Edited")
    task = addon.provenance.TaskProvenance("task", "local", "texture")
    addon.provenance.write([item], task, item.matrix_world, [addon.fingerprint.fingerprint(item)])
    read: list[str] = []
    values = mesh_notes._attribute_checksum
    monkeypatch.setattr(
        mesh_notes, "_attribute_checksum", lambda attribute: read.append(attribute.name) or values(attribute)
    )
    assert addon.provenance.is_unchanged(item) and len(set(read)) > 1
    read.clear()
    item.data.vertices[1].co.z += 0.01
    assert not addon.provenance.is_unchanged(item)
    assert read == ["position"]


def test_more_paint_than_can_be_read_at_a_press_is_never_known(
    addon: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = add_dressed(tmp_path)
    monkeypatch.setattr(addon.image_content, "MAX_PIXELS", SIDE * SIDE - 1)
    assert addon.fingerprint.fingerprint(item) == ""
    task = addon.provenance.TaskProvenance("task", "local", "texture")
    addon.provenance.write([item], task, item.matrix_world, [""])
    assert addon.provenance.unmodified_task([item], "local") is None


def test_a_material_is_read_once_for_all_that_have_it(
    addon: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = add_dressed(tmp_path)
    second, third = (add_mesh(name, "cube") for name in "BC")
    second.data.materials.append(first.data.materials[1])
    second.data.materials.append(first.data.materials[0])
    third.data.materials.append(None)
    items = [first, second, third, first]
    alone = [addon.fingerprint.looks(item) for item in items]
    read = []
    tree = addon.fingerprint._tree
    monkeypatch.setattr(addon.fingerprint, "_tree", lambda *given: read.append(given) or tree(*given))
    together = list(addon.provenance.looks_if_lasting(items[1:]))
    assert together == alone[1:]
    assert together[0].packed == (bpy.data.images["packed.png"],)
    with_nodes = {one for item in items for one in item.data.materials if one is not None and one.node_tree is not None}
    assert len(read) == len(with_nodes)


def test_each_object_has_its_own_time_for_paint(addon: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where its paint is that of another object, which was read already."""
    monkeypatch.setattr(addon.image_content, "MAX_PIXELS", SIDE * SIDE * 3 // 2)
    first, second, third = (add_mesh(name, "cube") for name in "ABC")
    for item in (first, second, third, third):
        item.data.materials.append(first.data.materials[0] if first.data.materials else material_with_images(tmp_path))
    seen = [addon.fingerprint.looks(item) for item in (first, second, third)]
    assert [bool(one.text) for one in seen] == [True, True, False]
    reader = addon.fingerprint.MaterialReader()
    assert [addon.fingerprint.looks(item, reader) for item in (first, second, third)] == seen


@pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)
def test_paint_that_is_not_saved_is_uploaded_and_the_panel_says_so(service: Any, addon: Any, tmp_path: Path) -> None:
    item = add_dressed(tmp_path)
    image("painted").pack()
    sources = importlib.import_module(f"{addon.package}.addon.ops.sources")
    info = importlib.import_module(f"{addon.package}.addon.props.task_properties").CAPABILITIES["texture"]

    def panel_says_upload() -> bool:
        return bool(sources.panel_source(bpy.context, info, addon.session.settings).uploads)

    assert bpy.ops.assetgen.import_model() == {"FINISHED"}
    assert not panel_says_upload()
    bpy.ops.assetgen.rig_check()
    assert [step.capability for step in addon.scripting.last_job().steps] == ["rig_check"]
    paint(image("painted"), 0.75)
    assert panel_says_upload()
    bpy.ops.assetgen.rig_check()
    assert [step.capability for step in addon.scripting.last_job().steps] == ["import_model", "rig_check"]
    paint(image("painted"), 0.25)
    bpy.ops.assetgen.rig_check()
    assert [step.capability for step in addon.scripting.last_job().steps] == ["import_model", "rig_check"]
    paint(image("painted"), 0.25)
    bpy.ops.assetgen.rig_check()
    assert [step.capability for step in addon.scripting.last_job().steps] == ["rig_check"], "painted, but as before"
    assert item.name in bpy.data.objects
