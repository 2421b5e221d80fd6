"""Moves the points of a reduced surface so that it lies closer to the surface that it was made of.

A collapse leaves points on the source, so between them the faces cut through whatever is round. Here the points are
moved by least squares: every sample of the source pulls at the three corners of the triangle next to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array_types import Array, Faces, Points
from .connected import edges_of
from .edge_collapse import collapsed
from .measure import closest, extent, spread_points, tree_of_faces

_STEPS = 4
_ANOTHER = 2  # before this step each sample looks for the triangle next to it again; looking takes most of the time
_HOLD = 0.15  # pull of a point's own place, against that of its samples
_GIVEN_UP = 30.0  # times the usual distance: samples further away are of pieces that are gone
_FARTHEST = 0.01  # of the diagonal: no point moves further in one step
_PERCENT = 99.0  # of the samples: what is to be nearer
_LAST = 7  # rounds for both ways, in which no faces move; they do before every other one so far
_AT_ONCE, _FOR_EACH, _FEWER = 5_000, 6, 2  # samples of a round, others each time; for each face; own places are fewer
_SHARE, _POWER = 0.05, 4  # of the faces that move at once, and of the distances that say where: the furthest count more


def fitted(points: Points, faces: Faces, samples: Points, diagonal: float) -> Points:
    """The points, (n, 3), moved so that their triangles lie closer to the source.

    The rims of open surfaces stay where they are, and points in one place stay together.

    Args:
        points: (n, 3).
        faces: Triangles, (m, 3).
        samples: Of the source, (k, 3); no point goes further out than they and the points reach.
        diagonal: Of the model's box.
    """
    points, place = np.unique(points, axis=0, return_inverse=True)
    faces = place.reshape(-1)[faces]
    low, high = extent(np.concatenate((samples, points)))
    edges, uses = edges_of(faces)
    free = np.ones((len(points), 1))
    free[edges[uses == 1]] = 0.0
    best, error = points, np.inf
    face, places = closest(tree_of_faces(points, faces), samples)
    index, away = faces[face], np.linalg.norm(samples - places, axis=1)
    # What the collapse gave up pulls at what is left beside it.
    kept = away <= _GIVEN_UP * np.median(away) + 1e-12
    samples, index, far, given = samples[kept], index[kept], np.percentile(away[kept], _PERCENT), points
    for step in range(_STEPS + 1):
        if step == _ANOTHER:
            face, places = closest(tree_of_faces(points, faces), samples)
            index = faces[face]
            # What lies next to a thin rod from all sides can pull it away from them.
            if np.percentile(np.linalg.norm(samples - places, axis=1), _PERCENT) > far:
                return given[place.reshape(-1)]
        weights = barycentric(points[index], samples)
        pull = samples - np.einsum("nc,nck->nk", weights, points[index])
        now = float(np.square(pull).sum())
        if now >= error:
            break
        best, error = points, now
        if step < _STEPS:
            points = (points + _step(index, weights, pull, len(points), diagonal) * free).clip(low, high)
    return best[place.reshape(-1)]


def fitted_both_ways(points: Points, faces: Faces, samples: Points, source: Any, rounds: int) -> tuple[Points, Faces]:
    """Like :func:`fitted` for a closed surface; what spans a gap comes nearer to its banks on the source, a tree.

    In the ``rounds`` faces move to where it is furthest off: bad ones get points in them, and cheap edges collapse.
    """
    low, high = extent(np.concatenate((samples, points)))
    diagonal, limit = float(np.linalg.norm(high - low)), len(faces)
    points, place = np.unique(points, axis=0, return_inverse=True)
    together, off = place.reshape(-1)[faces], np.zeros(limit)
    turns = max(len(samples) // min(_AT_ONCE, _FOR_EACH * limit), 1)
    for turn in range(rounds):
        if 0 < turn < rounds - _LAST and turn % 2 == 0:
            corners, rest = np.split(together[np.argsort(-off)], [int(limit * _SHARE)])
            middle = len(points) + np.arange(len(corners))
            parts = [np.stack((corners[:, side - 1], corners[:, side], middle), axis=1) for side in range(3)]
            points, faces = np.concatenate((points, points[corners].mean(axis=1))), np.concatenate((rest, *parts))
            points, faces, _ = collapsed(points, faces, np.zeros(len(faces), int), limit)
            points, place = np.unique(points, axis=0, return_inverse=True)
            together = place.reshape(-1)[faces]
        some = samples[turn % turns :: turns]
        face, places = closest(tree_of_faces(points, together), some)
        own, chosen = spread_points(points[together], -(-len(some) // _FEWER))
        face = np.concatenate((face, chosen))
        weights = barycentric(points[together[face]], np.concatenate((places, own)))
        pull = np.concatenate((some - places, closest(source, own)[1] - own))
        away = np.linalg.norm(pull, axis=1)
        off = np.bincount(face, away**_POWER, len(faces))
        far = 1e-30 + np.array([np.percentile(way, _PERCENT) for way in np.split(away, [len(some)])])
        way = np.repeat(np.square(far / far.max()) * (1, _FEWER), (len(some), len(own)))  # the farther one counts more
        count = (way * np.sqrt(away / far.max()))[:, None] + 1e-3  # and of each what is far
        step = _step(together[face], weights * count, pull * count, len(points), diagonal)
        points = (points + step).clip(low, high)
    return points[place.reshape(-1)], faces


def barycentric(triangles: Array, places: Array) -> Array:
    """Weights of the corners, (n, 3), for places in triangles, (n, 3, 3), or next to them."""
    a, b = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    c = places - triangles[:, 0]
    aa, ab, bb = ((x * y).sum(1) for x, y in ((a, a), (a, b), (b, b)))
    ca, cb = (c * a).sum(1), (c * b).sum(1)
    scale = np.maximum(aa * bb - ab * ab, 1e-30)
    second, third = (bb * ca - ab * cb) / scale, (aa * cb - ab * ca) / scale
    weights = np.clip(np.stack((1 - second - third, second, third), axis=1), 0.0, 1.0)
    return weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-12)


def _step(index: Array, weights: Array, pull: Array, count: int, diagonal: float) -> Array:
    """One step of steepest descent, each point scaled by the weights that pull at it."""
    way, total = np.zeros((count, 3)), np.full(count, 1e-12)
    for corner in range(3):
        share = weights[:, corner]
        for axis in range(3):
            way[:, axis] += np.bincount(index[:, corner], share * pull[:, axis], count)
        total += np.bincount(index[:, corner], share * share, count)
    way /= (total + _HOLD * len(index) / max(count, 1) / 3)[:, None]
    length = np.linalg.norm(way, axis=1, keepdims=True)
    return way * np.minimum(1.0, diagonal * _FARTHEST / np.maximum(length, 1e-30))
