"""Holds a moving model in place: what carries it over the ground stays where it is, and still goes up and down."""

from __future__ import annotations

from typing import Any

import numpy as np
from mathutils import Matrix

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
    way = _way(curves, _path(carrier), turn @ np.array(carrier.bone.matrix_local.to_3x3()))
    beside = carrier.parent.children if carrier.parent else [bone for bone in armature.pose.bones if not bone.parent]
    for bone in beside:
        _subtract(curves, _path(bone), turn @ np.array(bone.bone.matrix_local.to_3x3()), way)


def _path(bone: Any) -> str:
    return str(bone.path_from_id("location"))


def _carrier(armature: Any, paths: set[str]) -> Any:
    """From the root down, along the bones with most descendants, the first one that has keys for its place."""
    level = [bone for bone in armature.pose.bones if bone.parent is None]
    while level:
        main = max(level, key=lambda bone: len(bone.children_recursive))
        if _path(main) in paths:
            return main
        level = list(main.children)
    return None


def _curves_at(curves: Any, path: str) -> dict[int, Any]:
    return {curve.array_index: curve for curve in curves if curve.data_path == path}


def _values(by_axis: dict[int, Any], frames: Array) -> Array:
    values = np.zeros((len(frames), 3))
    for index, curve in by_axis.items():
        values[:, index] = [curve.evaluate(frame) for frame in frames]
    return values


def _frames(by_axis: dict[int, Any]) -> Array:
    low = min(curve.range()[0] for curve in by_axis.values())
    high = max(curve.range()[1] for curve in by_axis.values())
    return np.arange(np.floor(low), np.ceil(high) + 1)


def _way(curves: Any, path: str, axes: Array) -> tuple[Array, Array] | None:
    """Frames, and how far over the ground a place has come since the first; world space, (frames, 3)."""
    by_axis = _curves_at(curves, path)
    if not by_axis:
        return None
    frames = _frames(by_axis)
    way = (_values(by_axis, frames) - _values(by_axis, frames[:1])) @ axes.T
    way[:, 2] = 0.0
    return frames, way


def _subtract(curves: Any, path: str, axes: Array, way: tuple[Array, Array] | None) -> None:
    by_axis = _curves_at(curves, path)
    if not by_axis or way is None:
        return
    frames = _frames(by_axis)
    back = np.stack([np.interp(frames, way[0], way[1][:, axis]) for axis in range(3)], axis=1)
    to_bone = np.array(Matrix(axes.tolist()).inverted_safe())
    values = _values(by_axis, frames) - back @ to_bone.T
    for index, curve in by_axis.items():
        curves.remove(curve)
        write_curve(curves, path, index, frames, values[:, index])
