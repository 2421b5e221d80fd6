"""Charts: a mesh's faces in flat pieces, by the way that they look or by UVs; cut, turned and packed into a map."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..array_types import Array
from .connected import components
from .measure import coordinates, corners, face_areas, face_normals, face_of_corner
from .packing import packed

_SAME_UV = 1e-5
_TURNS = np.arange(16, dtype=np.float32) * (math.pi / 32)  # up to a quarter: tried for the smallest box


@dataclass(frozen=True, slots=True)
class Charts:
    """Flat pieces of a mesh: the islands of a UV map.

    Attributes:
        places: Their points, (n, 2), piece after piece.
        islands: The piece of each point: 0, 1, ...
        points: The point of each corner of the mesh, face after face.
        faces: The face of each corner.
    """

    places: Array
    islands: Array
    points: Array
    faces: Array

    def triangles(self, loops: Array) -> Array:
        """The places of triangles whose corners these are, (n, 3): (n, 3, 2)."""
        triangles: Array = self.places.T.astype(np.float64)[:, self.points[loops.T]].T  # axis by axis, as extent()
        return triangles

    def cut(self, group: Array) -> Charts:
        """The same with corners of other groups than 0 on points of their own, one for each group; whole faces."""
        moved, count = np.flatnonzero(group), int(group.max(initial=0)) + 1
        keys, index = np.unique(self.points[moved] * np.int64(count) + group[moved], return_inverse=True)
        points = self.points.copy()
        points[moved] = len(self.places) + index
        return _connected(np.concatenate((self.places, self.places[keys // count])), points, self.faces)

    def packed(self, margin: float) -> Charts:
        """The same in the unit square, with pieces turned, equally larger, and next to each other with this around."""
        sizes = np.array([np.ptp(boxes(_turned(self.places, angle), self.islands), axis=0) for angle in _TURNS])
        least, piece = sizes.prod(axis=2).argmin(axis=0), np.arange(sizes.shape[1])
        lies = sizes[least, piece, 0] > sizes[least, piece, 1]  # upright ones are packed closer
        places = _turned(self.places, (_TURNS[least] + lies * np.float32(math.pi / 2))[self.islands])
        low, high = boxes(places, self.islands)
        scale, to = packed(high - low, margin)
        return replace(self, places=((places - low[self.islands]) * scale + to[self.islands]).astype(np.float32))


def _turned(places: Array, angle: Array) -> Array:
    (along, up), cosine, sine = places.T, np.cos(angle), np.sin(angle)
    return np.stack((along * cosine - up * sine, along * sine + up * cosine)).T


def boxes(places: Array, group: Array) -> Array:
    """The lowest and the highest of places, (n, 2), that come group after group: (2, groups, 2)."""
    starts, ends = np.flatnonzero(np.diff(group, prepend=-1)), (np.minimum, np.maximum)
    return np.array([[end.reduceat(axis, starts) for axis in places.T] for end in ends]).swapaxes(1, 2)


def by_uv(mesh: Any, uv: Array) -> Charts:
    """The pieces that UVs of all corners make, (corners, 2)."""
    cells = np.round(uv / _SAME_UV).astype(np.int64)
    cells -= cells.min(axis=0)
    keys = (corners(mesh) * (cells[:, 0].max() + 1) + cells[:, 0]) * (cells[:, 1].max() + 1) + cells[:, 1]
    _, first, index = np.unique(keys, return_index=True, return_inverse=True)
    return _connected(uv[first], index, face_of_corner(mesh))


def by_normals(mesh: Any, angle: float) -> Charts:
    """Pieces of faces that look nearly the same way, seen from there.

    Args:
        mesh: Vertices that it has twice part pieces.
        angle: How far apart faces may look that share a piece, in radians.
    """
    places, vertices, faces = coordinates(mesh), corners(mesh), face_of_corner(mesh)
    axes, axis = _axes(face_normals(mesh).T.copy(), int(face_areas(mesh).argmax()), angle)
    points, parts, count = np.empty(len(vertices), np.int32), [], 0
    axis = axis[faces]
    order = np.argsort(axis, kind="stable")
    for towards, own in zip(axes, np.split(order, np.bincount(axis, minlength=len(axes)).cumsum()[:-1]), strict=True):
        seen = np.zeros(len(places), bool)
        seen[vertices[own]] = True
        points[own] = (np.cumsum(seen, dtype=np.int32) + (count - 1))[vertices[own]]
        right = np.cross((0.0, 0.0, 1.0) if abs(towards[2]) < 0.9 else (0.0, 1.0, 0.0), towards)
        right /= np.linalg.norm(right)
        parts.append(places[seen] @ np.stack((right, np.cross(towards, right)), axis=1).astype(np.float32))
        count += len(parts[-1])
    return _connected(np.concatenate(parts), points, faces)


def _axes(normals: Array, start: int, angle: float) -> tuple[list[Array], Array]:
    """Directions of faces, the first that of face ``start``, such that each is nearly in one of them; and in which.

    ``normals`` are (3, n), and the faces of one direction look at most an angle in radians apart.
    """
    axes: list[Array] = []
    nearest, axis = np.full(normals.shape[1], -2.0, np.float32), np.zeros(normals.shape[1], np.int16)
    free = np.ones(len(axis), bool)
    while not axes or (free[start] and nearest[start] < math.cos(angle)):
        free[start] = False
        close = free & (normals[:, start] @ normals > math.cos(angle / 2))
        free &= ~close
        mean = normals[:, start] + normals[:, close].sum(axis=1)
        axes.append(mean / np.linalg.norm(mean))
        likeness = axes[-1] @ normals
        axis[likeness > nearest] = len(axes) - 1
        np.maximum(nearest, likeness, out=nearest)
        start = int(np.where(free, nearest, np.float32(2.0)).argmin())
    return axes, axis


def _connected(places: Array, points: Array, faces: Array) -> Charts:
    """Charts whose pieces hang together by common points; those that no corner uses are left out."""
    beside = faces[1:] == faces[:-1]
    islands = components(len(places), np.stack((points[:-1][beside], points[1:][beside])).T)
    used = np.bincount(points, minlength=len(places)) > 0
    order = np.flatnonzero(used)[np.argsort(islands[used], kind="stable")]
    rank = np.empty(len(places), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    islands = np.cumsum(np.diff(islands[order], prepend=-1) > 0) - 1
    return Charts(places[order], islands, rank[points], faces)
