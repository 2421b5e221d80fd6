"""Voxel and minecraft: the visible sides of blocks, as one closed surface."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array_types import Array
from ..mesh.build import new_object, set_uv
from ..mesh.surface_nets import without_crossings
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


_QUAD = {  # corners of a block's side, by axis and direction
    (axis, side): [
        tuple(np.roll((side, *corner), axis))
        for corner in ([(0, 0), (1, 0), (1, 1), (0, 1)] if side else [(0, 0), (0, 1), (1, 1), (1, 0)])
    ]
    for axis in range(3)
    for side in (0, 1)
}


def _sides(volume: BlockGrid) -> tuple[Array, Array]:
    """The visible sides: corners in grid steps, (n, 4, 3), counter-clockwise from outside; colours, (n, 3)."""
    padded = without_crossings(np.pad(np.where(volume.filled, 1.0, -1.0), 1, constant_values=-1.0)) > 0
    filled = padded[1:-1, 1:-1, 1:-1]
    corners, colors = [], []
    for axis in range(3):
        for side in (0, 1):
            neighbour = np.roll(padded, -1 if side else 1, axis)[1:-1, 1:-1, 1:-1]
            block = np.argwhere(filled & ~neighbour)
            corners.append(block[:, None] + np.array(_QUAD[axis, side])[None])
            colors.append(volume.colors[tuple(block.T)])
    return np.concatenate(corners), np.concatenate(colors)
