"""The pixels of a map that a mesh covers with its UVs, and what the surface is like at each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..array_types import Array, Mask, Picture
from .build import UV
from .measure import coordinates, corner_normals, corners, triangle_loops, values

_NEXT_TO = 1e-4  # pixels: what counts as inside, so that no pixel on an edge is left out


@dataclass(frozen=True, slots=True)
class Texels:
    """Covered pixels of a square map, bottom row first, in the order of the map.

    Attributes:
        coverage: Which pixels they are, (size, size).
        loops: The corners of the triangle at each, (n, 3).
        weights: Of these corners there, (n, 3).
    """

    coverage: Mask
    loops: Array
    weights: Array

    def at(self, values: Array) -> Picture:
        """Something that every corner of the mesh has, (corners, k), at each of the pixels, (n, k)."""
        result: Picture = self.weights[:, :1] * values[self.loops[:, 0]]
        for corner in (1, 2):
            result += self.weights[:, corner : corner + 1] * values[self.loops[:, corner]]
        return result

    def picture(self, values: Picture) -> Picture:
        """Values of the pixels, (n, k), in their places, (size, size, k); 0 elsewhere."""
        whole: Picture = np.zeros((*self.coverage.shape, values.shape[1]), np.float32)
        whole[self.coverage] = values
        return whole

    def positions(self, mesh: Any) -> Picture:
        """Where the surface is, in the mesh's own space, (n, 3)."""
        return self.at(coordinates(mesh)[corners(mesh)])

    def normals(self, mesh: Any) -> Picture:
        """The normals that it is shaded with, of unit length, (n, 3)."""
        normals = self.at(corner_normals(mesh))
        return normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), np.float32(1e-12))


def texels_of(mesh: Any, size: int, layer: str = UV) -> Texels:
    """The pixels whose middles the mesh covers.

    Args:
        mesh: Has UVs.
        size: Pixels along a side of the map.
        layer: Name of its UV map.
    """
    loops = triangle_loops(mesh)
    # Axis by axis, which is much quicker for what is done with the three corners.
    places = values(mesh.uv_layers[layer].uv, "vector", 2).T.astype(np.float64)[:, loops.T].T * size - 0.5
    triangle, x, y = pixels_in(places, size)
    owner = np.full(size * size, -1, np.int32)
    owner[y * size + x] = np.arange(len(x), dtype=np.int32)
    coverage = owner >= 0
    chosen = owner[coverage]
    triangle = triangle[chosen]
    return Texels(coverage.reshape(size, size), loops[triangle], _weights(places, triangle, x[chosen], y[chosen]))


def pixels_in(places: Array, size: int | tuple[int, int], reach: float = _NEXT_TO) -> tuple[Array, Array, Array]:
    """The pixels in each of the triangles, row by row: number of the triangle, column, row; inside the map.

    Args:
        places: Of their corners in a map with the middles of pixels at whole numbers, (n, 3, 2).
        size: Pixels of the map, or its columns and rows.
        reach: How far beside a triangle a pixel still counts.
    """
    ends = np.broadcast_to(size, 2)
    low = np.ceil(places.min(axis=1) - reach).clip(0, ends)
    high = np.floor(places.max(axis=1) + reach).clip(-1, ends - 1)
    near = np.flatnonzero((low <= high).all(axis=1))  # most of a million triangles lie between the middles of pixels
    triangle, row = _ranges(low[near, 1].astype(np.int64), high[near, 1].astype(np.int64))
    triangle = near[triangle]
    first, last = np.full(len(row), np.inf), np.full(len(row), -np.inf)
    for corner in range(3):
        (x0, y0), (x1, y1) = places[triangle, corner].T, places[triangle, (corner + 1) % 3].T
        rise = y1 - y0
        part = (row - y0) / np.where(np.abs(rise) < 1e-12, 1e-12, rise)
        meets = (part >= -reach) & (part <= 1 + reach)
        x = x0 + part.clip(0, 1) * (x1 - x0)
        first, last = np.where(meets, np.minimum(first, x), first), np.where(meets, np.maximum(last, x), last)
    low = np.ceil(np.minimum(first, ends[0]) - reach).clip(0, ends[0]).astype(np.int64)
    high = np.floor(np.maximum(last, -1) + reach).clip(-1, ends[0] - 1).astype(np.int64)
    span, x = _ranges(low, high)
    return triangle[span], x, row[span]


def _ranges(low: Array, high: Array) -> tuple[Array, Array]:
    """All whole numbers from each low one to its high one, after the number of their range."""
    counts = np.maximum(high - low + 1, 0)
    number = np.repeat(np.arange(len(counts)), counts)
    return number, np.arange(len(number)) + (low - np.cumsum(counts) + counts)[number]


def _weights(places: Array, triangle: Array, x: Array, y: Array) -> Array:
    """Of the corners at pixels of triangles, (n, 3)."""
    a, (b, c) = places[:, 0], ((places[:, corner] - places[:, 0]).T for corner in (1, 2))
    area = b[0] * c[1] - b[1] * c[0]
    scale = 1.0 / np.where(np.abs(area) < 1e-12, np.inf, area)
    # Both are even slopes over the triangle, so what they are made of is worked out once for each.
    slopes = np.stack((c[1], -c[0], -b[1], b[0]), axis=1) * scale[:, None]
    right, up = (np.stack((x, y), axis=1) - a[triangle]).T
    slopes = slopes[triangle]
    second = (right * slopes[:, 0] + up * slopes[:, 1]).clip(0, 1)
    third = (right * slopes[:, 2] + up * slopes[:, 3]).clip(0, 1)
    return np.stack((1 - second - third, second, third), axis=1).astype(np.float32)
