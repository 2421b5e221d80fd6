"""The poses that a model came in: at rest, and as its rig holds it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from ..array_types import Array
from ..mesh.measure import world_triangles

_SAME = 1e-3  # of the size


def poses_of(objects: Sequence[Any]) -> list[Array]:
    """All triangles of the objects in world space, (m, 3, 3): at rest, and as one sees them where that is different."""
    rest = _triangles(objects)
    if not bpy.data.armatures:
        return [rest]
    set_pose("POSE")
    depsgraph = bpy.context.evaluated_depsgraph_get()
    posed = _triangles([scene_object.evaluated_get(depsgraph) for scene_object in objects])
    set_pose("REST")
    same = len(posed) == len(rest) and np.abs(posed - rest).max() < _SAME * np.ptp(rest)
    return [rest] if same else [rest, posed]


def set_pose(position: str) -> None:
    """Shows all rigs in ``REST`` or ``POSE`` position."""
    for armature in bpy.data.armatures:
        armature.pose_position = position
    bpy.context.view_layer.update()


def _triangles(objects: Sequence[Any]) -> Array:
    return np.concatenate([world_triangles(scene_object) for scene_object in objects])
