"""The empty that stands where the result of a running job will come in, and what is read off it when it does.

It is known by a property of its own, so that it is found again in a file that was saved and opened meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import bpy
from mathutils import Matrix

from ...core import box_fit
from ...core.jobs.job import JobView, Placement
from ...core.jobs.place import Place
from ...headless import mesh_notes
from ..objects import places, transforms
from . import free_place

_JOB, _MADE, _SHIFT = "job", "made", "shift"

_SIDE = 1.0
"""Of the box for a result whose size nobody knows, in Blender's units."""


class Standing(NamedTuple):
    """How an empty stands.

    Attributes:
        shift: What took it from the place of the plan to one that was free.
        moved: What has been done with it since; a world matrix.
    """

    shift: Matrix
    moved: Matrix

    @property
    def is_moved(self) -> bool:
        """Whether anything has been done with it."""
        return not transforms.nearly_equal(self.moved, Matrix.Identity(4), 1e-6)


def make(job: JobView, placement: Placement, scene: bpy.types.Scene) -> bpy.types.Object:
    """Puts an empty where the result of a job will be, or beside what stands there."""
    box = _expected_box(placement)
    shift = free_place.shift_to_free_place(box, scene.view_layers[0], ())
    item = bpy.data.objects.new(job.name, None)  # the result is to have the title
    item.empty_display_type, item.empty_display_size = "CUBE", 1.0
    middle = [(box[axis] + box[axis + 3]) / 2 for axis in range(3)]
    half = [max((box[axis + 3] - box[axis]) / 2, 1e-3) for axis in range(3)]
    item.matrix_basis = shift @ Matrix.LocRotScale(middle, None, half)
    item[places.PLACEHOLDER] = {
        _JOB: job.id,
        _MADE: transforms.to_numbers(item.matrix_basis),
        _SHIFT: list(shift.translation),
    }
    _collection(placement, scene).objects.link(item)
    return item


def job_of(item: bpy.types.Object) -> str:
    """The id of the job that an empty stands for; empty for any other object."""
    values = _values(item)
    return str(values[_JOB]) if values is not None else ""


def all_of(objects: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """The empties among objects that stand for jobs."""
    return [item for item in objects if places.PLACEHOLDER in item and job_of(item)]


def standing(item: bpy.types.Object) -> Standing:
    """How an empty stands now."""
    values = _values(item)
    made, now = transforms.from_numbers(values[_MADE]), item.matrix_world
    # Squeezed flat it says nothing of how its result is meant to be.
    moved = now @ made.inverted() if abs(now.determinant()) > 1e-12 else Matrix.Identity(4)
    return Standing(Matrix.Translation(values[_SHIFT]), moved)


def remove(item: bpy.types.Object) -> None:
    """Removes an empty; what hangs on it stays where it is."""
    for child in [child for child in item.children]:
        world = child.matrix_world.copy()
        child.parent = None
        child.matrix_world = world
    bpy.data.objects.remove(item)


def _values(item: bpy.types.Object) -> Any:
    values = item.get(places.PLACEHOLDER) if item.type == "EMPTY" else None
    if not hasattr(values, "keys") or not {_JOB, _MADE, _SHIFT} <= set(values.keys()):
        return None
    return values


def _expected_box(placement: Placement) -> mesh_notes.Bounds:
    """The world box that a result will have, as far as that can be told before it is there."""
    box = transforms.moved_box(transforms.from_numbers(placement.frame), placement.bounds)
    box = box or (0.0, 0.0, 0.0, _SIDE, _SIDE, _SIDE)
    move = box_fit.stand_beside if placement.place is Place.BESIDE and _has_extent(placement) else box_fit.stand_on
    offset = move(box, placement.anchor)
    return tuple(value + offset[number % 3] for number, value in enumerate(box))


def _has_extent(placement: Placement) -> bool:
    return placement.anchor[:3] != placement.anchor[3:]


def _collection(placement: Placement, scene: bpy.types.Scene) -> bpy.types.Collection:
    collection = bpy.data.collections.get(placement.collection) if placement.collection else None
    usable = collection is not None and collection in set(scene.collection.children_recursive)
    return collection if usable else scene.collection
