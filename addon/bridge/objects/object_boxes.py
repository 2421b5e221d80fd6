"""The boxes around objects as they are seen, modifiers and instances included."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
from mathutils import Matrix

from ...headless import mesh_notes
from . import transforms
from .instances import instances_of

_MOST_INSTANCES = 500  # with as many vertices in all they take about 20 ms
_MOST_VERTICES = 500_000


def boxes_of(
    context: bpy.types.Context, objects: Sequence[bpy.types.Object], to_frame: Matrix, *, exact: bool
) -> list[mesh_notes.Bounds]:
    """The box of each object in a frame; empty for one without points.

    Blender knows the box of a mesh along its own axes, which is all that is asked for unless the object lies aslant in
    the frame. ``exact`` is whether the points of those are gone through, too, and instances.

    Args:
        context: Has the evaluated objects.
        objects: Meshes.
        to_frame: From the world into the frame.
        exact: As above; else these boxes are larger than the objects, and lack what Geometry Nodes only place.
    """
    depsgraph = context.evaluated_depsgraph_get()
    boxes = [_box(item, item.evaluated_get(depsgraph), to_frame @ item.matrix_world, exact) for item in objects]
    return _with_instances(objects, depsgraph, to_frame, boxes) if exact else boxes


def _box(item: bpy.types.Object, evaluated: bpy.types.Object, matrix: Matrix, exact: bool) -> mesh_notes.Bounds:
    subdivided = any(modifier.type == "SUBSURF" for modifier in item.modifiers)
    if not exact or (not subdivided and _keeps_axes(matrix)):
        if evaluated.type != "MESH" or not evaluated.data or not len(evaluated.data.vertices):
            return ()
        corners = evaluated.bound_box
        return transforms.moved_box(matrix, (*corners[0], *corners[6]))
    if not subdivided:
        return mesh_notes.bounds_of([(evaluated.data, matrix)])
    # With subdivision on the graphics card the evaluated mesh is the coarse one; to_mesh makes the other.
    try:
        return mesh_notes.bounds_of([(evaluated.to_mesh(), matrix)])
    finally:
        evaluated.to_mesh_clear()


def _keeps_axes(matrix: Matrix) -> bool:
    """Whether a box along the axes stays one: the matrix only moves, scales, mirrors and makes quarter turns."""
    rows = [[abs(value) for value in row[:3]] for row in matrix[:3]]
    return all(sum(row) - max(row) <= 1e-6 * max(row) for row in rows)


def _with_instances(
    objects: Sequence[bpy.types.Object],
    depsgraph: bpy.types.Depsgraph,
    to_frame: Matrix,
    boxes: Sequence[mesh_notes.Bounds],
) -> list[mesh_notes.Bounds]:
    """The boxes around what the objects place as well; all empty where that is too much to be gone through at a
    press.
    """
    found = {item: [box] for item, box in zip(objects, boxes, strict=True)}
    count = vertices = 0
    for owner, mesh, matrix in instances_of(objects, depsgraph):
        count, vertices = count + 1, vertices + len(mesh.vertices)
        if count > _MOST_INSTANCES or vertices > _MOST_VERTICES:
            return [() for _ in boxes]
        found[owner].append(mesh_notes.bounds_of([(mesh, to_frame @ matrix)]))
    return [mesh_notes.union(found[item]) for item in objects]
