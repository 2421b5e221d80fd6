"""Where parts meet: the cut through a surface that costs least.

The cut is the continuous one, by primal-dual steps (Pock and Chambolle 2011), as for outlines of pictures: each face
has a share of each part, and what neighbours differ by is paid along the edge between them.
"""

from __future__ import annotations

import numpy as np

from ..array_types import Array
from .face_graph import FaceGraph

_STEPS = 200
_REACH = 0.7  # of the thickness: about so far a seam moves from where two parts are equally near
_SURE = 3.0  # times the thickness: a face so much nearer to one part than to all others is that part's


def least_cut(surface: FaceGraph, ways: Array, thickness: Array) -> Array:
    """The part of each face: the one that it is nearest to, but for borders that run short and along creases.

    Args:
        surface: The faces.
        ways: How far each face is from each part, shape (faces, parts).
        thickness: Of the model at each face.
    """
    count = ways.shape[1]
    labels = ways.argmin(axis=1)
    if count < 2:
        return labels
    farther = ways - ways.min(axis=1)[:, None]
    open_ = np.partition(farther, 1, axis=1)[:, 1] < _SURE * thickness
    sides = surface.sides[open_[surface.sides].any(axis=1)]
    costs = surface.costs[open_[surface.sides].any(axis=1)]
    if not len(sides):
        return labels
    used, inner = np.unique(sides, return_inverse=True)
    first, second = inner.reshape(-1, 2).T
    scale = float(np.median(costs)) + 1e-30
    price = farther[used] * (surface.areas / (_REACH * thickness) ** 2 / scale)[used, None]
    most = (costs / scale)[:, None]
    # Both ends of every side, face after face, so that what flows into a face is summed up in one go.
    ends = np.argsort(np.concatenate((first, second)), kind="stable")
    starts = np.searchsorted(np.concatenate((first, second))[ends], np.arange(len(used)))
    side, sign = ends % len(sides), np.where(ends < len(sides), 1.0, -1.0)[:, None]
    step = 1.0 / np.bincount(np.concatenate((first, second)), minlength=len(used))[:, None]
    fixed = ~open_[used]
    shares = np.eye(count)[labels[used]]
    start, ahead, flow = shares.copy(), shares, np.zeros((len(sides), count))
    for _ in range(_STEPS):
        flow = np.clip(flow + 0.5 * (ahead[first] - ahead[second]), -most, most)
        inflow = np.add.reduceat(flow[side] * sign, starts, axis=0)
        last, shares = shares, _onto_simplex(shares - step * (inflow + price))
        shares[fixed] = start[fixed]
        ahead = 2 * shares - last
    labels[used] = shares.argmax(axis=1)
    return labels


def _onto_simplex(rows: Array) -> Array:
    """The nearest rows without negative numbers whose sums are 1."""
    ordered = -np.sort(-rows, axis=1)
    over = (np.cumsum(ordered, axis=1) - 1.0) / np.arange(1, rows.shape[1] + 1)
    kept = np.maximum((ordered > over).sum(axis=1), 1)
    return np.maximum(rows - over[np.arange(len(rows)), kept - 1][:, None], 0.0)
