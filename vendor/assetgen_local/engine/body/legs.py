"""What a body stands on: columns of slices that come down to the ground, taken in pairs that are mirror images."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from ..array_types import Array
from .measures import core_size, likeness
from .slices import Slices
from .templates import LEGS
from .voxel_paths import VoxelGraph

_STARTS = (0.0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.25, 0.3)  # of the height: soles that touch join what stands on them
_IN_AIR = 0.16  # of the height: where legs come down to the ground, none begins above
_STEP = 0.02
_HIGHEST = 0.72
_GROWN = 0.06  # above its top: what has grown together with the legs there is one more leg
_SMALLEST, _THINNEST, _ALIKE = 0.0015, 0.0005, 0.7  # of all voxels, of one of four legs, and of the largest for those
_REST = 0.25  # how much what else stands on the ground counts, in parts of the smallest leg
_LONG, _LONGER = 0.4, 0.3  # of the height: legs that are long enough; of those the longer ones are better
_STAGGER = 2.0  # how far the legs of a pair lie one behind the other at most, in parts of their distance sideways
_ASIDE = 0.3  # of the way between the legs of a pair: what is nearer to the plane is in the middle
_HELD = 0.5  # how much it counts if it is farther from the plane than two legs from each other: a hand holds it
_HEAD = 3.0  # times a leg: what is larger and beside it is a head that is held to the ground
_TAIL, _BEHIND, _LIES = 10.0, 0.55, 2.5  # times a leg at most; of the way between legs; of its height: is on the ground
_NARROW, _WHEEL = 0.6, 0.4  # of its width: a wheel at the ground; how much less slender that makes it
_MOST = 8  # columns that are looked at, the largest


@dataclass(frozen=True, slots=True)
class Legs:
    """The legs of a body.

    Attributes:
        members: For each leg a mask of its voxels, below ``top``; left and right of each pair one after the other,
            as lie along ``lateral``.
        base: Height from which they are apart.
        top: Height at which they grow together.
        lateral: The axis that the legs of a pair lie along, 0 or 1.
        plane: The middle between them on this axis.
        likeness: How well they fit the template, 0 to 1.
        others: How large what else stands on the ground like a leg is, in parts of the smallest leg.
    """

    members: list[Array]
    base: float
    top: float
    lateral: int
    plane: float
    likeness: float
    others: float

    def middles(self, inside: VoxelGraph) -> Array:
        """The middle of each leg, shape (legs, 3)."""
        return np.array([inside.volume.centres[leg].mean(axis=0) for leg in self.members])

    def slenderness(self, inside: VoxelGraph) -> float:
        """How long the legs are in parts of their largest width, half way up; less for wheels, flat or round below."""
        cell, length = inside.volume.cell, self.top - inside.volume.floor
        half = (max(self.base, inside.volume.floor + 0.3 * length) + self.top) / 2
        widths, soles = [], []
        for points in (inside.volume.centres[leg] for leg in self.members):
            away = np.abs(points[:, 2] - half)
            widths.append(np.ptp(points[away <= away.min() + cell, :2], axis=0) + cell)
            soles.append(np.ptp(points[points[:, 2] < points[:, 2].min() + cell / 2, :2], axis=0) + cell)
        flat = min(float(width.max() / width.min()) for width in widths)
        is_round = len(widths) == 4 and np.median(np.min(np.divide(soles, widths), axis=1)) < _NARROW
        return length / float(np.max(widths)) * float(np.clip((4.2 - flat) / 1.5, 0, 1)) - _WHEEL * bool(is_round)

    def foot(self, inside: VoxelGraph, leg: Array, shin: Array, top: float) -> Array:
        """Points of a foot, shape (k, 3): below a height under its shin. Soles that touch are not in ``leg``."""
        centres = inside.volume.centres
        away = np.abs(centres - shin)
        beside = away[:, self.lateral] < max(abs(shin[self.lateral] - self.plane), 2 * inside.volume.cell)
        near = away[:, 1 - self.lateral] < 0.6 * (self.top - inside.volume.floor)
        return np.asarray(centres[(leg | (beside & near & (centres[:, 2] < self.base))) & (centres[:, 2] < top)])

    def turned(self, inside: VoxelGraph) -> Legs:
        """The legs of the body after the quarter turns by which it faces -Y: ``inside`` is turned already."""
        places = self.middles(inside)[:, 0]
        members = []
        for first in range(0, len(self.members), 2):
            pair = (first, first + 1) if places[first] > places[first + 1] else (first + 1, first)
            members += [self.members[leg] for leg in pair]
        return replace(self, members=members, lateral=0, plane=float(places.mean()))


class _Choice(NamedTuple):
    """Legs that fit, from one level to another, and what else stands there: pieces of slices of each.

    ``fit`` also counts how much of the body their plane mirrors: of a leg and what a hand holds, little.
    """

    fit: float
    alike: float
    lateral: int
    start: int
    top: int
    members: list[Array]
    rest: list[Array]


@dataclass(frozen=True, slots=True)
class _Columns:
    """Columns between two heights: voxels, place at the upper end, and pieces of slices of each."""

    sizes: Array
    upper: Array
    nodes: list[Array]
    reaching: int  # how many there are with the smallest: ever fewer, the higher the upper end is


def find_legs(inside: VoxelGraph, slices: Slices) -> dict[int, Legs]:
    """For each number of legs those that fit its template best, of all axes and heights to begin at; if there are."""
    cell = inside.volume.cell
    levels = int(slices.level.max()) + 1
    best: dict[int, _Choice] = {}
    mirror = cache(lambda axis, place: likeness(inside, axis, place * cell))
    core = core_size(inside, inside.depth > 0)
    for start in sorted({round(part * levels) for part in _STARTS}):
        counts = [count for count in LEGS if count not in best or start <= _IN_AIR * levels]
        for top in range(start + 2, int(_HIGHEST * levels), max(round(_STEP * levels), 1)):
            length, whole = (top - start) * cell, levels * cell
            reach = min(length / whole / _LONG, 1.0) + _LONGER * length / whole
            if all(count in best and reach <= best[count].fit for count in counts):
                continue
            columns = _columns(slices, start, top, len(inside.volume.cells))
            if columns.reaching < min(counts):
                break
            for count, lateral in product(counts, (0, 1)):
                for members, alike in _fits(columns, count, lateral, reach, best[count].fit if count in best else 0.0):
                    if count in best and alike <= best[count].fit:
                        continue
                    plane = float(columns.upper[members, lateral].mean())
                    chosen = [columns.nodes[member] for member in members]
                    is_long = min(core[1 - lateral] / core[lateral], 1.0)  # four legs carry what is longer than wide
                    ahead = _ahead(slices, chosen, lateral, start, cell) if count == 2 else is_long
                    fit = alike * ahead * mirror(lateral, round(plane / cell)) ** 2
                    if count not in best or fit > best[count].fit:
                        rest = [nodes for number, nodes in enumerate(columns.nodes) if number not in members]
                        best[count] = _Choice(fit, alike, lateral, start, top, chosen, rest)
    return {count: legs for count, choice in best.items() if (legs := _legs(inside, slices, choice))}


def _ahead(slices: Slices, legs: list[Array], lateral: int, start: int, cell: float) -> float:
    """Less than 1 where two feet are wider than long: they point along the plane between them."""
    size = np.mean([slices.size(leg & (slices.level <= start + 2)) + cell for leg in legs], axis=0)
    return float(np.clip(size[1 - lateral] / size[lateral], 0.5, 1.0))


def _legs(inside: VoxelGraph, slices: Slices, choice: _Choice) -> Legs | None:
    # Two behind each other that come together at the ground, and on each side of their own, are a wheel or a runner.
    ground = slices.columns(slices.level < choice.top)
    left, right, *behind = (int(ground[leg][0]) for leg in choice.members)
    if left != right and {left, right} == set(behind):
        return None
    # What is below a leg and nothing else is of it: a leg in the air begins where the knee of the other one is.
    above = [*choice.members, *choice.rest]
    column = slices.columns((slices.level < choice.start) | np.any(above, axis=0))
    own = [int(column[nodes][0]) for nodes in above]
    if len(set(own)) == len(own):
        choice = choice._replace(start=0, members=[column == number for number in own[: len(choice.members)]])
    floor, cell, lateral = inside.volume.floor, inside.volume.cell, choice.lateral
    masks = [nodes[slices.of_voxels] for nodes in choice.members]
    middles = np.array([inside.volume.centres[mask].mean(axis=0) for mask in masks])
    apart = max(float(np.ptp(middles[:, lateral])), cell)
    # What is in the middle is a head or a tail where four legs are beside it. Of two, it is a third one where it grows
    # together with them, unless it lies behind them, and held or worn where it does not.
    highest = choice.top + max(3, round(_GROWN * slices.level.max()))
    grown = slices.columns((slices.level >= choice.start) & (slices.level < highest))
    least = min(int(slices.sizes[nodes].sum()) for nodes in choice.members)
    others = 0.0
    for nodes in choice.rest:
        size = int(slices.sizes[nodes].sum())
        aside, behind = np.abs(slices.middle(nodes) - middles.mean(axis=0))[[lateral, 1 - lateral]] / apart
        long = slices.size(nodes)[1 - lateral] / (np.ptp(slices.level[nodes]) + 1) / cell
        joined = grown[nodes][0] in [grown[leg][0] for leg in choice.members]
        if len(masks) == 4:
            weight = float(aside > _ASIDE and size < _HEAD * least)
        elif aside > 1:
            weight = _HELD
        else:
            is_tail = aside < _ASIDE and behind > _BEHIND and long > _LIES and size < _TAIL * least
            weight = 0.0 if joined and is_tail else 1.0 + joined
        others += weight * size / least
    plane = float(middles[:, lateral].mean())
    return Legs(masks, floor + choice.start * cell, floor + choice.top * cell, lateral, plane, choice.alike, others)


def _columns(slices: Slices, start: int, top: int, total: int) -> _Columns:
    """What stands apart on ``start`` and reaches ``top``, the largest first."""
    within = (slices.level >= start) & (slices.level < top)
    number = slices.columns(within)
    reaching = np.intersect1d(number[within & (slices.level <= start + 1)], number[within & (slices.level == top - 1)])
    sizes = np.bincount(number[within], slices.sizes[within])[reaching]
    order = np.argsort(-sizes, kind="stable")
    least, fourth = _SMALLEST * total, int(sizes[order[3:4]].sum())
    if fourth > max(_THINNEST * total, _ALIKE * sizes.max(initial=0)):  # below wool, legs are hardly any of the whole
        least = min(least, fourth)
    order = order[sizes[order] >= max(least, 3)][:_MOST]
    nodes = [number == column for column in reaching[order]]
    upper = np.array([slices.middle(pieces & (slices.level >= top - 2)) for pieces in nodes]).reshape(-1, 3)
    return _Columns(sizes[order], upper, nodes, len(reaching))


def _fits(columns: _Columns, count: int, lateral: int, reach: float, least: float) -> Iterator[tuple[list[int], float]]:
    """Choices of legs that fit better than ``least``, each with how well: legs that reach so far at most so well."""
    sizes, upper = columns.sizes, columns.upper[:, (lateral, 1 - lateral)]
    members = np.stack(np.triu_indices(len(sizes), 1), axis=1)
    middles, gaps = upper[members].mean(axis=1), np.ptp(upper[members], axis=1)
    fits = _alike(sizes[members], gaps, LEGS[count])
    if count == 4:
        one, other = np.triu_indices(len(members), 1)
        disjoint = (members[one][:, :, None] != members[other][:, None]).all(axis=(1, 2))
        one, other = one[disjoint], other[disjoint]
        apart = _apart(np.abs(middles[one] - middles[other]), np.maximum(gaps[one], gaps[other]))
        members, fits = np.hstack((members[one], members[other])), np.minimum(fits[one], fits[other]) * apart
    own = sizes[members]
    fits *= reach / (1 + _REST * (sizes.sum() - own.sum(axis=1)) / own.min(axis=1))
    better = np.flatnonzero(fits > least)
    return zip(members[better].tolist(), fits[better].tolist(), strict=True)


def _alike(sizes: Array, gaps: Array, least: float) -> Array:
    """How alike pairs of columns are, as legs left and right, 0 to 1: their sizes and gaps across and along, (p, 2)."""
    alike = sizes.min(axis=1) / sizes.max(axis=1)
    stagger = gaps[:, 1] / (_STAGGER * np.maximum(gaps[:, 0], 1e-9))
    return np.where((alike >= least) & (stagger <= 1), alike**0.5 / (1 + stagger**2), 0.0)


def _apart(ways: Array, gaps: Array) -> Array:
    """How well two pairs are one behind the other, 0 to 1: ways between their middles, and gaps as of one, (p, 2)."""
    (off, behind), (wide, spread) = ways.T, np.maximum(gaps, 1e-9).T
    fits = np.maximum(1 - off / wide, 0.0) * (1 - 0.5 * spread / np.maximum(behind, 1e-9))
    return np.where((behind > spread) & (behind >= 0.3 * wide), fits, 0.0)
