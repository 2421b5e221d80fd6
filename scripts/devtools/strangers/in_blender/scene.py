"""A model file in an empty Blender, and its meshes as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import numpy as np
from background_blender import importers

from .measures import Array

_PLAIN = (0.72, 0.72, 0.74)
_PAINTS = ("VERTEX_COLOR", "ATTRIBUTE")


class Mesh(NamedTuple):
    """One object as it stands in the scene.

    Attributes:
        name: The object's.
        points: (n, 3), in the world.
        faces: Its triangles, (m, 3).
        uvs: Of the triangles' corners, (m, 3, 2); None without a UV layer.
        edges: (k, 2).
        materials: The material of each triangle, (m,), or -1.
        slots: The materials.
        colors: Vertex colours of the triangles' corners, (m, 3, 3), sRGB 0..1; None without any.
    """

    name: str
    points: Array
    faces: Array
    uvs: Array | None
    edges: Array
    materials: Array
    slots: Sequence[Any]
    colors: Array | None

    @property
    def triangles(self) -> Array:
        """(m, 3, 3)."""
        return self.points[self.faces]


def read(path: Path) -> None:
    """Reads a file into an empty scene, as Blender alone does.

    Raises:
        KeyError: Blender knows no such format.
    """
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    importers.READERS[path.suffix.lower().lstrip(".")](path)


def show(pose: str) -> None:
    """Has every rig in its ``REST`` or in its ``POSE``."""
    for armature in bpy.data.armatures:
        armature.pose_position = pose
    bpy.context.view_layer.update()


def meshes() -> list[Mesh]:
    """All objects with faces, as they are seen now."""
    graph = bpy.context.evaluated_depsgraph_get()
    seen = (item for item in bpy.context.scene.objects if item.type == "MESH")
    found = [_mesh(item, item.evaluated_get(graph)) for item in sorted(seen, key=lambda item: item.name)]
    return [mesh for mesh in found if len(mesh.faces)]


def all_triangles(found: Sequence[Mesh]) -> Array:
    """The triangles of all of them, (n, 3, 3)."""
    return np.concatenate([mesh.triangles for mesh in found])


def rig() -> Any:
    """The armature with the most bones; None where there is none."""
    rigs = [item for item in bpy.context.scene.objects if item.type == "ARMATURE"]
    return max(rigs, key=lambda item: len(item.data.bones), default=None)


def _mesh(item: Any, evaluated: Any) -> Mesh:
    data = evaluated.data
    data.calc_loop_triangles()
    matrix = np.array(item.matrix_world)
    points = _flat(data.vertices, "co", 3, np.float32) @ matrix[:3, :3].T + matrix[:3, 3]
    corners = _flat(data.loop_triangles, "loops", 3, np.int32)
    layer = data.uv_layers.active
    return Mesh(
        item.name,
        points,
        _flat(data.loop_triangles, "vertices", 3, np.int32),
        None if layer is None else _flat(layer.data, "uv", 2, np.float32)[corners].astype(np.float64),
        _flat(data.edges, "vertices", 2, np.int32),
        _flat(data.loop_triangles, "material_index", 1, np.int32).ravel(),
        [slot.material for slot in item.material_slots],
        _colors(data, corners),
    )


def _colors(data: Any, corners: Array) -> Array | None:
    layer = data.color_attributes.active_color
    if layer is None or layer.domain not in ("POINT", "CORNER"):
        return None
    where = _flat(data.loop_triangles, "vertices", 3, np.int32) if layer.domain == "POINT" else corners
    return np.asarray(_flat(layer.data, "color_srgb", 4, np.float32)[where, :3], np.float64)


def _flat(collection: Any, name: str, width: int, kind: Any) -> Array:
    values = np.empty(len(collection) * width, kind)
    collection.foreach_get(name, values)
    return values.reshape(-1, width)


class Look(NamedTuple):
    """What a material shows.

    Attributes:
        color: A plain colour (3,), sRGB 0..1; of a picture and of vertex colours, what dims them.
        picture: (height, width, 3).
        alpha: How opaque it is.
        is_painted: Whether it shows vertex colours.
    """

    color: Array
    picture: Array | None = None
    alpha: float = 1.0
    is_painted: bool = False


def look_of(material: Any) -> Look:
    """Of a material; a light grey without one."""
    plain = np.array(_PLAIN)
    if material is None:
        return Look(plain)
    shader = next((node for node in _nodes(material) if node.type == "BSDF_PRINCIPLED"), None)
    if shader is None:
        return Look(np.array(material.diffuse_color[:3]))
    color, alpha = shader.inputs["Base Color"], shader.inputs["Alpha"]
    opaque = 1.0 if alpha.is_linked else float(alpha.default_value)
    if color.is_linked:
        before = list(_before(color, set()))
        images = [node.image for node in before if node.type == "TEX_IMAGE" and node.image and node.image.size[0]]
        is_painted = any(node.type in _PAINTS for node in before)
        dimmed = _dimmed(before) if images or is_painted else plain
        return Look(dimmed, pixels_of(images[0]) if images else None, opaque, is_painted)
    return Look(np.array(color.default_value[:3]) ** (1 / 2.2), None, opaque)


def _before(socket: Any, known: set[Any]) -> Iterator[Any]:
    """All nodes that a socket's value comes from, each once: those in ``known`` are left out."""
    for node in (link.from_node for link in socket.links if link.from_node not in known):
        known.add(node)
        yield node
        for further in node.inputs:
            yield from _before(further, known)


def _dimmed(nodes: Sequence[Any]) -> Array:
    """What plain colours leave of white where they are multiplied with something, (3,), sRGB 0..1."""
    mixes = [node for node in nodes if getattr(node, "blend_type", "") == "MULTIPLY"]
    plain = [one for node in mixes for one in node.inputs if one.enabled and one.type == "RGBA" and not one.is_linked]
    return np.prod([np.array(one.default_value[:3]) for one in plain], axis=0, initial=1.0) ** (1 / 2.2) * np.ones(3)


def _nodes(material: Any) -> Sequence[Any]:
    return material.node_tree.nodes if material.node_tree is not None else ()


def pixels_of(image: Any) -> Array:
    """Of an image, (height, width, 3), 0..1, bottom row first."""
    flat = np.empty(image.size[0] * image.size[1] * 4, np.float32)
    image.pixels.foreach_get(flat)
    return flat.reshape(image.size[1], image.size[0], 4)[..., :3]


def sample(picture: Array, uvs: Array) -> Array:
    """The pixels at places (n, 2), which repeat beyond the unit square: (n, 3)."""
    height, width = picture.shape[:2]
    rows, columns = (
        (uvs[:, axis] % 1 * size).astype(int).clip(0, size - 1) for axis, size in ((1, height), (0, width))
    )
    return np.asarray(picture[rows, columns])
