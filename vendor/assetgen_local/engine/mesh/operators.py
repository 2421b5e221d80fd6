"""What Blender's operators need around them: the selection, a modifier that is applied; loose points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import bmesh
import bpy
import numpy as np
from mathutils import Matrix

from .measure import corners


def select(active: Any, others: Sequence[Any] = ()) -> None:
    """Selects exactly these objects, the first one being the active one."""
    bpy.context.view_layer.update()  # else removed objects are still listed, as None (4.2 to 5.2)
    for scene_object in bpy.context.view_layer.objects:
        scene_object.select_set(False)
    for scene_object in (active, *others):
        scene_object.hide_set(False)
        scene_object.select_set(True)
    bpy.context.view_layer.objects.active = active


@contextmanager
def edited(mesh: Any, place: Any = None) -> Iterator[Any]:
    """A mesh as a BMesh that it becomes afterwards; in world space where its place there, a matrix, is given."""
    edit = bmesh.new()
    edit.from_mesh(mesh)
    edit.transform(place or Matrix())
    edit.verts.ensure_lookup_table()
    edit.faces.ensure_lookup_table()
    yield edit
    edit.transform((place or Matrix()).inverted_safe())
    edit.to_mesh(mesh)
    edit.free()
    mesh.update()


@contextmanager
def hidden(objects: Sequence[Any]) -> Iterator[None]:
    """Keeps objects out of what is rendered and baked."""
    shown = [scene_object for scene_object in objects if not scene_object.hide_render]
    for scene_object in shown:
        scene_object.hide_render = True
    try:
        yield
    finally:
        for scene_object in shown:
            scene_object.hide_render = False


def apply_modifier(scene_object: Any, kind: str, **settings: Any) -> None:
    """Adds a modifier as the first one, with these settings, and applies it."""
    select(scene_object)
    modifier = scene_object.modifiers.new(kind.title(), kind)
    # Else it is worked out twice: once for the view, before it is for the mesh.
    modifier.show_viewport = False
    for name, value in settings.items():
        setattr(modifier, name, value)
    if len(scene_object.modifiers) > 1:
        bpy.ops.object.modifier_move_to_index(modifier=modifier.name, index=0)
    bpy.ops.object.modifier_apply(modifier=modifier.name)


def drop_loose_points(mesh: Any) -> None:
    """Removes points that no face uses, which no format would show."""
    loose = np.bincount(corners(mesh), minlength=len(mesh.vertices)) == 0
    if not loose.any():
        return
    with edited(mesh) as edit:
        bmesh.ops.delete(edit, geom=[edit.verts[index] for index in np.flatnonzero(loose)], context="VERTS")
