"""What came with the meshes of a result: rigs and empties. Each knows its task, and what it was like when it came."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

import bpy

from .action_curves import curves_of, used_actions

PROPERTY = "asset_generation_companion"


def write(objects: Iterable[bpy.types.Object], task_id: str) -> None:
    """Notes on rigs and empties which task they came from, and what they are like."""
    for item in objects:
        if item.type != "MESH":
            item[PROPERTY] = {"task": task_id, "print": _print(item)}


def refresh(item: bpy.types.Object, *, was_unchanged: bool) -> None:
    """Notes what something is like now, after a change that was none of the user's."""
    if was_unchanged:
        item[PROPERTY]["print"] = _print(item)


def is_unchanged(item: bpy.types.Object) -> bool:
    """Whether something came with a result and is as it came, wherever it stands now."""
    values = item.get(PROPERTY)
    return values is not None and values.get("print") == _print(item)


def _print(item: bpy.types.Object) -> str:
    """A text that differs when somebody has worked on it: on bones, constraints, or what it is moved by."""
    return f"{zlib.crc32('|'.join(_words(item)).encode()):08x}"


def _words(item: bpy.types.Object) -> Iterator[str]:
    yield item.type
    yield from (f"{part.type} {part.name}" for part in item.constraints)
    if item.type == "ARMATURE":
        for bone in item.data.bones:
            places = " ".join(f"{value:.4f}" for row in bone.matrix_local for value in row)
            yield f"{bone.name} {bone.parent.name if bone.parent else ''} {places}"
        for bone in item.pose.bones:
            yield f"{bone.rotation_mode} {bone.custom_shape and bone.custom_shape.name}"
            yield from (f"{part.type} {part.name}" for part in bone.constraints)
    for used in used_actions(item.animation_data):
        for curve in curves_of(used):
            values = [0.0] * (2 * len(curve.keyframe_points))
            curve.keyframe_points.foreach_get("co", values)
            yield f"{curve.data_path} {curve.array_index} {len(values)} {sum(values):.4f}"
    if item.animation_data is not None:
        yield from (f"{driver.data_path} {driver.array_index}" for driver in item.animation_data.drivers)
