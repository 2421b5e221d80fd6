"""The subject of a photograph, cut out of a background of many colours. numpy only.

A network says how likely each place is the subject's; a cut of least cost draws its outline along the picture's edges,
where "GrabCut" (Rother, Kolmogorov, Blake 2004) draws it. The cut is the continuous one (Chan, Esedoglu, Nikolova 2006,
by the primal-dual steps of Chambolle and Pock 2011), which comes to the same and is made of operations on whole arrays.
"""

from __future__ import annotations

import numpy as np

from ..array_types import Array, Mask, Picture
from .resample import size_within, smooth
from .subject_network import subject_odds

_SIZE = 400  # pixels along the longer side: to draw the outline
_STEPS = 80
_EDGE_COST = 6.0  # in units of the logarithm of the odds
_FLAT_COST = 0.04  # of the edges' cost: what a boundary costs where the picture has a strong edge
_SUREST = 8.0  # so much can one pixel say at most
_AROUND = 0.15  # of the subject's size: what is looked at around it when it is looked at alone
_NEARLY_ALL = 0.8  # of the picture: a subject that takes up more need not be looked at alone

_TO_CONES = np.array([[0.4122, 0.5363, 0.0515], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]])
_TO_OKLAB = np.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]])
"""Oklab (Ottosson 2020): equal distances look equally different."""


def photo_subject(colors: Picture) -> tuple[Mask, float]:
    """What a photograph is of, and how sure that is.

    Args:
        colors: On the sRGB curve, 0 to 1, (height, width, 3), rows from the bottom up.

    Returns:
        The mask, (height, width), and the mean logarithm of the odds of what is more likely the subject than not; 0
        where nothing is.
    """
    lab = _oklab(colors)
    odds = subject_odds(colors)
    likely = odds > 0
    certainty = float(odds[likely].mean()) if likely.any() else 0.0
    cost = -np.clip(_looked_at_alone(colors, smooth(odds, *lab.shape[:2])), -_SUREST, _SUREST)
    return np.asarray(smooth(_least_cut(lab, cost, 1 / (1 + np.exp(cost))), *colors.shape[:2]) > 0.5, bool), certainty


def _looked_at_alone(colors: Picture, odds: Array) -> Array:
    """The odds of a second look at the part of the picture in which the subject is, where it is seen larger."""
    slices = []
    for axis in (0, 1):
        reached = np.flatnonzero((odds > 0).any(axis=1 - axis))
        if not len(reached):
            return odds
        around = _AROUND * (reached[-1] + 1 - reached[0])
        slices.append(slice(max(0, int(reached[0] - around)), int(reached[-1] + 1 + around)))
    inside = (slices[0], slices[1])
    seen = odds[inside]
    if seen.size > _NEARLY_ALL * odds.size:
        return odds
    rows, columns = np.array(colors.shape[:2]) / odds.shape
    part = colors[
        int(slices[0].start * rows) : int(slices[0].stop * rows) + 1,
        int(slices[1].start * columns) : int(slices[1].stop * columns) + 1,
    ]
    result = np.full_like(odds, -_SUREST)
    result[inside] = (seen + smooth(subject_odds(part), *seen.shape)) / 2
    return result


def _oklab(colors: Picture) -> Array:
    """A smaller picture in which differences are as large as they look."""
    seen = smooth(colors, *size_within(colors.shape, _SIZE, least=8))
    linear = np.where(seen <= 0.04045, seen / 12.92, ((np.clip(seen, 0, 1) + 0.055) / 1.055) ** 2.4)
    return np.asarray(np.cbrt(linear @ _TO_CONES.T) @ _TO_OKLAB.T * (1.0, 2.5, 2.5))


def _least_cut(lab: Array, cost: Array, start: Array) -> Array:
    """Where the subject's pixels' costs and the length of its outline, less along edges of ``lab``, are least.

    A cost below 0 pays. From a first guess, 0 to 1; of the result nearly all is at the ends.
    """
    steps = [(np.diff(lab, axis=axis) ** 2).sum(axis=2) for axis in (0, 1)]
    prices = [_EDGE_COST * (_FLAT_COST + np.exp(-step / (2 * step.mean() + 1e-9))) for step in steps]
    flow = [np.zeros_like(price) for price in prices]
    cut, ahead = start, start
    for _ in range(_STEPS):
        drain = np.zeros_like(cost)
        for axis, price in enumerate(prices):
            flow[axis] = np.clip(flow[axis] + 0.35 * np.diff(ahead, axis=axis), -price, price)
            drain += np.diff(np.pad(flow[axis], [(1, 1) if side == axis else (0, 0) for side in (0, 1)]), axis=axis)
        last, cut = cut, np.clip(cut + 0.35 * (drain - cost), 0.0, 1.0)
        ahead = 2 * cut - last
    return cut
