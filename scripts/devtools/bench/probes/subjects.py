"""What jobs are measured with: scenes of one kind, with as many triangles as are asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import bpy
import numpy as np

PROMPT = "a red chair"
_OBJECTS = 200
_MODELS = 14
_SHAPES = 5
_BONES = 12
_TEXTURE = 4096
_PICTURE = 512


class Subject(NamedTuple):
    """A scene that is made.

    Attributes:
        names: The objects to work on; none for what is made of something else.
        comes_from_file: Whether a result has what the kind is about only where a file was imported.
        asked: Capability and fields, where there are no objects.
        each: Whether every object gets a job of its own.
        exported: What belongs into a file beside the objects.
    """

    names: list[str]
    comes_from_file: bool = False
    asked: tuple[str, Mapping[str, Any]] = ("", MappingProxyType({}))
    each: bool = False
    exported: Sequence[str] = ()


def static(triangles: int) -> Subject:
    """One mesh with texture coordinates."""
    return Subject([_terrain("Terrain", triangles).name])


def objects(triangles: int) -> Subject:
    """Many meshes, each turned another way."""
    names = []
    for number in range(_OBJECTS):
        item = _terrain(f"Tile {number}", triangles // _OBJECTS)
        item.location = (2.2 * (number % 20), 2.2 * (number // 20), 0)
        item.rotation_euler = (0.1 * number, 0.2 * number, 0.3 * number)
        names.append(item.name)
    return Subject(names)


def each(triangles: int) -> Subject:
    """Some meshes that get a job each."""
    names = [_terrain(f"Model {number}", triangles // _MODELS).name for number in range(_MODELS)]
    return Subject(names, each=True)


def rigged(triangles: int) -> Subject:
    """A mesh with bones and a motion."""
    item = _terrain("Snake", triangles)
    data = bpy.data.armatures.new("Bones")
    rig = bpy.data.objects.new("Bones", data)
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    before = None
    for number in range(_BONES):
        bone = data.edit_bones.new(f"Bone {number}")
        bone.head = (-1 + 2 * number / _BONES, 0, 0)
        bone.tail = (-1 + 2 * (number + 1) / _BONES, 0, 0)
        bone.parent, before = before, bone
    bpy.ops.object.mode_set(mode="OBJECT")
    places = np.empty(len(item.data.vertices) * 3, dtype=np.float32)
    item.data.vertices.foreach_get("co", places)
    owners = np.clip((places[::3] + 1) / 2 * _BONES, 0, _BONES - 1).astype(int)
    for number in range(_BONES):
        group = item.vertex_groups.new(name=f"Bone {number}")
        group.add(np.flatnonzero(owners == number).tolist(), 1.0, "REPLACE")
    item.modifiers.new("Bones", "ARMATURE").object = rig
    item.parent = rig
    for bone in rig.pose.bones:
        bone.rotation_mode = "XYZ"
        for frame in range(1, 62, 20):
            bone.rotation_euler = (0, 0.1 * math.sin(frame), 0)
            bone.keyframe_insert("rotation_euler", frame=frame)
    return Subject([item.name], comes_from_file=True, exported=[rig.name])


def shape_keys(triangles: int) -> Subject:
    """A mesh with shape keys."""
    item = _terrain("Face", triangles)
    item.shape_key_add(name="Basis")
    places = np.empty(len(item.data.vertices) * 3, dtype=np.float32)
    item.data.vertices.foreach_get("co", places)
    for number in range(_SHAPES):
        moved = places.copy()
        moved[2::3] *= 1 + number
        item.shape_key_add(name=f"Shape {number}").points.foreach_set("co", moved)
    return Subject([item.name], comes_from_file=True)


def textures(triangles: int) -> Subject:
    """A mesh with a 4K texture that was painted and never saved."""
    item = _terrain("Painted", triangles)
    image = bpy.data.images.new("Paint", _TEXTURE, _TEXTURE)
    values = np.random.default_rng(1).random((_TEXTURE // 8, _TEXTURE // 8, 4), dtype=np.float32)
    image.pixels.foreach_set(np.kron(values, np.ones((8, 8, 1), dtype=np.float32)).ravel())
    material = bpy.data.materials.new("Paint")
    material.use_nodes = True
    tree = material.node_tree
    texture = tree.nodes.new("ShaderNodeTexImage")
    texture.image = image
    tree.links.new(texture.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])
    item.data.materials.append(material)
    return Subject([item.name])


def splats(_triangles: int) -> Subject:
    """Splats out of a picture."""
    image = bpy.data.images.new("Picture", _PICTURE, _PICTURE)
    row, column = np.mgrid[0:_PICTURE, 0:_PICTURE] / _PICTURE - 0.5
    values = np.ones((_PICTURE, _PICTURE, 4), dtype=np.float32)
    values[row**2 + column**2 < 0.1, :2] = 0.2
    image.pixels.foreach_set(values.ravel())
    path = Path(bpy.app.tempdir) / "picture.png"
    image.file_format, image.filepath_raw = "PNG", str(path)
    image.save()
    bpy.data.images.remove(image)
    return Subject([], asked=("image_to_splat", {"file": str(path)}))


def images(_triangles: int) -> Subject:
    """Images out of words."""
    return Subject([], asked=("text_to_image", {"prompt": PROMPT}))


def _terrain(name: str, triangles: int) -> bpy.types.Object:
    """A bumpy grid with texture coordinates, about as many triangles as asked for."""
    side = max(2, round(math.sqrt(triangles / 2)) + 1)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=side - 1, y_subdivisions=side - 1, size=2, calc_uvs=True)
    item = bpy.context.active_object
    item.name = name
    places = np.empty(len(item.data.vertices) * 3, dtype=np.float32)
    item.data.vertices.foreach_get("co", places)
    places[2::3] = 0.1 * np.sin(9 * places[::3]) * np.cos(7 * places[1::3])
    item.data.vertices.foreach_set("co", places)
    item.data.update()
    return item


SUBJECTS: Mapping[str, Callable[[int], Subject]] = {
    maker.__name__: maker for maker in (static, objects, each, rigged, shape_keys, textures, splats, images)
}
