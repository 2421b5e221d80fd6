"""Mesh objects from arrays."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ..array_types import Array
from .merged import only_uv


def new_object(name: str, vertices: Array, faces: Array, *, smooth: bool = True) -> Any:
    """A mesh object in the scene.

    Args:
        name: Of object and mesh.
        vertices: Positions, (n, 3).
        faces: Vertex indices, (m, 3) or (m, 4).
        smooth: Whether faces are shaded smooth.
    """
    mesh = bpy.data.meshes.new(name)
    count, size = faces.shape
    mesh.vertices.add(len(vertices))
    mesh.vertices.foreach_set("co", np.ascontiguousarray(vertices, np.float32).ravel())
    mesh.loops.add(count * size)
    mesh.loops.foreach_set("vertex_index", np.ascontiguousarray(faces, np.int32).ravel())
    mesh.polygons.add(count)
    mesh.polygons.foreach_set("loop_start", np.arange(count, dtype=np.int32) * size)
    mesh.polygons.foreach_set("use_smooth", np.full(count, smooth))
    mesh.update(calc_edges=True)
    scene_object = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(scene_object)
    return scene_object


def set_uv(mesh: Any, uv: Array) -> None:
    """Gives a mesh these UVs, one for every corner, (corners, 2), and no other UV map."""
    layer = only_uv(mesh)
    layer.data.foreach_set("uv", np.ascontiguousarray(uv, np.float32).ravel())
