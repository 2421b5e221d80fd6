"""UVs without overlap, one square for the whole mesh."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
from background_blender.operators import call

from ..array_types import Array, Mask
from .build import UV, move_points, only_uv
from .connected import components
from .measure import coordinates, corners, face_of_corner, triangle_areas, triangle_loops, values
from .operators import edit_mode
from .texels import pixels_in

ANGLE = 66
"""Degrees by which faces may lean apart that share an island."""

_TRIES = ((4.0, ANGLE), (2.0, ANGLE), (1.0, 45), (0.5, 25), (0.25, 10))
"""Pixels around an island at the size that the texture will have, so that mip-maps and filters do not mix islands, and
the degrees by which faces may lean apart that share one. The next where the islands get too little of the map.
"""

_ENOUGH = 0.32  # of the map
_ROUNDS = (1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.25)  # of cutting and widening islands: pixels around one
_FULL = 0.6  # of its box: an island that fills more stays whole
_LONGEST = 8.0  # times as long as wide: islands of a rail, as long as the map, are made wider
_SAME_UV = 1e-5
_GRID = 1024  # pixels across the map: faces are over each other where they cover the middle of the same one
_CELLS = 512  # across the map, for gaps between islands
_SHRUNK = 0.02  # of a face's size, so that those next to each other are not


def unwrap(scene_object: Any, texture_size: int) -> None:
    """Gives the object one UV map whose islands do not overlap and keep a distance from each other.

    Args:
        scene_object: A mesh object with identity transform.
        texture_size: Pixels that the texture will have, for the distance.
    """

    def project(margin: float, angle: int) -> None:
        call(
            bpy.ops.uv.smart_project,
            angle_limit=math.radians(angle),
            margin_method="FRACTION",
            rotate_method="AXIS_ALIGNED",
            island_margin=margin,
            area_weight=0.0,
            correct_aspect=False,
            scale_to_bounds=False,
        )

    mesh = scene_object.data
    only_uv(mesh)
    before = coordinates(mesh)
    # Islands of a mesh that is millions of units large do not fit into the map.
    move_points(mesh, before / np.float32(max(np.ptp(before, axis=0).max(), 1e-30)))
    # Where no way has room, cutting begins with few islands: thousands of small ones are hardly more than distance.
    has_room = any(_with_room(scene_object, texture_size, project, tries) for tries in (_TRIES, ((1.0, ANGLE),)))
    move_points(mesh, before)
    for pixels in () if has_room else _ROUNDS:
        _fill_boxes(mesh, pixels / texture_size)
        with edit_mode(scene_object):
            _pack(pixels / texture_size)
        if _area(mesh) >= _ENOUGH:
            break


def _with_room(scene_object: Any, texture_size: int, place: Callable[[float, int], None], tries: Any = _TRIES) -> bool:
    """Places the islands in the first way that leaves them enough of the map; says whether there was one."""
    for pixels, angle in tries:
        with edit_mode(scene_object):
            place(pixels / texture_size, angle)
        if _lay_apart(scene_object.data, pixels / texture_size):
            with edit_mode(scene_object):
                _pack(pixels / texture_size)
        if _area(scene_object.data) >= _ENOUGH:
            return True
    return False


def _lay_apart(mesh: Any, margin: float) -> bool:
    """Moves faces that lie over others of their island into gaps; says whether all has to be packed for them.

    Sheets that share points, as a shield on a shield, and what winds like a ramp get into one island.
    """
    layer, owner, loops = mesh.uv_layers[UV], face_of_corner(mesh), triangle_loops(mesh)
    uv = uv_corners(layer)[:, :2]
    places, face = uv[loops].astype(np.float64) * _GRID, owner[loops[:, 0]]
    places += (places.mean(axis=1, keepdims=True) - places) * _SHRUNK
    aside, over = np.zeros(len(mesh.polygons), np.int32), face
    while len(over):
        left = np.isin(face, over)
        places, face = places[left], face[left]
        triangle, x, y = pixels_in(places, _GRID)
        order = np.argsort(y * _GRID + x, kind="stable")
        pixel, of = (y * _GRID + x)[order], face[triangle[order]]
        over = np.unique(of[1:][(pixel[1:] == pixel[:-1]) & (of[1:] != of[:-1])])
        aside[over] += 1
    if not aside.any():
        return False
    apart = aside[owner] > 0
    uv[:, 0] += aside[owner] * (np.ptp(uv[:, 0]) + 1.0)
    island = islands_of(mesh, uv, apart)
    low, high = _boxes(uv[apart], island)
    gaps = _gaps(_taken(uv[~apart], owner[~apart], margin), (high - low).max(axis=1), margin)
    if gaps is not None:
        uv[apart] += (gaps - low)[island]
    layer.uv.foreach_set("vector", uv.ravel())
    return gaps is None


def _taken(uv: Array, face: Array, margin: float) -> Mask:
    """The cells of the map that boxes around faces reach, with the distance of islands, (cells, cells), rows first.

    Args:
        uv: Of the corners, (n, 2), face after face.
        face: Of each corner.
        margin: Around an island, of the map.
    """
    starts = np.flatnonzero(np.diff(face, prepend=-1))
    low, high = (
        [np.clip(whole((of.reduceat(axis, starts) + far) * _CELLS), 0, _CELLS).astype(np.int64) for axis in uv.T.copy()]
        for of, whole, far in ((np.minimum, np.floor, -2 * margin), (np.maximum, np.ceil, 2 * margin))
    )
    # Each box begins and ends in two corners each: summed up along both axes, how many boxes each cell is in.
    ends = np.zeros((_CELLS + 1) ** 2, np.int64)
    for x, y, sign in ((low[0], low[1], 1), (high[0], high[1], 1), (low[0], high[1], -1), (high[0], low[1], -1)):
        ends += sign * np.bincount(y * (_CELLS + 1) + x, minlength=len(ends))
    taken: Mask = ends.reshape(_CELLS + 1, -1).cumsum(axis=0).cumsum(axis=1)[:-1, :-1] > 0
    return taken


def _gaps(taken: Mask, sizes: Array, margin: float) -> Array | None:
    """Room for squares of these sizes: the lowest corner of each, (n, 2); None where there is not enough."""
    gap = math.ceil(2 * margin * _CELLS)
    taken = np.pad(taken[gap:-gap, gap:-gap], gap, constant_values=True)
    cells, places = np.ceil(sizes * _CELLS).astype(int).clip(1), np.zeros((len(sizes), 2), np.float32)
    for side in np.unique(cells)[::-1]:
        sums = np.pad(taken.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
        free = sums[side:, side:] - sums[:-side, side:] - sums[side:, :-side] + sums[:-side, :-side] == 0
        for number in np.flatnonzero(cells == side):
            if not free.any():
                return None
            y, x = np.unravel_index(free.argmax(), free.shape)
            places[number] = x / _CELLS, y / _CELLS
            taken[y - gap : y + side + gap, x - gap : x + side + gap] = True
            free[max(0, y - side - gap + 1) : y + side + gap, max(0, x - side - gap + 1) : x + side + gap] = False
    return places


def _area(mesh: Any) -> float:
    """What part of the map the active UVs cover."""
    return float(triangle_areas(uv_corners(mesh.uv_layers[UV])[triangle_loops(mesh)]).sum())


def uv_corners(layer: Any) -> Array:
    """The UVs of every corner, (corners, 3), the last of each 0."""
    return np.pad(values(layer.uv, "vector", 2), ((0, 0), (0, 1)))


def islands_of(mesh: Any, uv: Array, chosen: Any = np.s_[:]) -> Array:
    """The island of each corner, by UVs of all corners: 0, 1, ...; only of those chosen, whole faces."""
    cells = np.round(uv[chosen, :2] / _SAME_UV).astype(np.int64)
    cells -= cells.min(axis=0)
    keys = (corners(mesh)[chosen] * (cells[:, 0].max() + 1) + cells[:, 0]) * (cells[:, 1].max() + 1) + cells[:, 1]
    index = np.unique(keys, return_inverse=True)[1].reshape(-1)
    face = face_of_corner(mesh)[chosen]
    beside = np.flatnonzero(face[1:] == face[:-1])
    islands: Array = components(int(index.max()) + 1, np.stack((index[beside], index[beside + 1]), axis=1))[index]
    return islands


def _fill_boxes(mesh: Any, margin: float) -> None:
    """Cuts islands in two that fill little of their box, as a fence, where it wins room; makes long ones wider."""
    layer, face, loops = mesh.uv_layers[UV], face_of_corner(mesh), triangle_loops(mesh)
    uv = uv_corners(layer)[:, :2]
    island = islands_of(mesh, uv)
    low, high = _boxes(uv, island)
    area = np.bincount(island[loops[:, 0]], triangle_areas(uv_corners(layer)[loops]), len(low))
    sparse = area < _FULL * (high - low).prod(axis=1) - margin / 2 * (high - low).max(axis=1)
    place = np.stack([np.bincount(face, along) / np.bincount(face) for along in uv.T], axis=1)[face]
    first, last = _boxes(place, island)
    axis = (last - first).argmax(axis=1)[island]
    beyond = sparse[island] & (place > ((first + last) / 2)[island])[np.arange(len(uv)), axis]
    wider = np.maximum(1.0, (high - low).max(axis=1, keepdims=True) / _LONGEST / np.maximum(high - low, 1e-12))
    uv = uv * wider[island]
    uv[beyond, 0] += np.ptp(uv) + 1.0  # elsewhere: no island any more with the rest
    layer.uv.foreach_set("vector", uv.astype(np.float32).ravel())


def _boxes(places: Array, group: Array) -> tuple[Array, Array]:
    """The lowest and the highest place of each group, (groups, 2) each."""
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    low, high = (of.reduceat(places[order], starts, axis=0) for of in (np.minimum, np.maximum))
    return low, high


def repack(scene_object: Any, texture_size: int) -> None:
    """Moves the islands of the active UV map next to each other, so that none overlap, and drops the other maps.

    Args:
        scene_object: A mesh object with UVs.
        texture_size: Pixels that the texture will have.
    """
    mesh = scene_object.data
    active = mesh.uv_layers[UV]
    for layer in [layer for layer in mesh.uv_layers if layer != active]:
        mesh.uv_layers.remove(layer)
    _with_room(scene_object, texture_size, lambda margin, _angle: _pack(margin))


def _pack(margin: float) -> None:
    # Without this the operator looks at a selection of UVs that only the UV editor has.
    bpy.context.scene.tool_settings.use_uv_select_sync = True
    call(
        bpy.ops.uv.pack_islands,
        rotate=True,
        # Boxes: exact outlines take seconds to minutes with a margin of fixed size.
        rotate_method="AXIS_ALIGNED",
        shape_method="AABB",
        scale=True,
        merge_overlap=False,
        margin_method="FRACTION",
        margin=margin,
    )
