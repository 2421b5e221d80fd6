"""UVs without overlap, one square for the whole mesh."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from background_blender.operators import call

from ..array_types import Array
from .measure import coordinates, triangle_areas, triangle_loops
from .merged import UV, only_uv
from .operators import edit_mode

ANGLE = 66
"""Degrees by which faces may lean apart that share an island."""

_TRIES = ((4.0, ANGLE), (2.0, ANGLE), (1.0, 45), (0.5, 25), (0.25, 10))
"""Pixels around an island at the size that the texture will have, so that mip-maps and filters do not mix islands, and
the degrees by which faces may lean apart that share one. The next where the islands get too little of the map.
"""

_ENOUGH = 0.32  # of the map
_LONGEST = 8.0  # times as long as wide: longer things are unwrapped as if they were shorter
_USUAL = (1e-3, 1e3)  # Blender units


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
    size = np.ptp(coordinates(mesh), axis=0)
    largest = float(size.max())
    # Islands of a mesh that is millions of units large do not fit into the map.
    with _scaled(mesh, np.full(3, 1.0 if _USUAL[0] < largest < _USUAL[1] else 1.0 / largest)):
        has_room = _with_room(scene_object, texture_size, project)
    if not has_room:  # a rail: one long island is the whole width of the map
        with _scaled(mesh, 1.0 / np.maximum(size, largest / _LONGEST)):
            _with_room(scene_object, texture_size, project)


def _with_room(scene_object: Any, texture_size: int, place: Callable[[float, int], None]) -> bool:
    """Places the islands in the first way that leaves them enough of the map; says whether there was one."""
    for pixels, angle in _TRIES:
        with edit_mode(scene_object):
            place(pixels / texture_size, angle)
        if _area(scene_object.data) >= _ENOUGH:
            return True
    return False


def _area(mesh: Any) -> float:
    """What part of the map the active UVs cover."""
    uv = np.zeros((len(mesh.loops), 3), np.float32)
    flat = np.empty(len(mesh.loops) * 2, np.float32)
    mesh.uv_layers[UV].data.foreach_get("uv", flat)
    uv[:, :2] = flat.reshape(-1, 2)
    return float(triangle_areas(uv[triangle_loops(mesh)]).sum())


@contextmanager
def _scaled(mesh: Any, factors: Array) -> Iterator[None]:
    before = coordinates(mesh)
    if np.all(factors == 1.0):
        yield
        return
    mesh.vertices.foreach_set("co", (before * factors.astype(np.float32)).ravel())
    try:
        yield
    finally:
        mesh.vertices.foreach_set("co", before.ravel())
        mesh.update()


def repack(scene_object: Any, texture_size: int) -> None:
    """Moves the islands of the active UV map next to each other, so that none overlap, and drops the other maps.

    Args:
        scene_object: A mesh object with UVs.
        texture_size: Pixels that the texture will have.
    """

    def pack(margin: float, _angle: int) -> None:
        call(
            bpy.ops.uv.pack_islands,
            rotate=True,
            # Boxes and right angles: exact outlines take seconds to minutes with a margin of fixed size.
            rotate_method="CARDINAL",
            shape_method="AABB",
            scale=True,
            merge_overlap=False,
            margin_method="FRACTION",
            margin=margin,
        )

    mesh = scene_object.data
    active = mesh.uv_layers[UV]
    for layer in [layer for layer in mesh.uv_layers if layer != active]:
        mesh.uv_layers.remove(layer)
    # Without this the operator looks at a selection of UVs that only the UV editor has.
    bpy.context.scene.tool_settings.use_uv_select_sync = True
    _with_room(scene_object, texture_size, pack)
