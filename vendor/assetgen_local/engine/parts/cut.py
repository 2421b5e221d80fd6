"""Takes a mesh apart into objects, one for each part, and gives them colours that tell them apart."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from typing import Any

import bmesh
import bpy
import numpy as np

from ..materials import pbr_material
from ..mesh.build import in_scene, remove
from ..mesh.measure import corner_normals, face_sizes
from ..mesh.operators import edited, select
from .labels import PartLabels

_GOLDEN = 0.618034
"""Turns by this part of a circle never come back to a colour that was there."""


def cut(whole: Any, labels: PartLabels) -> list[Any]:
    """Objects with the faces of one part each; materials, UVs, colours and shading stay. The whole is removed.

    Args:
        whole: An object without a transform.
        labels: The part of each of its faces.
    """
    mesh = whole.data
    shading = corner_normals(mesh)
    of_corners = np.repeat(labels.of_faces, face_sizes(mesh))
    parts = []
    for number, name in enumerate(labels.names):
        part = mesh.copy()
        part.name = name
        others = np.flatnonzero(labels.of_faces != number)
        with edited(part) as edit:
            bmesh.ops.delete(edit, geom=[edit.faces[face] for face in others.tolist()], context="FACES")
        # Where a part ends, its shading would bend away from what was beside it.
        part.normals_split_custom_set(shading[of_corners == number].tolist())
        parts.append(in_scene(name, part))
        select(parts[-1])
        bpy.ops.object.material_slot_remove_unused()
    remove([whole])
    return parts


def tint(parts: Sequence[Any]) -> None:
    """Gives each part one colour of its own in place of its materials. The model is to be written before."""
    for number, part in enumerate(parts):
        color = colorsys.hsv_to_rgb(number * _GOLDEN % 1.0, 0.62, 0.8)
        pbr_material.assign([part], pbr_material.plain_material(part.name, color))
