"""Mesh objects from arrays."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

import bpy
import numpy as np

from ..array_types import Array

UV = "UVMap"
"""Name of the one UV map that the engine's results have."""

_MANY = 100  # objects: more are taken out of the scene only


def filled(mesh: Any, vertices: Array, corners: Array, sizes: Array) -> Any:
    """A mesh with this geometry.

    Args:
        mesh: Without any; its materials stay.
        vertices: Positions, (n, 3).
        corners: The vertex of every corner, face after face; any shape.
        sizes: Corners of every face.
    """
    mesh.vertices.add(len(vertices))
    mesh.loops.add(corners.size)
    # As attributes, which Blender copies in one piece; a mesh that nothing was added to has none.
    if len(vertices):
        mesh.attributes["position"].data.foreach_set("vector", np.ascontiguousarray(vertices, np.float32).ravel())
    if corners.size:
        mesh.attributes[".corner_vert"].data.foreach_set("value", np.ascontiguousarray(corners, np.int32).ravel())
    mesh.polygons.add(len(sizes))
    mesh.polygons.foreach_set("loop_start", (np.cumsum(sizes) - sizes).astype(np.int32))
    mesh.update(calc_edges=True)
    return mesh


def move_points(mesh: Any, places: Array) -> None:
    """Moves the vertices of a mesh to these places in its own space, (n, 3)."""
    mesh.vertices.foreach_set("co", np.ascontiguousarray(places, np.float32).ravel())
    mesh.update()


def in_scene(name: str, data: Any) -> Any:
    """A new object of the scene with this mesh, camera or light; None for an empty."""
    scene_object = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(scene_object)
    return scene_object


def new_object(name: str, vertices: Array, faces: Array, *, smooth: bool = True) -> Any:
    """A mesh object in the scene.

    Args:
        name: Of object and mesh.
        vertices: Positions, (n, 3).
        faces: Vertex indices, (m, 3) or (m, 4).
        smooth: Whether faces are shaded smooth.
    """
    mesh = filled(bpy.data.meshes.new(name), vertices, faces, np.full(len(faces), faces.shape[1]))
    mesh.polygons.foreach_set("use_smooth", np.full(len(faces), smooth))
    return in_scene(name, mesh)


def copy_of(scene_object: Any, name: str) -> Any:
    """A copy of an object in the scene, with a mesh of its own."""
    copy = scene_object.copy()
    copy.name, copy.data = name, scene_object.data.copy()
    bpy.context.scene.collection.objects.link(copy)
    return copy


def remove(objects: Iterable[Any]) -> None:
    """Takes mesh objects out of the scene, and a few also out of the file, with the meshes that nothing else uses."""
    gone = list(objects)
    if len(gone) > _MANY:  # for each of them, or at once by their number squared, Blender looks through the file
        for collection in (bpy.context.scene.collection, *bpy.data.collections):
            for scene_object in set(collection.objects) & set(gone):
                collection.objects.unlink(scene_object)
        return
    for scene_object in gone:
        mesh = scene_object.data
        bpy.data.objects.remove(scene_object)
        if not mesh.users:
            bpy.data.meshes.remove(mesh)


def replace_mesh(scene_object: Any, mesh: Any) -> None:
    """Gives an object another mesh under the old one's name; the old one stays in the file."""
    old, name = scene_object.data, scene_object.data.name
    scene_object.data, old.name, mesh.name = mesh, f"{name}, old", name  # as one of many of a name it is slow


def set_uv(mesh: Any, uv: Array) -> None:
    """Gives a mesh these UVs for a new texture, one for every corner, (corners, 2); the map is named :data:`UV`."""
    drop_look([mesh])
    layer = mesh.uv_layers.new(name=UV, do_init=False)
    layer.active_render = True
    layer.uv.foreach_set("vector", np.ascontiguousarray(uv, np.float32).ravel())


def drop_look(meshes: Iterable[Any]) -> None:
    """Takes UV maps off meshes, and vertex colours, by which a new texture would be multiplied."""
    for layers in chain.from_iterable((mesh.uv_layers, mesh.color_attributes) for mesh in meshes):
        while layers:
            layers.remove(layers[0])
