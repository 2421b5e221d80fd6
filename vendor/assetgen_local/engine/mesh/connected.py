"""Groups of things that touch: pixels of a mask, voxels, vertices of a mesh. numpy only."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array_types import Array, Mask, Points

TOUCHING = 1e-5
"""Of the diagonal: points of two objects that are closer are one place."""

_LARGEST_PATTERN = 256
_MANY = 4  # pairs of a thing
_SLENDER = 8  # times as long as wide: a rod's triangles need many points along it, and few across
_EVEN_STEP = 0.55  # of a voxel; samples of the surface closer than this leave no hole in it


def components(count: int, pairs: Array) -> Array:
    """The group of each of ``count`` things when the two of each pair belong together: 0, 1, ... by their first things.

    Args:
        count: How many things there are.
        pairs: Shape (n, 2), indices below ``count``.
    """
    if len(pairs) > _MANY * count:  # a few of so many make nearly one group of what is one in the end
        few = components(count, pairs[::_MANY])
        left = few[pairs]
        return np.asarray(components(int(few.max(initial=0)) + 1, left[left[:, 0] != left[:, 1]])[few])
    root = np.arange(count)
    first, second = pairs[:, 0], pairs[:, 1]
    while True:
        one, other = root[first], root[second]
        apart = one != other
        if not apart.any():
            break
        first, second, one, other = first[apart], second[apart], one[apart], other[apart]
        np.minimum.at(root, np.maximum(one, other), np.minimum(one, other))
        while not np.array_equal(deeper := root[root], root):  # every thing points at its group's smallest member
            root = deeper
    return np.asarray((np.cumsum(root == np.arange(count)) - 1)[root])


def same_places(points: Points, distance: float) -> Array:
    """The group of each point, (n,): those within about a distance of each other are in one.

    Args:
        points: (n, 3).
        distance: Points a third of it apart are always together, such twice as far as it never, but by others between.
    """
    # Most points of a file have others at exactly their place, which random numbers tell sooner than three grids.
    bits = np.ascontiguousarray(points, np.float64).view(np.uint64)
    drawn = np.random.default_rng(0).integers(np.iinfo(np.uint64).max, size=3, dtype=np.uint64) | np.uint64(1)
    mixed = ((axis ^ (axis >> np.uint64(32))) * by for axis, by in zip(bits.T, drawn, strict=True))
    _, first, index = np.unique(sum(mixed), return_index=True, return_inverse=True)  # what had 32 bits ends on zeros
    kept, rank = np.unique(first, return_inverse=True)
    places, pairs = points[kept], []
    for offset in (0.0, 1 / 3, 2 / 3):  # what a border of one grid parts, lies in one cell of another
        cells = np.round(places / distance + offset).astype(np.int64)
        cells -= cells.min(axis=0)
        steps = cells.max(axis=0) + 1
        keys = (cells[:, 0] * steps[1] + cells[:, 1]) * steps[2] + cells[:, 2]
        order = np.argsort(keys, kind="stable")
        same = keys[order][1:] == keys[order][:-1]
        pairs.append(np.stack((order[:-1][same], order[1:][same]), axis=1))
    return np.asarray(components(len(kept), np.concatenate(pairs))[rank][index.reshape(-1)])


def by_size(group: Array, sizes: Array | None = None) -> Array:
    """The groups renamed 0, 1, ...: the largest first, of equal ones the one that begins first.

    Args:
        group: The group of each thing.
        sizes: The size of each thing; 1 where left out.
    """
    _, first, index = np.unique(group, return_index=True, return_inverse=True)
    total = np.bincount(index, sizes, len(first))
    rank = np.empty(len(first), np.int32)
    rank[np.lexsort((first, -total))] = np.arange(len(first))
    return np.asarray(rank[index])


def edges_of(faces: Array) -> tuple[Array, Array]:
    """Every edge of faces with equally many corners once, (n, 2), and how many faces have it, (n,)."""
    count = int(faces.max(initial=0)) + 1
    keys, uses = np.unique(side_keys(faces, count), return_counts=True)
    return np.stack(np.divmod(keys, count), axis=1), uses


def side_keys(faces: Array, count: int) -> Array:
    """The sides of faces of ``count`` points, from each corner to the next, as numbers; the same in both directions."""
    there = np.roll(faces, -1, axis=1)
    keys: Array = np.minimum(faces, there).astype(np.int64) * count + np.maximum(faces, there)
    return keys.ravel()


def perhaps_alike(triangles: Array, count: int) -> Array:
    """The triangles, (n, 3), that may be on the same points as another: all that are, and hardly ever one more."""
    mixed = np.random.default_rng(0).integers(1 << 61, size=count)
    keys = mixed[triangles[:, 0]] + mixed[triangles[:, 1]] + mixed[triangles[:, 2]]  # whichever comes first
    ordered = np.sort(keys)
    return np.flatnonzero(np.isin(keys, ordered[1:][ordered[1:] == ordered[:-1]]))


def neighbour_means(points: Array, edges: Array) -> Array:
    """For every point, (n, 3) or (n, 2), the mean of those that it shares an edge with; itself where there is none."""
    here, there = np.concatenate((edges, edges[:, ::-1])).T
    count = np.bincount(here, minlength=len(points))[:, None]
    total = np.stack([np.bincount(here, axis[there], len(points)) for axis in points.T], axis=1)
    return np.where(count > 0, total / np.maximum(count, 1), points)


def regions(mask: Mask, *, diagonal: bool = False) -> Array:
    """The connected regions of a mask: 0 where it is false, else 1, 2, ... from the largest region to the smallest.

    Args:
        mask: Shape (height, width).
        diagonal: Whether pixels that only share a corner touch.
    """
    numbers = np.full(mask.shape, -1, np.int64)
    count = int(mask.sum())
    numbers[mask] = np.arange(count)
    shifts: list[tuple[Any, Any]] = [(np.s_[:-1, :], np.s_[1:, :]), (np.s_[:, :-1], np.s_[:, 1:])]
    if diagonal:
        shifts += [(np.s_[:-1, :-1], np.s_[1:, 1:]), (np.s_[:-1, 1:], np.s_[1:, :-1])]
    touching = []
    for here, there in shifts:
        both = mask[here] & mask[there]
        touching.append(np.stack((numbers[here][both], numbers[there][both]), axis=1))
    result = np.zeros(mask.shape, np.int64)
    result[mask] = by_size(components(count, np.concatenate(touching))) + 1
    return result


def outside(wall: Mask) -> Mask:
    """What of a grid of voxels, (x, y, z), can be reached from around it through faces, without passing a wall."""
    free = np.pad(~wall, 1, constant_values=True)
    reached = np.zeros_like(free)
    reached[0] = True
    while True:
        before = int(reached.sum())
        for axis in range(3):
            lines, open_ = np.moveaxis(reached, axis, 0), np.moveaxis(free, axis, 0)
            for order in (range(1, len(lines)), range(len(lines) - 2, -1, -1)):
                for place in order:
                    lines[place] |= lines[place - order.step] & open_[place]
        if int(reached.sum()) == before:
            return reached[1:-1, 1:-1, 1:-1]


def passed(triangles: Array, origin: Array, cell: float, shape: tuple[int, ...]) -> Mask:
    """The voxels that triangles, (m, 3, 3), pass through, by points on them closer together than voxels."""
    surface = np.zeros(shape, bool)
    sides = np.linalg.norm(triangles - np.roll(triangles, 1, axis=1), axis=2)  # from the corner before to each
    steps = np.ceil(np.sort(sides, axis=1)[:, [0, 2]] / (cell * _EVEN_STEP)).astype(int).clip(1, _LARGEST_PATTERN)
    keys = np.where(steps[:, 1] > _SLENDER * steps[:, 0], steps[:, 0], steps[:, 1]) * 1000 + steps[:, 1]
    triangles = np.take_along_axis(triangles, (sides.argmin(axis=1)[:, None, None] + [[-1], [0], [1]]) % 3, axis=1)
    for key in np.unique(keys):  # across and along
        u, v = (grid.ravel() for grid in np.meshgrid(*(np.arange(count + 1) / count for count in divmod(key, 1000))))
        pattern = np.stack((1 - u - v, u, v)).compress(u + v < 1 + 1e-9, axis=1)  # (3, p)
        chosen = triangles[keys == key]
        batch = max(1, 2_000_000 // pattern.shape[1])
        for start in range(0, len(chosen), batch):
            points = np.einsum("mci,cp->mpi", chosen[start : start + batch], pattern).reshape(-1, 3)
            places = np.floor((points - origin) / cell + 1e-6).astype(int)
            surface[tuple(np.clip(places, 0, np.array(shape) - 1).T)] = True
    return surface


def grown(mask: Mask, *, diagonal: bool = True) -> Mask:
    """A mask of voxels and what is around it, with or without what only shares an edge or a corner with it."""
    result = mask
    for axis in range(3):
        before = result if diagonal else mask
        result = result | np.roll(before, 1, axis) | np.roll(before, -1, axis)
    return result


def at_rim(numbered: Array) -> Array:
    """Which of the regions that :func:`regions` has numbered reach the rim, by their numbers; 0 is none."""
    result = np.zeros(int(numbered.max()) + 1, bool)
    for side in (numbered[0], numbered[-1], numbered[:, 0], numbered[:, -1]):
        result[side] = True
    result[0] = False
    return result
