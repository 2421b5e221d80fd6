"""Does an object move by itself? Its animation then decides where it is, and not what is written into its transform."""

from __future__ import annotations

import bpy

from .action_curves import curves_of, used_actions

TRANSFORMS = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")
"""The paths of curves that change an object's own place, rotation or size."""


def has_animated_transform(item: bpy.types.Object) -> bool:
    """Whether an action or a strip of the object changes its own place, rotation or size (bones do not count)."""
    return any(curve.data_path in TRANSFORMS for used in used_actions(item.animation_data) for curve in curves_of(used))
