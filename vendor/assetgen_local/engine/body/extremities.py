"""The tips of limbs: where the distance from the middle of a body has its peaks, as in a Reeb graph."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..array_types import Array
from .voxel_paths import VoxelGraph

_BAND = 1.6  # voxels; one layer of distance


@dataclass(frozen=True, slots=True)
class Tip:
    """A peak of the distance.

    Attributes:
        voxel: Where it is.
        distance: From the source.
        base: Distance at which it grows together with another limb of some length.
    """

    voxel: int
    distance: float
    base: float

    @property
    def length(self) -> float:
        """How far the limb stands out."""
        return self.distance - self.base


def tips(inside: VoxelGraph, distance: Array, shortest: float) -> list[Tip]:
    """The limbs that stand out by at least ``shortest``; none where there is only one.

    Args:
        inside: The body.
        distance: Of every voxel from the middle of the body.
        shortest: Peaks that stand out less are part of the limb they are on.
    """
    width = inside.volume.cell * _BAND
    bands = np.floor(distance / width).astype(np.int64)
    node = inside.labels(bands)
    count = int(node.max()) + 1
    band = np.zeros(count, np.int64)
    band[node] = bands
    peak = np.zeros(count, np.int64)
    outwards = np.argsort(distance, kind="stable")
    peak[node[outwards]] = outwards  # the farthest voxel of each node is the last
    links = np.stack([node[ends] for ends in inside.links]).astype(np.int64)
    one, other = np.sort(links[:, links[0] != links[1]], axis=0)
    pairs = np.stack(np.divmod(np.unique(one * count + other), count), axis=1)
    lower = band[pairs].min(axis=1)
    root = list(range(count))

    def find(item: int) -> int:
        while root[item] != item:
            root[item] = root[root[item]]
            item = root[item]
        return item

    base: dict[int, float] = {}
    for index in np.argsort(-lower, kind="stable").tolist():
        first, second = (find(item) for item in pairs[index].tolist())
        if first == second:
            continue
        if distance[peak[first]] < distance[peak[second]]:
            first, second = second, first
        level = float((lower[index] + 1) * width)
        if distance[peak[second]] - level >= shortest:
            base.setdefault(int(peak[second]), level)
            base.setdefault(int(peak[first]), level)
        root[second] = first
    return [Tip(voxel, float(distance[voxel]), level) for voxel, level in base.items()]


def limb(inside: VoxelGraph, distance: Array, tip: Tip) -> Array:
    """A mask of the voxels of a limb, from its base to its tip."""
    part = inside.labels(distance >= tip.base)
    return part == part[tip.voxel]


def centreline(inside: VoxelGraph, distance: Array, members: Array, tip: Tip, fractions: Array) -> Array:
    """Points along the middle of a limb, at fractions of its length from base to tip, shape (k, 3)."""
    centres, ways = inside.volume.centres[members], distance[members]
    aways = (np.abs(ways - (tip.base + fraction * tip.length)) for fraction in fractions)
    widest = 1.5 * inside.volume.cell
    return np.array([centres[away <= max(widest, float(away.min()))].mean(axis=0) for away in aways])
