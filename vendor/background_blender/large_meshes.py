"""For scripts that run inside the background Blender: large plain meshes of a GLB, read by numpy.

Blender's importer of glTF sorts the corners of a mesh for points that no face uses and checks it as if it were broken:
nearly half of its time. So it reads a copy of the file with a triangle for each part of such a mesh, and with all else
as it is, and the meshes that it made are filled with what it would have filled them with. What is not sound, or has
more than places, normals and UVs, is left to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from .glb_files import Glb

_LARGE = 20_000  # triangles: below it, there is nothing to gain
_MARK = "assetgen_large_mesh"
_MOST_LAYERS = 8
_TRIANGLES = 4
_CHOSEN_EDGES = ".select_edge"
_NORMALS = "custom_normal"
_FREE_NORMALS_SINCE = (4, 5)  # of Blender's versions
_FLAT = 0.9999999  # cosine of the angle to the face's normal, as the importer has it

_Array = NDArray[Any]
_Surface = dict[str, _Array]
"""One primitive: the names of its attributes → values of points, (n, width), and ``indices``, (triangles, 3)."""

_normals_are_free: ContextVar[bool] = ContextVar("normals_are_free", default=False)


@contextmanager
def free_normals() -> Iterator[None]:
    """Has meshes keep the file's normals as they are, where all that are read meanwhile are large.

    For whoever changes neither places nor faces: such normals do not follow. What Blender makes of them otherwise does,
    and is more than half of the time that a large mesh takes to read.
    """
    token = _normals_are_free.set(bpy.app.version >= _FREE_NORMALS_SINCE)
    try:
        yield
    finally:
        _normals_are_free.reset(token)


@contextmanager
def without_large_meshes(path: Path) -> Iterator[Path]:
    """Gives the file that Blender's importer shall read, and fills its meshes when that is done."""
    glb, meshes = _large_meshes(path)
    if glb is None or not meshes:
        yield path
        return
    _leave_out(glb, meshes)
    with TemporaryDirectory(prefix="assetgen-glb-") as folder:
        small = Path(folder) / path.name
        glb.write(small)
        yield small
    # Meshes of both kinds are not to be joined.
    free = _normals_are_free.get() and len(meshes) == len(glb.document["meshes"])
    made: list[Any] = [mesh for mesh in bpy.data.meshes if mesh.get(_MARK) is not None]
    for mesh in made:
        number = mesh[_MARK]
        del mesh[_MARK]
        normals = _fill(mesh, meshes[number])
        if free:
            _set(mesh, _NORMALS, "FLOAT_VECTOR", "POINT", "vector", normals)
        else:
            mesh.normals_split_custom_set_from_vertices(normals)


def _large_meshes(path: Path) -> tuple[Glb | None, dict[int, list[_Surface]]]:
    """The file, and its large meshes by their numbers; nothing where it is not certain that it is a usual one."""
    try:
        glb = Glb.parsed(np.memmap(path, np.uint8, "r").data)
        meshes = glb.document["meshes"]
        if any("bufferView" not in image for image in glb.document.get("images", ())):
            return None, {}
        if any(_MARK in (mesh.get("extras") or ()) for mesh in meshes):  # our mark, and not from us
            return None, {}
        found = {number: _surfaces(glb, mesh) for number, mesh in enumerate(meshes)}
    except (OSError, LookupError, TypeError, ValueError, AttributeError):  # the importer says what is broken
        return None, {}
    return glb, {number: surfaces for number, surfaces in found.items() if surfaces}


def _surfaces(glb: Glb, mesh: dict[str, Any]) -> list[_Surface]:
    """The primitives of a mesh; none where it is small or not plain."""
    primitives = mesh["primitives"]
    names = primitives[0]["attributes"].keys()
    layers = [f"TEXCOORD_{number}" for number in range(len(names) - 2)]
    if names != {"POSITION", "NORMAL", *layers} or len(layers) > _MOST_LAYERS:
        return []
    if not isinstance(mesh.get("extras", {}), dict) or "weights" in mesh:
        return []
    if sum(glb.document["accessors"][primitive["indices"]]["count"] for primitive in primitives) < 3 * _LARGE:
        return []
    surfaces = []
    for primitive in primitives:
        if primitive.keys() - {"attributes", "indices", "material", "mode"} or primitive["attributes"].keys() != names:
            return []
        surface = {name: glb.values(number) for name, number in primitive["attributes"].items()}
        surface["indices"] = glb.values(primitive["indices"]).reshape(-1, 3)
        if primitive.get("mode", _TRIANGLES) != _TRIANGLES or not _is_sound(surface):
            return []
        surfaces.append(surface)
    return surfaces


def _is_sound(surface: _Surface) -> bool:
    """Whether all points are somewhere and in use, and no triangle is folded or there twice."""
    attributes = {name: values for name, values in surface.items() if name != "indices"}
    count, triangles = len(surface["POSITION"]), surface["indices"]
    for name, values in attributes.items():
        width = 2 if name.startswith("TEXCOORD") else 3
        if values.dtype != np.float32 or values.shape != (count, width) or not np.isfinite(values).all():
            return False
    if triangles.dtype == np.float32 or not len(triangles) or triangles.max() >= count:
        return False
    first, second, third = triangles.T
    if (first == second).any() or (second == third).any() or (third == first).any():
        return False
    if not np.bincount(triangles.ravel(), minlength=count).all():
        return False
    # Triangles on the same points have the same sum of random numbers; others hardly ever.
    mixed = np.random.default_rng(0).integers(1 << 61, size=count)
    sums = np.sort(mixed[first] + mixed[second] + mixed[third])
    return not bool((sums[1:] == sums[:-1]).any())


def _leave_out(glb: Glb, meshes: dict[int, list[_Surface]]) -> None:
    """Makes the file small: a triangle for each primitive of large meshes, which are marked with their numbers."""
    document, accessors = glb.document, glb.document["accessors"]
    left_out: set[int] = set()
    for number, surfaces in meshes.items():
        mesh = document["meshes"][number]
        mesh["extras"] = {**mesh.get("extras", {}), _MARK: number}
        for primitive, surface in zip(mesh["primitives"], surfaces, strict=True):
            left_out |= _accessors_of(primitive)
            corners = surface["indices"][0]
            for name in primitive["attributes"]:
                accessors.append(glb.added(surface[name][corners], with_extent=name == "POSITION"))
                primitive["attributes"][name] = len(accessors) - 1
            accessors.append(glb.added(np.arange(3, dtype=np.uint16)))
            primitive["indices"] = len(accessors) - 1
    for mesh in document["meshes"]:
        left_out = left_out.difference(*map(_accessors_of, mesh["primitives"]))
    for number in left_out:
        del accessors[number]["bufferView"]  # it stays, so that the others keep their numbers


def _accessors_of(primitive: dict[str, Any]) -> set[int]:
    targets = (number for target in primitive.get("targets", ()) for number in target.values())
    return {*primitive["attributes"].values(), *targets} | ({primitive["indices"]} if "indices" in primitive else set())


def _fill(mesh: Any, surfaces: list[_Surface]) -> _Array:
    """Gives a mesh that stands for a large one, with a face for each primitive, what the file has but for the normals
    of its points, which are returned, (points, 3).
    """
    slots = mesh.attributes.get("material_index")
    slot_of_each = np.empty(len(surfaces), np.int32)
    if slots is not None:
        slots.data.foreach_get("value", slot_of_each)
    points = _upright(_one([surface["POSITION"] for surface in surfaces]))
    scene: Any = bpy.context.scene
    points /= np.float32(scene.unit_settings.scale_length)
    normals = _upright(_one([surface["NORMAL"] for surface in surfaces]))
    starts = np.cumsum([0, *(len(surface["POSITION"]) for surface in surfaces[:-1])])
    kinds = [surface["indices"].astype(np.int32) for surface in surfaces]
    parts = [triangles + np.int32(start) for triangles, start in zip(kinds, starts, strict=True)]
    triangles = _one(parts)
    layers = [layer.name for layer in mesh.uv_layers]
    edges_are_chosen = _CHOSEN_EDGES in mesh.attributes
    mesh.clear_geometry()
    mesh.vertices.add(len(points))
    _set(mesh, "position", "FLOAT_VECTOR", "POINT", "vector", points)
    mesh.loops.add(triangles.size)
    _set(mesh, ".corner_vert", "INT", "CORNER", "value", triangles)
    mesh.polygons.add(len(triangles))
    mesh.polygons.foreach_set("loop_start", np.arange(0, triangles.size, 3, dtype=np.int32))
    for number, name in enumerate(layers):
        uv = _one([surface[f"TEXCOORD_{number}"][surface["indices"].ravel()] for surface in surfaces])
        uv[:, 1] = 1 - uv[:, 1]
        mesh.uv_layers.new(name=name, do_init=False).uv.foreach_set("vector", uv.ravel())
    if slots is not None:
        material = np.repeat(slot_of_each, [len(part) for part in parts])
        _set(mesh, "material_index", "INT", "FACE", "value", material)
    _set(mesh, "sharp_face", "BOOLEAN", "FACE", "value", _are_flat(mesh, normals, triangles))
    mesh.update(calc_edges=True)
    if not edges_are_chosen:  # the importer's check adds edges that are not
        mesh.attributes.remove(mesh.attributes[_CHOSEN_EDGES])
    return normals


def _one(parts: list[_Array]) -> _Array:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _set(mesh: Any, name: str, kind: str, domain: str, part: str, values: _Array) -> None:
    attribute = mesh.attributes.get(name) or mesh.attributes.new(name, kind, domain)
    attribute.data.foreach_set(part, values.ravel())


def _are_flat(mesh: Any, normals: _Array, triangles: _Array) -> _Array:
    """Which triangles have the normal of their face at all three corners."""
    across = np.empty(triangles.shape, np.float32)
    mesh.polygon_normals.foreach_get("vector", across.ravel())
    flat = _are_alike(normals[triangles[:, 0]], across)
    left = np.flatnonzero(flat)  # of a smooth mesh, few
    for corner in (1, 2):
        flat[left] &= _are_alike(normals[triangles[left, corner]], across[left])
    return flat


def _are_alike(one: _Array, other: _Array) -> _Array:
    """Which of the unit vectors, (n, 3) each, are as good as the same."""
    alike: _Array = one[:, 0] * other[:, 0] + one[:, 1] * other[:, 1] + one[:, 2] * other[:, 2] > _FLAT
    return alike


def _upright(vectors: _Array) -> _Array:
    """From +Y up to +Z up, (n, 3)."""
    return np.stack((vectors[:, 0], -vectors[:, 2], vectors[:, 1]), axis=1)
