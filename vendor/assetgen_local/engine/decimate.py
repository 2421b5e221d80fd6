"""Decimate: a low-poly version in the same place, with the source's look baked onto it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy

from . import finish, mesh_facts, quads, rebake, reduce, scene_io, writers
from .merged import merge
from .task import MODEL, Task

TRIANGLE_WINDOW = (500, 20_000)
QUAD_WINDOW = (500, 10_000)
"""Faces that the result has when no limit is given: a tenth of the source's, within these."""

_SMALL, _LARGE = 1024, 2048
_FACES_FOR_LARGE = 8_000


def run(task: Task) -> dict[str, Any]:
    """Reduces the model to ``face_limit`` triangles or quads.

    Parts, names, places and weights of a rig stay; morph targets are lost, and quads are one new surface without a rig.

    Raises:
        EngineError: The model cannot be read, or not be reduced so far.
    """
    task.report(0.02, "Reading the model")
    everything = scene_io.load(task.model())
    objects = scene_io.part(everything, task.body.get("part_names"))
    quad = task.flag("quad")
    limit = task.body.get("face_limit") or default_limit(objects, QUAD_WINDOW if quad else TRIANGLE_WINDOW)
    diagonal = mesh_facts.bounds(objects).diagonal
    task.report(0.1, f"Reducing to {limit} faces")
    source = merge(objects, "source") if task.flag("bake", True) or quad else None
    if quad:
        assert source is not None
        low = [quads.rebuild(source.whole, limit)]
        _remove(objects)
    else:
        for scene_object in objects:
            if scene_object.data.shape_keys is not None:
                scene_object.shape_key_clear()
        low = list(objects)
        reduce.to_triangles(low, limit, diagonal)
    reduce.smooth_shading(low, reduce.SHARP_ANGLE)
    if task.flag("bake", True):
        assert source is not None
        task.report(0.4, "Baking the look")
        large = mesh_facts.facts(low)["triangles"] > _FACES_FOR_LARGE
        rebake.onto(source.whole, low, _LARGE if large else _SMALL, diagonal)
    if source is not None:
        source.remove()
    if quad and len(objects) == len(everything):
        scene_io.keep_only(low)
    kept = [scene_object for scene_object in everything if scene_object not in objects]
    if not quad:
        return finish.model_and_preview(task, kept + low, 0.85)
    # FBX can hold quads; tasks after this one work on the GLB beside it.
    task.report(0.85, "Writing the model")
    scene_io.save_glb(task.folder / MODEL)
    result = finish.answer(task, kept + low, "model.fbx", 0.9)
    writers.write_fbx(task.folder / "model.fbx")
    return result


def default_limit(objects: Sequence[Any], window: tuple[int, int]) -> int:
    """Faces of the result when the request says nothing."""
    count = mesh_facts.facts(objects)["triangles"]
    return min(max(count // 10, window[0]), window[1])


def _remove(objects: Sequence[Any]) -> None:
    for scene_object in objects:
        bpy.data.objects.remove(scene_object)
