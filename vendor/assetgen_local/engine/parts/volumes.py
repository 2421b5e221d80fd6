"""Parts of a volume: cut one after the other where what lies on one side sees little of the other, from the inside.

Inside of a convex thing everything sees everything; where a leg meets a top, or a head a trunk, little does. For that
the volume is taken as a few hundred lumps; cuts are looked for along the slow modes of what sees and touches what.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..array_types import Array
from ..body.voxel_paths import VoxelGraph, thick

MOST_PARTS = 12
"""Of a model that is no body, where nobody says how many."""

_LUMPS = 500
_STEPS = 128  # on a line between two lumps
_MODES = 10
_FINER = 1.5  # the radii that thickness is measured in are each so many times the one before
_SMALLEST, _SMALL = 0.004, 0.012  # of all voxels: a part, and one that a loose piece has by nature
_NATURAL = 5.0  # the price of the dearest cut that is made where no number of parts is asked for
_MOST, _WORTH = 0.8, 3.0  # of all voxels: a part that is nearly everything, and how much dearer a cut of it may be
_CONVEX = 0.99  # of what both sides would see of each other in a convex part: no cut is dearer for seeing more
_SEAM = 0.3  # of its area, and of what sees through it: what a cut costs between pieces that only touch


@dataclass(frozen=True, slots=True)
class _Lumps:
    """A volume as lumps.

    Attributes:
        of_voxels: The lump of each voxel.
        sizes: How many voxels each has.
        contact: The area that each two share, in faces of voxels, shape (lumps, lumps).
        sight: Whether a straight line from one to the other stays inside, likewise.
    """

    of_voxels: Array
    sizes: Array
    contact: Array
    sight: Array

    @classmethod
    def from_volume(cls, inside: VoxelGraph, labels: Array, pieces: Array) -> _Lumps:
        """Blocks of voxels of one part, finer near the surface."""
        cells, depth = inside.volume.cells.astype(np.int64), inside.depth / inside.volume.cell
        blocks, edge = np.arange(len(cells)), 1
        while blocks.max() >= _LUMPS and edge < depth.max() + 200:
            edge += 1
            deep = depth > edge
            corner = np.where(deep[:, None], cells // (2 * edge) * 2, cells // edge)
            keys = ((labels * 2 + deep) * 1000 + corner[:, 0]) * 1_000_000 + corner[:, 1] * 1000 + corner[:, 2]
            blocks = np.unique(keys, return_inverse=True)[1].reshape(-1)
        lump = inside.labels(blocks)
        lump = lump if lump.max() < 2 * _LUMPS else blocks
        count = int(lump.max()) + 1
        order = np.lexsort((-inside.depth, lump))
        seeds = order[np.searchsorted(lump[order], np.arange(count))]  # the deepest voxel of each
        source, target = inside.links
        worth = np.where(pieces[source] == pieces[target], 1.0, _SEAM) * (6 / 26)  # of 26 neighbours six share a face
        contact = np.bincount(lump[source] * np.int64(count) + lump[target], worth, count * count)
        contact = contact.reshape(count, count) * (1 - np.eye(count))
        sight = _sight(inside, seeds) * np.where(pieces[seeds][:, None] == pieces[seeds], 1.0, _SEAM)
        return cls(lump, np.bincount(lump).astype(float), contact + contact.T, sight)


def cut_apart(inside: VoxelGraph, labels: Array, pieces: Array, count: int | None) -> Array:
    """Cuts parts of a volume again and again, the best cut first; what it takes off in several places is as many parts.

    Args:
        inside: The model.
        labels: The part of each voxel to begin with, 0, 1, ...
        pieces: The loose piece that each voxel belongs to.
        count: How many parts are wanted; None for as many as are there by nature.
    """
    labels = labels.copy()
    lumps = _Lumps.from_volume(inside, labels, pieces)
    least = max((_SMALL if count is None and labels.any() else _SMALLEST) * len(labels), 4.0)
    cuts: dict[int, tuple[float, Array]] = {}
    while (made := int(labels.max()) + 1) < (most := MOST_PARTS if count is None else count):
        for part in range(made):
            if part not in cuts:
                price, off = _best_cut(lumps, np.unique(lumps.of_voxels[labels == part]), least)
                cuts[part] = price / (_WORTH if (labels == part).mean() > _MOST else 1.0), off
        price, off = cuts.pop(min(cuts, key=lambda part: cuts[part][0]))
        if price > (_NATURAL if count is None else 1e30):
            break
        places = inside.labels(np.isin(lumps.of_voxels, off))
        several = int((np.bincount(places[places >= 0]) >= least / 2).sum())
        several = several if made + several <= most else 1
        labels = np.where(places >= 0, made + np.where(places < several, places, 0), labels)
    return labels


def thickness(inside: VoxelGraph) -> Array:
    """The radius of about the largest ball inside the model that covers each voxel."""
    radius = inside.volume.cell
    result = np.full(len(inside.volume.cells), radius)
    while (covered := thick(inside, radius * _FINER)).any():
        radius *= _FINER
        result[covered] = radius
    return result


def _sight(inside: VoxelGraph, seeds: Array) -> Array:
    """1 for each two of these voxels between which a straight line stays in the model, and on the diagonal; else 0."""
    first, second = np.triu_indices(len(seeds), 1)
    middles, filled = inside.volume.cells[seeds].T + 0.5, inside.volume.numbers >= 0
    for share in (np.random.default_rng(0).permutation(_STEPS) + 0.5) / _STEPS:  # what is blocked is found out early
        places = ((middles * (1 - share))[:, first] + (middles * share)[:, second]).astype(int)
        free = filled[tuple(places)]
        first, second = first[free], second[free]
    result = np.eye(len(seeds))
    result[first, second] = result[second, first] = 1.0
    return result


def _best_cut(lumps: _Lumps, members: Array, least: float) -> tuple[float, Array]:
    """The price of the best way to take a part in two, and the lumps that it takes off: at least so many voxels.

    The price is low where the sides see little of what they would see of each other if the part was convex, and where
    the area of the cut is small for the size of the smaller side.
    """
    best = np.inf, members[:0]
    inner = np.ix_(members, members)
    for order in _orders(lumps.sight[inner], lumps.contact[inner]):
        every = members[order]
        seen, across = _sums(lumps.sight[np.ix_(every, every)])
        _, area = _sums(lumps.contact[np.ix_(every, every)])
        sizes = np.cumsum(lumps.sizes[every])
        smaller = np.minimum(sizes, sizes[-1] - sizes)[:-1]
        share = np.minimum(seen, seen[-1] - seen)[:-1] / seen[-1]
        convex = across[:-1] / np.maximum(share * (1 - share) * seen[-1], 1e-9)
        price = convex**2 / np.maximum(1 - convex, 1 - _CONVEX)
        price *= np.sqrt(np.maximum(area[:-1], 1.0) * lumps.sizes.sum() ** (1 / 3) / np.maximum(smaller, 1.0))
        price[smaller < least] = np.inf
        if len(price) and price.min() < best[0]:
            place = int(price.argmin()) + 1
            best = float(price.min()), every[:place] if 2 * sizes[place - 1] <= sizes[-1] else every[place:]
    return best


def _orders(*graphs: Array) -> Iterator[Array]:
    """The nodes of each graph along its slow modes, in which strongly linked nodes lie side by side."""
    for weights in graphs:
        scale = 1 / np.sqrt(weights.sum(axis=1) + 1e-9)
        modes = np.linalg.eigh(weights * scale[:, None] * scale)[1] * scale[:, None]
        yield from np.argsort(modes[:, -_MODES:-1], axis=0, kind="stable").T[::-1]


def _sums(weights: Array) -> tuple[Array, Array]:
    """For the first nodes, and one more each time: their degrees in sum, and the weight from them to all the others."""
    degrees = np.cumsum(weights.sum(axis=1))
    across: Array = degrees - np.cumsum(2 * np.tril(weights, -1).sum(axis=1) + np.diag(weights))
    return degrees, across
