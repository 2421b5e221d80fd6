"""What takes time to find out about a large mesh or image: a checksum of its content; of a mesh its box, too.

A background Blender finds them out for a result and notes them on the objects, so that the main thread need not go
through a million triangles when it brings them in. Shared by both: the scripts here import it by its name, the bridge
relatively.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import bpy
from mathutils import Matrix

Bounds = tuple[float, ...]
"""min x, y, z, max x, y, z; empty when there are no points."""

NOTE = "asset_generation_facts"
"""The custom property that takes the facts from the background Blender to the main thread."""

_SAMPLE = 65_536
_COLUMNS = 1021
_WEIGHTS = 8192
_NORMALS = "custom_normal"
_POSITIONS = "position"
_UNSEEN = (".select", ".hide", ".uv_select", ".vs.", ".es.", ".pn.")
"""Attributes that say what is selected, hidden or pinned in Edit Mode."""

_LAYOUT: dict[str, tuple[str, str, int]] = {
    "FLOAT": ("value", "f4", 1),
    "INT": ("value", "i4", 1),
    "INT8": ("value", "i1", 1),
    "BOOLEAN": ("value", "?", 1),
    "FLOAT_VECTOR": ("vector", "f4", 3),
    "FLOAT2": ("vector", "f4", 2),
    "INT32_2D": ("value", "i4", 2),
    "INT16_2D": ("value", "i2", 2),
    "FLOAT_COLOR": ("color", "f4", 4),
    "BYTE_COLOR": ("color", "f4", 4),
    "QUATERNION": ("value", "f4", 4),
    "FLOAT4X4": ("value", "f4", 16),
}
"""How the values of an attribute are read: property, numpy type, numbers per element.

With another type than its own Blender converts the numbers one by one.
"""


class MeshFacts(NamedTuple):
    """``checksum`` of the mesh, its ``bounds`` where its object stands in the file, and the object's ``name`` there."""

    checksum: str
    bounds: Bounds
    name: str = ""


def checksum(item: bpy.types.Object) -> str:
    """A text that differs when anything of an object's mesh differs: about 15 ms for a million triangles.

    All layers count bit for bit, as sums and a checksum of a sample; shape keys and vertex groups belong to it. Of the
    weights of more than 8,192 vertices, which Blender gives out one by one only, a sample is read: an edit of a
    thousandth of the vertices is noticed, one of a handful may not be.
    """
    mesh = item.data
    words = [places_checksum(mesh)]
    for attribute in sorted(mesh.attributes, key=lambda attribute: attribute.name):
        if attribute.name != _POSITIONS and not attribute.name.startswith(_UNSEEN):
            words.append(f"{attribute.name} {attribute.domain} {attribute.data_type} {_attribute_checksum(attribute)}")
    words += [f"uv {layer.name} {layer.active_render}" for layer in mesh.uv_layers]
    colours = mesh.color_attributes
    words.append(f"colours {colours.active_color_index} {colours.render_color_index}")
    if mesh.has_custom_normals and _NORMALS not in mesh.attributes:  # up to 4.4 they are no attribute
        words.append(f"normals {_values_checksum(mesh.corner_normals, 'vector', 3)}")
    words += _shape_keys(mesh)
    if item.vertex_groups:
        words += [group.name for group in item.vertex_groups]
        words.append(_weights_checksum(mesh))
    return "|".join(words)


def places_checksum(mesh: bpy.types.Mesh) -> str:
    """A text that differs when a mesh has other numbers of elements, or a vertex is somewhere else."""
    counts = f"{len(mesh.vertices)} {len(mesh.edges)} {len(mesh.polygons)} {len(mesh.loops)}"
    # As an attribute they are read several times quicker than as coordinates of vertices.
    return f"{counts} {_attribute_checksum(mesh.attributes[_POSITIONS]) if len(mesh.vertices) else ''}"


def has_places(fingerprint: str, mesh: bpy.types.Mesh) -> bool:
    """Whether all vertices are where they were when an object had this number: a part of it that is told quickly."""
    return fingerprint.endswith(_number_of(places_checksum(mesh)))


def _number_of(places: str) -> str:
    return f"{zlib.crc32(places.encode()):08x}"


def whole_print(looks: str, geometry: str, images: Sequence[str] = ()) -> str:
    """The number of an object, as text; it ends with what :func:`has_places` looks at.

    Args:
        looks: What is known of its modifiers and materials.
        geometry: The :func:`checksum` of its mesh.
        images: The :func:`packed_checksum` of each packed image that it shows.
    """
    text = "|".join([looks, geometry, *images]).encode()
    places, _, _ = geometry.partition("|")
    return f"{zlib.crc32(text):08x}{zlib.adler32(text):08x}{_number_of(places)}"


def bits_checksum(values: Any) -> str:
    """A text that differs when any number of a contiguous array differs, or when two of them change places.

    Sums along columns are several times quicker than a checksum of every byte; the number of columns is a prime, so
    that no layout of the values repeats in step with it.
    """
    import numpy as np

    data = values.ravel().view(np.uint8)
    words = data[: data.size // 4 * 4].view(np.uint32)
    rows = words.size // _COLUMNS
    sums = words[: rows * _COLUMNS].reshape(rows, _COLUMNS).sum(axis=0, dtype=np.uint32)
    rest = data[rows * _COLUMNS * 4 :]
    sample = np.ascontiguousarray(words[:: max(1, words.size // _SAMPLE)])
    return f"{zlib.crc32(rest, zlib.crc32(sums)):08x}{zlib.crc32(sample):08x}"


def packed_checksum(image: bpy.types.Image) -> str:
    """A text that differs when the packed content of an image does; of its tiles, all count."""
    import numpy as np

    files = (tile.packed_file.data for tile in image.packed_files)
    return " ".join(f"{len(data)} {bits_checksum(np.frombuffer(data, dtype=np.uint8))}" for data in files)


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
                "checksum": checksum(item),
                "bounds": list(bounds_of([(item.data, item.matrix_world)])),
                "name": item.name,
            }


def write_image_notes(images: Iterable[bpy.types.Image]) -> None:
    """Puts the checksum of its packed content onto every image that is packed."""
    for image in images:
        if image.packed_file is not None:
            image[NOTE] = packed_checksum(image)


def pop_image_notes(images: Iterable[bpy.types.Image]) -> dict[bpy.types.Image, str]:
    """Takes the checksums off images again."""
    return {image: str(image.pop(NOTE)) for image in images if NOTE in image}


def read_notes(item: bpy.types.Object) -> MeshFacts | None:
    """The facts on an object; None when there are none."""
    values = item.get(NOTE)
    if values is None:
        return None
    return MeshFacts(str(values["checksum"]), tuple(values["bounds"]), str(values.get("name", "")))


def pop_notes(item: bpy.types.Object) -> MeshFacts | None:
    """Takes the facts off an object again; None when there are none."""
    facts = read_notes(item)
    if facts is not None:
        del item[NOTE]
    return facts


def _attribute_checksum(attribute: bpy.types.Attribute) -> str:
    layout = _LAYOUT.get(attribute.data_type)
    count = len(attribute.data)
    if layout is None or not count:
        return str(count)
    name, kind, width = layout
    return _values_checksum(attribute.data, name, width, kind)


def _values_checksum(elements: Any, name: str, width: int, kind: str = "f4") -> str:
    import numpy as np

    values = np.empty(len(elements) * width, dtype=kind)
    elements.foreach_get(name, values)
    return bits_checksum(values)


def _shape_keys(mesh: bpy.types.Mesh) -> Iterator[str]:
    keys = mesh.shape_keys
    if keys is None:
        return
    for key in keys.key_blocks:
        # What is animated has another value in every frame, and is the same shape all the same.
        value = "animated" if keys.animation_data else f"{key.value:.5g}"
        yield f"key {key.name} {key.relative_key.name} {key.vertex_group} {key.mute} {value}"
        yield _values_checksum(key.points, "co", 3)


def _weights_checksum(mesh: bpy.types.Mesh) -> str:
    vertices = mesh.vertices
    step = max(1, -(-len(vertices) // _WEIGHTS))
    weights = [
        (index, element.group, element.weight)
        for index in range(0, len(vertices), step)
        for element in sorted(vertices[index].groups, key=lambda element: element.group)  # in any order, it is the same
    ]
    return f"{zlib.crc32(repr(weights).encode()):08x}"


def _bounds(np: Any, mesh: bpy.types.Mesh, matrix: Matrix) -> Bounds:
    if not len(mesh.vertices):
        return ()
    points = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
    mesh.attributes[_POSITIONS].data.foreach_get("vector", points)  # see places_checksum
    # One row for each axis: reductions along the long side are several times quicker than across it.
    x, y, z = np.array(matrix.to_3x3(), dtype=np.float32) @ points.reshape(-1, 3).T
    offset = matrix.translation
    low = (float(axis.min()) + shift for axis, shift in zip((x, y, z), offset, strict=True))
    high = (float(axis.max()) + shift for axis, shift in zip((x, y, z), offset, strict=True))
    return (*low, *high)
