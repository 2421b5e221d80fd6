"""The faces of a whole model, and which of them lie side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..array_types import Array
from ..mesh.connected import by_size, components
from ..mesh.measure import coordinates, corners, face_areas, face_of_corner, face_sizes

_SAME_PLACE = 1e-6  # of the model's size


@dataclass(frozen=True, slots=True)
class FaceGraph:
    """A mesh as faces. Vertices at the same place count as one: files split them along seams and hard edges.

    Attributes:
        middles: Of the faces, shape (faces, 3).
        areas: Of the faces.
        sides: Pairs of faces that share an edge, shape (k, 2).
        pieces: The connected piece of each face; 0 is the largest by area.
    """

    middles: Array
    areas: Array
    sides: Array
    pieces: Array

    @classmethod
    def from_mesh(cls, mesh: Any) -> FaceGraph:
        """Reads a mesh whose object has no transform."""
        sizes = face_sizes(mesh)
        face = face_of_corner(mesh)
        points = coordinates(mesh).astype(np.float64)
        vertex = places(points)[corners(mesh)]
        middles = np.stack([np.bincount(face, points[corners(mesh), axis], len(sizes)) for axis in range(3)], axis=1)
        areas = face_areas(mesh)
        sides = _sides(vertex, face, sizes)
        pieces = by_size(components(len(sizes), sides), areas)
        return cls(middles / sizes[:, None], areas, sides, pieces)

    def moved(self, middles: Array) -> FaceGraph:
        """The same faces with their middles elsewhere."""
        return FaceGraph(middles, self.areas, self.sides, self.pieces)

    def islands(self, labels: Array) -> Array:
        """Connected pieces of faces with the same label; 0 is the largest by area."""
        same = labels[self.sides[:, 0]] == labels[self.sides[:, 1]]
        return by_size(components(len(labels), self.sides[same]), self.areas)


def places(points: Array) -> Array:
    """A number for every point, the same for points at the same place."""
    size = max(float(np.ptp(points, axis=0).max()), 1e-12)
    _, number = np.unique(np.round(points / (size * _SAME_PLACE)).astype(np.int64), axis=0, return_inverse=True)
    return number.reshape(-1)


def next_corners(sizes: Array) -> Array:
    """For every corner the next one around its face."""
    ends = np.cumsum(sizes)
    following = np.arange(int(ends[-1])) + 1
    following[ends - 1] = ends - sizes
    return following


def _sides(vertex: Array, face: Array, sizes: Array) -> Array:
    first, second = vertex, vertex[next_corners(sizes)]
    key = np.minimum(first, second) * (int(vertex.max()) + 1) + np.maximum(first, second)
    order = np.argsort(key, kind="stable")
    same = key[order][1:] == key[order][:-1]
    pairs = np.stack((face[order][:-1][same], face[order][1:][same]), axis=1)
    result: Array = pairs[pairs[:, 0] != pairs[:, 1]]
    return result
