"""The faces of a whole model, and which of them lie side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..array_types import Array
from ..mesh.connected import by_size, components, same_places
from ..mesh.measure import coordinates, corners, face_areas, face_normals, face_of_corner, face_sizes, values

_SAME_PLACE = 1e-6  # of the model's size
_CREASE = 0.4  # radians: a concave edge costs a third for every such step that it is bent by
_LEAST_COST = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class FaceGraph:
    """A mesh as faces. Vertices at the same place count as one: files split them along seams and hard edges.

    Attributes:
        middles: Of the faces, shape (faces, 3).
        areas: Of the faces.
        sides: Pairs of faces that share an edge, shape (k, 2).
        costs: What a cut along each shared edge costs: its length, and less of it the more concave it is.
        pieces: The connected piece of each face; 0 is the largest by area.
    """

    middles: Array
    areas: Array
    sides: Array
    costs: Array
    pieces: Array

    @classmethod
    def from_mesh(cls, mesh: Any) -> FaceGraph:
        """Reads a mesh whose object has no transform."""
        sizes = face_sizes(mesh)
        face = face_of_corner(mesh)
        points = coordinates(mesh).astype(np.float64)
        corner = corners(mesh)
        middles = values(mesh.polygons, "center", 3).astype(np.float64)
        areas = face_areas(mesh)
        sides, at = _sides(places(points)[corner], face, sizes)
        lengths = np.linalg.norm(points[corner[at]] - points[corner[next_corners(sizes)[at]]], axis=1)
        costs = lengths * _creases(middles, face_normals(mesh).astype(np.float64), sides)
        return cls(middles, areas, sides, costs, by_size(components(len(sizes), sides), areas))


def places(points: Array) -> Array:
    """A number for every point, (n, 3), the same for points at the same place."""
    return same_places(points, max(float(np.ptp(points, axis=0).max()), 1e-12) * _SAME_PLACE)


def next_corners(sizes: Array) -> Array:
    """For every corner the next one around its face."""
    ends = np.cumsum(sizes)
    following = np.arange(int(ends[-1])) + 1
    following[ends - 1] = ends - sizes
    return following


def _sides(vertex: Array, face: Array, sizes: Array) -> tuple[Array, Array]:
    """Pairs of faces that share an edge, and a corner at which each of the edges begins."""
    first, second = vertex, vertex[next_corners(sizes)]
    key = np.minimum(first, second) * (int(vertex.max()) + 1) + np.maximum(first, second)
    order = np.argsort(key, kind="stable")
    same = np.flatnonzero((key[order][1:] == key[order][:-1]) & (face[order][1:] != face[order][:-1]))
    return np.stack((face[order][same], face[order][same + 1]), axis=1), order[same]


def _creases(middles: Array, normals: Array, sides: Array) -> Array:
    """1 for flat and convex edges, less for concave ones: there people see one part end (the minima rule)."""
    first, second = sides.T
    across = middles[second] - middles[first]
    bent = np.arccos(np.clip((normals[first] * normals[second]).sum(axis=1), -1.0, 1.0))
    concave = ((normals[first] - normals[second]) * across).sum(axis=1) > 0
    result: Array = np.where(concave, np.maximum(3.0 ** (-bent / _CREASE), _LEAST_COST), 1.0)
    return result
