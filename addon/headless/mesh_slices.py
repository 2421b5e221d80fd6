"""Splits a large prepared .blend, so that its meshes can be brought in piece by piece. For the background Blender.

Beside ``result.blend``, which has everything, come two small files. ``result.slices`` is a .blend with the same
objects, whose large meshes have faces of the right sizes and not even corners; ``result.slices.json`` tells where in
``result.blend`` the arrays lie that these lack. Otherwise Blender reads a mesh of a million triangles in one go, which
takes as long as its memory takes to come from the system. Where there are vertex groups, ``result.slices.weights`` has
their weights: in ``result.blend`` those of every vertex are a block of their own, which takes Blender as long to read
as 400 bytes.

Objects that can be made anew (:mod:`.plain_objects`) are in ``result.blend`` only, and in the table: the first line of
that is about the whole and the emptied meshes, and each of the others about one such object.
"""

from __future__ import annotations

import contextlib
import io
import json
import mmap
import struct
import zlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import bpy

INDEX = "asset_generation_slices"
"""The custom property that tells which of the split meshes it is, and which of the parents of objects that are made."""

LAYOUT: dict[str, tuple[str, str, int]] = {
    "FLOAT": ("value", "f4", 1),
    "INT": ("value", "i4", 1),
    "INT8": ("value", "i1", 1),
    "BOOLEAN": ("value", "?", 1),
    "FLOAT_VECTOR": ("vector", "f4", 3),
    "FLOAT2": ("vector", "f4", 2),
    "INT32_2D": ("value", "i4", 2),
    "INT16_2D": ("value", "i2", 2),
    "FLOAT_COLOR": ("color", "f4", 4),
}
"""Attributes that Blender keeps, stores and takes as the same bytes: property, numpy type, numbers per element."""

KEY_SETTINGS = ("slider_min", "slider_max", "value", "mute", "interpolation", "vertex_group", "lock_shape")
"""What a shape key has beside its points; ``value`` has to be within its limits."""

ACTIVE_KEY = "asset_generation_active_key"
"""The custom property of an object that tells which shape key is the active one."""

EMPTY_KEY = "asset_generation_empty"
"""The name of the one shape key that an emptied mesh has, if it had some."""

CHANNELS = ("rotation_mode", "location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")
"""Where an object stands below its parent."""

WEIGHTS = ("vertices", "weights", "zeros")
"""The arrays of a vertex group, which lie one behind the other: numbers of vertices, their weights above 0, and the
numbers of those that are in the group without any.
"""

FORMAT = 6
_WEIGHTED_VERTEX = 400
_LEAST_MESH = 256 * 1024
_LEAST_WHOLE = 12 * 1024 * 1024  # what Blender reads in less than 10 ms is not worth the pieces
_UNSEEN = (".select", ".hide", ".uv_select", ".vs.", ".es.", ".pn.")
_REQUIRED = frozenset({".edge_verts", ".corner_vert", ".corner_edge"})
_NORMALS = "custom_normal"
_PROBE = 4096


def slices_of(blend: Path) -> tuple[Path, Path, Path]:
    """The files beside a prepared .blend: the objects, the table, and the weights where there are any."""
    return blend.with_suffix(".slices"), blend.with_suffix(".slices.json"), blend.with_suffix(".slices.weights")


def write_slices(blend: Path, collection: bpy.types.Collection, plain: Sequence[bpy.types.Object] = ()) -> None:
    """Writes the files where that is worth it. The meshes of the open file are emptied for it, and the ``plain``
    objects, which can be made anew, taken out of the collection: call it last.
    """
    blocks = _Blocks(blend)
    made, materials = _take_out(collection, plain, blocks)
    used: dict[bpy.types.Mesh, list[bpy.types.Object]] = {}
    for item in collection.objects:
        if item.type == "MESH":
            used.setdefault(item.data, []).append(item)
    sizes = {mesh: _bytes_of(mesh, items[0]) for mesh, items in used.items() if _can_be_split(mesh)}
    large = {mesh: size for mesh, size in sizes.items() if size >= _LEAST_MESH}
    if sum(large.values()) < _LEAST_WHOLE:
        large = {}
    if not large and not made:
        return
    split: list[dict[str, Any]] = []
    lean, table, weights = slices_of(blend)
    with weights.open("wb") as file:
        for mesh in large:
            found = _describe(mesh, used[mesh][0], blocks, file)
            if found is not None:
                mesh[INDEX] = len(split)
                split.append(found)
                _empty(mesh, used[mesh])
    if not weights.stat().st_size:
        weights.unlink()
    if not split and not made:
        return
    bpy.data.libraries.write(str(lean), {collection, *materials}, fake_user=False, compress=False)
    state = blend.stat()
    facts = {
        "format": FORMAT,
        "blender": bpy.app.version[:2],
        "bytes": state.st_size,
        "written": state.st_mtime_ns,
        "meshes": split,
        "materials": [material.name for material in materials],
        "is_rest": not split and all(item.type == "EMPTY" for item in collection.objects),
    }
    table.write_text("\n".join(map(json.dumps, [facts, *made])), encoding="utf-8")


def _take_out(
    collection: bpy.types.Collection, plain: Sequence[bpy.types.Object], blocks: _Blocks
) -> tuple[list[dict[str, Any]], list[bpy.types.Material]]:
    """Takes objects out of a collection that are made anew from what is returned: a row for each, and the materials
    that they have. Those stay whose arrays are not found. A row has the mesh where it is the first that shows it.
    """
    rows: list[dict[str, Any]] = []
    numbers: dict[bpy.types.Mesh, int | None] = {}
    materials: dict[bpy.types.Material, int] = {}
    parents: dict[bpy.types.Object, int] = {}
    for item in plain:
        mesh = item.data
        row: dict[str, Any] = {}
        if mesh not in numbers:
            is_whole = _can_be_split(mesh) and not any(map(_stays, _attributes(mesh)))
            found = _describe_whole(mesh, item, blocks, materials) if is_whole else None
            numbers[mesh] = len(rows) if found is not None else None
            row = {"own": found}
        if numbers[mesh] is None:
            continue
        row |= {**_describe_object(item), "mesh": numbers[mesh], "parent": None}
        if item.parent is not None:
            row["parent"] = parents.setdefault(item.parent, len(parents))
            item.parent[INDEX] = row["parent"]
        rows.append(row)
        collection.objects.unlink(item)
    return rows, list(materials)


def _describe_whole(
    mesh: bpy.types.Mesh, item: bpy.types.Object, blocks: _Blocks, materials: dict[bpy.types.Material, int]
) -> dict[str, Any] | None:
    """What a mesh is made of that is in no .blend but the whole one; None when an array is not found. ``materials``
    gets those that it has, with their numbers.
    """
    import numpy as np

    starts = np.empty(len(mesh.polygons) + 1, dtype=np.int32)
    mesh.polygons.foreach_get("loop_start", starts[:-1])
    starts[-1] = len(mesh.loops)
    place = blocks.place_of(memoryview(starts).cast("B"))
    found = _describe(mesh, item, blocks, io.BytesIO())
    if place is None or found is None:
        return None
    slots = [
        None if material is None else materials.setdefault(material, len(materials)) for material in mesh.materials
    ]
    return {**found, "name": mesh.name, "starts": place, "materials": slots}


def _describe_object(item: bpy.types.Object) -> dict[str, Any]:
    """A plain object without its mesh and its parent."""
    return {
        "name": item.name,
        "channels": {name: _as_json(getattr(item, name)) for name in CHANNELS},
        "inverse": [list(row) for row in item.matrix_parent_inverse],
        "facts": {name: _as_json(value) for name, value in item.items()},
    }


def _as_json(value: Any) -> Any:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    return value if isinstance(value, str | int | float) else list(value)


def _bytes_of(mesh: bpy.types.Mesh, item: bpy.types.Object) -> int:
    """About as much as its positions, shape keys, weights, edges, corners and texture coordinates take."""
    shapes = 1 + (len(mesh.shape_keys.key_blocks) if mesh.shape_keys is not None else 0)
    vertex = 12 * shapes + (_WEIGHTED_VERTEX if item.vertex_groups else 0)
    return vertex * len(mesh.vertices) + 8 * len(mesh.edges) + (8 + 8 * len(mesh.uv_layers)) * len(mesh.loops)


def _can_be_split(mesh: bpy.types.Mesh) -> bool:
    """Whether all that it has beside vertex groups are attributes that come in by their bytes."""
    if mesh.skin_vertices:
        return False
    if not _can_keys_be_split(mesh):
        return False
    if mesh.has_custom_normals and _NORMALS not in mesh.attributes:  # up to 4.4 they are no attribute
        return False
    attributes = [attribute for attribute in _attributes(mesh) if not _stays(attribute)]
    if len(attributes) < len(list(_attributes(mesh))) and any(row.data_type == "FLOAT_COLOR" for row in attributes):
        return False  # their order would be another one
    return all(
        attribute.data_type in LAYOUT and (not attribute.name.startswith(".") or attribute.name in _REQUIRED)
        for attribute in attributes
    )


def _stays(attribute: bpy.types.Attribute) -> bool:
    """Whether an emptied mesh still has an attribute: byte colours of corners, which Blender takes one by one only."""
    return attribute.data_type == "BYTE_COLOR" and attribute.domain == "CORNER"


def _can_keys_be_split(mesh: bpy.types.Mesh) -> bool:
    keys = mesh.shape_keys
    if keys is None:
        return True
    # What belongs to a shape key beside its animation goes with it when it is made anew.
    is_driven = keys.animation_data is not None and len(keys.animation_data.drivers) > 0
    is_plain = keys.use_relative and keys.reference_key == keys.key_blocks[0]
    return is_plain and not is_driven and all(len(key.data) == len(mesh.vertices) for key in keys.key_blocks)


def _attributes(mesh: bpy.types.Mesh) -> Iterator[bpy.types.Attribute]:
    for attribute in mesh.attributes:
        if not attribute.name.startswith(_UNSEEN):
            yield attribute


class _Blocks:
    """The blocks of a .blend, to find arrays in it by their bytes."""

    def __init__(self, blend: Path) -> None:
        self._blend = blend

    @cached_property
    def _bytes(self) -> mmap.mmap:
        with self._blend.open("rb") as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)

    @cached_property
    def _places(self) -> dict[tuple[int, int], list[int]]:
        """Where blocks lie, by :func:`_key_of`."""
        places: dict[tuple[int, int], list[int]] = {}
        if self._bytes[:7] != b"BLENDER":
            return places
        if self._bytes[7:9] == b"17":  # since 5.0: the header says how long it is
            head, at = struct.Struct("<4siQqq"), 17
        else:
            head, at = struct.Struct("<4siQii"), 12
        while at + head.size <= len(self._bytes):
            values = head.unpack_from(self._bytes, at)
            size = values[3] if head.size == 32 else values[1]
            at += head.size
            if values[0] == b"ENDB" or size < 0:
                break
            places.setdefault(_key_of(memoryview(self._bytes)[at : at + size]), []).append(at)
            at += size
        return places

    def place_of(self, data: memoryview) -> int | None:
        """Where an array lies in the file; None when it is not there as it is in memory."""
        for place in self._places.get(_key_of(data), ()):
            if memoryview(self._bytes)[place : place + data.nbytes] == data:
                return place
        return None


def _key_of(data: memoryview) -> tuple[int, int]:
    """What an array has in common with its block: the size in whole words, to which older Blenders fill it up, and a
    checksum of its beginning, since thousands of meshes can have arrays of one size.
    """
    words = -(-data.nbytes // 4)
    return words, zlib.crc32(data[: min(_PROBE, 4 * (words - 1))])


def _describe(
    mesh: bpy.types.Mesh, item: bpy.types.Object, blocks: _Blocks, weights: IO[bytes]
) -> dict[str, Any] | None:
    """What a mesh has, and where its arrays lie; None when one of them is not found. ``item`` is one that shows it;
    ``weights`` gets the weights of its vertex groups.
    """
    import numpy as np

    rows = []
    for attribute in _attributes(mesh):
        if _stays(attribute):
            continue
        name, kind, width = LAYOUT[attribute.data_type]
        values = np.empty(len(attribute.data) * width, dtype=kind)
        attribute.data.foreach_get(name, values)
        row: dict[str, Any] = {"name": attribute.name, "domain": attribute.domain, "type": attribute.data_type}
        if values.size and (values == values[0]).all():  # Blender writes one value only then
            row["constant"] = values[0].item()
        elif (place := blocks.place_of(memoryview(values).cast("B"))) is not None:
            row["at"] = place
        else:
            return None
        rows.append(row)
    keys = _describe_keys(mesh, blocks)
    if keys is None:
        return None
    return {
        "vertices": len(mesh.vertices),
        "edges": len(mesh.edges),
        "faces": len(mesh.polygons),
        "corners": len(mesh.loops),
        "attributes": rows,
        "groups": _describe_groups(mesh, item, weights),
        "active_group": item.vertex_groups.active_index,
        "keys": keys,
        "uv": [mesh.uv_layers.active_index, [layer.active_render for layer in mesh.uv_layers]],
        "colours": [mesh.color_attributes.active_color_index, mesh.color_attributes.render_color_index],
    }


def _describe_groups(mesh: bpy.types.Mesh, item: bpy.types.Object, weights: IO[bytes]) -> list[dict[str, Any]]:
    """The vertex groups of a mesh, in order, and where their weights lie in the file that they are written to."""
    import numpy as np

    if not item.vertex_groups:
        return []
    elements = ((vertex.index, one.group, one.weight) for vertex in mesh.vertices for one in vertex.groups)
    found = np.fromiter(elements, dtype=[("vertex", "i4"), ("group", "i4"), ("weight", "f4")])
    found = found[np.argsort(found["group"], kind="stable")]
    borders = np.searchsorted(found["group"], np.arange(len(item.vertex_groups) + 1))
    rows = []
    for group, first, end in zip(item.vertex_groups, borders[:-1], borders[1:], strict=True):
        own = found[first:end]
        some = own[own["weight"] > 0]
        arrays = (some["vertex"], some["weight"], own["vertex"][own["weight"] <= 0])
        counts = [len(values) for values in arrays]
        rows.append({"name": group.name, "lock": group.lock_weight, "at": weights.tell(), "counts": counts})
        for values in arrays:
            weights.write(values.tobytes())
    return rows


def _describe_keys(mesh: bpy.types.Mesh, blocks: _Blocks) -> list[dict[str, Any]] | None:
    """The shape keys of a mesh and where their points lie, in order; None when one is not found."""
    import numpy as np

    rows: list[dict[str, Any]] = []
    for key in mesh.shape_keys.key_blocks if mesh.shape_keys is not None else ():
        values = np.empty(len(key.points) * 3, dtype="f4")
        key.points.foreach_get("co", values)
        place = blocks.place_of(memoryview(values).cast("B"))
        if place is None:
            return None
        relative = mesh.shape_keys.key_blocks.find(key.relative_key.name)
        settings = {name: getattr(key, name) for name in KEY_SETTINGS if hasattr(key, name)}
        rows.append({"name": key.name, "at": place, "relative": relative, "settings": settings})
    return rows


def _empty(mesh: bpy.types.Mesh, items: Sequence[bpy.types.Object]) -> None:
    """Leaves what Blender does not take as bytes: how many corners each face has, and byte colours; and the basis of
    the shape keys, without points, since their animation is on what holds them.
    """
    import numpy as np

    colours: dict[str, Any] = {}
    for attribute in filter(_stays, _attributes(mesh)):
        colours[attribute.name] = np.empty(len(attribute.data) * 4, dtype=np.float32)
        attribute.data.foreach_get("color_srgb", colours[attribute.name])  # the bytes themselves, divided by 255
    corners = len(mesh.loops)
    starts = np.empty(len(mesh.polygons), dtype=np.int32)
    mesh.polygons.foreach_get("loop_start", starts)
    items[0].vertex_groups.clear()  # they are the mesh's own
    mesh.clear_geometry()
    if colours:
        mesh.loops.add(corners)  # else they come later: of their two arrays of zeros Blender reads every byte
    mesh.polygons.add(len(starts))
    mesh.polygons.foreach_set("loop_start", starts)
    for name, values in colours.items():
        mesh.color_attributes.new(name, "BYTE_COLOR", "CORNER").data.foreach_set("color_srgb", values)
    if mesh.shape_keys is not None:
        for item in items:
            item[ACTIVE_KEY] = item.active_shape_key_index
        item = items[0]
        for key in list(mesh.shape_keys.key_blocks)[:0:-1]:
            item.shape_key_remove(key)
        # Its points are those of before; what is made anew now has as many as the mesh, which are none.
        item.shape_key_add(name=EMPTY_KEY, from_mix=False)
        item.shape_key_remove(mesh.shape_keys.key_blocks[0])


def remove_slices(blend: Path) -> None:
    """Removes the files of an earlier result."""
    for path in slices_of(blend):
        with contextlib.suppress(OSError):
            path.unlink()
