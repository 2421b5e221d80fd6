"""Voxel and minecraft: the visible sides of blocks, as one closed surface. Lego: bricks of up to two by four, each a
closed box, with a stud on every place that has nothing above it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array_types import Array
from ..mesh.build import new_object, set_uv
from ..mesh.surface_nets import without_crossings
from ..shapes.solid import fans
from ..shapes.solids import at_height, circle, loft
from .block_grid import BlockGrid
from .palette import Palette, palette_of

_COLORS = 64
_JOINT = 0.86  # brightness of the lines between voxels

WORLD = (
    "e9ecec 8e8e86 3e4447 141519 70b919 546d1b 35399d 3aafd9 158991 792aac bd44b3 ed8dac a02722 f07613 f8c627 724728 "
    "d1b1a1 a15325 95576c 706c8a ba8523 677534 a14e4e 392a23 876a61 565b5b 764656 4a3b5b 4d3223 4c532a 8f3d2e 251610 "
    "9c7f4e 6f5430 c2b184 442b14 a95d33 6a6a6a 7e7e7e 9e9e9e dbcfa3 e4dfdb 866043 5f8a3a 7a5a3c 0f0a18 96342c f7eb4d"
)
"""Mean colours of blocks of a well-known game, sRGB hex: wool, concrete, terracotta, planks, stone, earth."""

HEIGHT = 1.2
"""Of a brick, in the width of one stud's place."""

_BRICK_COLORS = 24
_GAP = 0.03  # between bricks, on each side
_STUD_RADIUS, _STUD_HEIGHT, _STUD_SUNK = 0.31, 0.2, 0.03
_SEGMENTS = 12
_SHAPES = ((4, 2), (3, 2), (2, 2), (4, 1), (3, 1), (2, 1), (1, 1))


def voxels(volume: BlockGrid) -> Any:
    """Cubes in the model's colours, with fine lines between them."""
    corners, colors = _sides(volume)
    palette = palette_of(colors, _COLORS)
    uv = palette.square(palette.nearest(colors), 0.0)
    # Half a pixel less, so that no neighbour in the texture shows.
    uv = uv + (uv.mean(axis=1, keepdims=True) - uv) * (1.0 / palette.cell)
    return _object(volume, corners, uv, palette.material(palette.picture(edge=_JOINT), 0.6))


def minecraft(volume: BlockGrid) -> Any:
    """Cubes of a limited set of blocks, each with a texture of 16 by 16 pixels."""
    corners, colors = _sides(volume)
    world = [[int(word[place : place + 2], 16) / 255 for place in (0, 2, 4)] for word in WORLD.split()]
    palette = Palette(np.array(world, np.float32), cell=16)
    uv = palette.square(palette.nearest(colors), 0.002)
    return _object(volume, corners, uv, palette.material(palette.picture(variation=0.06, edge=0.93), 0.9, crisp=True))


def _object(volume: BlockGrid, corners: Array, uv: Array, material: Any) -> Any:
    """An object of sides with these corners in grid steps, (n, 4, 3), and UVs, (n, 4, 2)."""
    places, faces = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    whole = new_object("model", places * volume.size + volume.low, faces.reshape(-1, 4), smooth=False)
    set_uv(whole.data, uv.reshape(-1, 2))
    whole.data.materials.append(material)
    return whole


_CUBE = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)])
_CUBE_QUADS = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
"""Along each axis the side at 0, then the one at 1; counter-clockwise from outside."""

_CUBE_TRIANGLES = np.array([t for a, b, c, d in _CUBE_QUADS for t in ((a, b, c), (a, c, d))])


def _sides(volume: BlockGrid) -> tuple[Array, Array]:
    """The visible sides: corners in grid steps, (n, 4, 3), counter-clockwise from outside; colours, (n, 3)."""
    padded = without_crossings(np.pad(np.where(volume.filled, 1.0, -1.0), 1, constant_values=-1.0)) > 0
    filled = padded[1:-1, 1:-1, 1:-1]
    corners, colors = [], []
    for axis in range(3):
        for side in (0, 1):
            neighbour = np.roll(padded, -1 if side else 1, axis)[1:-1, 1:-1, 1:-1]
            block = np.argwhere(filled & ~neighbour)
            corners.append(block[:, None] + _CUBE[list(_CUBE_QUADS[2 * axis + side])])
            colors.append(volume.colors[tuple(block.T)])
    return np.concatenate(corners), np.concatenate(colors)


def bricks(volume: BlockGrid) -> tuple[Any, dict[str, int]]:
    """The model as bricks, one object; and how many bricks and studs it has."""
    # Next to an empty place, also across a corner: what is inside is never seen.
    around = np.lib.stride_tricks.sliding_window_view(np.pad(volume.filled, 1), (3, 3, 3))
    shell = volume.filled & ~around.all(axis=(3, 4, 5))
    palette = palette_of(volume.colors[shell], _BRICK_COLORS)
    color = np.full(shell.shape, -1)
    color[shell] = palette.nearest(volume.colors[shell])
    placed = [brick for level in range(shell.shape[2]) for brick in _laid(color[:, :, level], level)]
    above = np.pad(volume.filled, ((0, 0), (0, 0), (0, 1)))[:, :, 1:]
    studs = np.argwhere(volume.filled & ~above)
    boxes = np.array([brick[:6] for brick in placed], float)
    gap = np.array((_GAP, _GAP, _GAP / 2))
    corners, triangles = _repeated(_CUBE, _CUBE_TRIANGLES, boxes[:, :3] + gap, boxes[:, 3:] - 2 * gap)
    rim = circle(_SEGMENTS, _STUD_RADIUS) + 0.5
    stud = loft(np.stack([at_height(rim, height) for height in (1 - _STUD_SUNK, 1 + _STUD_HEIGHT / HEIGHT)]))
    stud_corners, stud_triangles = _repeated(stud.points, fans(stud), studs, np.ones((len(studs), 3)))
    # On top of a brick of its colour: the same number.
    of_boxes = np.repeat([brick[6] for brick in placed], len(_CUBE_TRIANGLES))
    numbers = np.concatenate((of_boxes, np.repeat(color[tuple(studs.T)], len(fans(stud)))))
    vertices = np.concatenate((corners, stud_corners)) * volume.size + volume.low
    whole = new_object("model", vertices, np.concatenate((triangles, stud_triangles + len(corners))), smooth=False)
    set_uv(whole.data, palette.square(numbers, 0.3)[:, :3].reshape(-1, 2))
    whole.data.materials.append(palette.material(palette.picture(), 0.22))
    return whole, {"bricks": len(placed), "studs": len(studs)}


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


def _repeated(points: Array, triangles: Array, places: Array, sizes: Array) -> tuple[Array, Array]:
    """Corners and triangles of many copies of a body, at these places and stretched by these factors, (n, 3) each."""
    corners = places[:, None] + points * sizes[:, None]
    numbers = triangles + len(points) * np.arange(len(places))[:, None, None]
    return corners.reshape(-1, 3), numbers.reshape(-1, 3)
