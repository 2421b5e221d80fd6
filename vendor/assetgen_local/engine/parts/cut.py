"""Takes a mesh apart into objects, one for each part, and gives them colours that tell them apart."""

from __future__ import annotations

import colorsys
from collections.abc import Iterator, Sequence
from typing import Any

import bmesh
import numpy as np

from ..array_types import Array
from ..materials import pbr_material
from ..mesh.build import in_scene, remove
from ..mesh.measure import corner_normals, face_sizes
from ..mesh.operators import edited
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
    order = np.argsort(of_corners, kind="stable")
    ends = np.cumsum(np.bincount(of_corners, minlength=len(labels.names)))[:-1]
    parts = []
    pieces = zip(labels.names, _pieces(mesh.copy(), labels.of_faces), np.split(shading[order], ends), strict=True)
    for name, part, own in pieces:
        # Where a part ends, its shading would bend away from what was beside it.
        part.normals_split_custom_set(own.tolist())
        part.name = name
        parts.append(in_scene(name, part))
    remove([whole])
    return parts


def _pieces(mesh: Any, of_faces: Array) -> Iterator[Any]:
    """Meshes with the faces of one part each, in the order of their numbers; the mesh is one of them.

    It is halved over and over: a copy of the whole for each of hundreds of parts takes minutes.
    """
    numbers = np.unique(of_faces)
    if len(numbers) < 2:
        yield mesh
        return
    second = of_faces >= numbers[len(numbers) // 2]
    for half, others in ((mesh.copy(), second), (mesh, ~second)):
        with edited(half) as edit:
            gone = [edit.faces[face] for face in np.flatnonzero(others).tolist()]
            bmesh.ops.delete(edit, geom=gone, context="FACES")
        yield from _pieces(half, of_faces[~others])


def tint(parts: Sequence[Any]) -> None:
    """Gives each part one colour of its own in place of its materials. The model is to be written before."""
    for number, part in enumerate(parts):
        color = colorsys.hsv_to_rgb(number * _GOLDEN % 1.0, 0.62, 0.8)
        pbr_material.assign([part], pbr_material.plain_material(part.name, color))
