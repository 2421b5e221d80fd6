"""The volume of a model as voxels: its surface and everything that the surface encloses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..array_types import Array
from ..mesh.connected import grown, outside, passed
from ..mesh.texels import pixels_in

RESOLUTION = 96
"""Voxels along the longest side, or along four times the height of what is low: its legs have some, too."""

MOST_VOXELS = 90_000
"""A bulky body gets larger voxels: what is computed in it takes time by their number."""

_PAD = 2
_LOWEST = 0.34  # of the longest side: four times a height of which no leg is to be expected
_OFF_THE_EDGES = np.array([3.7e-5, 6.1e-5, 0.0])  # of a voxel: lines through the middles meet no edge of a mesh on grid
_DIRECTION = np.sqrt((2.0, 3.0, 5.0))  # no two triangles lie equally far along it but the same one


@dataclass(frozen=True)
class Volume:
    """Solid voxels of a model.

    Attributes:
        origin: Corner of the grid, shape (3,).
        cell: Edge length of a voxel.
        solid: Which voxels belong to the model, shape (x, y, z); the outermost two layers are always empty.
        cells: Grid indices of the solid ones, shape (n, 3). Their order numbers them.
        numbers: Number of each voxel of the grid, -1 outside the model. What the surface only passes through has the
            number of a solid voxel beside it.
        inner: Which solid voxels the surface does not pass through, shape (n,).
        added: How many of the last voxels are no part of the model, but join its blocks.
    """

    origin: Array
    cell: float
    solid: Array
    cells: Array
    numbers: Array
    inner: Array
    added: int = 0

    @classmethod
    def from_triangles(cls, triangles: Array, resolution: int = RESOLUTION) -> Volume:
        """The volume of triangles, shape (m, 3, 3)."""
        # What has a back of its own, face on face, would be entered and left at the same place.
        sums = triangles.sum(axis=1) @ _DIRECTION
        sums = np.round(sums / max(float(np.abs(sums).max()), 1e-9), 10)
        triangles = triangles[np.sort(np.unique(sums, return_index=True)[1])]
        low, high = triangles.reshape(-1, 3).min(axis=0), triangles.reshape(-1, 3).max(axis=0)
        size = high - low
        coarse = max(float(size.max()), 1e-9) / resolution
        cell = float(np.clip(4 * size[2] / resolution, _LOWEST * coarse, coarse))
        while True:
            shape = tuple(int(count) for count in np.floor(size / cell).astype(int) + 1 + 2 * _PAD)
            origin = low - _PAD * cell
            surface = passed(triangles, origin, cell, shape)
            solid = _solid(surface, (triangles - origin) / cell - 0.5)
            if (count := int(solid.sum())) <= MOST_VOXELS:
                break
            cell *= max((count / MOST_VOXELS) ** (1 / 3), 1.05)
        cells = np.argwhere(solid)
        numbers = np.full(shape, -1, np.int32)
        numbers[tuple(cells.T)] = np.arange(len(cells), dtype=np.int32)
        return cls(origin, cell, solid, cells, _spread(numbers, surface), ~surface[solid])

    @cached_property
    def centres(self) -> Array:
        """Middles of the solid voxels, shape (n, 3)."""
        return self.origin + (self.cells + 0.5) * self.cell

    @property
    def floor(self) -> float:
        """Height of the ground under it."""
        return float(self.origin[2] + self.cells[:, 2].min() * self.cell)

    @property
    def height(self) -> float:
        """From the ground to the top."""
        return float(np.ptp(self.cells[:, 2]) + 1) * self.cell

    def turned(self) -> Volume:
        """The volume after a quarter turn around +Z, anticlockwise; the voxels keep their numbers."""
        deep = self.solid.shape[1]
        origin = np.array([-self.origin[1] - deep * self.cell, self.origin[0], self.origin[2]])
        cells = np.stack((deep - 1 - self.cells[:, 1], self.cells[:, 0], self.cells[:, 2]), axis=1)
        return replace(self, origin=origin, solid=np.rot90(self.solid), cells=cells, numbers=np.rot90(self.numbers))

    def with_more(self, cells: Array) -> Volume:
        """The volume and further voxels, shape (k, 3), that join its blocks; they get the last numbers."""
        solid, numbers = self.solid.copy(), self.numbers.copy()
        solid[tuple(cells.T)], numbers[tuple(cells.T)] = True, len(self.cells) + np.arange(len(cells))
        inner, every = np.append(self.inner, np.ones(len(cells), bool)), np.concatenate((self.cells, cells))
        return Volume(self.origin, self.cell, solid, every, numbers, inner, self.added + len(cells))

    def without(self, instead: Array) -> Volume:
        """The volume without some voxels: for each another one's number, which its place gets, or -1 if it stays."""
        kept, solid = instead < 0, np.zeros_like(self.solid)
        solid[tuple(self.cells[kept].T)] = True
        numbers = np.append((np.cumsum(kept) - 1)[np.where(kept, np.arange(len(kept)), instead)], -1)[self.numbers]
        return replace(self, solid=solid, cells=self.cells[kept], numbers=numbers, inner=self.inner[kept])

    def at(self, points: Array) -> Array:
        """Numbers of the voxels that points, shape (k, 3), lie in; -1 outside the model."""
        places = np.floor((points - self.origin) / self.cell).astype(int)
        return np.asarray(self.numbers[tuple(np.clip(places, 0, np.array(self.solid.shape) - 1).T)])

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


def _crossed(triangles: Array, shape: tuple[int, ...], axis: int) -> Array:
    """Which middles of voxels, whole numbers, a line along an axis has entered not as often as it has left there."""
    order = [(axis + 1) % 3, (axis + 2) % 3, axis]
    corners = triangles[:, :, order] + _OFF_THE_EDGES
    crossings = np.zeros([shape[other] for other in order], np.int16)
    owner, *place = pixels_in(corners[..., :2], crossings.shape[:2], 0.0)
    one, other, third = np.moveaxis(corners, 1, 0)
    normals = np.cross(other - one, third - one)[owner]
    met = np.flatnonzero(normals[:, 2])
    owner, normals, (x, y) = owner[met], normals[met], np.array(place)[:, met]
    depth = one[owner, 2] - ((x - one[owner, 0]) * normals[:, 0] + (y - one[owner, 1]) * normals[:, 1]) / normals[:, 2]
    steps = np.clip(np.floor(depth).astype(int) + 1, 0, shape[axis] - 1)
    np.add.at(crossings, (x, y, steps), np.sign(normals[:, 2]).astype(np.int16))
    return np.moveaxis(np.cumsum(crossings, axis=2) != 0, (0, 1, 2), order)


def _solid(surface: Array, triangles: Array) -> Array:
    """The voxels whose middles are inside, as two of three directions say; and thin things with nothing inside.

    Voxels that the surface only passes through do not count: two legs that nearly touch stay apart.
    """
    votes = sum(_crossed(triangles, surface.shape, axis).astype(np.int8) for axis in range(3))
    within = np.pad(np.ones([size - 2 * _PAD for size in surface.shape], bool), _PAD)
    inner = ((votes >= 2) & within) | ~(outside(surface) | surface)
    return inner | (surface & ~grown(inner))


def _spread(numbers: Array, surface: Array) -> Array:
    """Numbers for the voxels of the surface that are not solid: of a neighbour, one with a common face if there is."""
    result = numbers.copy()
    for offset in sorted(np.ndindex(3, 3, 3), key=lambda step: sum(abs(part - 1) for part in step)):
        open_ = np.nonzero(surface & (result < 0))
        result[open_] = numbers[tuple(place + part - 1 for place, part in zip(open_, offset, strict=True))]
    return result
