"""A silhouette inflated to a closed, smooth body. numpy only.

The outline is where a mask ends, smoothed. Between it and its mirror image a cushion rises on both sides: its height is
the root of the solution of Poisson's equation over the mask, which is a round profile for limbs and bodies alike.
"""

from __future__ import annotations

import numpy as np

from ..array_types import Faces, Mask, Points
from ..errors import EngineError
from ..images.arrays import poisson
from ..mesh.connected import edges_of, neighbour_means
from ..mesh.surface_nets import tightened

_OUTLINE_STEPS = 150
_OUTLINE_REACH = 0.5  # pixels that smoothing may move the outline, so that no pixel's middle changes sides for long
_SURFACE_STEPS = 10
_FLATNESS = 0.8  # of the round body that the outline would have as a section
_THICKEST = 0.75  # of the smaller side of the outline
_RIM, _LOOSE = 6.0, 0.8  # pixels from the outline within which the surface is evened out more, and how much more


def inflated(outline: Mask) -> tuple[Points, Faces]:
    """The closed body over an outline, as round as it looks natural: a cushion and its mirror image.

    Returns:
        Vertices (n, 3) in pixels from the first pixel's corner, x right, z up, front towards -Y, the middle plane at
        y = 0; triangles (m, 3), outwards. Both halves share the outline's points.

    Raises:
        EngineError: The mask is empty.
    """
    points, triangles, on_outline = _cushion(outline)
    x, z, height = points.T
    size = float(np.ptp(points[:, :2], axis=0).min())
    inner = np.flatnonzero(~on_outline)
    back = np.arange(len(x))
    back[inner] = len(x) + np.arange(len(inner))
    front = np.stack((x, -height * min(_FLATNESS, _THICKEST * size / 2 / float(height.max())), z), axis=1)
    behind = (front * (1, -1, 1))[inner]
    return np.concatenate((front, behind)), np.concatenate((triangles, back[triangles[:, ::-1]]))


def _cushion(mask: Mask) -> tuple[Points, Faces, Mask]:
    """The front half, in pixels.

    Returns:
        x, y and height above the middle plane, (n, 3); triangles, counter-clockwise as seen with x right and y up,
        (m, 3); and which points lie on the outline, where the height is 0, (n,).

    Raises:
        EngineError: The mask is empty.
    """
    if not mask.any():
        raise EngineError("The silhouette is empty.")
    padded = np.pad(mask, 1)
    flat, triangles, on_outline = _sheet(padded)
    u = poisson(padded)
    flat[on_outline] = _smoothed_outline(flat, triangles, on_outline, u)
    points = np.column_stack((flat, np.zeros(len(flat))))
    points[~on_outline], distance = _profile(u, flat[~on_outline])
    points[:, :2] -= 0.5  # from pixel middles of the padded mask to corners of the mask itself
    looseness = np.zeros(len(points))
    looseness[~on_outline] = _LOOSE * np.exp(-distance / _RIM)
    return _relaxed(points, triangles, on_outline, looseness), triangles, on_outline


def _sheet(mask: Mask) -> tuple[Points, Faces, Mask]:
    """Triangles over a mask whose border is false: corners in pixel middles, rims half-way to the pixels outside.

    Every cell between four pixels is cut into two triangles, and each of those along the rim. The rim of such a sheet
    is always made of closed loops that do not touch.
    """
    height, width = mask.shape
    index = np.arange(height * width).reshape(height, width)
    here, right, up, both = index[:-1, :-1], index[:-1, 1:], index[1:, :-1], index[1:, 1:]
    # The diagonals alternate, so that no direction is preferred.
    even = (np.add.outer(np.arange(height - 1), np.arange(width - 1)) % 2 == 0)[..., None, None]
    one = np.stack((np.stack((here, right, both), -1), np.stack((here, both, up), -1)), axis=2)
    other = np.stack((np.stack((here, right, up), -1), np.stack((right, both, up), -1)), axis=2)
    cells = np.where(even, one, other).reshape(-1, 3)
    inside = mask.ravel()[cells]
    count = inside.sum(axis=1)
    # Turn each triangle so that the corner that differs from the two others comes first.
    lone = np.where(count == 1, inside.argmax(axis=1), (~inside).argmax(axis=1))
    turned = np.take_along_axis(cells, (lone[:, None] + np.arange(3)) % 3, axis=1)
    whole, single, double = cells[count == 3], turned[count == 1], turned[count == 2]

    size = height * width
    rim_keys: list[Faces] = []

    def rim(first: Faces, second: Faces) -> Faces:
        key = np.minimum(first, second) * size + np.maximum(first, second)
        rim_keys.append(key)
        return key + size  # above all pixels, to be numbered later

    a, b, c = single.T
    tips = np.stack((a, rim(a, b), rim(a, c)), axis=1)
    a, b, c = double.T
    ab, ac = rim(a, b), rim(a, c)
    rests = np.concatenate((np.stack((ab, b, c), axis=1), np.stack((ab, c, ac), axis=1)))
    triangles = np.concatenate((whole, tips, rests))
    names, numbered = np.unique(triangles, return_inverse=True)
    on_outline = names >= size
    keys = names[on_outline] - size
    points = np.empty((len(names), 2))
    points[~on_outline] = np.stack((names[~on_outline] % width, names[~on_outline] // width), axis=1)
    ends = np.stack((keys // size, keys % size))
    points[on_outline] = np.stack(((ends % width).mean(axis=0), (ends // width).mean(axis=0)), axis=1)
    return points, numbered.reshape(-1, 3), on_outline


def _smoothed_outline(points: Points, triangles: Faces, on_outline: Mask, u: Points) -> Points:
    """The points of the outline without its steps: pulled tight, and none moved by more than part of a pixel."""
    pairs, count = edges_of(triangles)
    number = np.cumsum(on_outline) - 1
    rim = number[pairs[count == 1]]
    start = points[on_outline]
    return tightened(start, rim, _reach(start, u)[:, None], _OUTLINE_STEPS)


def _reach(outline: Points, u: Points) -> Points:
    """How far the outline may move: less along limbs that are only few pixels wide, which would be pulled shut."""
    column, row = np.rint(outline).astype(int).T
    nearby = np.lib.stride_tricks.sliding_window_view(np.pad(u, 2), (5, 5))[row, column].max(axis=(1, 2))
    return np.asarray(_OUTLINE_REACH * np.clip(0.3 + (nearby - 0.5) / 4, 0.3, 1.0))


def _profile(u: Points, points: Points) -> tuple[Points, Points]:
    """Gives points in pixel middles a height, and moves them so that the steep rim gets as many as the flat top.

    Near a rim the surface is taken for a round bar of half the width ``w``: there the solution ``u`` of Poisson's
    equation and its slope tell the distance from the rim, ``d = w - slope`` with ``w² = 2u + slope²``. Points evenly
    spaced in ``d`` are moved so that they are evenly spaced along the arc.

    Returns:
        x, y and height, (n, 3), and the distances from the rim before they were moved, (n,).
    """
    slope_y, slope_x = np.gradient(u)
    column, row = np.rint(points).astype(int).T
    here, slope = u[row, column], np.stack((slope_x[row, column], slope_y[row, column]), axis=1)
    steep = np.linalg.norm(slope, axis=1)
    width = np.sqrt(2 * here + steep**2)
    distance = np.clip(width - steep, 0.0, width)
    nearer = width * (1 - np.cos(np.pi / 2 * distance / np.maximum(width, 1e-9)))
    nearer = np.minimum(nearer * 0.75 + distance * 0.25, distance)
    moved = points - slope / np.maximum(steep, 1e-9)[:, None] * (distance - nearer)[:, None]
    height = np.sqrt(np.maximum(2 * width * nearer - nearer**2, 0.0))
    return np.column_stack((moved, height)), distance


def _relaxed(points: Points, triangles: Faces, on_outline: Mask, looseness: Points) -> Points:
    """Evens the surface out: a little everywhere without shrinking it, and more where it is loose, next to the rim.

    There the steps of the pixels would show, which the outline does not have any more.
    """
    edges, _ = edges_of(triangles)
    for step in range(_SURFACE_STEPS * 2):
        gain = 0.5 + looseness * 0.2 if step % 2 == 0 else -0.52 * (1 - looseness)
        gain[on_outline] = 0.0
        points = points + (neighbour_means(points, edges) - points) * gain[:, None]
    return points
