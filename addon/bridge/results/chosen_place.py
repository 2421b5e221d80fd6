"""The place that was chosen for a result, at the moment at which it arrives: what it is measured by may have moved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple

import bpy
from mathutils import Matrix

from ...core import box_fit
from ...core.jobs.job import JobView, Placement, TargetObject
from ...core.jobs.place import KEEP, REMOVE, Place
from ...headless import mesh_notes
from ..objects import places, provenance, transforms
from . import collection_links, free_place, parents, placeholder, visibility
from .open_file import open_file
from .owners import Owned


class Spot(NamedTuple):
    """What is in the scene of a place.

    Attributes:
        target: The object that the result goes into.
        empty: What stands for the result.
        anchors: What it stands beside.
        hidden_sources: What it was made from, where that will be hidden.
    """

    target: bpy.types.Object | None = None
    empty: bpy.types.Object | None = None
    anchors: tuple[bpy.types.Object, ...] = ()
    hidden_sources: tuple[bpy.types.Object, ...] = ()

    @property
    def replaced(self) -> list[bpy.types.Object]:
        """What makes way for the result."""
        return [item for item in (self.target, self.empty) if item is not None]


def find(job: JobView, placement: Placement | None, scene: bpy.types.Scene) -> Spot:
    """What is there of the place of a job's result, as far as it belongs to the open file."""
    if placement is None or not open_file.is_origin_of(job):
        return Spot()
    here = scene.objects
    target = placement.target
    targets = open_file.named_by(job, [(target.name, target.uid)]) if target is not None else []
    anchors = [item for item in open_file.named_by(job, placement.anchors) if here.get(item.name) == item]
    whole = len(anchors) == len(placement.anchors)
    found = placeholder.all_of(here) if placement.needs_empty else []
    return Spot(
        target=next((item for item in targets if here.get(item.name) == item), None),
        empty=next((item for item in found if placeholder.job_of(item) == job.id), None),
        anchors=tuple(anchors) if whole else (),
        hidden_sources=tuple(open_file.sources_of(job)) if placement.hide_source else (),
    )


def matrix(
    spot: Spot,
    job: JobView,
    placement: Placement,
    at_source: Matrix,
    bounds: mesh_notes.Bounds,
    layer: bpy.types.ViewLayer,
    objects: Sequence[bpy.types.Object],
) -> Matrix:
    """The world matrix that takes a model to its chosen place.

    Args:
        spot: What is there of it.
        job: What made the model.
        placement: Where it goes.
        at_source: The matrix with which it would stand where its source is, or with its origin at the 3D cursor.
        bounds: The box around it as it came; without one it is placed by its origin.
        layer: What is seen.
        objects: The model.
    """
    if placement.place is Place.FILE:
        return Matrix.Identity(4)
    if placement.target is not None:
        fitted = _into(spot.target, placement.target, bounds)
        return _moved_off_results(fitted, bounds, layer, {*objects, *spot.hidden_sources, *spot.replaced})
    if placement.anchor and bounds:
        at_source = _at_anchor(spot, placement, transforms.moved_box(at_source, bounds)) @ at_source
    # What the empty was when it was seen last counts where it is gone.
    standing = placeholder.standing(spot.empty) if spot.empty is not None else open_file.standings.get(job.id)
    if standing is None:
        return _moved_off(at_source, bounds, layer, objects)
    at_source = standing.shift @ at_source
    if standing.is_moved:
        return standing.moved @ at_source
    return _moved_off(at_source, bounds, layer, [*objects, *placeholder.all_of(layer.objects)])


def owned_by(spot: Spot, roots: Sequence[Owned]) -> list[Owned]:
    """The free-standing objects of a result, each owned by the object that it has gone into, where there is one."""
    return [root._replace(sources=(spot.target,)) for root in roots] if spot.target is not None else list(roots)


def follow_target(
    spot: Spot, roots: Sequence[Owned], objects: Sequence[bpy.types.Object], worlds: Mapping[bpy.types.Object, Matrix]
) -> None:
    """Gives a result the parent of the object that it has gone into.

    Args:
        spot: Has the object.
        roots: The free-standing objects of the result.
        objects: All of it.
        worlds: The world matrix that each of the free-standing ones is to have.
    """
    if spot.target is not None:
        parents.follow_parents(owned_by(spot, roots), (), objects, worlds)


def clear(spot: Spot, placement: Placement, scene: bpy.types.Scene) -> None:
    """Has what stood there make way for the result, as was chosen; all of it belongs to the result's step of undo."""
    if spot.empty is not None:
        placeholder.remove(spot.empty)
    target, after = spot.target, placement.target.after if placement.target is not None else KEEP
    if target is None or after == KEEP:
        return
    own = collection_links.collections_of(scene, target)
    if after == REMOVE and not target.children and len(own) == len(target.users_collection):
        for collection in own:
            collection.objects.unlink(target)
    else:
        visibility.hide([target], scene)


def _into(target: bpy.types.Object | None, then: TargetObject, bounds: mesh_notes.Bounds) -> Matrix:
    """Into the box of an object as it is now; where it is gone, as it was at the press."""
    if target is not None:
        frame, room = places.room_of(target.matrix_world, places.bounds_of(target))
    else:
        frame, room = places.room_of(transforms.from_numbers(then.matrix), then.bounds)
    if not bounds:
        return frame
    fit = box_fit.fit_into(bounds, room, stretch=then.stretch)
    turned = Matrix(((0, -1, 0, 0), (1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))) if fit.turns else Matrix.Identity(4)
    return frame @ Matrix.Translation(fit.offset) @ Matrix.Diagonal((*fit.scale, 1.0)) @ turned


def _at_anchor(spot: Spot, placement: Placement, box: mesh_notes.Bounds) -> Matrix:
    """The move that takes a world box onto the cursor of the press, or beside what was selected then."""
    low, high = placement.anchor[:3], placement.anchor[3:]
    if placement.place is Place.BESIDE and low != high:
        return Matrix.Translation(box_fit.stand_beside(box, places.box_around(spot.anchors) or placement.anchor))
    return Matrix.Translation(box_fit.stand_on(box, low))


def _moved_off(
    placed: Matrix, bounds: mesh_notes.Bounds, layer: bpy.types.ViewLayer, ignored: Iterable[bpy.types.Object]
) -> Matrix:
    """Moved on along X to where nothing else is."""
    return free_place.shift_to_free_place(transforms.moved_box(placed, bounds), layer, ignored) @ placed


def _moved_off_results(
    placed: Matrix, bounds: mesh_notes.Bounds, layer: bpy.types.ViewLayer, ignored: Set[bpy.types.Object]
) -> Matrix:
    """Moved on along X to where no other result is, if there is one in the object already. What the user has put there
    is meant to be there.
    """
    box = transforms.moved_box(placed, bounds)
    results = [item for item in layer.objects if provenance.PROPERTY in item and item not in ignored]
    others = [places.box_around([item]) for item in results if item.visible_get(view_layer=layer)]
    if not box or not any(_is_middle_in(other, box) for other in others):
        return placed
    moved = box
    for other in sorted(others):
        if _overlap(moved, other):
            step = box_fit.stand_beside(moved, other)[0]
            moved = tuple(value + step * (number % 3 == 0) for number, value in enumerate(moved))
    return Matrix.Translation((moved[0] - box[0], 0.0, 0.0)) @ placed


def _overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(one[axis] < other[axis + 3] and other[axis] < one[axis + 3] for axis in range(3))


def _is_middle_in(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(other[axis] <= (one[axis] + one[axis + 3]) / 2 <= other[axis + 3] for axis in range(3))
