"""UVs without overlap, one square for the whole mesh."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ..array_types import Array
from .build import UV, set_uv
from .charts import Charts, boxes, by_normals, by_uv
from .measure import triangle_loops, values
from .texels import pixels_in

ANGLE = 66
"""Degrees by which faces may lean apart that share an island."""

_TRIES = ((4.0, 0), (2.0, 1), (1.0, 3), (0.5, 3), (0.25, 3))
"""Pixels around an island at the size that the texture will have, so that mip-maps and filters do not mix islands, and
how often islands are cut then. The next where the islands get too little of the map.
"""

_ENOUGH = 0.32  # of the map
_FULL = 0.6  # of its box: an island that fills more stays whole
_LONGEST = 8.0  # times as long as wide: islands of a rail, as long as the map, are made wider
_GRID = 1024  # pixels across the map: faces are over each other where they cover the middle of the same one
_SHRUNK = 0.02  # of a face's size, so that those next to each other are not


def unwrap(scene_object: Any, texture_size: int, *, keep_islands: bool = False) -> None:
    """Gives the object one UV map whose islands do not overlap and keep a distance from each other.

    Args:
        scene_object: A mesh object with identity transform.
        texture_size: Pixels that the texture will have, for the distance.
        keep_islands: Move those of its active UVs next to each other instead of cutting new ones.
    """
    mesh, loops = scene_object.data, triangle_loops(scene_object.data)
    if keep_islands:
        charts = by_uv(mesh, values(mesh.uv_layers[UV].uv, "vector", 2))
    else:
        charts = by_normals(mesh, math.radians(ANGLE))
    tries = [(pixels, cut) for pixels, cuts in _TRIES for cut in range(1 if keep_islands else cuts + 1)]
    for number, (pixels, cut) in enumerate(tries):
        charts = (_filling_boxes(charts, loops) if cut else charts).packed(pixels / texture_size)
        if 0 < number < len(tries) - 1 and _areas(charts, loops).sum() < _ENOUGH:
            continue  # what lay over others was parted at the first try; what a larger map shows of it, at the last one
        if (aside := _over_others(charts, loops)).any():
            charts = charts.cut(aside).packed(pixels / texture_size)
        if _areas(charts, loops).sum() >= _ENOUGH:
            break
    set_uv(mesh, charts.places[charts.points])


def _over_others(charts: Charts, loops: Array) -> Array:
    """Of each corner, on which sheet its face goes so that none lies over others of its island; 0 for nearly all.

    Sheets that share points, as a shield on a shield, and what winds like a ramp get into one island.
    """
    places, face = charts.triangles(loops) * _GRID, charts.faces[loops[:, 0]]
    places += (places.mean(axis=1, keepdims=True) - places) * _SHRUNK
    triangle, x, y = pixels_in(places, _GRID)
    order = np.argsort(y * _GRID + x, kind="stable")
    pixel, of = (y * _GRID + x)[order], face[triangle[order]]
    aside = np.zeros(charts.faces[-1] + 1, np.int32)
    while len(of):
        over = np.zeros(len(aside), bool)
        over[of[1:][(pixel[1:] == pixel[:-1]) & (of[1:] != of[:-1])]] = True
        aside += over
        pixel, of = pixel[over[of]], of[over[of]]
    return aside[charts.faces]


def _areas(charts: Charts, loops: Array) -> Array:
    """What part of the map each triangle has."""
    (x0, y0), (x1, y1), (x2, y2) = charts.triangles(loops).transpose(1, 2, 0)
    return np.abs((x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)) / 2


def _filling_boxes(charts: Charts, loops: Array) -> Charts:
    """The same with those cut in two that fill little of the box around them, as a fence does, and long ones wider."""
    low, high = boxes(charts.places, charts.islands)
    island = np.empty(charts.faces[-1] + 1, np.int64)
    island[charts.faces] = charts.islands[charts.points]
    sparse = np.bincount(island[charts.faces[loops[:, 0]]], _areas(charts, loops)) < _FULL * (high - low).prod(axis=1)
    uses, uv = np.bincount(charts.faces), charts.places[charts.points]
    middle = np.stack([np.bincount(charts.faces, along) / uses for along in uv.T], axis=1)
    order = np.argsort(island, kind="stable")
    first, last = boxes(middle[order], island[order])
    axis = (last - first).argmax(axis=1)[island]
    beyond = sparse[island] & (middle > ((first + last) / 2)[island])[np.arange(len(island)), axis]
    wider = np.maximum(1.0, (high - low).max(axis=1, keepdims=True) / _LONGEST / np.maximum(high - low, 1e-12))
    return replace(charts, places=charts.places * wider[charts.islands]).cut(beyond[charts.faces])
