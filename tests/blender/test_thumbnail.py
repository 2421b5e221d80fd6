"""The small picture of a result whose service sent none."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import bmesh
import bpy
import numpy as np
import pytest
from asset_generation.addon import headless

sys.path[:0] = headless.__path__  # as its scripts do, which name each other without dots

from asset_generation.addon.headless.thumbnail import SIZE, _points, write_thumbnail  # noqa: E402


@pytest.fixture(autouse=True)
def empty_file() -> None:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


def material_of(color: tuple[float, float, float], image: Any = None) -> Any:
    material = bpy.data.materials.new("Surface")
    if not material.node_tree:
        material.use_nodes = True
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (*color, 1.0)
    if image is not None:
        node = material.node_tree.nodes.new("ShaderNodeTexImage")
        node.image = image
        material.node_tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    return material


def cube(x: float, material: Any) -> Any:
    bpy.ops.mesh.primitive_cube_add(location=(x, 0, 0))
    item = bpy.context.view_layer.objects.active
    item.data.materials.append(material)
    return item


def pixels_of(path: Path) -> Any:
    image = bpy.data.images.load(str(path))
    assert tuple(image.size) == (SIZE, SIZE)
    pixels = np.empty(SIZE * SIZE * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(SIZE, SIZE, 4)


def test_it_shows_each_object_in_its_colour_and_nothing_around(tmp_path: Path) -> None:
    items = [cube(-1.5, material_of((1, 0, 0))), cube(1.5, material_of((0, 0, 1)))]
    bpy.context.view_layer.update()
    before = {name: len(getattr(bpy.data, name)) for name in ("images", "meshes", "materials", "objects")}
    assert write_thumbnail(items, tmp_path / "picture.png")
    assert {name: len(getattr(bpy.data, name)) for name in before} == before
    pixels = pixels_of(tmp_path / "picture.png")
    assert pixels[0, 0, 3] == pixels[-1, -1, 3] == 0
    seen = pixels[..., 3] > 0.5
    assert 0.1 < seen.mean() < 0.8
    red = seen & (pixels[..., 0] > 0.3) & (pixels[..., 2] < 0.1)
    blue = seen & (pixels[..., 2] > 0.3) & (pixels[..., 0] < 0.1)
    assert red.sum() + blue.sum() > 0.98 * seen.sum()
    assert np.nonzero(red)[1].mean() < np.nonzero(blue)[1].mean(), "x goes to the right"
    columns = np.nonzero(seen.any(axis=0))[0]
    assert columns[0] < 0.1 * SIZE and columns[-1] > 0.9 * SIZE, "it fills the picture"
    inside = seen[SIZE // 2, columns[0] + 12 : columns[0] + 60]
    assert inside.all(), "without holes"


def test_what_bones_move_is_where_it_is_seen(tmp_path: Path) -> None:
    bpy.ops.object.armature_add()
    rig = bpy.context.view_layer.objects.active
    rig.pose.bones[0].location = (4, 0, 0)
    items = [cube(-1.5, material_of((1, 0, 0))), cube(-1.5, material_of((0, 0, 1)))]
    items[1].vertex_groups.new(name=rig.pose.bones[0].name).add(range(8), 1.0, "REPLACE")
    items[1].modifiers.new("Rig", "ARMATURE").object = rig
    bpy.context.view_layer.update()
    assert write_thumbnail([rig, *items], tmp_path / "picture.png")
    pixels = pixels_of(tmp_path / "picture.png")
    red, blue = (pixels[..., channel] > 0.3 for channel in (0, 2))
    assert red.any() and np.nonzero(red)[1].max() < np.nonzero(blue)[1].min(), "one is beside the other"


def test_the_points_of_a_surface_leave_no_pixel_of_it_empty() -> None:
    side = 64  # pixels of a square of two triangles
    triangles, weights = _points(np.ones(2, np.float32), 5 * side**2, np.random.default_rng(0))
    corners = np.array([[(0, 0), (1, 0), (0, 1)], [(1, 1), (0, 1), (1, 0)]])
    at = np.einsum("nc,nck->nk", weights, corners[triangles])
    assert at.min() >= 0 and at.max() <= 1
    column, row = np.minimum(at * side, side - 1).astype(int).T
    of_pixel = np.bincount(row * side + column, minlength=side**2)
    assert of_pixel.min() >= 1, "points at random would leave some in a hundred empty"
    assert of_pixel.max() <= 12


def test_it_shows_textures(tmp_path: Path) -> None:
    image = bpy.data.images.new("Green", 512, 512)
    image.pixels.foreach_set(np.tile(np.array((0.0, 1.0, 0.0, 1.0), dtype=np.float32), 512 * 512))
    image.pack()
    assert write_thumbnail([cube(0, material_of((1, 1, 1), image))], tmp_path / "picture.png")
    pixels = pixels_of(tmp_path / "picture.png")
    seen = pixels[pixels[..., 3] > 0.5]
    assert seen[:, 1].min() > 0.3
    assert seen[:, (0, 2)].max() < 0.05
    assert tuple(image.size) == (512, 512), "the result's own picture is left as it is"


@pytest.mark.parametrize("named", ["", "Color"])
@pytest.mark.parametrize("domain", ["POINT", "CORNER"])
def test_it_shows_vertex_colours_where_the_material_does(tmp_path: Path, domain: str, named: str) -> None:
    shown, hidden = material_of((1, 1, 1)), material_of((0, 0, 1))
    tree = shown.node_tree
    paint = tree.nodes.new("ShaderNodeVertexColor")
    paint.layer_name = named
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    tree.links.new(multiplied(tree, paint.outputs["Color"], (1.0, 0.25, 1.0, 1.0)), shader.inputs["Base Color"])
    items = [cube(-1.5, shown), cube(1.5, hidden)]
    for item in items:
        layer = item.data.color_attributes.new("Color", "FLOAT_COLOR", domain)
        layer.data.foreach_set("color", [0.5, 0.5, 0.0, 1.0] * len(layer.data))
        other = item.data.color_attributes.new("Other", "FLOAT_COLOR", domain)
        other.data.foreach_set("color", [0.0, 0.0, 1.0, 1.0] * len(other.data))
        item.data.color_attributes.active_color = item.data.color_attributes["Other" if named else "Color"]
    bpy.context.view_layer.update()
    assert write_thumbnail(items, tmp_path / "picture.png")
    pixels = pixels_of(tmp_path / "picture.png")
    seen = pixels[..., 3] > 0.5
    left, right = pixels[:, : SIZE // 2], pixels[:, SIZE // 2 :]
    painted = left[seen[:, : SIZE // 2]].mean(axis=0)
    assert painted[0] > 0.3 and painted[2] < 0.05, "the colours are seen, and where they have no blue, none"
    assert painted[1] < 0.7 * painted[0], "the factor takes three quarters of the green"
    assert right[seen[:, SIZE // 2 :]].mean(axis=0)[0] < 0.1, "a material that does not show them stays blue"


def multiplied(tree: Any, color: Any, factor: tuple[float, float, float, float]) -> Any:
    """The output of a node that multiplies a colour with a factor, as a glTF file's comes."""
    mix = tree.nodes.new("ShaderNodeMix")
    mix.data_type, mix.blend_type = "RGBA", "MULTIPLY"
    mix.inputs["Factor"].default_value = 1.0
    first, second = (one for one in mix.inputs if one.type == "RGBA")
    second.default_value = factor
    tree.links.new(color, first)
    return next(one for one in mix.outputs if one.type == "RGBA")


def test_it_shows_the_same_of_squares_and_of_the_triangles_that_they_are_cut_into(tmp_path: Path) -> None:
    image = bpy.data.images.new("Halves", 64, 64)
    halves = np.ones((64, 64, 4), dtype=np.float32)
    halves[:, :32, :2] = 0
    image.pixels.foreach_set(halves.ravel())
    image.pack()
    item = cube(0, material_of((1, 1, 1), image))
    item.data.materials.append(material_of((1, 0, 0)))
    item.data.polygons.foreach_set("material_index", np.arange(6, dtype=np.int32) % 2)
    assert write_thumbnail([item], tmp_path / "squares.png")
    cut = bmesh.new()
    cut.from_mesh(item.data)
    bmesh.ops.triangulate(cut, faces=cut.faces)
    cut.to_mesh(item.data)
    cut.free()
    assert len(item.data.polygons) == 12
    assert write_thumbnail([item], tmp_path / "triangles.png")
    squares, triangles = pixels_of(tmp_path / "squares.png"), pixels_of(tmp_path / "triangles.png")
    seen = squares[..., 3] > 0.5
    assert (seen != (triangles[..., 3] > 0.5)).mean() < 0.002
    is_near = np.abs(squares - triangles).max(axis=2) < 0.1
    assert is_near[seen].mean() > 0.97, "colours, sides and the picture on them"


def test_what_has_no_surface_has_no_picture(tmp_path: Path) -> None:
    empty = bpy.data.objects.new("Empty", None)
    points = bpy.data.meshes.new("Points")
    points.from_pydata([(0, 0, 0), (1, 0, 0)], [], [])
    assert not write_thumbnail([empty, bpy.data.objects.new("Points", points)], tmp_path / "picture.png")
    flat = bpy.data.meshes.new("Flat")
    flat.from_pydata([(0, 0, 0)] * 3, [], [(0, 1, 2)])
    assert not write_thumbnail([bpy.data.objects.new("Flat", flat)], tmp_path / "picture.png")
    assert not (tmp_path / "picture.png").exists()
