"""A body with given outlines from the front and from the side. numpy only.

The outlines alone would cut angular columns out of space. Every level of the body is rounded instead: where the front
view shows a stretch and the side view another one, there is an ellipse as wide and as deep as these (more of a box for
outlines that fill their boxes). A stretch that is narrow in one view, such as an arm, does not become deeper than it is
wide in proportion, unless it is the widest at its level, whose depth the other view shows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..array_types import Faces, Mask, Points
from ..mesh.surface_nets import surface, tightened

Line = NDArray[np.float32]

_ROUND, _BOX = 2.2, 9.0  # exponents of the sections for outlines that fill little and nearly all of their boxes
_FILLING = (0.82, 0.97)
_SLENDER = 1.3  # depth over width of what is not the widest at its level
_REACH = 0.6


def carve(front: Mask, side: Mask) -> tuple[Points, Faces]:
    """The body.

    Args:
        front: Seen from the front, (levels, width), lowest level first.
        side: Seen from the model's left, (levels, depth); its columns run from the front to the back.

    Returns:
        Vertices (n, 3) in pixels: x right, y to the back, z up, from the corners of the masks; quads (m, 4), outwards.
    """
    low, high = _FILLING
    filled = np.clip((min(front.mean(), side.mean()) - low) / (high - low), 0.0, 1.0)
    power = float(_ROUND + (_BOX - _ROUND) * filled)
    x, half_x, widest_x = _stretches(front)
    y, half_y, widest_y = _stretches(side)
    field = np.empty((front.shape[1], side.shape[1], front.shape[0]), np.float32)
    for level in range(len(front)):
        across, deep = x[level][:, None], y[level][None, :]
        width, depth = half_x[level][:, None], half_y[level][None, :]
        thin = np.where(widest_x[level][:, None], 1.0, np.minimum(1.0, _SLENDER * width / depth))
        slim = np.where(widest_y[level][None, :], 1.0, np.minimum(1.0, _SLENDER * depth / width))
        off = (np.abs(across) / (width * slim)) ** power + (np.abs(deep) / (depth * thin)) ** power
        field[:, :, level] = np.clip(1.0 - off, -1.0, 1.0)
    # Levels whose stretches end at slightly different places would show as rings.
    field[:, :, 1:-1] = (field[:, :, :-2] + 4 * field[:, :, 1:-1] + field[:, :, 2:]) / 6
    vertices, faces = surface(field)
    return tightened(vertices, faces, _REACH, 40) + 0.5, faces


def _stretches(mask: Mask) -> tuple[Line, Line, Mask]:
    """For each pixel: how far it is from the middle of its stretch of the row, half of that stretch's width, and
    whether none in the row is wider. Outside of all stretches the first is beyond the second.
    """
    width = mask.shape[1]
    place = np.broadcast_to(np.arange(width), mask.shape)
    before = np.maximum.accumulate(np.where(mask, -1, place), axis=1)
    after = np.minimum.accumulate(np.where(mask, width, place)[:, ::-1], axis=1)[:, ::-1]
    half = (after - before - 1) / 2
    middle = (after + before) / 2
    longest = np.where(mask, half, 0).max(axis=1, keepdims=True)
    distance = np.where(mask, place - middle, 2.0)
    return (
        distance.astype(np.float32),
        np.where(mask, half, 1.0).astype(np.float32),
        np.asarray(mask & (half >= 0.9 * longest)),
    )
