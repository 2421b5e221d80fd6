"""Where parts meet: the cut through a surface that costs least.

The cut is the continuous one, by primal-dual steps (Pock and Chambolle 2011), as for outlines of pictures: each face
has a share of each part, and what neighbours differ by is paid along the edge between them.
"""

from __future__ import annotations

import itertools

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
    sides = surface.sides[open_[surface.sides].any(axis=1)]
    costs = surface.costs[open_[surface.sides].any(axis=1)]
    if not len(sides):
        return nearest
    used, inner = np.unique(sides, return_inverse=True)
    scale = float(np.median(costs)) + 1e-30
    used, degrees, beside, most, slots = _slots(used, inner.reshape(-1, 2), costs / scale)
    rivals = np.argsort(farther[used], axis=1, kind="stable")[:, :_RIVALS].T
    price = farther[used, rivals] * (surface.areas / (_REACH * thickness) ** 2 / scale)[used]
    step, price, most = (numbers.astype(np.float32) for numbers in (1.0 / degrees, price, most))
    parts, faces = rivals * len(used), np.arange(len(used))
    every = np.zeros(ways.shape[1] * len(used), np.float32)  # part after part; what is no rival stays 0
    start = np.zeros_like(price)
    start[0] = 1.0
    shares = last = start
    fixed, flow, labels = ~open_[used], np.zeros((len(rivals), len(beside)), np.float32), nearest.copy()
    for number in range(_STEPS):
        ahead = 2 * shares - last
        every[parts + faces] = ahead
        inflow = price.copy()
        for slot in slots:
            part = flow[:, slot]
            here = slice(part.shape[1])
            part += np.float32(0.5) * (ahead[:, here] - every[parts[:, here] + beside[slot]])
            np.clip(part, -most[slot], most[slot], out=part)
            inflow[:, here] += part
        last, shares = shares, _onto_simplex(shares - step * inflow)
        shares[:, fixed] = start[:, fixed]
        if number % _LOOK == _LOOK - 1:
            before = labels[used]
            labels[used] = rivals[shares.argmax(axis=0), faces]
            still = number > _LOOK and (labels[used] != before).sum() <= _STILL * len(used)
            if still or len(np.unique(labels)) < len(np.unique(nearest)):
                break
    return labels


def _slots(faces: Array, sides: Array, costs: Array) -> tuple[Array, Array, Array, Array, list[slice]]:
    """Sides as their faces see them: the first one of every face, then the second one of those that have one, ...

    Args:
        faces: Any numbers, (n,).
        sides: Pairs of them by where they stand, (k, 2).
        costs: Of each side.

    Returns:
        The faces, those with the most sides first; how many each has; then, twice for each side, where the face on the
        other side stands now, and the cost; and which of these are all the first, second, ... sides.
    """
    face, beside = np.concatenate((sides, sides[:, ::-1])).T
    degrees = np.bincount(face)
    order = np.argsort(-degrees, kind="stable")
    place = np.argsort(order)
    face, beside, degrees = place[face], place[beside], degrees[order]
    turn = np.arange(len(face)) - np.repeat(np.cumsum(degrees) - degrees, degrees)
    turns = np.argsort(face, kind="stable")[np.argsort(turn, kind="stable")]
    ends = np.cumsum(np.bincount(turn)).tolist()
    slots = [slice(*pair) for pair in itertools.pairwise((0, *ends))]
    return faces[order], degrees, beside[turns], np.tile(costs, 2)[turns], slots


def _onto_simplex(columns: Array) -> Array:
    """The nearest columns without negative numbers whose sums are 1 (Michelot 1986)."""
    over = (columns.sum(axis=0) - 1) / np.float32(len(columns))
    for _ in columns[1:]:
        kept = columns > over
        over = ((columns * kept).sum(axis=0) - 1) / kept.sum(axis=0, dtype=np.float32)
    return np.maximum(columns - over, 0)
