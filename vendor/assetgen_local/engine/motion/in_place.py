"""Holds a moving model in place: what carries it over the ground stays where it is, and still goes up and down."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array_types import Array
from ..files.animation_clips import animated, clips_of, curves_of, write_curve


def hold() -> None:
    """Takes the way over the ground out of every animation in the scene."""
    for owner in animated():
        if owner.id_type != "OBJECT":
            continue
        for action, slot in clips_of(owner).values():
            if owner.type == "ARMATURE":
                _hold_bones(owner, curves_of(action, slot))
            if owner.parent is None:
                axes = np.eye(3)
                _subtract(curves_of(action, slot), "location", axes, _way(curves_of(action, slot), "location", axes))


def _hold_bones(armature: Any, curves: Any) -> None:
    """Takes the way of the bone that carries most others off it, and off those that are animated beside it."""
    carrier = _carrier(armature, {curve.data_path for curve in curves})
    if carrier is None:
        return
    turn = np.array(armature.matrix_world.to_3x3())
    way = _way(curves, carrier.path_from_id("location"), turn @ np.array(carrier.bone.matrix_local.to_3x3()))
    beside = carrier.parent.children if carrier.parent else [bone for bone in armature.pose.bones if not bone.parent]
    for bone in beside:
        _subtract(curves, bone.path_from_id("location"), turn @ np.array(bone.bone.matrix_local.to_3x3()), way)


def _carrier(armature: Any, paths: set[str]) -> Any:
    """From the root down, along the bones with most descendants, the first one that has keys for its place."""
    level = [bone for bone in armature.pose.bones if bone.parent is None]
    while level:
        main = max(level, key=lambda bone: len(bone.children_recursive))
        if main.path_from_id("location") in paths:
            return main
        level = list(main.children)
    return None


def _sampled(curves: Any, path: str) -> tuple[Array, Array]:
    """Frames, and a place on each, (frames, 3); a single one where it has no keys."""
    by_axis = {curve.array_index: curve for curve in curves if curve.data_path == path}
    ends = np.array([tuple(curve.range()) for curve in by_axis.values()] or [(0.0, 0.0)])
    frames = np.arange(np.floor(ends[:, 0].min()), np.ceil(ends[:, 1].max()) + 1)
    values = np.zeros((len(frames), 3))
    for index, curve in by_axis.items():
        values[:, index] = [curve.evaluate(frame) for frame in frames]
    return frames, values


def _way(curves: Any, path: str, axes: Array) -> tuple[Array, Array]:
    """Frames, and how far over the ground a place has come since the first; world space, (frames, 3)."""
    frames, places = _sampled(curves, path)
    return frames, (places - places[:1]) @ axes.T * (1.0, 1.0, 0.0)


def _subtract(curves: Any, path: str, axes: Array, way: tuple[Array, Array]) -> None:
    frames, values = _sampled(curves, path)
    back = np.stack([np.interp(frames, way[0], way[1][:, axis]) for axis in range(3)], axis=1)
    values -= back @ np.linalg.pinv(axes).T
    for curve in [curve for curve in curves if curve.data_path == path]:
        index = curve.array_index
        curves.remove(curve)
        write_curve(curves, path, index, frames, values[:, index])
