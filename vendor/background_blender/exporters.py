"""For scripts that run inside the background Blender: a GLB by Blender's exporter, with large meshes written by numpy.

The exporter checks each mesh as if it were broken and sorts whole corners to find equal ones: 1.3 s for a million
triangles, of which reading and writing are a tenth. So it writes one triangle for each material of a large mesh, with
all else as it is, and the file's geometry is replaced. What it treats in a way of its own (vertex colours, modifiers,
shape keys, attributes that a material reads) is left to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from .glb_files import Glb
from .glb_motions import carry_over
from .operators import call

_LARGE = 60_000  # corners: below it, there is nothing to gain
_MOST_AT_A_VERTEX = 64  # corners; each takes a round through all that are left
_READ_BY_MATERIALS = {"FLOAT2", "FLOAT_VECTOR", "FLOAT_COLOR", "BYTE_COLOR"}
_OWN_LAYERS = {"position", "custom_normal"}
_DIGITS = 4  # of normals, as the exporter rounds them

_LAST_SHORT = 0xFFFF  # which no index may be
_TRIANGLES = 4

_Array = NDArray[Any]
_Surface = dict[str, _Array]
"""One material's part of a mesh: the name of an attribute in glTF → its values, and ``indices``."""


def write_glb(path: Path, *, motions_of: Path | None = None, **options: Any) -> None:
    """Writes the scene as a GLB.

    Args:
        path: Where to.
        motions_of: The file that all animations of the scene came from, where nobody has touched them: they are taken
            from there if what they move is still the same.
        options: Of Blender's exporter, those of them that this Blender has.

    Raises:
        RuntimeError: The exporter failed.
    """
    if motions_of is not None:
        write_glb(path, **options | {"export_animations": False})
        if carry_over(motions_of, path):
            return
    meshes = [] if options.get("export_draco_mesh_compression_enable") else _large_meshes()
    with _stand_ins(meshes):
        _export(path, options)
    if meshes and not _fill_in(path, {mesh.name: _surfaces(mesh) for mesh in meshes}):
        _export(path, options)


def _export(path: Path, options: dict[str, Any]) -> None:
    call(bpy.ops.export_scene.gltf, filepath=str(path), export_format="GLB", **options)
    if not path.is_file():
        raise RuntimeError(f"the exporter left no {path.name}")
    if options.get("export_animations", True) and len({*(clips := _clips())}) > 1:
        _put_in_order(path, clips)


def _clips() -> list[str]:
    """The names of what moves something: first what is seen of anything, then as importers stack tracks.

    Clips are called as their tracks before Blender 4.4, and as their actions since.
    """
    owners = [*bpy.data.objects, *bpy.data.shape_keys]
    seen: list[tuple[str, Any]] = []
    stacked: list[tuple[str, Any]] = []
    for data in (owner.animation_data for owner in owners if owner.animation_data is not None):
        stack = [(track.name, strip.action) for track in reversed(data.nla_tracks) for strip in track.strips]
        seen += [("", data.action), *(pair for pair in stack if pair[1] == data.action)]
        stacked += stack
    return [name for track, action in (*seen, *stacked) if action is not None for name in (track, action.name)]


def _put_in_order(path: Path, names: Sequence[str]) -> None:
    """Has the animations of a GLB in this order: the exporter sorts them by name, and who opens it sees the first."""
    place = {name: number for number, name in reversed([*enumerate(names)])}
    glb = Glb.parsed(memoryview(path.read_bytes()))
    clips = glb.document.get("animations") or []
    ordered = sorted(clips, key=lambda clip: place.get(clip.get("name", ""), len(place)))
    if ordered != clips:
        glb.document["animations"] = ordered
        glb.write(path)


def _large_meshes() -> list[Any]:
    """The meshes of objects that are large and that the exporter does nothing particular with."""
    if any(image.source == "TILED" for image in bpy.data.images):
        return []
    objects = [item for scene in bpy.data.scenes for item in scene.objects if item.type == "MESH"]
    changed = {item.data for item in objects if len(item.modifiers)}
    return [mesh for mesh in {item.data: None for item in objects} if mesh not in changed and _is_plain(mesh)]


def _is_plain(mesh: Any) -> bool:
    if len(mesh.loops) < _LARGE or mesh.shape_keys is not None or len(mesh.color_attributes):
        return False
    usual = {*_OWN_LAYERS, *(layer.name for layer in mesh.uv_layers)}
    for item in mesh.attributes:
        if item.data_type in _READ_BY_MATERIALS and not (item.name in usual or item.name.startswith(".")):
            return False
    vertex = _corners(mesh)
    numbers = [_values(mesh.attributes["position"].data, "vector", 3), *(_uv(layer) for layer in mesh.uv_layers)]
    return bool(
        vertex.min() >= 0
        and vertex.max() < len(mesh.vertices)
        and np.bincount(vertex).max() <= _MOST_AT_A_VERTEX
        and all(np.isfinite(values).all() for values in numbers)
    )


@contextmanager
def _stand_ins(meshes: Sequence[Any]) -> Iterator[None]:
    """Puts small meshes of the same names in the places of large ones: a triangle for each material that has faces."""
    names = [mesh.name for mesh in meshes]
    small = [_stand_in(mesh) for mesh in meshes]
    try:
        for mesh, other, name in zip(meshes, small, names, strict=True):
            mesh.user_remap(other)
            mesh.name = f"{name[:50]}~"  # a name is free only when nothing has it
            other.name = name
        yield
    finally:
        for mesh, other, name in zip(meshes, small, names, strict=True):
            other.user_remap(mesh)
            bpy.data.meshes.remove(other)
            mesh.name = name


def _stand_in(mesh: Any) -> Any:
    small = mesh.copy()
    small.clear_geometry()
    used = np.unique(_materials(mesh))
    corners = np.arange(3 * len(used))
    points = np.stack((corners % 3 == 1, corners % 3 == 2, corners // 3), axis=1).astype(float)
    small.from_pydata(points.tolist(), [], corners.reshape(-1, 3).tolist())
    small.polygons.foreach_set("material_index", used)
    for layer in mesh.uv_layers:
        small.uv_layers.new(name=layer.name, do_init=False).active_render = layer.active_render
    if len(mesh.uv_layers):
        small.uv_layers.active_index = mesh.uv_layers.active_index
    return small


def _surfaces(mesh: Any) -> list[_Surface]:
    """What the exporter makes of a mesh, but for the order of vertices that have one place: by material."""
    vertex, positions = _corners(mesh), _upright(_values(mesh.attributes["position"].data, "vector", 3))
    normals = _values(mesh.corner_normals, "vector", 3)
    np.round(normals, _DIGITS, out=normals)
    layers = [_uv(layer) for layer in mesh.uv_layers]
    for uv in layers:
        uv[:, 1] = 1 - uv[:, 1]
    columns = [*normals.T, *(axis for uv in layers for axis in uv.T)]
    looks = [_as_one(*columns[at : at + 2]) for at in range(0, len(columns), 2)]
    triangles = _triangles(mesh)
    materials = np.repeat(_materials(mesh), _values(mesh.polygons, "loop_total", kind=np.int32))
    used = np.unique(materials)
    surfaces = []
    for material in used:
        # Memory that is touched for the first time costs more than what is done there: nothing is copied needlessly.
        own: Any = np.flatnonzero(materials == material) if len(used) > 1 else slice(None)
        index, first = _joined(vertex[own], [look[own] for look in looks])
        if len(used) > 1:
            first = own[first]
        place = np.empty(len(vertex), np.uint16 if len(first) <= _LAST_SHORT else np.uint32)
        place[own] = index
        surfaces.append(
            {
                "POSITION": positions[vertex[first]],
                "NORMAL": _upright(_unit(normals[first])),
                **{f"TEXCOORD_{number}": uv[first] for number, uv in enumerate(layers)},
                "indices": place[triangles[materials[triangles[:, 0]] == material]].ravel(),
            }
        )
    return surfaces


def _as_one(low: _Array, high: _Array | float = 0.0) -> _Array:
    """Two numbers as one that is equal where both are, (n,)."""
    pairs = np.empty((len(low), 2), np.float32)
    for column, values in enumerate((low, high)):
        np.add(values, 0, out=pairs[:, column])  # no zero below zero
    return pairs.view(np.uint64)[:, 0]


def _joined(vertex: _Array, looks: Sequence[_Array]) -> tuple[_Array, _Array]:
    """Corners that are the same but for their faces as one, ordered by their vertices.

    Args:
        vertex: Of each corner, (n,).
        looks: All else that a corner has, (n,) each.

    Returns:
        The number of each corner, (n,), and a corner of each number.
    """
    turn, turns = np.zeros(len(vertex), np.int32), np.zeros(int(vertex.max()) + 1, np.int32)
    chosen = np.empty(len(turns), np.int32)
    left, number = np.arange(len(vertex), dtype=np.int32), 0
    while len(left):
        here = vertex[left]
        chosen[here] = left  # one corner of each vertex
        other = chosen[here]
        same = np.ones(len(left), bool)
        for look in looks:
            same &= (look if len(left) == len(look) else look[left]) == look[other]
        turn[left[same]] = number
        number += 1
        turns[here] = number
        left = left[~same]
    index = (np.cumsum(turns) - turns)[vertex] + turn
    first = np.empty(turns.sum(), np.int32)
    first[index] = np.arange(len(vertex))
    return index, first


def _triangles(mesh: Any) -> _Array:
    """The corners of every triangle, (m, 3)."""
    if len(mesh.loops) == 3 * len(mesh.polygons):  # no face has fewer
        return np.arange(len(mesh.loops)).reshape(-1, 3)
    mesh.calc_loop_triangles()
    return _values(mesh.loop_triangles, "loops", 3, np.int32)


def _materials(mesh: Any) -> _Array:
    found = mesh.attributes.get("material_index")
    return _values(found.data, "value", kind=np.int32) if found else np.zeros(len(mesh.polygons), np.int32)


def _corners(mesh: Any) -> _Array:
    return _values(mesh.attributes[".corner_vert"].data, "value", kind=np.int32)


def _uv(layer: Any) -> _Array:
    return _values(layer.uv, "vector", 2)


def _values(items: Any, name: str, width: int = 1, kind: Any = np.float32) -> _Array:
    flat = np.empty(len(items) * width, kind)
    items.foreach_get(name, flat)
    return flat if width == 1 else flat.reshape(-1, width)


def _upright(vectors: _Array) -> _Array:
    """From +Z up to +Y up, (n, 3)."""
    return np.stack((vectors[:, 0], vectors[:, 2], -vectors[:, 1]), axis=1)


def _unit(normals: _Array) -> _Array:
    """Of unit length, (n, 3); upwards where there is none."""
    lengths = np.sqrt(normals[:, 0] ** 2 + normals[:, 1] ** 2 + normals[:, 2] ** 2)
    none = np.flatnonzero(lengths == 0)
    lengths[none] = 1
    unit: _Array = normals / lengths[:, None]
    unit[none] = (0, 0, 1)
    return unit


def _accessors_of(mesh: dict[str, Any]) -> Iterator[int]:
    """The accessor of everything that the primitives of a mesh in a glTF document have."""
    for primitive in mesh["primitives"]:
        yield from primitive["attributes"].values()
        yield from (primitive["indices"],) if "indices" in primitive else ()
        for target in primitive.get("targets", ()):
            yield from target.values()


def _fill_in(path: Path, meshes: dict[str, list[_Surface]]) -> bool:
    """Replaces the geometry of the meshes in a GLB; says whether the exporter wrote them as expected."""
    glb = Glb.parsed(memoryview(path.read_bytes()))
    accessors = glb.document["accessors"]
    uses = Counter(chain.from_iterable(map(_accessors_of, glb.document["meshes"])))
    for mesh in glb.document["meshes"]:
        surfaces = meshes.get(mesh["name"])
        if surfaces is None:
            continue
        if len(surfaces) != len(mesh["primitives"]):
            return False
        for primitive, surface in zip(mesh["primitives"], surfaces, strict=True):
            attributes = primitive["attributes"]
            if {*attributes, "indices"} != surface.keys() or primitive.get("mode", _TRIANGLES) != _TRIANGLES:
                return False
            for name, values in surface.items():
                holder = primitive if name == "indices" else attributes
                uses[holder[name]] -= 1
                if uses[holder[name]]:  # what has the same content has one accessor, also in small meshes
                    accessors.append({})
                    holder[name] = len(accessors) - 1
                accessors[holder[name]] |= glb.added(values, with_extent=name == "POSITION")
    glb.write(path)
    return True
