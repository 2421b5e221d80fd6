"""A body in horizontal slices: the pieces of each slice, and which lie on which (its Reeb graph over the height)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..array_types import Array
from ..mesh.connected import components
from .voxel_paths import FACES, VoxelGraph
from .voxels import Volume

_CLEFT = 0.75  # of a leg's depth: what is thinner between two of them joins no legs
_WAIST = 0.5  # of the height: what a gown hides the legs in is below
_HEM, _STEADY, _NARROWEST, _FLARE = 0.1, 0.15, 0.12, 0.85  # of the height; of its width; a pole; a pillar is as wide


@dataclass(frozen=True, slots=True)
class Slices:
    """The pieces of the slices; those that touch at a corner only are two.

    Attributes:
        of_voxels: The piece that each voxel is in.
        level: The slice of each piece, 0 at the ground.
        sizes: Voxels of each piece.
        middles: Middle of each piece, shape (k, 3).
        low: Smallest x and y of each piece, shape (k, 2).
        high: Largest x and y of each piece, shape (k, 2).
        pairs: Pieces of neighbouring slices that touch, shape (p, 2).
    """

    of_voxels: Array
    level: Array
    sizes: Array
    middles: Array
    low: Array
    high: Array
    pairs: Array

    @classmethod
    def from_graph(cls, inside: VoxelGraph, *, clefts: bool = False, gown: int | None = None) -> Slices:
        """Cuts a volume, where asked for also along clefts, or a gown across an axis: there are two legs in it then."""
        cells = inside.volume.cells
        source, target = inside.steps_to(FACES)
        joined: Array | slice = slice(None)
        if clefts:
            joined = ~_across_clefts(inside.volume, cells[source], cells[target])
        elif gown is not None:
            left = cells[:, gown] > np.median(cells[:, gown])
            above = inside.volume.centres[source, 2] > inside.volume.floor + _WAIST * inside.volume.height
            joined = above | (left[source] == left[target])
        source, target = source[joined], target[joined]
        flat = cells[source, 2] == cells[target, 2]
        piece = components(len(cells), np.stack((source[flat], target[flat]), axis=1))
        sizes = np.bincount(piece)
        centres = inside.volume.centres
        middles = np.stack([np.bincount(piece, column) / sizes for column in centres.T], axis=1)
        level = np.zeros(len(sizes), np.int64)
        level[piece] = cells[:, 2] - cells[:, 2].min()
        low, high = np.full((len(sizes), 2), np.inf), np.full((len(sizes), 2), -np.inf)
        for axis in range(2):
            np.minimum.at(low[:, axis], piece, centres[:, axis])
            np.maximum.at(high[:, axis], piece, centres[:, axis])
        keys = piece[source[~flat]] * len(sizes) + piece[target[~flat]]
        pairs = np.stack(np.divmod(np.unique(keys), len(sizes)), axis=1)
        return cls(piece, level, sizes, middles, low, high, pairs)

    def turned(self, turn: Array) -> Slices:
        """The slices after quarter turns around +Z, a rotation of shape (3, 3)."""
        ends = np.stack((self.low, self.high)) @ turn[:2, :2].T
        return replace(self, middles=self.middles @ turn.T, low=ends.min(axis=0), high=ends.max(axis=0))

    def middle(self, pieces: Array) -> Array:
        """The middle of some pieces together, shape (3,)."""
        return np.average(self.middles[pieces], axis=0, weights=self.sizes[pieces])

    def size(self, pieces: Array) -> Array:
        """How far some pieces reach together along x and y, from middle to middle of their voxels, shape (2,)."""
        return np.asarray(self.high[pieces].max(axis=0) - self.low[pieces].min(axis=0))

    def flares(self) -> bool:
        """Whether the lower half is one thing that becomes wider downwards, steadily, as a gown does."""
        levels = np.arange(int(_HEM * self.level.max()), int(_WAIST * self.level.max()) + 1)
        wide = np.sqrt([self.sizes[self.level == level].max(initial=0) for level in levels])
        even = np.abs(wide - np.linspace(wide[0], wide[-1], len(wide))) < _STEADY * wide[0]
        return bool(even.all() and _NARROWEST * self.level.max() < wide[-1] < _FLARE * wide[0])

    def columns(self, chosen: Array) -> Array:
        """Pieces that touch as one: numbers for those chosen by a mask, -1 for the others."""
        return np.where(chosen, components(len(chosen), self.pairs[chosen[self.pairs].all(axis=1)]), -1)


def _across_clefts(volume: Volume, source: Array, target: Array) -> Array:
    """Which of the links between cells, shape (k, 3) each, cross a cleft between limbs, or walls of theirs in it."""
    across = np.zeros(len(source), bool)
    for axis in range(2):
        depths = np.zeros((volume.solid.shape[axis], volume.solid.shape[2]), int)
        np.add.at(depths, tuple(volume.cells[volume.inner][:, (axis, 2)].T), 1)
        before, after = (np.maximum.accumulate(side, axis=0) for side in (depths, depths[::-1]))
        cleft = depths < _CLEFT * np.minimum(before, after[::-1])
        cleft[1:] &= depths[1:] < depths[:-1]  # at its first column
        cleft[:-1] &= depths[:-1] <= depths[1:]
        across |= (source[:, axis] != target[:, axis]) & cleft[np.maximum(source, target)[:, axis], source[:, 2]]
    return across
