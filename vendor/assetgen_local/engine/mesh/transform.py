"""Changes of a whole model's shape and place that an export can ask for. World space, +Z up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import bmesh
import bpy
from mathutils import Matrix, Vector

from ..errors import EngineError
from .build import in_scene, remove
from .measure import bounds
from .operators import edited

_TURNS = {"+x": 0.0, "+y": 90.0, "-x": 180.0, "-y": -90.0}
"""Degrees around +Z. The API's default is +x, so +x is where a source's front is taken to be, and changes nothing."""


def place(objects: Sequence[Any], *, scale: float, front: str, pivot_to_center_bottom: bool) -> None:
    """Scales and turns the model around the origin, then moves it so that the origin is in the middle of its underside.

    Args:
        objects: The meshes of the model.
        scale: Factor.
        front: Where the front faces afterwards, see :data:`_TURNS`.
        pivot_to_center_bottom: Whether to move it.
    """
    change = Matrix.Rotation(math.radians(_TURNS[front]), 4, "Z") @ Matrix.Scale(scale, 4)
    _transform(change)
    if pivot_to_center_bottom:
        box = bounds(objects)
        _transform(Matrix.Translation(Vector((-box.centre[0], -box.centre[1], -box.low[2]))))


def _transform(change: Matrix) -> None:
    """Transforms everything: by the meshes themselves where nothing else hangs on them, else by a node around them."""
    if change == Matrix():
        return
    roots = [scene_object for scene_object in bpy.context.scene.objects if scene_object.parent is None]
    held = [root for root in roots if root.children or root.animation_data or root.modifiers or root.type != "MESH"]
    if not held and all(root.data.shape_keys is None for root in roots):
        for root in roots:
            root.data.transform(change @ root.matrix_world)
            root.matrix_world = Matrix()
    elif len(roots) == 1 and roots[0].animation_data is None:
        roots[0].matrix_world = change @ roots[0].matrix_world
    else:
        node = in_scene("model", None)
        for root in roots:
            root.parent = node
        node.matrix_world = change
    bpy.context.view_layer.update()


def flatten_bottom(objects: Sequence[Any], share: float) -> None:
    """Cuts off the lowest part of the model and closes it, so that it stands.

    Args:
        objects: The meshes of the model.
        share: Part of the model's height, 0 to 1.

    Raises:
        EngineError: Nothing would be left.
    """
    if share >= 1.0:
        raise EngineError("flatten_bottom_threshold is a part of the model's height; it has to be below 1.")
    box = bounds(objects)
    height = float(box.low[2] + box.size[2] * share)
    for scene_object in objects:
        with edited(scene_object.data, scene_object.matrix_world) as mesh:
            cut = bmesh.ops.bisect_plane(
                mesh,
                geom=[*mesh.verts, *mesh.edges, *mesh.faces],
                dist=box.diagonal * 1e-7,
                plane_co=(0, 0, height),
                plane_no=(0, 0, 1),
                clear_inner=True,
            )
            rim = [item for item in cut["geom_cut"] if isinstance(item, bmesh.types.BMEdge) and item.is_boundary]
            if rim:
                _close(mesh, rim, box.diagonal * 1e-6)


def _close(mesh: Any, rim: list[Any], distance: float) -> None:
    """Fills a flat cut from below. With a rim of its own: the surface's is split wherever a UV seam meets the cut."""
    copied = [item for item in bmesh.ops.duplicate(mesh, geom=rim)["geom"] if isinstance(item, bmesh.types.BMVert)]
    bmesh.ops.remove_doubles(mesh, verts=copied, dist=distance)
    # Joining points replaces their edges, so these are only known now.
    edges = {edge for vertex in copied if vertex.is_valid for edge in vertex.link_edges}
    bmesh.ops.triangle_fill(mesh, edges=list(edges), use_beauty=True, normal=(0, 0, -1))


def symmetrize(objects: Sequence[Any]) -> list[Any]:
    """Mirrors the half with the larger x onto the other one, about the middle of the model; returns what is left.

    Raises:
        EngineError: The model has a rig or morph targets, which would not fit any more.
    """
    if any(scene_object.modifiers or scene_object.data.shape_keys for scene_object in objects):
        raise EngineError("force_symmetry does not work on a model with a rig or morph targets.")
    box = bounds(objects)
    to_middle = Matrix.Translation((-box.centre[0], 0, 0))
    left = []
    for scene_object in objects:
        with edited(scene_object.data, to_middle @ scene_object.matrix_world) as mesh:
            everything = [*mesh.verts, *mesh.edges, *mesh.faces]
            bmesh.ops.symmetrize(mesh, input=everything, direction="X", dist=box.diagonal * 1e-6)
        if len(scene_object.data.polygons):
            left.append(scene_object)
        elif not scene_object.children:
            remove([scene_object])
    return left
