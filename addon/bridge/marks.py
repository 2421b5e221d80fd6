"""What an object knows of the task that it came from, so that the next operation on it uploads nothing.

The mark is one custom property. It holds until the object changes; a copy of the object has it as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import bpy
from mathutils import Matrix

from . import frames
from .fingerprint import fingerprint

PROPERTY = "asset_generation"
SAME_SCALE = 1e-3
"""How far from 1 the scale between a task's model and the objects may be for them to count as of one size."""


class KnownTask(NamedTuple):
    """A finished task whose model is what the objects show. ``frame`` places that model where the objects stand now."""

    task_id: str
    frame: Matrix
    scale: float


def mark(
    objects: Sequence[bpy.types.Object], task_id: str, service_id: str, placed: Matrix, prints: Sequence[str]
) -> None:
    """Marks objects as the whole of a task's model.

    Args:
        objects: All parts of it.
        task_id: The task.
        service_id: The service that knows the task.
        placed: World matrix under which the task's model is what the objects show.
        prints: Their fingerprints when they were the task's model.
    """
    for number, item in enumerate(objects):
        item[PROPERTY] = {
            "task": task_id,
            "service": service_id,
            "fingerprint": prints[number],
            "parts": len(objects),
            "counts": _counts(item),
            "to_model": list(frames.to_numbers(frames.world_of(item).inverted_safe() @ placed)),
        }


def unmark(objects: Sequence[bpy.types.Object]) -> None:
    """Removes the marks."""
    for item in objects:
        if PROPERTY in item:
            del item[PROPERTY]


def unmodified_task(
    objects: Sequence[bpy.types.Object], service_id: str, *, in_true_size: bool = False
) -> KnownTask | None:
    """The task whose whole and unchanged result these objects are; None when they would have to be uploaded.

    Args:
        objects: What is selected.
        service_id: The service that shall use the task.
        in_true_size: Also None when the task's model is of another size than the objects: for results that are files.
    """
    known = glance(objects, service_id)
    if known is None or (in_true_size and abs(known.scale - 1) > SAME_SCALE):
        return None
    unchanged = all(fingerprint(item) == item[PROPERTY]["fingerprint"] for item in objects)
    return known if unchanged else None


def glance(objects: Sequence[bpy.types.Object], service_id: str) -> KnownTask | None:
    """Like :func:`unmodified_task` without a look at the geometry: quick enough for drawing, almost always right."""
    found = [_read(item) for item in objects]
    first = found[0] if found else None
    if first is None or first["parts"] != len(objects) or first["service"] != service_id:
        return None
    placed = [_placed(item, one) for item, one in zip(objects, found, strict=True) if one is not None]
    scale = frames.uniform_scale(placed[0])
    for item, one in zip(objects, found, strict=True):
        if one is None or one["task"] != first["task"] or list(one["counts"]) != _counts(item):
            return None
    if scale is None or not all(frames.nearly_equal(placed[0], other) for other in placed[1:]):
        return None
    return KnownTask(str(first["task"]), frames.rigid(placed[0]), scale)


def fingerprint_if_lasting(item: bpy.types.Object) -> str:
    """The fingerprint; empty for an object that can look different without any change to itself.

    Other objects, shape keys and animation can change what is seen, and a fingerprint does not follow them.
    """
    if item.data.shape_keys or item.animation_data or item.data.animation_data or item.particle_systems:
        return ""
    if any(_depends_on_others(modifier) for modifier in item.modifiers):
        return ""
    return fingerprint(item)


def _depends_on_others(modifier: bpy.types.Modifier) -> bool:
    if modifier.type in {"NODES", "CLOTH", "SOFT_BODY", "FLUID", "DYNAMIC_PAINT", "PARTICLE_SYSTEM", "OCEAN", "WAVE"}:
        return True
    pointers = [prop.identifier for prop in modifier.bl_rna.properties if prop.type == "POINTER"]
    return any(isinstance(getattr(modifier, name, None), bpy.types.ID) for name in pointers)


def _read(item: bpy.types.Object) -> dict[str, Any] | None:
    found = item.get(PROPERTY)
    if found is None or not hasattr(found, "to_dict"):
        return None
    values: dict[str, Any] = found.to_dict()
    keys = {"task", "service", "fingerprint", "parts", "counts", "to_model"}
    return values if keys <= values.keys() and len(values["to_model"]) == 16 else None


def _placed(item: bpy.types.Object, values: dict[str, Any]) -> Matrix:
    return item.matrix_world @ frames.from_numbers(values["to_model"])


def _counts(item: bpy.types.Object) -> list[int]:
    mesh = item.data
    return [len(mesh.vertices), len(mesh.polygons), len(mesh.loops), len(item.modifiers), len(item.material_slots)]
