"""What Blender's operators need around them, as the selection; modifiers that are applied; loose points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import bmesh
import bpy
import numpy as np
from mathutils import Matrix

from .build import remove, replace_mesh
from .measure import corners


def select(active: Any) -> None:
    """Selects exactly this object and makes it the active one."""
    bpy.context.view_layer.update()  # else removed objects are still listed, as None (4.2 to 5.2)
    for scene_object in bpy.context.selected_objects:
        scene_object.select_set(False)
    active.select_set(True)
    bpy.context.view_layer.objects.active = active


def acting_on(active: Any, *others: Any) -> Any:
    """In here operators work on these objects, the first one being the active one, whatever is selected."""
    chosen = [active, *others]
    return bpy.context.temp_override(
        active_object=active, object=active, selected_objects=chosen, selected_editable_objects=chosen
    )


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
    with acting_on(target):
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
    """In here the scene holds these objects only: of the model's, all would be looked at again for each step."""
    scene = bpy.data.scenes.new("alone")
    for item in objects:
        scene.collection.objects.link(item)
    try:
        with bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0]):
            yield
    finally:
        bpy.data.scenes.remove(scene)


def apply_modifiers(kind: str, chosen: Iterable[tuple[Any, dict[str, Any]]]) -> None:
    """Gives objects the meshes that a modifier of a kind, with settings for each, makes of theirs, before their own.

    Blender's operator works the whole scene out again for every object: minutes where there are hundreds.
    """
    chosen, stand_ins = list(chosen), []
    for owner, settings in chosen:
        stand_ins.append(bpy.data.objects.new("modified", owner.data))
        stand_ins[-1].matrix_world = owner.matrix_world
        modifier = stand_ins[-1].modifiers.new(kind.title(), kind)
        for name, value in settings.items():
            setattr(modifier, name, value)
    with alone(*stand_ins):
        graph = bpy.context.evaluated_depsgraph_get()
        results = [item.evaluated_get(graph) for item in stand_ins]
        make = partial(bpy.data.meshes.new_from_object, preserve_all_data_layers=True, depsgraph=graph)
        made = [make(item) for item in results]
    for (owner, _settings), mesh in zip(chosen, made, strict=True):
        replace_mesh(owner, mesh)
    remove(stand_ins)


def drop_loose_points(mesh: Any) -> None:
    """Removes points that no face uses, which no format would show."""
    if np.bincount(corners(mesh), minlength=len(mesh.vertices)).all():
        return
    with edited(mesh) as edit:
        bmesh.ops.delete(edit, geom=[vertex for vertex in edit.verts if not vertex.link_faces], context="VERTS")
