"""Parts as Blender objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from ..mesh.build import filled, in_scene
from ..mesh.collapse import smooth_shading
from .model import ModelPart
from .solid import joined, quads_only

_SHARP = 0.7  # radians: edges that bend more are shaded sharp


def surfaces(parts: Sequence[ModelPart]) -> list[str]:
    """The different surfaces of a model, in the order of its parts."""
    return list(dict.fromkeys(entry.surface for entry in parts))


def one_object(parts: Sequence[ModelPart], *, quads: bool = False, name: str = "model") -> Any:
    """All parts as one object; the material index of a face is its place in :func:`surfaces`."""
    order = surfaces(parts)
    solids = [quads_only(entry.solid) if quads else entry.solid for entry in parts]
    slots = np.repeat([order.index(entry.surface) for entry in parts], [len(solid.sizes) for solid in solids])
    whole = joined(solids)
    mesh = filled(bpy.data.meshes.new(name), whole.points, whole.corners, whole.sizes)
    for _ in order:
        mesh.materials.append(None)
    mesh.polygons.foreach_set("material_index", slots.astype(np.int32))
    scene_object = in_scene(name, mesh)
    smooth_shading([scene_object], _SHARP)
    return scene_object
