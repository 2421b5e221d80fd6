"""What Blender's operators need around them, as the selection; modifiers that are applied; loose points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import bmesh
import bpy
import numpy as np
from mathutils import Matrix

from ..array_types import Points
from .build import new_mesh, remove, replace_mesh
from .measure import coordinates, corners


def select(active: Any, others: Sequence[Any] = ()) -> None:
    """Selects exactly these objects, the first one being the active one."""
    bpy.context.view_layer.update()  # else removed objects are still listed, as None (4.2 to 5.2)
    for scene_object in bpy.context.selected_objects:
        scene_object.select_set(False)
    for scene_object in (active, *others):
        if scene_object.hide_get():
            scene_object.hide_set(False)  # brings all objects of the view layer up to date
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


def apply_modifiers(kind: str, chosen: Iterable[tuple[Any, dict[str, Any]]]) -> None:
    """Gives objects the meshes that a modifier of a kind, with settings for each, makes of theirs, before their own.

    Blender's operator works the whole scene out again for every object: minutes where there are hundreds.
    """
    chosen = list(chosen)
    made, stand_ins = _modified([(owner.data, owner.matrix_world, kind, settings) for owner, settings in chosen])
    for (owner, _settings), mesh in zip(chosen, made, strict=True):
        replace_mesh(owner, mesh)
    remove(stand_ins)


def next_to(target: Any, places: Points) -> Points:
    """The places on an object next to others, (n, 3): like a search tree, but all at once on all cores."""
    probe = new_mesh("probe", places, np.empty((0, 3), int), np.empty(0, int))
    (found,), stand_ins = _modified([(probe, Matrix(), "SHRINKWRAP", {"target": target})])
    result = coordinates(found).astype(float)
    bpy.data.meshes.remove(found)
    remove(stand_ins)
    return result


def _modified(chosen: Sequence[tuple[Any, Any, str, dict[str, Any]]]) -> tuple[list[Any], list[Any]]:
    """What meshes at places become by a modifier of a kind with settings each; and objects to remove, which have them.

    They are alone in a scene of their own: in the model's, all that is there would be looked at again each time.
    """
    scene, stand_ins = bpy.data.scenes.new("apart"), []
    for mesh, place, kind, settings in chosen:
        stand_ins.append(bpy.data.objects.new("modified", mesh))
        stand_ins[-1].matrix_world = place
        scene.collection.objects.link(stand_ins[-1])
        modifier = stand_ins[-1].modifiers.new(kind.title(), kind)
        for name, value in settings.items():
            setattr(modifier, name, value)
    with bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0]):
        graph = bpy.context.evaluated_depsgraph_get()
        results = [item.evaluated_get(graph) for item in stand_ins]
        make = partial(bpy.data.meshes.new_from_object, preserve_all_data_layers=True, depsgraph=graph)
        made = [make(item) for item in results]
    bpy.data.scenes.remove(scene)
    return made, stand_ins


def drop_loose_points(mesh: Any) -> None:
    """Removes points that no face uses, which no format would show."""
    if np.bincount(corners(mesh), minlength=len(mesh.vertices)).all():
        return
    with edited(mesh) as edit:
        bmesh.ops.delete(edit, geom=[vertex for vertex in edit.verts if not vertex.link_faces], context="VERTS")
