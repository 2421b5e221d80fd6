"""Puts the origin of every part of a result where the origin of its source is.

What is seen stays where it is: a mesh is moved against its object. Done in the background Blender, because a mesh can
be large.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import bpy
from fitting import set_basis  # type: ignore[import-not-found, unused-ignore]
from mathutils import Matrix

_SHEAR = 1e-5


def take_out_of_empties(objects: Sequence[bpy.types.Object]) -> None:
    """Takes objects out of the empties that a file has them in, and removes those that hold nothing any more."""
    for item in objects:
        above = _parents(item)
        if above and all(parent.type == "EMPTY" and parent.animation_data is None for parent in above):
            world = item.matrix_world.copy()
            if _has_shear(world):
                continue
            item.parent = None
            set_basis(item, world)
            for parent in above:
                if not parent.children:
                    bpy.data.objects.remove(parent)
                else:
                    break
    bpy.context.view_layer.update()


def place_origins(origins: Mapping[bpy.types.Object, Matrix]) -> None:
    """Gives mesh objects these world matrices, without moving what is seen of them.

    An object stays as it is where that cannot be done: one that is animated, hangs on a bone, or would be sheared.
    """
    for item, origin in origins.items():
        _place_origin(item, origin)
        if item.children:  # where they are is asked for next
            bpy.context.view_layer.update()
    bpy.context.view_layer.update()


def origin_matrix(frame: Matrix, source: Matrix, fit: Matrix) -> Matrix:
    """Where the origin of a source is, in the coordinates of the file that came back.

    Args:
        frame: World matrix of the model that the service worked on.
        source: World matrix of the source, at the press.
        fit: What brings the result to the size and place of that model.
    """
    local = frame.inverted_safe() @ source
    if _has_shear(local):
        location, rotation, _ = local.decompose()
        local = Matrix.LocRotScale(location, rotation, None)
    return fit.inverted_safe() @ local


def _place_origin(item: bpy.types.Object, origin: Matrix) -> None:
    if item.animation_data is not None or (item.parent is not None and item.parent_type != "OBJECT"):
        return
    if abs(origin.to_3x3().determinant()) < 1e-12:
        return
    above = item.parent.matrix_world @ item.matrix_parent_inverse if item.parent is not None else Matrix.Identity(4)
    basis = above.inverted_safe() @ origin
    if _has_shear(basis):
        return
    change = origin.inverted() @ item.matrix_world
    if item.data.users > 1:
        item.data = item.data.copy()
    mesh: Any = item.data
    mesh.transform(change, shape_keys=True)
    if change.determinant() < 0:
        mesh.flip_normals()
    for child in item.children:
        child.matrix_parent_inverse = change @ child.matrix_parent_inverse
    item.rotation_mode = "XYZ"
    set_basis(item, basis)


def _parents(item: bpy.types.Object) -> list[bpy.types.Object]:
    above = []
    while item.parent is not None:
        item = item.parent
        above.append(item)
    return above


def _has_shear(matrix: Matrix) -> bool:
    """Whether an object cannot have this matrix, which is made of a place, a rotation and a scale."""
    again = Matrix.LocRotScale(*matrix.decompose())
    size = max(1e-9, *(abs(value) for row in matrix.to_3x3() for value in row))
    return any(abs(matrix[row][column] - again[row][column]) > _SHEAR * size for row in range(3) for column in range(3))
