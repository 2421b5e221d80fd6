"""UVs without overlap, one square for the whole mesh."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from background_blender.operators import call

from .measure import coordinates
from .merged import UV, only_uv
from .operators import edit_mode

ANGLE = math.radians(66)
"""Faces that lean apart by less than this share an island."""

MARGIN_PIXELS = 4
"""Space around an island at the size that the texture will have, so that mip-maps and filters do not mix islands."""

_USUAL = (1e-3, 1e3)  # Blender units


def unwrap(scene_object: Any, texture_size: int) -> None:
    """Gives the object one UV map whose islands do not overlap and keep a distance from each other.

    Args:
        scene_object: A mesh object with identity transform.
        texture_size: Pixels that the texture will have, for the distance.
    """
    only_uv(scene_object.data)
    with _of_usual_size(scene_object.data), edit_mode(scene_object):
        call(
            bpy.ops.uv.smart_project,
            angle_limit=ANGLE,
            margin_method="FRACTION",
            rotate_method="AXIS_ALIGNED",
            island_margin=MARGIN_PIXELS / texture_size,
            area_weight=0.0,
            correct_aspect=False,
            scale_to_bounds=False,
        )


@contextmanager
def _of_usual_size(mesh: Any) -> Iterator[None]:
    """Islands of a mesh that is millions of units large do not fit into the map."""
    before = coordinates(mesh)
    size = float(np.ptp(before, axis=0).max())
    if _USUAL[0] < size < _USUAL[1]:
        yield
        return
    mesh.vertices.foreach_set("co", (before / np.float32(size)).ravel())
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
    mesh = scene_object.data
    active = mesh.uv_layers[UV]
    for layer in [layer for layer in mesh.uv_layers if layer != active]:
        mesh.uv_layers.remove(layer)
    # Without this the operator looks at a selection of UVs that only the UV editor has.
    bpy.context.scene.tool_settings.use_uv_select_sync = True
    with edit_mode(scene_object):
        call(
            bpy.ops.uv.pack_islands,
            rotate=True,
            # Boxes and right angles: exact outlines take seconds to minutes with a margin of fixed size.
            rotate_method="CARDINAL",
            shape_method="AABB",
            scale=True,
            merge_overlap=False,
            margin_method="FRACTION",
            margin=MARGIN_PIXELS / texture_size,
        )
