"""Parts as Blender objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from ..mesh.collapse import smooth_shading
from .model import ModelPart
from .solid import Solid, joined, quads_only

_SHARP = 0.7  # radians: edges that bend more are shaded sharp


def surfaces(parts: Sequence[ModelPart]) -> list[str]:
    """The different surfaces of a model, in the order of its parts."""
    return list(dict.fromkeys(entry.surface for entry in parts))


def one_object(parts: Sequence[ModelPart], *, quads: bool = False) -> Any:
    """All parts as one object; the material index of a face is its place in :func:`surfaces`."""
    order = surfaces(parts)
    solids = [quads_only(entry.solid) if quads else entry.solid for entry in parts]
    scene_object = _object("model", joined(solids))
    slots = np.concatenate(
        [np.full(len(s.sizes), order.index(entry.surface)) for s, entry in zip(solids, parts, strict=True)]
    )
    _slots(scene_object, len(order), slots)
    return scene_object


def separate_objects(parts: Sequence[ModelPart], *, quads: bool = False) -> list[Any]:
    """Every part as an object with its name."""
    objects = [_object(entry.name, quads_only(entry.solid) if quads else entry.solid) for entry in parts]
    for scene_object in objects:
        _slots(scene_object, 1, np.zeros(len(scene_object.data.polygons), np.int32))
    return objects


def _slots(scene_object: Any, count: int, slots: Any) -> None:
    for _ in range(count):
        scene_object.data.materials.append(None)
    scene_object.data.polygons.foreach_set("material_index", slots.astype(np.int32))


def _object(name: str, solid: Solid) -> Any:
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(solid.points))
    mesh.vertices.foreach_set("co", solid.points.astype(np.float32).ravel())
    mesh.loops.add(len(solid.corners))
    mesh.loops.foreach_set("vertex_index", solid.corners.astype(np.int32))
    mesh.polygons.add(len(solid.sizes))
    mesh.polygons.foreach_set("loop_start", (np.cumsum(solid.sizes) - solid.sizes).astype(np.int32))
    mesh.update(calc_edges=True)
    scene_object = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(scene_object)
    smooth_shading([scene_object], _SHARP)
    return scene_object
