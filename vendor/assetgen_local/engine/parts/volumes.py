"""Parts of a volume: cut one after the other where it is narrow between two large parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..array_types import Array
from ..body.voxel_paths import VoxelGraph, thick
from ..body.voxels import Volume

MOST_PARTS = 12
"""Of a model that is no body, where nobody says how many."""

_ENDS = 5  # of a part, between which it is looked for cuts
_LEVELS = 96
_FINER = 1.5  # the radii that thickness is measured in are each so many times the one before
_SMALLEST = 0.004  # of all voxels
_NATURAL = 0.4  # the price of the dearest cut that is made where no number of parts is asked for
_SEAM = 0.3  # of its area: what a cut costs between pieces that only touch


@dataclass(frozen=True, slots=True)
class _Cut:
    """The best way to take a part in two.

    Attributes:
        price: Its area as a part of the smaller side's size; less where the part is much thicker beside it.
        off: The voxels that it takes off, by their numbers in the whole model.
    """

    price: float
    off: Array


def cut_apart(inside: VoxelGraph, labels: Array, pieces: Array, count: int | None) -> Array:
    """Cuts parts of a volume again and again, the best cut first.

    Args:
        inside: The model.
        labels: The part of each voxel to begin with, 0, 1, ...
        pieces: The loose piece that each voxel belongs to.
        count: How many parts are wanted; None for as many as are there by nature.
    """
    labels = labels.copy()
    cuts: dict[int, _Cut | None] = {}
    while (made := int(labels.max()) + 1) < (MOST_PARTS if count is None else count):
        for part in range(made):
            if part not in cuts:
                cuts[part] = _best_cut(inside, np.flatnonzero(labels == part), pieces)
        part = min(range(made), key=lambda part: cut.price if (cut := cuts[part]) else np.inf)
        best = cuts[part]
        if best is None or (count is None and best.price > _NATURAL):
            break
        labels[best.off] = made
        del cuts[part]
    return labels


def thickness(inside: VoxelGraph) -> Array:
    """The radius of about the largest ball inside the model that covers each voxel."""
    radius = inside.volume.cell
    result = np.full(len(inside.volume.cells), radius)
    while (covered := thick(inside, radius * _FINER)).any():
        radius *= _FINER
        result[covered] = radius
    return result


def join_to(inside: VoxelGraph, labels: Array, count: int) -> Array:
    """Joins the smallest parts with what they touch most, until there are at most ``count``."""
    source, target = inside.links
    while len(sizes := np.bincount(labels)) > count:
        small = int(sizes.argmin())
        touching = np.concatenate((labels[target[labels[source] == small]], labels[source[labels[target] == small]]))
        votes = np.bincount(touching[touching != small], minlength=len(sizes))
        joined = np.where(labels == small, votes.argmax() if votes.any() else sizes.argmax(), labels)
        labels = np.unique(joined, return_inverse=True)[1].reshape(-1)
    return labels


def _best_cut(inside: VoxelGraph, members: Array, pieces: Array) -> _Cut | None:
    least = max(_SMALLEST * len(inside.volume.cells), 4.0)
    if len(members) < 2 * least:
        return None
    part = _part_of(inside, members)
    source, target = part.links
    worth = np.where(pieces[members][source] == pieces[members][target], 1.0, _SEAM)
    fields = _from_ends(part)
    best = _Cut(np.inf, members[:0])
    pairs = [fields[first] - fields[second] for first in range(len(fields)) for second in range(first)]
    for field in (*fields, *pairs):
        low, high = float(field.min()), float(field.max())
        level = np.minimum((field - low) / max(high - low, 1e-12) * _LEVELS, _LEVELS - 1).astype(int)
        area = _crossing(level[source], level[target], worth)
        below = np.cumsum(np.bincount(level, minlength=_LEVELS))[:-1]
        smaller = np.minimum(below, len(members) - below)
        price = _narrowness(area, (high - low) / _LEVELS / inside.volume.cell) * area
        price *= len(inside.volume.cells) ** (1 / 3)  # so that it is the same for finer voxels
        price = np.where(smaller >= least, price / np.maximum(smaller, 1), np.inf)
        place = int(price.argmin())
        if price[place] < best.price:
            side = level <= place
            best = _Cut(float(price[place]), members[side if 2 * side.sum() <= len(side) else ~side])
    return best if np.isfinite(best.price) else None


def _crossing(first: Array, second: Array, worth: Array) -> Array:
    """The area of the cut after each level but the last, in faces of voxels."""
    steps = np.bincount(np.minimum(first, second), worth, _LEVELS) - np.bincount(
        np.maximum(first, second), worth, _LEVELS
    )
    return np.cumsum(steps)[:-1] * (6 / 26)  # of 26 neighbours six share a face


def _narrowness(area: Array, width: float) -> Array:
    """How narrow each level is beside the widest one that is as far away as it is wide itself; at most 1.

    Args:
        area: Of the cut at each level, in faces of voxels.
        width: Of a level, in voxels.
    """
    widest = area.copy()
    reach = np.sqrt(area) / max(width, 1e-9)
    for step in range(1, _LEVELS):
        near = step <= reach
        if not near.any():
            break
        later = np.concatenate((area[step:], np.zeros(step)))[: len(area)]
        before = np.concatenate((np.zeros(step), area[:-step]))[: len(area)]
        widest = np.where(near, np.maximum(widest, np.maximum(later, before)), widest)
    return area / np.maximum(widest, 1e-9)


def _part_of(inside: VoxelGraph, members: Array) -> VoxelGraph:
    """Some voxels as a volume of their own."""
    whole = inside.volume
    cells = whole.cells[members]
    solid = np.zeros(whole.solid.shape, bool)
    solid[tuple(cells.T)] = True
    numbers = np.full(solid.shape, -1, np.int32)
    numbers[tuple(cells.T)] = np.arange(len(cells), dtype=np.int32)
    return VoxelGraph.from_volume(Volume(whole.origin, whole.cell, solid, cells, numbers))


def _from_ends(part: VoxelGraph) -> list[Array]:
    """Distances from the ends of a part: each is the point farthest from those before."""
    from_middle = part.distances(np.array([part.volume.nearest(part.volume.centres.mean(axis=0))]))
    end = int(from_middle.argmax())
    fields = [part.distances(np.array([end]))]
    nearest = fields[0]
    while len(fields) < _ENDS:
        end = int(np.minimum(nearest, from_middle * 2).argmax())
        fields.append(part.distances(np.array([end])))
        nearest = np.minimum(nearest, fields[-1])
    return fields
