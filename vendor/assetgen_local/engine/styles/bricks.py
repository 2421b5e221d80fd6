"""Lego: bricks of up to two by four, each a closed box, with a stud on every place that has nothing above it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array_types import Array, Mask
from ..mesh.build import new_object, set_uv
from ..shapes.solid import fans
from ..shapes.solids import loft
from .block_grid import BlockGrid
from .palette import palette_of

HEIGHT = 1.2
"""Of a brick, in the width of one stud's place."""

_COLORS = 24
_GAP = 0.03  # between bricks, on each side
_STUD_RADIUS, _STUD_HEIGHT, _STUD_SUNK = 0.31, 0.2, 0.03
_SEGMENTS = 12
_SHAPES = ((4, 2), (3, 2), (2, 2), (4, 1), (3, 1), (2, 1), (1, 1))


def bricks(volume: BlockGrid) -> tuple[Any, dict[str, int]]:
    """The model as bricks, one object; and how many bricks and studs it has."""
    shell = _shell(volume.filled)
    palette = palette_of(volume.colors[shell], _COLORS)
    color = np.full(shell.shape, -1)
    color[shell] = palette.nearest(volume.colors[shell])
    placed = [brick for level in range(shell.shape[2]) for brick in _laid(color[:, :, level], level)]
    above = np.pad(volume.filled, ((0, 0), (0, 0), (0, 1)))[:, :, 1:]
    studs = np.argwhere(volume.filled & ~above)
    boxes = np.array([brick[:6] for brick in placed], float)
    corners, triangles = _boxes(boxes)
    stud_corners, stud_triangles = _studs(studs)
    # On top of a brick of its colour: the same number.
    numbers = np.concatenate(
        (
            np.repeat([brick[6] for brick in placed], 12),
            np.repeat(color[tuple(studs.T)], len(stud_triangles) // max(len(studs), 1)),
        )
    )
    vertices = np.concatenate((corners, stud_corners)) * volume.size + volume.low
    whole = new_object("model", vertices, np.concatenate((triangles, stud_triangles + len(corners))), smooth=False)
    set_uv(whole.data, palette.square(numbers, 0.3)[:, :3].reshape(-1, 2))
    whole.data.materials.append(palette.material(palette.picture(), 0.22))
    return whole, {"bricks": len(placed), "studs": len(studs)}


def _shell(filled: Mask) -> Mask:
    """Filled places next to an empty one, also across a corner: what is inside is never seen."""
    around = np.lib.stride_tricks.sliding_window_view(np.pad(filled, 1), (3, 3, 3))
    return filled & ~around.all(axis=(3, 4, 5))


def _laid(color: Array, level: int) -> list[tuple[int, ...]]:
    """Bricks for one level: (x, y, z, and sizes, and colour). Each level lies across the one below it."""
    free = color >= 0
    placed = []
    for x, y in np.argwhere(free):
        if not free[x, y]:
            continue
        for long, short in _SHAPES:
            turned = [(long, short), (short, long)] if level % 2 == 0 else [(short, long), (long, short)]
            fitting = next((size for size in turned if _fits(color, free, x, y, size)), None)
            if fitting is not None:
                free[x : x + fitting[0], y : y + fitting[1]] = False
                placed.append((int(x), int(y), level, *fitting, 1, int(color[x, y])))
                break
    return placed


def _fits(color: Array, free: Array, x: int, y: int, size: tuple[int, int]) -> bool:
    place = np.s_[x : x + size[0], y : y + size[1]]
    return bool(free[place].shape == size and free[place].all() and (color[place] == color[x, y]).all())


_CUBE = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)])
_CUBE_QUADS = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
_CUBE_TRIANGLES = np.array([t for a, b, c, d in _CUBE_QUADS for t in ((a, b, c), (a, c, d))])


def _boxes(boxes: Array) -> tuple[Array, Array]:
    """Corners and triangles of boxes (x, y, z, sizes), with a small gap around each."""
    gap = np.array((_GAP, _GAP, _GAP / 2))
    corners = (boxes[:, None, :3] + gap) + _CUBE[None] * (boxes[:, None, 3:] - 2 * gap)
    triangles = _CUBE_TRIANGLES[None] + 8 * np.arange(len(boxes))[:, None, None]
    return corners.reshape(-1, 3), triangles.reshape(-1, 3)


def _studs(places: Array) -> tuple[Array, Array]:
    """Closed cylinders on top of these places; corners and triangles."""
    angle = np.arange(_SEGMENTS) * 2 * np.pi / _SEGMENTS
    circle = np.stack((np.cos(angle), np.sin(angle)), axis=1) * _STUD_RADIUS + 0.5
    heights = (1 - _STUD_SUNK, 1 + _STUD_HEIGHT / HEIGHT)
    stud = loft(np.stack([np.column_stack((circle, np.full(_SEGMENTS, height))) for height in heights]))
    corners = places[:, None, :] + stud.points
    triangles = fans(stud) + len(stud.points) * np.arange(len(places))[:, None, None]
    return corners.reshape(-1, 3), triangles.reshape(-1, 3)
