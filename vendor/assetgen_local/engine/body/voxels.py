"""The volume of a model as voxels: its surface and everything that the surface encloses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..array_types import Array
from ..mesh.connected import outside
from ..mesh.measure import world_triangles

RESOLUTION = 96
"""Voxels along the longest side."""

MOST_VOXELS = 90_000
"""A bulky body gets larger voxels: what is computed in it takes time by their number."""

_PAD = 2
_LARGEST_PATTERN = 256
_EVEN_STEP = 0.55  # of a voxel; samples of the surface closer than this leave no hole in it


@dataclass(frozen=True, slots=True)
class Volume:
    """Solid voxels of a model.

    Attributes:
        origin: Corner of the grid, shape (3,).
        cell: Edge length of a voxel.
        solid: Which voxels belong to the model, shape (x, y, z); the outermost two layers are always empty.
        cells: Grid indices of the solid ones, shape (n, 3). Their order numbers them.
        numbers: Number of each voxel of the grid, -1 outside the model.
    """

    origin: Array
    cell: float
    solid: Array
    cells: Array
    numbers: Array

    @classmethod
    def from_triangles(cls, triangles: Array, resolution: int = RESOLUTION) -> Volume:
        """The volume of triangles, shape (m, 3, 3)."""
        low, high = triangles.reshape(-1, 3).min(axis=0), triangles.reshape(-1, 3).max(axis=0)
        cell = max(float((high - low).max()), 1e-9) / resolution
        while True:
            volume = cls._with_cells_of(triangles, low, high, cell)
            if len(volume.cells) <= MOST_VOXELS:
                return volume
            cell *= max((len(volume.cells) / MOST_VOXELS) ** (1 / 3), 1.05)

    @classmethod
    def _with_cells_of(cls, triangles: Array, low: Array, high: Array, cell: float) -> Volume:
        shape = tuple(int(count) for count in np.floor((high - low) / cell).astype(int) + 1 + 2 * _PAD)
        origin = low - _PAD * cell
        surface = _surface(triangles, origin, cell, shape)
        solid = surface | _enclosed(surface)
        cells = np.argwhere(solid)
        numbers = np.full(shape, -1, np.int32)
        numbers[tuple(cells.T)] = np.arange(len(cells), dtype=np.int32)
        return cls(origin, cell, solid, cells, numbers)

    @property
    def centres(self) -> Array:
        """Middles of the solid voxels, shape (n, 3)."""
        return self.origin + (self.cells + 0.5) * self.cell

    def at(self, points: Array) -> Array:
        """Numbers of the voxels that points, shape (k, 3), lie in; -1 outside the model."""
        places = np.floor((points - self.origin) / self.cell).astype(int)
        inside = ((places >= 0) & (places < np.array(self.solid.shape))).all(axis=1)
        numbers = np.full(len(points), -1, np.int32)
        numbers[inside] = self.numbers[tuple(places[inside].T)]
        return numbers

    def nearest(self, point: Array) -> int:
        """Number of the voxel nearest to a point."""
        return int(np.square(self.centres - point).sum(axis=1).argmin())

    def blend(self, values: Array, points: Array) -> Array:
        """Values of the voxels, shape (n, k), between their middles: at points of the model, shape (p, 3).

        Voxels outside the model do not take part.
        """
        place = (points - self.origin) / self.cell - 0.5
        base = np.floor(place).astype(int)
        share = place - base
        total = np.zeros((len(points), values.shape[1]))
        weight = np.zeros(len(points))
        for corner in np.ndindex(2, 2, 2):
            where = np.clip(base + corner, 0, np.array(self.solid.shape) - 1)
            number = self.numbers[tuple(where.T)]
            part = np.where(np.array(corner, bool), share, 1 - share).prod(axis=1)
            part = np.where(number >= 0, np.maximum(part, 1e-6), 0.0)
            total += part[:, None] * np.where((number >= 0)[:, None], values[number], 0.0)
            weight += part
        return total / np.maximum(weight, 1e-12)[:, None]


def triangles_of(objects: Sequence[Any]) -> Array:
    """All triangles of the objects in world space, shape (m, 3, 3)."""
    return np.concatenate([world_triangles(scene_object) for scene_object in objects])


def _surface(triangles: Array, origin: Array, cell: float, shape: tuple[int, ...]) -> Array:
    """Marks the voxels that triangles pass through, by points on them closer together than voxels."""
    surface = np.zeros(shape, bool)
    edges = np.linalg.norm(triangles - np.roll(triangles, 1, axis=1), axis=2).max(axis=1)
    steps = np.clip(np.ceil(edges / (cell * _EVEN_STEP)).astype(int), 1, _LARGEST_PATTERN)
    for count in np.unique(steps):
        first, second = (grid.ravel() for grid in np.meshgrid(np.arange(count + 1), np.arange(count + 1)))
        kept = first + second <= count
        u, v = first[kept] / count, second[kept] / count
        pattern = np.stack((1 - u - v, u, v))  # (3, p)
        chosen = triangles[steps == count]
        batch = max(1, 2_000_000 // pattern.shape[1])
        for start in range(0, len(chosen), batch):
            points = np.einsum("mci,cp->mpi", chosen[start : start + batch], pattern).reshape(-1, 3)
            places = np.floor((points - origin) / cell + 1e-6).astype(int)
            surface[tuple(np.clip(places, 0, np.array(shape) - 1).T)] = True
    return surface


def _enclosed(surface: Array) -> Array:
    """What cannot be reached from outside; of a surface with large holes, what has surface on five of its six sides."""
    inner = ~outside(surface)
    blocked = np.zeros(surface.shape, np.int8)
    for axis in range(3):
        for view in (surface, np.flip(surface, axis)):
            seen = np.maximum.accumulate(view, axis=axis)
            blocked += seen if view is surface else np.flip(seen, axis)
    between = blocked == 6
    if (inner & ~surface).sum() < 0.5 * (between & ~surface).sum():
        return inner | (blocked >= 5)
    return inner
