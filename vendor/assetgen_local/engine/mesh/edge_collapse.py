"""Fewer triangles of any surface, in as many pieces and as knotted as it may be: edges collapse, the cheapest first.

What a collapse costs is how far it takes the surface from the planes of the faces that a point stands for (quadric
error metric, Garland and Heckbert). Many edges that do not touch collapse in one round. Small pieces shrink to nothing
in their turn, so nothing else has to choose between a bolt and the curve of a panel. numpy only.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..array_types import Array, Faces, Mask, Points
from .connected import components, perhaps_alike, side_keys

_ROUND = (0.12, 2)  # of the edges, by cost, from which one round takes those that do not touch; and how often
_ROUGH_ROUND = (0.3, 3)  # while there are many times more faces than wanted
_SMALLEST_PART = 4
_SHORT = 1e-3  # how much the length of an edge counts against its planes: decides on what is flat
_RIM = 0.003  # of the model: how far in a rim counts like a surface across it
_END = 0.1  # of the model's area: what holds its outermost points in their places
_BY_AREA = 0.7  # 0: the cost of a place grows with the area that it stands for; 1: only how far it moves counts
_TURNS = (0.2, 0.0, -0.5, -1.1)
"""Cosine of how far a face may turn in a collapse; the later ones where nothing else is left to do."""

_SLIVER = 1e-14  # area; which way that faces, nobody can tell
_LONGEST = 600  # rounds
_AT_ONCE = 1 << 14  # edges: what is worked out of so many stays in the processor's cache, and of all it would not


@dataclass(slots=True)
class _Surface:
    """What is left of a surface.

    Attributes:
        points: (n, 3), in a model of size 1.
        faces: (m, 3).
        origin: The face that each face was in the beginning.
        quadrics: Sum of the squared distances from planes, as a form of each point: its upper triangle, (n, 10).
        areas: What each point stands for.
        tense: Points whose last collapse was refused.
    """

    points: Points
    faces: Faces
    origin: Array
    quadrics: Array
    areas: Array
    tense: Mask


def collapsed(points: Points, faces: Faces, parts: Array, limit: int) -> tuple[Points, Faces, Array]:
    """Collapses edges until at most ``limit`` faces are left, as near to it as it goes.

    Args:
        points: (n, 3).
        faces: (m, 3), with three corners each.
        parts: What each face belongs to. Every part keeps a few faces where the limit has room for that.
        limit: Faces.

    Returns:
        Points, faces, and which of the given faces each of them was.
    """
    low, size = points.min(axis=0), max(float(np.linalg.norm(np.ptp(points, axis=0))), 1e-30)
    scaled = (points - low) / size
    count = len(points)
    rest = _Surface(scaled, faces, np.arange(len(faces)), np.zeros((count, 10)), np.zeros(count), np.zeros(count, bool))
    _tidy(rest, np.arange(count), sheets=True)  # first: of two equal faces none would have a rim
    pieces = int(_pieces(rest.faces, len(rest.points)).max()) + 1
    rest.quadrics, rest.areas = _quadrics(rest.points, rest.faces)
    holds = _SMALLEST_PART * (int(parts.max()) + 1) * 2 <= limit
    stuck = 0
    for _ in range(_LONGEST):
        if len(rest.faces) <= limit:
            break
        pairs, places = _cheapest(rest, limit, parts if holds else None)
        allowed = _allowed(rest, pairs, places, stuck)
        rest.tense[:] = False
        rest.tense[pairs[~allowed]] = True
        stuck = min(stuck + 1, len(_TURNS)) if allowed.mean() < 0.15 else max(stuck - 1, 0)
        if len(pairs) == 0:
            break
        _collapse(rest, pairs[allowed], places[allowed], sheets=2 * _SMALLEST_PART * pieces > limit)
    # Blender drops one of two faces on the same points, so the other side of a fin gets a point of its own.
    _, first = np.unique(np.sort(rest.faces, axis=1), axis=0, return_index=True)
    other = np.setdiff1d(np.arange(len(rest.faces)), first)
    copies = rest.points[rest.faces[other, 0]]
    rest.faces[other, 0] = len(rest.points) + np.arange(len(other))
    return np.concatenate((rest.points, copies)) * size + low, rest.faces, rest.origin


def _quadrics(points: Points, faces: Faces) -> tuple[Array, Array]:
    """The quadrics of the points, and the areas that they stand for; rims are held by planes across them."""
    first, second, third = (points[faces[:, corner]] for corner in range(3))
    normals, sizes = _unit(np.cross(second - first, third - first))
    flat = np.zeros((10, len(points)))
    areas = np.zeros(len(points))
    for corner in range(3):
        _add_planes(flat, faces[:, corner], normals, first, sizes / 6)
        areas += np.bincount(faces[:, corner], sizes / 6, len(points))
    sides = side_keys(faces, len(points))
    keys, uses = np.unique(sides, return_counts=True)
    rims = np.flatnonzero(np.isin(sides, keys[uses == 1]))
    here, there = faces.ravel()[rims], np.roll(faces, -1, axis=1).ravel()[rims]
    along = points[there] - points[here]
    across, _ = _unit(np.cross(along, normals[rims // 3]))
    for end in (here, there):
        _add_planes(flat, end, across, points[here], np.linalg.norm(along, axis=1) * _RIM)
    # The tip of a flagpole has hardly any area, and still the model is as high as it is.
    ends = np.concatenate((points.argmin(axis=0), points.argmax(axis=0)))
    _add_planes(flat, ends, np.tile(np.eye(3), (2, 1)), points[ends], np.full(6, areas.sum() * _END))
    return np.ascontiguousarray(flat.T), areas


def _unit(vectors: Array) -> tuple[Array, Array]:
    lengths = np.linalg.norm(vectors, axis=1)
    return vectors / np.maximum(lengths, 1e-30)[:, None], lengths


def _add_planes(flat: Array, at: Array, normals: Array, on: Points, weights: Array) -> None:
    planes = np.column_stack((normals, -(normals * on).sum(axis=1)))
    for number, (row, column) in enumerate(itertools.combinations_with_replacement(range(4), 2)):
        flat[number] += np.bincount(at, planes[:, row] * planes[:, column] * weights, flat.shape[1])


def _cheapest(rest: _Surface, limit: int, parts: Array | None) -> tuple[Array, Points]:
    """Edges for one round, the cheapest first, no two of which share a point, (k, 2), and where their points go."""
    count, faces = len(rest.points), rest.faces
    keys, uses = np.unique(side_keys(faces, count), return_counts=True)
    pairs = np.stack(np.divmod(keys, count), axis=1)
    places, cost = _best_places(rest, pairs)
    # Where all faces at an edge have the same corner across, it goes with another edge of these faces, and what it
    # leads to goes with it: a thin rod costs its length, not its width. So it is at rims and where faces are alike.
    at_rim = np.zeros(count, bool)
    at_rim[pairs[uses == 1]] = True
    perhaps = at_rim[faces].sum(axis=1) > 1
    perhaps[perhaps_alike(faces, count)] = True
    thin = faces[perhaps]
    edge, across = np.searchsorted(keys, side_keys(thin, count)), np.roll(thin, 1, axis=1).ravel() + 1
    only = (np.bincount(edge, across, len(keys))[edge] == uses[edge] * across).reshape(-1, 3)
    face, corner = np.nonzero(only & np.roll(only, 1, axis=1))
    lost, tip = edge.reshape(-1, 3)[face[:, None], (corner[:, None] + (1, 2, 0)) % 3], thin[face, corner][:, None]
    far = ((rest.points[tip] - places[lost]) ** 2).sum(axis=2)
    far[:, 1:] *= np.bincount(faces.ravel())[tip] <= 2  # at its own edges only what has no other faces is lost
    area = np.minimum(rest.areas[tip], rest.areas[pairs[lost]].sum(axis=2))
    cost += np.bincount(lost.ravel(), (far * area ** (1 - _BY_AREA)).ravel(), len(cost))
    if parts is not None:
        part = parts[rest.origin]
        held = np.zeros(count, bool)
        held[faces[np.bincount(part)[part] <= _SMALLEST_PART]] = True
        free = ~held[pairs].any(axis=1)
        pairs, places, cost = pairs[free], places[free], cost[free]
    cost *= np.where(rest.tense[pairs[:, 0]] | rest.tense[pairs[:, 1]], 10.0, 1.0)
    share, picks = _ROUGH_ROUND if len(faces) > 4 * limit else _ROUND
    most = max(8, int(len(pairs) * share))
    order = np.arange(len(pairs)) if most >= len(pairs) else np.sort(np.argpartition(cost, most)[:most])
    order = order[np.argsort(cost[order], kind="stable")]
    first = np.concatenate(list(_apart(pairs, order, count, picks)))[: -((limit - len(faces)) // 2)]
    return pairs[first], places[first]


def _apart(pairs: Array, order: Array, count: int, picks: int) -> Iterator[Array]:
    """Edges before all others at their points; then, as often as asked for, of those at points without one."""
    free, rank = np.ones(count, bool), np.empty(count, np.int32)
    order = order[::-1]  # so that the last one that is written at a point is the first in order
    ends = pairs[order]
    for _ in range(picks):
        place = np.arange(len(order), dtype=np.int32)
        rank[ends] = place[:, None]
        first = (rank[ends[:, 0]] == place) & (rank[ends[:, 1]] == place)
        yield order[first][::-1]
        free[ends[first]] = False
        left = free[ends[:, 0]] & free[ends[:, 1]]
        order, ends = order[left], ends[left]


def _best_places(rest: _Surface, pairs: Array) -> tuple[Points, Array]:
    """Where the points of edges would go, (n, 3), and what that costs, (n,)."""
    found = np.empty((4, len(pairs)))
    for start in range(0, len(pairs), _AT_ONCE):
        first, second = pairs[start : start + _AT_ONCE].T
        one, other = rest.points[first], rest.points[second]
        area = rest.areas[first] + rest.areas[second] + 1e-20
        middle, pull = (one + other) / 2, area * _SHORT
        xx, xy, xz, xo, yy, yz, yo, zz, zo, oo = (rest.quadrics[first] + rest.quadrics[second]).T.copy()
        x, y, z = places = _solved((xx + pull, xy, xz, yy + pull, yz, zz + pull), pull * middle.T - (xo, yo, zo))
        cost = x * (xx * x + 2 * (xy * y + xz * z + xo)) + y * (yy * y + 2 * (yz * z + yo)) + z * (zz * z + 2 * zo) + oo
        cost += pull * (((places - middle.T) ** 2).sum(axis=0) + ((one - other) ** 2).sum(axis=1))
        found[:, start : start + _AT_ONCE] = *places, np.maximum(cost, 0.0) / area**_BY_AREA
    return np.ascontiguousarray(found[:3].T), found[3]


def _solved(matrix: Sequence[Array], right: Array) -> Array:
    """Solves symmetric equations by their cofactors, (3, n): a tenth of the time of a general solver."""
    xx, xy, xz, yy, yz, zz = matrix
    first: Points = np.stack((yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy))
    a, b, c = first
    second: Points = np.stack((xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy))
    d, e, f = second
    x, y, z = right
    return np.stack((a * x + b * y + c * z, b * x + d * y + e * z, c * x + e * y + f * z)) / (xx * a + xy * b + xz * c)


def _allowed(rest: _Surface, pairs: Array, places: Points, stuck: int) -> Mask:
    """Which of the edges of :func:`_cheapest` may collapse to places: no face turns over, no two sheets grow together.

    It asks less the longer it is ``stuck``: that nearly nothing was allowed.
    """
    count = len(rest.points)
    edge = np.full(count, -1)
    edge[pairs] = np.arange(len(pairs))[:, None]
    moved = rest.points.copy()
    moved[pairs] = places[:, None]
    one, two, three = (edge >= 0)[rest.faces.T]
    near = rest.faces[one | two | three]
    of = edge[near]
    gone = [(of[:, corner] >= 0) & (of[:, corner] == of[:, corner - 1]) for corner in range(3)]
    stays = ~np.any(gone, axis=0)
    corners = (np.moveaxis(where[near[stays]], 1, 0) for where in (rest.points, moved))
    before, now = (np.cross(second - first, third - first) for first, second, third in corners)
    length = np.linalg.norm(before, axis=1)
    limit = _TURNS[min(stuck, len(_TURNS) - 1)] * length * np.linalg.norm(now, axis=1)
    turned = ((before * now).sum(axis=1) < limit) & (length > _SLIVER)
    allowed = np.ones(len(pairs) + 1, bool)  # the last one is for points without an edge
    allowed[of[stays][turned]] = False
    # Something has to stay of an edge between two of them: both ends of a thin rod would take all of it with them.
    ties = np.concatenate([np.sort(of[:, [corner, corner - 1]], axis=1) for corner in range(3)])
    keys, stay = ties @ (len(pairs), 1), np.tile(stays, 3)
    between = (ties[:, 0] >= 0) & (ties[:, 0] != ties[:, 1])
    allowed[np.setdiff1d(keys[between & ~stay], keys[between & stay]) % len(pairs)] = False
    if stuck < 2:
        # Points next to both ends other than across from the edge would hold two sheets of the surface together.
        beside = np.concatenate([near[:, [corner, corner - 1]] for corner in range(3)])
        beside = np.concatenate((beside, beside[:, ::-1]))
        beside = beside[edge[beside[:, 0]] >= 0]
        beside = np.unique(beside[:, 0] * count + beside[:, 1])
        keys, uses = np.unique(edge[beside // count] * count + beside % count, return_counts=True)
        common = np.bincount(keys[uses > 1] // count, minlength=len(pairs))
        across = sum(np.bincount(of[side, corner], minlength=len(pairs)) for corner, side in enumerate(gone))
        allowed[:-1] &= common <= across
    return allowed[:-1]


def _collapse(rest: _Surface, pairs: Array, places: Points, *, sheets: bool) -> None:
    keep, drop = pairs.T
    target = np.arange(len(rest.points))
    target[drop] = keep
    rest.points[keep] = places
    rest.quadrics[keep] += rest.quadrics[drop]
    rest.areas[keep] += rest.areas[drop]
    _tidy(rest, target, sheets=sheets)


def _pieces(faces: Faces, count: int) -> Array:
    """The piece that each face belongs to."""
    return np.asarray(components(count, faces[:, [0, 1, 1, 2]].reshape(-1, 2))[faces[:, 0]])


def _tidy(rest: _Surface, target: Array, *, sheets: bool) -> None:
    """Moves the faces to other points; drops faces without area, all but one on the same points, and unused points.

    ``target`` is the new point of each point. Of pieces that are nothing but two sides, ``sheets`` keep only one. A fin
    on a body keeps both: with one alone the body would be open.
    """
    count = len(target)
    faces = target[rest.faces]
    one, two, three = faces.T
    whole = (one != two) & (two != three) & (three != one)
    faces, origin = faces[whole], rest.origin[whole]
    keep = np.ones(len(faces), bool)
    if len(alike := perhaps_alike(faces, count)):
        place = np.unique(np.sort(faces[alike], axis=1), axis=0, return_inverse=True)[1].reshape(-1)
        several = np.zeros(len(faces), bool)
        several[alike] = np.bincount(place)[place] > 1
        piece = _pieces(faces, count)
        one_sided = several & sheets & (np.bincount(piece, ~several) == 0)[piece]
        turned = (faces[alike] < faces[alike][:, [1, 2, 0]]).sum(axis=1) == 2
        keep[alike] = False
        keep[alike[np.unique(place * 2 + (turned & ~one_sided[alike]), return_index=True)[1]]] = True
    faces, origin = faces[keep], origin[keep]
    used = np.zeros(len(target), bool)
    used[faces] = True
    rest.faces, rest.origin = (np.cumsum(used) - 1)[faces], origin
    rest.points, rest.quadrics, rest.areas = rest.points[used], rest.quadrics[used], rest.areas[used]
    rest.tense = rest.tense[used]
