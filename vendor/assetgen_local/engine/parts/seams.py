"""Where parts meet: the cut through a surface that costs least.

The cut is the continuous one, by primal-dual steps (Pock and Chambolle 2011), as for outlines of pictures: each face
has a share of each part, and what neighbours differ by is paid along the edge between them.
"""

from __future__ import annotations

import numpy as np

from ..array_types import Array
from .face_graph import FaceGraph

_STEPS = 200
_LOOK = 20  # steps from one look at the parts to the next one
_STILL = 1e-4  # of the faces: where no more than these change parts in so many steps, the rest would be for nothing
_RIVALS = 6  # parts that a face can go to: the nearest ones
_REACH = 0.7  # of the thickness: about so far a seam moves from where two parts are equally near
_SURE = 3.0  # times the thickness: a face so much nearer to one part than to all others is that part's


def least_cut(surface: FaceGraph, ways: Array, thickness: Array) -> Array:
    """The part of each face: the one that it is nearest to, but for borders that run short and along creases.

    Args:
        surface: The faces.
        ways: How far each face is from each part, shape (faces, parts).
        thickness: Of the model at each face.

    Returns:
        As well where a part has lost all its faces, and the others may yet change.
    """
    nearest = ways.argmin(axis=1)
    farther = ways - ways.min(axis=1)[:, None]
    open_ = (farther < _SURE * thickness[:, None]).sum(axis=1) > 1
    crossed = open_[surface.sides].any(axis=1)
    if not crossed.any():
        return nearest
    costs = surface.costs[crossed]
    used, inner = np.unique(surface.sides[crossed], return_inverse=True)
    ends = np.concatenate((inner.reshape(-1, 2), inner.reshape(-1, 2)[:, ::-1]))  # every side both ways, face by face
    order = np.argsort(ends[:, 0], kind="stable")
    here, there = ends[order].T.copy()
    scale = float(np.median(costs)) + 1e-30
    most = (np.tile(costs, 2)[order] / scale).astype(np.float32)
    step = (1.0 / np.bincount(here)).astype(np.float32)
    rivals = np.argsort(farther[used], axis=1, kind="stable")[:, :_RIVALS].T
    price = (farther[used, rivals] * (surface.areas / (_REACH * thickness) ** 2 / scale)[used]).astype(np.float32)
    faces = np.arange(len(used))
    own, other = rivals * len(used) + faces, rivals[:, here] * len(used) + there
    every = np.zeros(ways.shape[1] * len(used), np.float32)  # part after part; what is no rival stays 0
    shares = last = start = np.eye(len(rivals), 1, dtype=np.float32).repeat(len(used), axis=1)
    fixed, flow, labels = ~open_[used], np.zeros(other.shape, np.float32), nearest.copy()
    for number in range(_STEPS):
        every[own] = ahead = 2 * shares - last
        flow += (ahead.take(here, axis=1) - every.take(other)) * np.float32(0.5)
        np.clip(flow, -most, most, out=flow)
        inflow = price + np.stack([np.bincount(here, row) for row in flow]).astype(np.float32)
        last, shares = shares, _onto_simplex(shares - step * inflow)
        shares[:, fixed] = start[:, fixed]
        if number % _LOOK == _LOOK - 1:
            before = labels[used]
            labels[used] = rivals[shares.argmax(axis=0), faces]
            still = number > _LOOK and (labels[used] != before).sum() <= _STILL * len(used)
            if still or len(np.unique(labels)) < len(np.unique(nearest)):
                break
    return labels


def _onto_simplex(columns: Array) -> Array:
    """The nearest columns without negative numbers whose sums are 1 (Michelot 1986)."""
    over = (columns.sum(axis=0) - 1) / np.float32(len(columns))
    for _ in columns[1:]:
        kept = columns > over
        over = ((columns * kept).sum(axis=0) - 1) / kept.sum(axis=0, dtype=np.float32)
    return np.maximum(columns - over, 0)
