"""Boxes next to each other in a square: the islands of a map. numpy only."""

from __future__ import annotations

import math

import numpy as np

from ..array_types import Array

_COLUMNS = 2048  # of the square, for what is free in it
_SINGLE = 256  # boxes that are placed one by one, the largest; the others go together in strips
_STRIP = 1 / 8  # of the square's width: how long one is
_TRIES = 5  # of finding the size at which all fit
_NEAR = 1.003  # times as large as what fits: not worth a try
_MOST_MARGIN = 0.05  # of the square


def packed(sizes: Array, margin: float) -> tuple[float, Array]:
    """How many times larger boxes can be in a square of side 1, and the lowest corner of each there, (n, 2).

    Args:
        sizes: Width and height of each box, (n, 2); upright ones lie closer together.
        margin: What stays free around each box in the square; less where it would take too much of it.
    """
    margin = min(margin, math.sqrt(_MOST_MARGIN / len(sizes)) / 2)
    sizes = sizes.clip(1e-12)
    limit = min((1 - 2 * margin) / sizes.max(), math.sqrt(1 / sizes.prod(axis=1).sum()))
    best, low, scale = 0.0, np.zeros_like(sizes), 0.9 * limit
    for largest in (sizes[:, 1], sizes.sum(axis=1)):
        order, beyond, tries = np.argsort(-largest, kind="stable"), limit * 1.001, 0
        while best == 0.0 or (tries < _TRIES and beyond > best * _NEAR):
            places, height = _placed(sizes[order] * scale + 2 * margin)
            if height > 1:
                beyond = scale
            else:
                best, low[order] = scale, places + margin
            guess = scale * math.sqrt(1 / height) / _NEAR
            scale, tries = guess if best < guess < beyond else (best + beyond) / 2, tries + 1
    return best, low


def _placed(sizes: Array) -> tuple[Array, float]:
    """Where boxes go in a square, (n, 2), and what height of it they take; the small ones in strips."""
    ends = np.cumsum(sizes[:, 0])
    single = min(_SINGLE, len(sizes))
    strip = np.append(np.arange(single) - single, (ends[single:] - ends[single - 1]) // _STRIP)
    firsts = np.flatnonzero(np.diff(strip, prepend=-np.inf))
    own = np.repeat(np.arange(len(firsts)), np.diff(firsts, append=len(sizes)))
    starts = ends - sizes[:, 0]
    lengths = ends[np.append(firsts[1:], len(sizes)) - 1] - starts[firsts]
    heights = np.maximum.reduceat(sizes[:, 1], firsts)
    low = _on_skyline(lengths, heights)
    places = low[own]
    places[:, 0] += starts - starts[firsts][own]
    return places, float((low[:, 1] + heights).max())


def _on_skyline(widths: Array, heights: Array) -> Array:
    """Each box on top of those before it, where that is lowest: their lowest corners, (n, 2)."""
    tops, places = np.zeros(_COLUMNS), np.empty((len(widths), 2))
    columns = np.ceil(widths * _COLUMNS).astype(int).clip(1, _COLUMNS)
    for number, (width, height) in enumerate(zip(columns.tolist(), heights.tolist(), strict=True)):
        level, reach = tops, 1
        while reach < width:  # the highest of as many columns as the box is wide, from each on
            step = min(reach, width - reach)
            level, reach = np.maximum(level[:-step], level[step:]), reach + step
        x = int(level.argmin())
        places[number] = x / _COLUMNS, level[x]
        tops[x : x + width] = level[x] + height
    return places
