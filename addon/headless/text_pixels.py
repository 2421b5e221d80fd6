"""Words as pixels, without a screen: the outlines of Blender's own font, filled."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

_FINER = 3
"""Samples of a pixel in each direction."""

Floats = npt.NDArray[np.float32]


def text_pixels(words: str, height: int, width: int) -> Floats:
    """How much of each pixel the words cover (height, width), 0 to 1, top row first; they are centred.

    Words that are too long for it are made narrower.
    """
    triangles = _triangles(words)
    covered = np.zeros((height * _FINER, width * _FINER), dtype=bool)
    if len(triangles):
        scale = height * _FINER * 0.72
        low, high = float(triangles[..., 0].min()), float(triangles[..., 0].max())
        across = min(scale, (width * _FINER - 2) / max(high - low, 1e-6))
        middle = width * _FINER / 2
        columns = (triangles[..., 0] - (low + high) / 2) * across + middle
        rows = height * _FINER * 0.76 - triangles[..., 1] * scale
        for column, row in zip(columns, rows, strict=True):
            _fill(covered, column, row)
    pixels: Floats = covered.reshape(height, _FINER, width, _FINER).mean(axis=(1, 3)).astype(np.float32)
    return pixels


def _triangles(words: str) -> Floats:
    """The triangles (N, 3, 2) of words that stand on y = 0 and are about 1 high."""
    curve: Any = bpy.data.curves.new("Words", "FONT")
    item = bpy.data.objects.new("Words", curve)
    try:
        curve.body = words
        curve.resolution_u = 2
        mesh = item.to_mesh()
        mesh.calc_loop_triangles()
        places = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
        mesh.vertices.foreach_get("co", places)
        corners = np.empty(len(mesh.loop_triangles) * 3, dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", corners)
        found: Floats = places.reshape(-1, 3)[corners.reshape(-1, 3)][..., :2]
        return found
    finally:
        item.to_mesh_clear()
        bpy.data.objects.remove(item)
        bpy.data.curves.remove(curve)


def _fill(covered: npt.NDArray[np.bool_], column: Floats, row: Floats) -> None:
    """Marks the samples inside of one triangle."""
    height, width = covered.shape
    left, right = max(0, int(column.min())), min(width, int(column.max()) + 2)
    top, bottom = max(0, int(row.min())), min(height, int(row.max()) + 2)
    if left >= right or top >= bottom:
        return
    x = np.arange(left, right, dtype=np.float32) + 0.5
    y = (np.arange(top, bottom, dtype=np.float32) + 0.5)[:, None]
    sides = [
        (column[b] - column[a]) * (y - row[a]) - (row[b] - row[a]) * (x - column[a])
        for a, b in ((0, 1), (1, 2), (2, 0))
    ]
    inside = np.logical_and.reduce([side >= 0 for side in sides]) | np.logical_and.reduce([side <= 0 for side in sides])
    covered[top:bottom, left:right] |= inside
