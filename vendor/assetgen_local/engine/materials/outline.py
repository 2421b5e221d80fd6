"""Which points of a model a picture shows, and how the picture's outline is pulled onto the model's: numpy only.

Places in a picture are (across, up), 0 to 1 from the lower left.
"""

from __future__ import annotations

import numpy as np

from ..array_types import Array, Mask, Picture

_LEVELS = 128  # heights at which a model's outline is measured
_CELLS = 256  # across the picture, to find out what hides what
_THICK = 0.04  # of the model's diagonal: how far apart surfaces are that hide each other


def rims(coverage: Mask) -> Array:
    """First and last known column of every row of a picture, 0 to 1, (rows, 2); empty rows take them from others."""
    size = coverage.shape[1]
    filled = np.flatnonzero(coverage.any(axis=1))
    first = coverage[filled].argmax(axis=1) / size
    last = 1.0 - coverage[filled][:, ::-1].argmax(axis=1) / size
    return np.stack([np.interp(np.arange(coverage.shape[0]), filled, edge) for edge in (first, last)], axis=1)


def outline(triangles: Array) -> Array:
    """How far a model reaches to the left and to the right at each of its heights, (levels, 2).

    Args:
        triangles: Places of its corners in the picture, (n, 3, 2).
    """
    first, second = triangles.reshape(-1, 2), np.roll(triangles, -1, axis=1).reshape(-1, 2)
    extent = np.full((_LEVELS, 2), np.nan)
    for level in range(_LEVELS):
        height = (level + 0.5) / _LEVELS
        crossing = (first[:, 1] < height) != (second[:, 1] < height)
        if not crossing.any():  # between two pieces of the model
            continue
        below, above = first[crossing], second[crossing]
        share = (height - below[:, 1]) / (above[:, 1] - below[:, 1])
        across = below[:, 0] + share * (above[:, 0] - below[:, 0])
        extent[level] = across.min(), across.max()
    levels, met = np.arange(_LEVELS), np.isfinite(extent[:, 0])
    if not met.any():  # the model has no height
        return np.tile((first[:, 0].min(), first[:, 0].max()), (_LEVELS, 1))
    return np.stack([np.interp(levels, levels[met], edge) for edge in extent[met].T], axis=1)


def followed(along: Picture, of_model: Array, of_picture: Array) -> Picture:
    """Places moved sideways, row by row, from between the model's outline to between the picture's rims."""
    up = along[:, 1]
    ours, theirs = ([np.interp(up * len(edges), np.arange(len(edges)) + 0.5, edge) for edge in edges.T]
                    for edges in (of_model, of_picture))  # fmt: skip
    share = np.clip((along[:, 0] - ours[0]) / np.maximum(ours[1] - ours[0], 1e-6), 0.0, 1.0)
    return np.stack((theirs[0] + share * (theirs[1] - theirs[0]), up), axis=1).astype(np.float32)


def is_seen(along: Picture, depth: Picture, front: Picture, diagonal: float) -> Mask:
    """Whether nothing of the model lies between a point and the viewer; or one behind, for what faces away.

    Args:
        along: Where the points are in the picture, 0 to 1.
        depth: How near they are to the viewer, Blender units.
        front: How much they face the viewer, below zero for away.
        diagonal: Of the model's box.
    """
    cell = np.clip((along * _CELLS).astype(int), 0, _CELLS - 1) @ (1, _CELLS)
    order = np.lexsort((depth, cell))
    cells, first = np.unique(cell[order], return_index=True)
    place = np.searchsorted(cells, cell)
    farthest = depth[order[first]][place]
    nearest = depth[order[np.append(first[1:], len(order)) - 1]][place]
    thick = diagonal * _THICK
    return np.asarray(np.where(front > 0, depth >= nearest - thick, depth <= farthest + thick))
