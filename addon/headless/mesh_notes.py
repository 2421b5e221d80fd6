"""What takes time to find out about a large mesh: a checksum of its geometry, and its box.

A background Blender finds them out for a result and notes them on the objects, so that the main thread need not go
through a million triangles when it brings them in. Shared by both: the scripts here import it by its name, the bridge
relatively.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import bpy
from mathutils import Matrix

Bounds = tuple[float, ...]
"""min x, y, z, max x, y, z; empty when there are no points."""

NOTE = "asset_generation_facts"
"""The custom property that takes the facts from the background Blender to the main thread."""

_SAMPLE = 65_536
_UNSEEN = (".select", ".hide", ".uv_select", ".vs.", ".es.", ".pn.")
"""Attributes that say what is selected, hidden or pinned in Edit Mode."""

_LAYOUT: dict[str, tuple[str, str, int]] = {
    "FLOAT": ("value", "f4", 1),
    "INT": ("value", "i4", 1),
    "INT8": ("value", "i4", 1),
    "BOOLEAN": ("value", "?", 1),
    "FLOAT_VECTOR": ("vector", "f4", 3),
    "FLOAT2": ("vector", "f4", 2),
    "INT32_2D": ("value", "i4", 2),
    "INT16_2D": ("value", "i4", 2),
    "FLOAT_COLOR": ("color", "f4", 4),
    "BYTE_COLOR": ("color", "f4", 4),
    "QUATERNION": ("value", "f4", 4),
    "FLOAT4X4": ("value", "f4", 16),
}
"""How the values of an attribute are read: property, numpy type, numbers per element."""


class MeshFacts(NamedTuple):
    """``checksum`` of the mesh, and its ``bounds`` where its object stands in the file."""

    checksum: str
    bounds: Bounds


def checksum(mesh: bpy.types.Mesh) -> str:
    """A text that differs when anything of the geometry differs, in a few dozen milliseconds per million triangles.

    Attributes count bit for bit: their sums and a checksum of a sample. Two different meshes can in theory have the
    same text; what cannot happen by editing is that a vertex moves, a face goes or a colour changes unnoticed.
    """
    words = [f"{len(mesh.vertices)} {len(mesh.edges)} {len(mesh.polygons)} {len(mesh.loops)}"]
    for attribute in sorted(mesh.attributes, key=lambda attribute: attribute.name):
        if not attribute.name.startswith(_UNSEEN):
            words.append(f"{attribute.name} {attribute.domain} {attribute.data_type} {_attribute_checksum(attribute)}")
    return "|".join(words)


def bounds_of(meshes: Iterable[tuple[Any, Matrix]]) -> Bounds:
    """The box around meshes, each placed by its matrix; empty when they have no points."""
    import numpy as np  # here: not every Blender has it loaded at start, and enabling the extension must be quick

    return union(_bounds(np, mesh, matrix) for mesh, matrix in meshes)


def union(boxes: Iterable[Bounds]) -> Bounds:
    """The box around boxes; empty ones do not count."""
    solid = [box for box in boxes if box]
    if not solid:
        return ()
    low, high = zip(*(box[:3] for box in solid), strict=True), zip(*(box[3:] for box in solid), strict=True)
    return (*map(min, low), *map(max, high))


def write_notes(objects: Sequence[bpy.types.Object]) -> None:
    """Puts the facts of mesh objects onto them."""
    for item in objects:
        if item.type == "MESH":
            item[NOTE] = {
                "checksum": checksum(item.data),
                "bounds": list(bounds_of([(item.data, item.matrix_world)])),
            }


def pop_notes(item: bpy.types.Object) -> MeshFacts | None:
    """Takes the facts off an object again; None when there are none."""
    values = item.get(NOTE)
    if values is None:
        return None
    facts = MeshFacts(str(values["checksum"]), tuple(values["bounds"]))
    del item[NOTE]
    return facts


def _attribute_checksum(attribute: bpy.types.Attribute) -> str:
    import numpy as np

    layout = _LAYOUT.get(attribute.data_type)
    count = len(attribute.data)
    if layout is None or not count:
        return str(count)
    name, kind, width = layout
    values = np.empty(count * width, dtype=kind)
    attribute.data.foreach_get(name, values)
    if kind == "?":
        values = values.view(np.uint8)
    bits = values.view(np.uint32) if values.itemsize == 4 else values
    total = int(bits.sum(dtype=np.uint64))
    step = max(1, bits.size // _SAMPLE)
    return f"{total:x} {zlib.crc32(np.ascontiguousarray(bits[::step])):x}"


def _bounds(np: Any, mesh: bpy.types.Mesh, matrix: Matrix) -> Bounds:
    if not len(mesh.vertices):
        return ()
    points = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    # One row for each axis: reductions along the long side are several times quicker than across it.
    x, y, z = np.array(matrix.to_3x3(), dtype=np.float32) @ points.reshape(-1, 3).T
    offset = matrix.translation
    low = (float(axis.min()) + shift for axis, shift in zip((x, y, z), offset, strict=True))
    high = (float(axis.max()) + shift for axis, shift in zip((x, y, z), offset, strict=True))
    return (*low, *high)
