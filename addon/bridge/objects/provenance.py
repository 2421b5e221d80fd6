"""What an object knows of the task that it came from, so that the next operation on it uploads nothing.

It is one custom property. It holds until the object changes; a copy of the object has it as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy
from mathutils import Matrix

from . import transforms

if TYPE_CHECKING:  # enabling the extension need not wait for it
    from .fingerprint import Looks, MaterialReader

PROPERTY = "asset_generation"
_UNKNOWABLE = frozenset(
    {
        *(
            "NODES",
            "CLOTH",
            "SOFT_BODY",
            "FLUID",
            "DYNAMIC_PAINT",
            "PARTICLE_SYSTEM",
            "OCEAN",
            "WAVE",
            "BUILD",
            "EXPLODE",
        ),
        *(
            "MULTIRES",
            "SKIN",
            "LAPLACIANDEFORM",
            "CORRECTIVE_SMOOTH",
            "UV_PROJECT",
            "MESH_CACHE",
            "MESH_SEQUENCE_CACHE",
        ),
    }
)
"""Modifiers whose look depends on the time, on other objects, or on data that Python cannot ask for."""

SAME_SCALE = 1e-3
"""How far from 1 the scale between a task's model and the objects may be for them to count as of one size."""


class TaskProvenance(NamedTuple):
    """Which task objects came from: its id, the service that knows it, and the capability that it ran.

    ``source_task`` and ``source_capability`` tell the same of the task that it worked on, where there was one.
    ``earlier`` are the tasks of all that the objects were made from, as far as that was in this file.
    """

    task_id: str
    service_id: str
    capability: str
    source_task: str = ""
    source_capability: str = ""
    earlier: tuple[str, ...] = ()


class MatchingTask(NamedTuple):
    """A finished task whose model is what the objects show.

    ``matrix`` and ``scale`` place that model where the objects stand now.
    """

    task_id: str
    matrix: Matrix
    scale: float
    capability: str = ""

    @property
    def placed(self) -> Matrix:
        """The world matrix of the task's model."""
        return self.matrix @ Matrix.Scale(self.scale, 4)


def write(
    objects: Sequence[bpy.types.Object],
    task: TaskProvenance,
    placed: Matrix,
    prints: Sequence[str],
    part_names: Sequence[str] = (),
    *,
    are_new: bool = False,
) -> None:
    """Notes on objects that they are the whole of a task's model.

    Args:
        objects: All parts of it.
        task: The task.
        placed: World matrix under which the task's model is what the objects show.
        prints: Their fingerprints when they were the task's model.
        part_names: What they are called in that model, where it is known.
        are_new: Whether they just came, and Blender has not evaluated them yet; bones that they hang on came with them.
    """
    for number, item in enumerate(objects):
        world = transforms.world_of(item) if are_new else item.matrix_world
        item[PROPERTY] = {
            "task": task.task_id,
            "service": task.service_id,
            "capability": task.capability,
            "source_task": task.source_task,
            "source_capability": task.source_capability,
            "earlier": " ".join(task.earlier),
            "fingerprint": prints[number],
            "parts": len(objects),
            "part_name": part_names[number] if part_names else "",
            "counts": _counts(item),
            "to_model": list(transforms.to_numbers(world.inverted_safe() @ placed)),
            "on_own_bone": are_new and transforms.hangs_on_bone(item),
        }


def remove(objects: Sequence[bpy.types.Object]) -> None:
    """Removes the provenance of objects."""
    for item in objects:
        if PROPERTY in item:
            del item[PROPERTY]


def unmodified_task(
    objects: Sequence[bpy.types.Object], service_id: str, *, in_true_size: bool = False
) -> MatchingTask | None:
    """The task whose whole and unchanged result these objects are; None when they would have to be uploaded.

    Args:
        objects: What is selected.
        service_id: The service that shall use the task.
        in_true_size: Also None when the task's model is of another size than the objects: for results that are files.
    """
    task = probable_task(objects, service_id)
    if task is None or (in_true_size and abs(task.scale - 1) > SAME_SCALE):
        return None
    from .fingerprint import MaterialReader  # here, as below: enabling the extension need not wait for it

    materials = MaterialReader()
    return task if all(is_unchanged(item, materials) for item in objects) else None


def is_unchanged(item: bpy.types.Object, materials: MaterialReader | None = None) -> bool:
    """Whether an object is what its task gave, wherever it stands now. Whoever asks for many gives one ``materials``.

    Most edits move vertices, so that of a large mesh that was edited only its vertices are read.
    """
    from ...headless.mesh_notes import has_places
    from .fingerprint import fingerprint

    known = item[PROPERTY]["fingerprint"]
    return bool(known) and has_places(known, item.data) and fingerprint(item, materials=materials) == known


def probable_task(objects: Sequence[bpy.types.Object], service_id: str) -> MatchingTask | None:
    """Like :func:`unmodified_task` without a look at the geometry: quick enough for drawing, almost always right."""
    records = [_read(item) for item in objects]
    first = records[0] if records else None
    if first is None or first["parts"] != len(objects) or first["service"] != service_id:
        return None
    placed = [_placed(item, record) for item, record in zip(objects, records, strict=True) if record is not None]
    scale = transforms.uniform_scale(placed[0])
    for item, record in zip(objects, records, strict=True):
        if record is None or record["task"] != first["task"] or list(record["counts"]) != _counts(item):
            return None
    if scale is None or not all(transforms.nearly_equal(placed[0], other) for other in placed[1:]):
        return None
    return MatchingTask(str(first["task"]), transforms.rigid(placed[0]), scale, _provenance_in(first).capability)


def common_task(objects: Sequence[bpy.types.Object]) -> TaskProvenance | None:
    """The one task that all of the objects came from, whatever was done to them since; None when there is no such."""
    records = [_read(item) for item in objects]
    tasks = {_provenance_in(record) for record in records if record is not None}
    return tasks.pop() if len(tasks) == 1 and None not in records else None


def by_task(objects: Sequence[bpy.types.Object], *, whole: bool) -> list[tuple[bpy.types.Object, ...]]:
    """Objects in groups, in their order: those that came from one task together, every other by itself.

    Args:
        objects: What is selected.
        whole: Leave together only what is all parts of the task's model; the service has no task of some of them.
    """
    groups: dict[object, list[bpy.types.Object]] = {}
    parts: dict[object, int] = {}
    for item in objects:
        values = _read(item)
        key: object = (values["task"], values["service"]) if values is not None else item.session_uid
        groups.setdefault(key, []).append(item)
        parts[key] = values["parts"] if values is not None else 1
    grouped: list[tuple[bpy.types.Object, ...]] = []
    for key, items in groups.items():
        grouped += [tuple(items)] if not whole or len(items) == parts[key] else [(item,) for item in items]
    return grouped


def placed_task(item: bpy.types.Object) -> MatchingTask | None:
    """The task that an object came from, and where its model stands now, whatever else was done to the object."""
    values = _read(item)
    if values is None:
        return None
    placed = _placed(item, values)
    scale = abs(placed.to_3x3().determinant()) ** (1 / 3)
    return MatchingTask(str(values["task"]), transforms.rigid(placed), scale, _provenance_in(values).capability)


def part_names(objects: Sequence[bpy.types.Object]) -> tuple[str, ...]:
    """What objects are called in the model of the task that they came from; empty texts where it is not known."""
    records = map(_read, objects)
    return tuple(str(values.get("part_name", "")) if values is not None else "" for values in records)


def made_by(task_id: str, objects: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """The objects that came from a task itself."""
    return [item for item in objects if task_id and (values := _read(item)) and values["task"] == task_id]


def made_with(task_id: str, objects: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """The objects that came from a task, or from one that worked on it."""
    records = [(item, _read(item)) for item in objects]
    if not task_id:
        return []
    return [item for item, values in records if values and task_id in (values["task"], values.get("source_task"))]


def tasks_behind(objects: Iterable[bpy.types.Object]) -> tuple[str, ...]:
    """The tasks that objects came from and all before them, each once; what is made from them adds these to its own."""
    found: list[str] = []
    for item in objects:
        if values := _read(item):
            task = _provenance_in(values)
            found += [*task.earlier, task.source_task, task.task_id]
    return tuple(name for name in dict.fromkeys(found) if name)


def earlier_than(objects: Sequence[bpy.types.Object]) -> list[bpy.types.Object]:
    """The meshes in this file that some results were made from, over any number of tasks."""
    own = {str(values["task"]) for item in objects if (values := _read(item))}
    behind = set(tasks_behind(objects)) - own
    records = [(item, _read(item)) for item in bpy.data.objects if item.type == "MESH"]
    return [item for item, values in records if values and values["task"] in behind]


def pass_on(objects: Sequence[bpy.types.Object], task: TaskProvenance, polygons: Sequence[int]) -> None:
    """Notes on objects that a later task's model is what they show, as its meshes with these numbers of faces tell.

    Nothing is noted where they came from another task than that one, or its meshes are others.
    """
    records = [_read(item) for item in objects]
    if not records or sorted(polygons) != sorted(values["counts"][1] if values else -1 for values in records):
        return
    if any(values is None or task.source_task not in (values["task"], values.get("source_task")) for values in records):
        return
    for item in objects:
        record = item[PROPERTY]
        record["task"], record["capability"] = task.task_id, task.capability
        record["source_task"], record["source_capability"] = task.source_task, task.source_capability
        record["earlier"] = " ".join(task.earlier)


def names_of_parts(objects: Iterable[bpy.types.Object]) -> dict[str, str]:
    """Name of an object → what the service calls it as a part of its model; the others are left out."""
    records = [(item, _read(item)) for item in objects]
    return {item.name: str(values["part_name"]) for item, values in records if values and values.get("part_name")}


def looks_edited(objects: Sequence[bpy.types.Object]) -> bool:
    """Whether objects are seen not to be what their task gave, without a look at their geometry."""
    records = [(item, _read(item)) for item in objects]
    return any(values is not None and list(values["counts"]) != _counts(item) for item, values in records)


def fingerprint_if_lasting(item: bpy.types.Object, materials: MaterialReader | None = None) -> str:
    """The fingerprint; empty for an object that can look different without any change to itself. Whoever asks for many
    gives one ``materials`` for all.

    Other objects, shape keys and animation can change what is seen, and a fingerprint does not follow them.
    """
    from .fingerprint import fingerprint

    return fingerprint(item, materials=materials) if _is_lasting(item) else ""


def looks_if_lasting(objects: Iterable[bpy.types.Object]) -> Iterator[Looks]:
    """The looks of fingerprints; without a text for an object that can look different without any change to itself."""
    from .fingerprint import Looks, MaterialReader, looks

    materials = MaterialReader()
    for item in objects:
        yield looks(item, materials) if _is_lasting(item) else Looks("")


def _is_lasting(item: bpy.types.Object) -> bool:
    if item.data.shape_keys or item.animation_data or item.data.animation_data or item.particle_systems:
        return False
    return not any(_depends_on_others(modifier) for modifier in item.modifiers)


def _depends_on_others(modifier: bpy.types.Modifier) -> bool:
    if modifier.type in _UNKNOWABLE:
        return True
    pointers = [prop.identifier for prop in modifier.bl_rna.properties if prop.type == "POINTER"]
    return any(isinstance(getattr(modifier, name, None), bpy.types.ID) for name in pointers)


def _read(item: bpy.types.Object) -> dict[str, Any] | None:
    stored = item.get(PROPERTY)
    if stored is None or not hasattr(stored, "to_dict"):
        return None
    values: dict[str, Any] = stored.to_dict()
    keys = {"task", "service", "fingerprint", "parts", "counts", "to_model"}
    return values if keys <= values.keys() and len(values["to_model"]) == 16 else None


def _provenance_in(values: dict[str, Any]) -> TaskProvenance:
    names = ("task", "service", "capability", "source_task", "source_capability")
    task, service, capability, source_task, source_capability = (str(values.get(name, "")) for name in names)
    earlier = tuple(str(values.get("earlier", "")).split())
    return TaskProvenance(task, service, capability, source_task, source_capability, earlier)


def _placed(item: bpy.types.Object, values: dict[str, Any]) -> Matrix:
    # A bone of the model itself carries its parts to and fro; any other moves what hangs on it, and the model with it.
    world = transforms.resting_world(item) if values.get("on_own_bone") else item.matrix_world
    return world @ transforms.from_numbers(values["to_model"])


def _counts(item: bpy.types.Object) -> list[int]:
    mesh = item.data
    return [len(mesh.vertices), len(mesh.polygons), len(mesh.loops), len(item.modifiers), len(item.material_slots)]
