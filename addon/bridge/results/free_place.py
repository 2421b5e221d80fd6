"""A place at the 3D cursor that nothing else occupies: the next free one along X, else the cursor's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy
from mathutils import Matrix, Vector

from ...headless import mesh_notes
from ..objects import places

if TYPE_CHECKING:
    import numpy

_SOLID = frozenset(
    {"MESH", "CURVE", "SURFACE", "META", "FONT", "CURVES", "POINTCLOUD", "VOLUME", "GPENCIL", "GREASEPENCIL", "EMPTY"}
)
"""Types of objects that are in the way where they have a box; an empty has one where it shows a collection, or stands
for the result of a job.
"""

_GAP = 0.1
"""The gap to what is in the way, as a share of the result's width."""

_TOUCH = 0.01
"""How far boxes may overlap, as a share of the result's largest side: what stands on something overlaps it a little."""

_SURROUNDS = 4.0
"""How many times as wide and deep as the result an object is that it can stand in or on: a floor, a room, a sky."""

_ROOM = 3.0
"""Nothing smaller than this, in Blender's units, is something to stand in or on: a cup does not go into a cube."""


class _Boxes(NamedTuple):
    """World boxes of objects, one row each: lowest and highest corner."""

    low: numpy.ndarray[Any, Any]
    high: numpy.ndarray[Any, Any]
    objects: list[bpy.types.Object]


def shift_to_free_place(
    bounds: mesh_notes.Bounds, layer: bpy.types.ViewLayer, ignored: Iterable[bpy.types.Object]
) -> Matrix:
    """The move along X that takes a box to where it overlaps nothing that is seen; identity where it does not already.

    Boxes are compared, not surfaces. What is so much larger that the box would stand in or on it is not in the way.

    Args:
        bounds: World box of what is to be placed; without one it stays where it is.
        layer: What is seen.
        ignored: Objects that do not count: the result itself.
    """
    if not bounds:
        return Matrix.Identity(4)
    skipped = set(ignored)
    low, high = bounds[:3], bounds[3:]
    size = [highest - lowest for lowest, highest in zip(low, high, strict=True)]
    touch = _TOUCH * max(size)
    boxes = _boxes(layer)
    # Only what is in the way somewhere along X is looked at one by one.
    in_way = (boxes.high[:, 0] > low[0] + touch) & (boxes.low[:, 1] < high[1] - touch)
    in_way &= (boxes.high[:, 1] > low[1] + touch) & (boxes.low[:, 2] < high[2] - touch)
    in_way &= boxes.high[:, 2] > low[2] + touch
    rows = sorted(in_way.nonzero()[0], key=lambda row: boxes.low[row, 0])
    begin, end = low[0], high[0]
    for row in rows:
        left, right = float(boxes.low[row, 0]), float(boxes.high[row, 0])
        if left >= end - touch:
            break  # they come from left to right, so this gap is wide enough
        item = boxes.objects[row]
        if right <= begin + touch or item.type not in _SOLID or item in skipped:
            continue
        if not item.visible_get(view_layer=layer):
            continue
        if _surrounds(boxes.low[row], boxes.high[row], bounds):
            continue
        begin = right + _GAP * size[0]
        end = begin + size[0]
    return Matrix.Translation((begin - low[0], 0.0, 0.0))


def _surrounds(low: Any, high: Any, bounds: mesh_notes.Bounds) -> bool:
    """Whether a box is around the middle of another one, and so much larger that this one stands in it or on it."""
    return all(
        low[axis] <= (bounds[axis] + bounds[axis + 3]) / 2 <= high[axis]
        and high[axis] - low[axis] >= max(_ROOM, _SURROUNDS * (bounds[axis + 3] - bounds[axis]))
        for axis in (0, 1)
    )


def _boxes(layer: bpy.types.ViewLayer) -> _Boxes:
    """The world boxes of all solid objects of a view layer, as they were evaluated last: 5 ms for 10,000 objects."""
    import numpy as np  # here: not every Blender has it loaded at start, and enabling the extension must be quick

    objects = list(layer.objects)
    corners, matrices = np.empty(len(objects) * 24, dtype="f4"), np.empty(len(objects) * 16, dtype="f4")
    layer.objects.foreach_get("bound_box", corners)
    layer.objects.foreach_get("matrix_world", matrices)
    corners, matrices = corners.reshape(-1, 8, 3), matrices.reshape(-1, 4, 4)  # matrices come column by column
    first, last = corners[:, 0], corners[:, 6]  # the lowest and the highest; the same where Blender knows of no box
    known = (first != last).any(axis=1)
    centre, half = (first + last) / 2, (last - first) / 2
    centre = np.einsum("nij,ni->nj", matrices[:, :3, :3], centre) + matrices[:, 3, :3]
    half = np.einsum("nij,ni->nj", np.abs(matrices[:, :3, :3]), half)
    low, high = centre - half, centre + half
    low[~known], high[~known] = np.inf, -np.inf
    shown: dict[bpy.types.Collection, mesh_notes.Bounds] = {}
    for row in (~known).nonzero()[0]:
        if box := _instances_box(objects[row], shown):
            low[row], high[row] = box[:3], box[3:]
    return _Boxes(low, high, objects)


def _instances_box(item: bpy.types.Object, shown: dict[bpy.types.Collection, mesh_notes.Bounds]) -> mesh_notes.Bounds:
    """The world box of the collection that an empty shows, or of the result that it stands for; empty where it does
    neither. ``shown`` keeps what is known.
    """
    if item.type == "EMPTY" and places.PLACEHOLDER in item:
        return places.box_around([item])
    if item.type != "EMPTY" or item.instance_type != "COLLECTION" or item.instance_collection is None:
        return ()
    collection = item.instance_collection
    if collection not in shown:
        parts = [part for part in collection.all_objects if part.type in _SOLID and part.type != "EMPTY"]
        shown[collection] = mesh_notes.union(_box_of(part.matrix_world, part.bound_box) for part in parts)
    box = shown[collection]
    corners = [(box[x], box[y], box[z]) for x in (0, 3) for y in (1, 4) for z in (2, 5)] if box else []
    frame = item.matrix_world @ Matrix.Translation(-collection.instance_offset)
    return _box_of(frame, corners) if corners else ()


def _box_of(matrix: Matrix, corners: Iterable[Iterable[float]]) -> mesh_notes.Bounds:
    points = [matrix @ Vector(corner) for corner in corners]
    return (*map(min, zip(*points, strict=True)), *map(max, zip(*points, strict=True)))
