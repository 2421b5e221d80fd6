"""Ways and distances inside a volume, from voxel to voxel; empty space is crossed only where pieces do not touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter

import numpy as np
from mathutils.kdtree import KDTree

from ..array_types import Array
from ..mesh.connected import by_size, components
from .voxels import Volume

_OFFSETS = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) != (0, 0, 0)])
_HALF = 13  # of the directions: the other ones are these, reversed
FACES = np.flatnonzero(np.abs(_OFFSETS[:_HALF]).sum(axis=1) == 1)  # directions of those that share one
_MOST_PIECES = 60  # pieces that are bridged to their true neighbour; of more, the small ones go to the largest

_GAP, _BLOCK, _PEG, _FAR = 0.07, 0.005, 0.5, 4.0  # of the height; of all voxels; of an upper piece's radius; its size


@dataclass(frozen=True, eq=False)
class VoxelGraph:
    """The voxels of a volume as a graph: 26 neighbours each, and bridges between pieces that do not touch.

    Attributes:
        volume: What is walked in.
        neighbours: Number of the neighbour in each of 26 directions, -1 for none, shape (26, n).
        lengths: Length of a step in each direction.
        bridges: Pairs of voxels, shape (b, 2).
        bridge_lengths: Their distances.
    """

    volume: Volume
    neighbours: Array
    lengths: Array
    bridges: Array
    bridge_lengths: Array

    @classmethod
    def from_volume(cls, volume: Volume) -> VoxelGraph:
        """Finds neighbours, pegs pieces to those they stand on, drops what floats far off, and bridges other gaps."""
        numbers = np.where(volume.solid, volume.numbers, -1).ravel()
        _, deep, high = volume.solid.shape
        places, steps = (offsets @ np.array((deep * high, high, 1)) for offsets in (volume.cells, _OFFSETS))
        neighbours = np.stack([numbers[places + step] for step in steps])
        lengths = np.linalg.norm(_OFFSETS, axis=1) * volume.cell
        loose = cls(volume, neighbours, lengths, np.empty((0, 2), np.int32), np.empty(0))
        pieces = loose.labels(np.ones(len(volume.cells), bool))
        if len(pegs := _pegs(volume.cells, pieces)):
            return cls.from_volume(volume.with_more(pegs))
        bridges = _bridges(volume.centres, pieces)
        gaps = np.linalg.norm(volume.centres[bridges[:, 0]] - volume.centres[bridges[:, 1]], axis=1)
        sizes = np.bincount(pieces)
        for near, own in pieces[bridges[::-1]]:  # with all that hangs on a piece
            sizes[near] += sizes[own]
        far = gaps > np.maximum(_FAR * np.cbrt(sizes[pieces[bridges[:, 1]]]) * volume.cell, _GAP * volume.height)
        if far.any():
            instead = np.full(len(sizes), -1)
            for (near, own), gone in zip(bridges, far, strict=True):
                instead[pieces[own]] = near if gone and instead[pieces[near]] < 0 else instead[pieces[near]]
            return cls.from_volume(volume.without(instead[pieces]))
        return cls(volume, neighbours, lengths, bridges, gaps)

    def distances(self, seeds: Array, start: Array | float = 0.0) -> Array:
        """Length of the shortest way from any of the seeds to each voxel, shape (n,).

        Args:
            seeds: Numbers of voxels.
            start: What the way begins with, for each seed or for all.
        """
        reach = np.full(len(self.volume.cells) + 1, np.inf)
        reach[seeds] = start
        reach[-1] = -np.inf  # of neighbours that are not there
        waiting = np.zeros(len(reach), bool)
        waiting[seeds] = True
        while len(front := np.flatnonzero(waiting)):
            # No step is shorter than a voxel: what is no further than that behind the first one can get no nearer.
            front = front[reach[front] <= reach[front].min() + self.volume.cell]
            waiting[front] = False
            there, way = self.neighbours[:, front], reach[front] + self.lengths[:, None]
            steps = [(there.ravel(), way.ravel())]
            steps += [(to, reach[own] + self.bridge_lengths) for own, to in (self.bridges.T, self.bridges.T[::-1])]
            for there, way in steps:
                nearer = way < reach[there] - 1e-12
                np.minimum.at(reach, there[nearer], way[nearer])
                waiting[there[nearer]] = True
        return reach[:-1]

    def labels(self, groups: Array) -> Array:
        """Connected pieces of voxels of one group, the largest first: 0, 1, ...; -1 for voxels that take no part.

        Args:
            groups: A mask of those that take part, or a number for each voxel, negative for those that do not.
        """
        groups = np.where(groups, 0, -1) if groups.dtype == bool else groups
        source, target = self.links
        same = (groups[source] == groups[target]) & (groups[source] >= 0)
        taking = groups >= 0
        result = np.full(len(groups), -1, np.int32)
        result[taking] = by_size(components(len(groups), np.stack((source[same], target[same]), axis=1))[taking])
        return result

    @cached_property
    def links(self) -> tuple[Array, Array]:
        """All pairs of neighbours, bridges included, each once."""
        sources, targets = self.steps_to(range(_HALF))
        return np.append(self.bridges[:, 0], sources), np.append(self.bridges[:, 1], targets)

    def steps_to(self, directions: Sequence[int] | Array) -> tuple[Array, Array]:
        """All pairs of a voxel and its neighbour in one of the directions."""
        there = [np.flatnonzero(self.neighbours[direction] >= 0) for direction in directions]
        targets = [self.neighbours[direction, here] for direction, here in zip(directions, there, strict=True)]
        return np.concatenate(there), np.concatenate(targets)

    def turned(self, quarters: int) -> VoxelGraph:
        """The graph after quarter turns around +Z, anticlockwise; its voxels keep their numbers."""
        volume = self.volume
        for _ in range(quarters % 4):
            volume = volume.turned()
        result = replace(self, volume=volume)
        vars(result).update(steps=self.steps, links=self.links)  # turning changes none of them
        return result

    @cached_property
    def steps(self) -> Array:
        """How far each voxel's middle is from the empty ones, in voxels, shape (n,)."""
        return depth_of(self.volume.solid)[tuple(self.volume.cells.T)]

    @cached_property
    def depth(self) -> Array:
        """About the distance of each voxel to the surface, shape (n,)."""
        return self.steps * self.volume.cell


def depth_of(solid: Array, most: float | None = None) -> Array:
    """Distance of every voxel of a grid to the nearest empty one, in voxels; exact, one axis after the other.

    What is further away than ``most`` has some number above it, which takes a fraction of the time.
    """
    far = float(sum(solid.shape) if most is None else most + 1) ** 2
    square = np.where(solid, far, 0.0).astype(np.float32)  # whole numbers, and few: they are exact
    for axis in range(3):
        nearest = square.copy()
        before, best = np.moveaxis(square, axis, 0), np.moveaxis(nearest, axis, 0)
        for step in range(1, len(best)):
            reach = float(step * step)
            if reach >= best.max():
                break
            np.minimum(best[step:], before[:-step] + reach, out=best[step:])
            np.minimum(best[:-step], before[step:] + reach, out=best[:-step])
        square = nearest
    return np.sqrt(square, dtype=np.float64)


def thick(inside: VoxelGraph, radius: float, around: float = 1.0) -> Array:
    """What a ball inside the body covers on its way (a morphological opening), and ``around`` it, in radii: a mask."""
    place, reach = tuple(inside.volume.cells.T), radius / inside.volume.cell
    outside = np.ones_like(inside.volume.solid)
    outside[place] = inside.steps <= reach
    covered = around * reach + 0.5
    return np.asarray(depth_of(outside, covered)[place] <= covered)


def _pegs(cells: Array, pieces: Array) -> Array:
    """What joins a block to the one right below it, in the middle of where they face each other: cells, shape (k, 3).

    So limbs of blocks with gaps at their joints are limbs, and the gap above a chest is a narrow neck.
    """
    gaps = cells[1:, 2] - cells[:-1, 2] - 1  # of a column: the cells are in its order, those of one upwards
    faces = (cells[1:, :2] == cells[:-1, :2]).all(axis=1) & (gaps > 0) & (gaps <= _GAP * np.ptp(cells[:, 2]))
    block = (np.bincount(pieces) >= _BLOCK * len(cells))[pieces]  # what is smaller, is only how voxels lie
    faces &= (pieces[1:] != pieces[:-1]) & block[1:] & block[:-1]
    pairs = np.where(faces, pieces[:-1].astype(np.int64) * len(cells) + pieces[1:], -1)
    pegs: list[Array] = []
    for pair in np.unique(pairs[faces]):
        own = np.flatnonzero(pairs == pair)
        away = np.linalg.norm(cells[own, :2] - cells[own, :2].mean(axis=0), axis=1)
        own = own[away <= max(float(away.min()), _PEG * np.sqrt(len(own) / np.pi))]
        pegs += [cells[low] + (0, 0, step) for low in own for step in range(1, gaps[low] + 1)]
    return np.array(pegs, int).reshape(-1, 3)


def _bridges(centres: Array, pieces: Array) -> Array:
    """Pairs of voxels that tie all pieces into one, each piece to its nearest neighbour (a minimum spanning tree)."""
    every = [np.flatnonzero(pieces == piece) for piece in range(int(pieces.max()) + 1)]
    members, rest = every[:_MOST_PIECES], every[_MOST_PIECES:]
    low, high = (np.array([end(centres[piece], axis=0) for piece in members]) for end in (np.min, np.max))
    gap, pair = np.full(len(members), np.inf), np.zeros((len(members), 2), np.int32)
    bridges: list[tuple[int, int]] = []
    attached, newest = np.arange(len(members)) == 0, 0
    while not attached.all():
        tree = tree_of(centres, members[newest])
        apart = np.linalg.norm(np.maximum(low - high[newest], low[newest] - high).clip(0.0), axis=1)
        for piece in np.flatnonzero(~attached & (apart < gap)):
            nearest, distance, own = _closest(tree, centres, members[piece])
            if distance < gap[piece]:
                gap[piece], pair[piece] = distance, (nearest, own)
        newest = int(np.where(attached, np.inf, gap).argmin())
        attached[newest] = True
        bridges.append((int(pair[newest, 0]), int(pair[newest, 1])))
    if rest:
        tree = tree_of(centres, np.concatenate(members))
        bridges += [_closest(tree, centres, piece)[::2] for piece in rest]
    return np.array(bridges, np.int32).reshape(-1, 2)


def tree_of(points: Array, chosen: Array) -> KDTree:
    """The chosen ones of points, shape (n, 3), by their numbers."""
    tree = KDTree(len(chosen))
    for number in chosen.tolist():
        tree.insert(points[number], number)
    tree.balance()
    return tree


def nearest_of(points: Array, chosen: Array, places: Array) -> Array:
    """The number of the nearest of the chosen ones of points to each place, shape (k, 3)."""
    tree = tree_of(points, chosen)
    return np.array([tree.find(place)[1] for place in places.tolist()], int)


def _closest(tree: KDTree, centres: Array, members: Array) -> tuple[int, float, int]:
    some = members[:: max(1, len(members) // 4000)].tolist()
    return min(((*tree.find(centres[number])[1:], number) for number in some), key=itemgetter(1))
