"""What Blender's operators need around them, as the selection; modifiers that are applied; loose points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import bmesh
import bpy
import numpy as np
from mathutils import Matrix

from ..array_types import Points
from .build import new_object, remove
from .measure import coordinates, corners


def select(active: Any, others: Sequence[Any] = ()) -> None:
    """Selects exactly these objects, the first one being the active one."""
    bpy.context.view_layer.update()  # else removed objects are still listed, as None (4.2 to 5.2)
    for scene_object in bpy.context.view_layer.objects:
        scene_object.select_set(False)
    for scene_object in (active, *others):
        scene_object.hide_set(False)
        scene_object.select_set(True)
    bpy.context.view_layer.objects.active = active


def use_cycles(samples: int) -> None:
    """Sets the scene up for Cycles, with so many samples everywhere and nothing left to chance."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = samples
    scene.cycles.use_denoising = False
    scene.cycles.use_adaptive_sampling = False
    scene.cycles.seed = 0


def bake_colors(kind: str, target: Any, samples: int = 1) -> None:
    """Bakes onto the active vertex colours of a mesh object, as ``EMIT`` or ``AO``."""
    use_cycles(samples)
    select(target)
    if "FINISHED" not in bpy.ops.object.bake(type=kind, target="VERTEX_COLORS", use_selected_to_active=False):
        raise RuntimeError("Baking onto vertex colours did not finish")


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
def alone(*objects: Any) -> Iterator[None]:
    """Keeps all other objects of the scene out of what is rendered and baked."""
    others = [item for item in bpy.context.scene.objects if not item.hide_render and item not in objects]
    for item in others:
        item.hide_render = True
    try:
        yield
    finally:
        for item in others:
            item.hide_render = False


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


def next_to(target: Any, places: Points) -> Points:
    """The places on an object of the scene next to others, (n, 3): like a search tree, but all at once on all cores."""
    probe = new_object("probe", places, np.empty((0, 3), int))
    probe.modifiers.new("Nearest", "SHRINKWRAP").target = target
    found = coordinates(probe.evaluated_get(bpy.context.evaluated_depsgraph_get()).data).astype(float)
    remove([probe])
    return found


def drop_loose_points(mesh: Any) -> None:
    """Removes points that no face uses, which no format would show."""
    if np.bincount(corners(mesh), minlength=len(mesh.vertices)).all():
        return
    with edited(mesh) as edit:
        bmesh.ops.delete(edit, geom=[vertex for vertex in edit.verts if not vertex.link_faces], context="VERTS")
