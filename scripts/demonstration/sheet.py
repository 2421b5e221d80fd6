"""A contact sheet: many pictures in rows, each with a caption below it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import bpy
from asset_generation.addon.cli.silence_stdout import silence

_TILE = 200
"""Width of a tile in pixels of the sheet."""

_CAPTION = 0.2
"""Height of a caption, as a part of the tile's width."""

_GAP = 0.04
_BACKGROUND = (0.86, 0.87, 0.89, 1.0)
_INK = (0.02, 0.02, 0.03, 1.0)


_WHOLE = ((0.0, 0.0, 1.0),)
_QUARTERS = ((-0.25, 0.25, 0.48), (0.25, 0.25, 0.48), (-0.25, -0.25, 0.48), (0.25, -0.25, 0.48))
"""Where pictures are in a tile: right, up and size."""


class Tile(NamedTuple):
    """One picture of the sheet.

    Attributes:
        title: The first line of the caption.
        detail: The second one, smaller.
        pictures: Image files, square or not: one, or up to four that share the tile; none for words alone.
        words: What stands in place of a picture.
    """

    title: str
    detail: str
    pictures: Sequence[Path] = ()
    words: str = ""


def compose(tiles: Sequence[Tile], columns: int, path: Path) -> None:
    """Writes the sheet as a PNG. Empties the open file."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    rows = -(-len(tiles) // columns)
    height = 1 + _CAPTION + _GAP
    for number, tile in enumerate(tiles):
        x = (number % columns) * (1 + _GAP) + _GAP + 0.5
        y = -(number // columns) * height - _GAP - 0.5
        for picture, (left, up, size) in zip(
            tile.pictures, _QUARTERS if len(tile.pictures) > 1 else _WHOLE, strict=False
        ):
            _picture(scene, picture, x + left, y + up, size)
        if not tile.pictures:
            _text(scene, tile.words, x, y, 0.11)
        _text(scene, tile.title, x, y - 0.5 - _CAPTION * 0.32, 0.075)
        _text(scene, tile.detail, x, y - 0.5 - _CAPTION * 0.72, 0.052)
    width, tall = columns * (1 + _GAP) + _GAP, rows * height + _GAP
    _camera(scene, width, tall)
    _settings(scene, round(width * _TILE), round(tall * _TILE), path)
    with silence():
        bpy.ops.render.render(write_still=True)


def _shine(name: str, color: tuple[float, ...] | None = None, image: Any = None) -> Any:
    """A material that shows a colour or an image as it is, and what is behind it where the image is transparent."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    shine = tree.nodes.new("ShaderNodeEmission")
    if image is None:
        shine.inputs["Color"].default_value = color
        tree.links.new(shine.outputs[0], output.inputs["Surface"])
        return material
    texture = tree.nodes.new("ShaderNodeTexImage")
    texture.image = image
    mix = tree.nodes.new("ShaderNodeMixShader")
    tree.links.new(texture.outputs["Color"], shine.inputs["Color"])
    tree.links.new(texture.outputs["Alpha"], mix.inputs[0])
    tree.links.new(tree.nodes.new("ShaderNodeBsdfTransparent").outputs[0], mix.inputs[1])
    tree.links.new(shine.outputs[0], mix.inputs[2])
    tree.links.new(mix.outputs[0], output.inputs["Surface"])
    return material


def _picture(scene: Any, path: Path, x: float, y: float, size: float) -> None:
    image = bpy.data.images.load(str(path))
    wide, high = image.size
    half = (0.5 * size * wide / max(wide, high), 0.5 * size * high / max(wide, high))
    mesh = bpy.data.meshes.new("Picture")
    corners = [(-half[0], -half[1], 0), (half[0], -half[1], 0), (half[0], half[1], 0), (-half[0], half[1], 0)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    uv = mesh.uv_layers.new()
    for loop, place in zip(uv.data, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
        loop.uv = place
    mesh.materials.append(_shine("Picture", image=image))
    item = bpy.data.objects.new("Picture", mesh)
    item.location = (x, y, 0)
    scene.collection.objects.link(item)


def _text(scene: Any, words: str, x: float, y: float, size: float) -> None:
    curve = bpy.data.curves.new("Words", "FONT")
    curve.body, curve.size = words, size
    curve.align_x = curve.align_y = "CENTER"
    curve.materials.append(_shine("Ink", _INK))
    item = bpy.data.objects.new("Words", curve)
    item.location = (x, y, 0.01)
    scene.collection.objects.link(item)
    bpy.context.view_layer.update()
    if item.dimensions.x > 1:  # a long caption is made narrower, not cut
        item.scale = (1 / item.dimensions.x,) * 3


def _camera(scene: Any, width: float, tall: float) -> None:
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.type = "ORTHO"
    camera.data.ortho_scale = max(width, tall)
    camera.location = (width / 2, -tall / 2, 5)
    scene.collection.objects.link(camera)
    scene.camera = camera


def _settings(scene: Any, width: int, tall: int, path: Path) -> None:
    world = scene.world = bpy.data.worlds.new("Paper")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = _BACKGROUND
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = 16
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y = width, tall
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.compression = 100
    scene.view_settings.view_transform = "Standard"
    scene.render.filepath = str(path)
