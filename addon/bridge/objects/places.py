"""The place that was chosen for a result, as its plan remembers it: taken at the press, in the open scene."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import bpy
from mathutils import Matrix

from ...core.errors import Refused
from ...core.jobs.job import Placement, TargetObject
from ...core.jobs.place import HIDE, HOLDERS, Place
from ...headless import mesh_notes
from . import transforms

PLACEHOLDER = "asset_generation_placeholder"
"""The custom property of an empty that stands where a result will come in."""

_MOST_ANCHORS = 200
"""More selected objects than these are not followed, if they are moved while the job runs."""


class PlaceChoice(NamedTuple):
    """Where a result is to go, as it was chosen.

    Attributes:
        place: The place.
        target: For :attr:`Place.OBJECT`, the object.
        stretch: Whether the result is stretched to its box.
        after: What becomes of it: one of ``OBJECT_AFTER``.
        placeholder: Whether name and progress are shown there.
    """

    place: Place = Place.SOURCE
    target: bpy.types.Object | None = None
    stretch: bool = False
    after: str = HIDE
    placeholder: bool = False


def obstacle(choice: PlaceChoice, scene: bpy.types.Scene, sources: Sequence[bpy.types.Object] = ()) -> str:
    """Why nothing can be put there, as a sentence without its full stop; empty where it can."""
    if choice.place is not Place.OBJECT:
        return ""
    target = choice.target
    if target is None:
        return "Choose the object that the result goes into"
    if target.name not in scene.objects or scene.objects[target.name] != target:
        return f'"{target.name}" is not in this scene: choose another object for the result'
    if target.type not in HOLDERS:
        return f'A result cannot go into "{target.name}": choose a mesh or an empty'
    return f'The result cannot go into "{target.name}", which it is made from' if target in sources else ""


def with_place(placement: Placement, choice: PlaceChoice, context: bpy.types.Context) -> Placement:
    """A placement with the chosen place.

    Args:
        placement: What is known of the sources.
        choice: What was chosen.
        context: Has the scene and what is selected.

    Raises:
        Refused: Nothing can be put there.
    """
    sources = _named(placement.sources) if choice.place in (Place.BESIDE, Place.OBJECT) else []
    if words := obstacle(choice, context.scene, sources):
        raise Refused(words)
    place = choice.place
    placement = placement._replace(place=place, placeholder=choice.placeholder)
    if place is Place.OBJECT:
        assert choice.target is not None
        return placement._replace(target=_target(choice.target, choice))
    if place is Place.BESIDE:
        selected = sources or [item for item in context.view_layer.objects.selected if item is not None]
        if bounds := box_around(selected):
            names = tuple((item.name, item.session_uid) for item in selected[:_MOST_ANCHORS])
            anchors = names if len(selected) <= _MOST_ANCHORS else ()
            return placement._replace(anchor=bounds, anchors=anchors)
    if place in (Place.CURSOR, Place.BESIDE) or (place is Place.SOURCE and not placement.sources):
        cursor = tuple(context.scene.cursor.location)
        return placement._replace(anchor=cursor * 2)
    return placement


def box_around(objects: Iterable[bpy.types.Object]) -> mesh_notes.Bounds:
    """The world box around objects, as they were evaluated last; empty where there are none."""
    return mesh_notes.union(transforms.moved_box(item.matrix_world, bounds_of(item)) for item in objects)


def bounds_of(item: bpy.types.Object) -> mesh_notes.Bounds:
    """The box of an object in its own coordinates: of an empty, what its display reaches."""
    if item.type == "EMPTY":
        size = item.empty_display_size
        return (-size, -size, -size, size, size, size)
    corners = [tuple(corner) for corner in item.bound_box]
    return (*map(min, zip(*corners, strict=True)), *map(max, zip(*corners, strict=True)))


def room_of(matrix: Matrix, bounds: Sequence[float]) -> tuple[Matrix, tuple[float, ...]]:
    """An object's box as a place to put something into: where it is and how it is turned, and its extent there.

    Args:
        matrix: World matrix of the object.
        bounds: Its box in its own coordinates.
    """
    frame = transforms.levelled(matrix)
    return frame, transforms.moved_box(frame.inverted_safe() @ matrix, bounds)


def _named(names: Sequence[tuple[str, int]]) -> list[bpy.types.Object]:
    found = ((bpy.data.objects.get(name), uid) for name, uid in names)
    return [item for item, uid in found if item is not None and item.session_uid == uid]


def _target(item: bpy.types.Object, choice: PlaceChoice) -> TargetObject:
    return TargetObject(
        name=item.name,
        uid=item.session_uid,
        matrix=transforms.to_numbers(item.matrix_world),
        bounds=bounds_of(item),
        stretch=choice.stretch,
        after=choice.after,
    )
