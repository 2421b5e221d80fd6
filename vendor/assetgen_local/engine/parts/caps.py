"""Closes a mesh: every border of its surface gets a cap."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import bmesh
import bpy
import numpy as np
from mathutils import Vector
from mathutils.geometry import tessellate_polygon

from ..array_types import Array
from ..mesh.measure import coordinates, corner_normals, corners, face_sizes
from .face_graph import next_corners, places

Triangle = tuple[int, int, int]


def close(mesh: Any) -> int:
    """Adds caps until no edge belongs to an odd number of faces; answers with how many triangles they have.

    A cap has the material of the faces around it, and their UVs and colours at its rim.

    Args:
        mesh: Vertices at the same place count as one.
    """
    points = coordinates(mesh).astype(np.float64)
    own = corners(mesh)
    place = places(points)[own]
    rims = _loops(_rim(place, face_sizes(mesh)))
    if not rims:
        return 0
    numbers, first = np.unique(place, return_index=True)
    corner = dict(zip(numbers.tolist(), first.tolist(), strict=True))  # one of the mesh at each place
    where = {number: points[own[index]] for number, index in corner.items()}
    triangles: list[Triangle] = []
    middles: list[tuple[list[int], Array]] = []
    taken = _triples(place, face_sizes(mesh))
    for rim in rims:
        flat = _flat([where[number] for number in rim])
        if flat is not None:
            over = [(rim[a], rim[b], rim[c]) for a, b, c in flat]
            keys = {tuple(sorted(triangle)) for triangle in over}
            if not keys & taken:  # the other side of a face that is there would be taken for the same face
                taken |= keys
                triangles += over
                continue
        middle = -1 - len(middles)  # below zero: a point in the middle of the rim, not at its place yet
        middles.append((rim, np.mean([where[number] for number in rim], axis=0)))
        triangles += [(first, second, middle) for first, second in zip(rim, [*rim[1:], rim[0]], strict=True)]
    _add(mesh, corner, triangles, middles)
    return len(triangles)


def _rim(place: Array, sizes: Array) -> list[tuple[int, int]]:
    """Edges of an odd number of faces, each against the direction of a face on it, so that a cap continues the face."""
    first, second = place, place[next_corners(sizes)]
    kept = first != second
    first, second = first[kept], second[kept]
    key = np.stack((np.minimum(first, second), np.maximum(first, second)), axis=1)
    _, index, counts = np.unique(key, axis=0, return_index=True, return_counts=True)
    odd = index[counts % 2 == 1]
    return list(zip(second[odd].tolist(), first[odd].tolist(), strict=True))


def _triples(place: Array, sizes: Array) -> set[tuple[int, ...]]:
    """The places of every triangle's corners."""
    start = (np.cumsum(sizes) - sizes)[sizes == 3]
    rows = np.sort(np.stack([place[start + step] for step in range(3)], axis=1), axis=1)
    return {tuple(row) for row in rows.tolist()}


def _loops(edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """All edges as loops that come by no vertex twice. No way gets stuck: every vertex has an even number."""
    ways: dict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    for number, (start, end) in enumerate(edges):
        ways[end].append((number, start, False))
        ways[start].append((number, end, True))
    used = [False] * len(edges)
    loops: list[list[int]] = []
    for start, _ in edges:
        path, at = [start], {start: 0}
        while options := [way for way in ways[path[-1]] if not used[way[0]]]:
            number, here, _ = next((way for way in options if way[2]), options[0])
            used[number] = True
            if here in at:
                loops.append(path[at[here] :])
                for gone in loops[-1][1:]:
                    del at[gone]
                del path[at[here] + 1 :]
            else:
                at[here] = len(path)
                path.append(here)
    # A loop of two is an edge there and back: both of its edges are two faces' and need a sliver to be even.
    return [loop for loop in loops if len(loop) >= 3]


def _flat(rim: Sequence[Array]) -> list[Triangle] | None:
    """Triangles over a rim, seen along its mean normal; None where that does not use every edge once."""
    count = len(rim)
    if count == 3:
        return [(0, 1, 2)]
    points = np.array(rim)
    normal = np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0)
    cut = [tuple(int(index) for index in triangle) for triangle in tessellate_polygon([[Vector(p) for p in rim]])]
    if len(cut) != count - 2:
        return None
    result: list[Triangle] = []
    edges = set()
    for a, b, c in cut:
        facing = float(np.cross(points[b] - points[a], points[c] - points[a]) @ normal)
        result.append((a, b, c) if facing >= 0 else (a, c, b))
        a, b, c = result[-1]
        edges |= {(a, b), (b, c), (c, a)}
    around = {(index, (index + 1) % count) for index in range(count)}
    inner = edges - around
    whole = around <= edges and all((b, a) in inner for a, b in inner) and len(edges) == 3 * len(cut)
    return result if whole else None


def _add(
    mesh: Any, corner: dict[int, int], triangles: Sequence[Triangle], middles: Sequence[tuple[list[int], Array]]
) -> None:
    """Adds the triangles with corners like those already at their places."""
    shading = corner_normals(mesh)
    edit = bmesh.new()
    edit.from_mesh(mesh)
    loops = [loop for face in edit.faces for loop in face.loops]
    points = [edit.verts.new(place) for _, place in middles]
    normals = shading.tolist()
    for triangle in triangles:
        # Like which corner each new one is; a middle is like the first of its rim.
        like = [loops[corner[v if v >= 0 else middles[-1 - v][0][0]]] for v in triangle]
        vertices = [loop.vert if v >= 0 else points[-1 - v] for v, loop in zip(triangle, like, strict=True)]
        face = edit.faces.new(vertices, like[0].face)
        face.smooth = True
        for new, old in zip(face.loops, like, strict=True):
            new.copy_from(old)
        face.normal_update()
        normals += [face.normal[:]] * 3
    edit.to_mesh(mesh)
    edit.free()
    mesh.normals_split_custom_set(normals)
    bpy.context.view_layer.update()
