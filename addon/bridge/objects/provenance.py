"""What an object knows of the task that it came from, so that the next operation on it uploads nothing.

The mark is one custom property. It holds until the object changes; a copy of the object has it as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import bpy
from mathutils import Matrix

from . import transforms
from .fingerprint import fingerprint

PROPERTY = "asset_generation"
SAME_SCALE = 1e-3
"""How far from 1 the scale between a task's model and the objects may be for them to count as of one size."""


class TaskMark(NamedTuple):
    """Which task objects are marked with: its number, the service that knows it, and the capability that it ran.

    ``source_task`` and ``source_capability`` tell the same of the task that it worked on, where there was one.
    """

    task_id: str
    service_id: str
    capability: str
    source_task: str = ""
    source_capability: str = ""


class KnownTask(NamedTuple):
    """A finished task whose model is what the objects show.

    ``frame`` and ``scale`` place that model where the objects stand now.
    """

    task_id: str
    frame: Matrix
    scale: float
    capability: str = ""

    @property
    def placed(self) -> Matrix:
        """The world matrix of the task's model."""
        return self.frame @ Matrix.Scale(self.scale, 4)


def mark(objects: Sequence[bpy.types.Object], task: TaskMark, placed: Matrix, prints: Sequence[str]) -> None:
    """Marks objects as the whole of a task's model.

    Args:
        objects: All parts of it.
        task: The task.
        placed: World matrix under which the task's model is what the objects show.
        prints: Their fingerprints when they were the task's model.
    """
    for number, item in enumerate(objects):
        item[PROPERTY] = {
            "task": task.task_id,
            "service": task.service_id,
            "capability": task.capability,
            "source_task": task.source_task,
            "source_capability": task.source_capability,
            "fingerprint": prints[number],
            "parts": len(objects),
            "counts": _counts(item),
            "to_model": list(transforms.to_numbers(transforms.world_of(item).inverted_safe() @ placed)),
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
    scale = transforms.uniform_scale(placed[0])
    for item, one in zip(objects, found, strict=True):
        if one is None or one["task"] != first["task"] or list(one["counts"]) != _counts(item):
            return None
    if scale is None or not all(transforms.nearly_equal(placed[0], other) for other in placed[1:]):
        return None
    return KnownTask(str(first["task"]), transforms.rigid(placed[0]), scale, _mark_in(first).capability)


def task_of(objects: Sequence[bpy.types.Object]) -> TaskMark | None:
    """The one task that all of the objects came from, whatever was done to them since; None when there is no such."""
    found = [_read(item) for item in objects]
    marked = {_mark_in(one) for one in found if one is not None}
    return marked.pop() if len(marked) == 1 and None not in found else None


def as_it_came(item: bpy.types.Object) -> KnownTask | None:
    """The task that an object came from, and where its model stands now, whatever else was done to the object."""
    values = _read(item)
    if values is None:
        return None
    placed = _placed(item, values)
    scale = abs(placed.to_3x3().determinant()) ** (1 / 3)
    return KnownTask(str(values["task"]), transforms.rigid(placed), scale, _mark_in(values).capability)


def looks_edited(objects: Sequence[bpy.types.Object]) -> bool:
    """Whether marked objects are seen not to be what the task gave, without a look at their geometry."""
    found = [(item, _read(item)) for item in objects]
    return any(values is not None and list(values["counts"]) != _counts(item) for item, values in found)


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


def _mark_in(values: dict[str, Any]) -> TaskMark:
    names = ("task", "service", "capability", "source_task", "source_capability")
    return TaskMark(*(str(values.get(name, "")) for name in names))


def _placed(item: bpy.types.Object, values: dict[str, Any]) -> Matrix:
    return item.matrix_world @ transforms.from_numbers(values["to_model"])


def _counts(item: bpy.types.Object) -> list[int]:
    mesh = item.data
    return [len(mesh.vertices), len(mesh.polygons), len(mesh.loops), len(item.modifiers), len(item.material_slots)]
