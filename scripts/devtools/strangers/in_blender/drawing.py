"""Small pictures of models without a renderer: points on the surfaces, the nearest in front."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import measures, scene
from .measures import Array
from .scene import Mesh

SIDE = 150
"""Pixels of a picture's sides."""

PAPER = 0.94
_FINER = 2
_VIEW = np.array((0.55, -1.0, 0.42)) / np.linalg.norm((0.55, -1.0, 0.42))
"""Towards the camera, from the front right and above, as in the engine's own previews."""

_RIGHT = np.cross((0.0, 0.0, 1.0), _VIEW) / np.linalg.norm(np.cross((0.0, 0.0, 1.0), _VIEW))
_UP = np.cross(_VIEW, _RIGHT)
_POINTS = 160_000
_BONE = np.array((0.85, 0.1, 0.1))
_PART_COLORS = np.array(
    [
        *((230, 75, 60), (60, 130, 200), (85, 175, 85), (245, 190, 60), (150, 95, 180), (60, 190, 190)),
        *((235, 130, 50), (135, 100, 75), (235, 130, 180), (130, 135, 145), (170, 200, 70), (40, 75, 120)),
    ]
)


def draw(found: Sequence[Mesh], *, by_part: bool = False, bones: Sequence[tuple[Array, Array]] = ()) -> Array:
    """A picture (SIDE, SIDE, 3) of bytes, top row first, filled by the model.

    Args:
        found: The model.
        by_part: Each object in a colour of its own.
        bones: Lines from head to tail that are drawn over it.
    """
    triangles = scene.all_triangles(found)
    colors = np.concatenate([_colors(mesh, row if by_part else None) for row, mesh in enumerate(found)])
    points, chosen = measures.spread_points(triangles, _POINTS)
    flat = points @ np.stack((_RIGHT, _UP), axis=1)
    low, high = flat.min(axis=0), flat.max(axis=0)
    side = SIDE * _FINER
    scale = (side - 8) / max(float((high - low).max()), 1e-12)
    middle = (low + high) / 2
    normals = measures.normals_of(triangles)
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-30)[:, None]
    light = 0.5 + 0.5 * np.abs(normals @ (_VIEW * 0.75 + _UP * 0.45 + _RIGHT * 0.25)).clip(0, 1)
    canvas = np.full((side, side, 3), PAPER)
    order = np.argsort(points @ _VIEW, kind="stable")
    places = _places(flat, middle, scale, side)[order]
    shown = (colors * light[:, None])[chosen[order]]
    for right, down in ((1, 1), (0, 1), (1, 0), (0, 0)):
        canvas[(places[:, 1] + down).clip(0, side - 1), (places[:, 0] + right).clip(0, side - 1)] = shown
    if len(bones):
        canvas = canvas * 0.55 + 0.42
        _draw_bones(canvas, bones, middle, scale)
    small = canvas.reshape(SIDE, _FINER, SIDE, _FINER, 3).mean(axis=(1, 3))
    return np.asarray((small.clip(0, 1) * 255).astype(np.uint8))


def _places(flat: Array, middle: Array, scale: float, side: int) -> Array:
    """Columns and rows of points in the picture's plane."""
    moved = (flat - middle) * (scale, -scale) + side / 2
    return np.asarray(moved.astype(int))


def _draw_bones(canvas: Array, bones: Sequence[tuple[Array, Array]], middle: Array, scale: float) -> None:
    side = len(canvas)
    for head, tail in bones:
        along = np.linspace(0, 1, 160)[:, None]
        line = _places((head + (tail - head) * along) @ np.stack((_RIGHT, _UP), axis=1), middle, scale, side)
        # Thick at the head and thin at the tail, as Blender shows them.
        for column, row in line[:12]:
            canvas[max(row - 3, 0) : row + 4, max(column - 3, 0) : column + 4] = _BONE * 0.6
        for column, row in line:
            canvas[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2] = _BONE


def _colors(mesh: Mesh, part: int | None) -> Array:
    """Of the triangles, (n, 3), sRGB 0..1."""
    if part is not None:
        return np.tile(_PART_COLORS[part % len(_PART_COLORS)] / 255, (len(mesh.faces), 1))
    colors = np.tile(scene.look_of(None).color, (len(mesh.faces), 1))
    for number, material in enumerate(mesh.slots):
        of_it = np.flatnonzero(mesh.materials == number)
        look: Any = scene.look_of(material)
        if look.picture is not None and mesh.uvs is not None:
            colors[of_it] = scene.sample(look.picture, mesh.uvs[of_it].mean(axis=1))
        else:
            colors[of_it] = look.color
    return colors
