"""How a result that came back in another size or place is brought to where its source is, and put there exactly.

Shared by both sides of the wall between two Blenders, see :mod:`.mesh_notes`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import bpy
from mathutils import Euler, Matrix, Vector

FIT_TOLERANCE = 0.01
"""Share of the largest side by which a result may differ from its source before it is fitted."""


def fit_matrix(result: Sequence[float], *sources: Sequence[float]) -> Matrix:
    """The uniform scale and move that put the box ``result`` where that of its source is; identity when it is there
    already. Of several boxes, none of which counts when it is empty, it is the one of the most similar proportions.
    """
    boxes = [box for box in sources if box]
    if not result or not boxes:
        return Matrix.Identity(4)
    source = min(boxes, key=lambda box: (_proportions(box) - _proportions(result)).length) if boxes[1:] else boxes[0]
    result_size, source_size = _size(result), _size(source)
    largest_result, largest_source = max(result_size), max(source_size)
    if largest_result <= 0 or largest_source <= 0:
        return Matrix.Identity(4)
    tolerance = FIT_TOLERANCE * largest_source
    offset = _centre(source) - _centre(result)
    if max(map(abs, offset)) <= tolerance and max(map(abs, result_size - source_size)) <= tolerance:
        return Matrix.Identity(4)
    scale = largest_source / largest_result
    return Matrix.Translation(_centre(source)) @ Matrix.Scale(scale, 4) @ Matrix.Translation(-_centre(result))


def set_basis(item: bpy.types.Object, basis: Matrix) -> None:
    """Gives an object a matrix, which has no shear, of its own.

    Where the second of three angles is nearly a right one, Blender works the other two out from numbers that are nearly
    zero, one without the other, and turns the object by up to half a degree. So these are worked out one after another.
    """
    item.matrix_basis = basis
    if item.rotation_mode == "XYZ":
        item.rotation_euler = _angles(basis.to_quaternion().to_matrix(), item.rotation_euler)


def _angles(rotation: Matrix, near: Euler) -> Euler:
    """The angles about X, Y and Z of a rotation; ``near`` is the way that Blender has them."""
    last = math.atan2(rotation[1][0], rotation[0][0])
    rest = Matrix.Rotation(-last, 3, "Z") @ rotation
    angles = (math.atan2(-rest[1][2], rest[1][1]), math.atan2(-rest[2][0], rest[0][0]), last)
    found = Euler(angles, "XYZ")
    found.make_compatible(near)
    return found


def _proportions(bounds: Sequence[float]) -> Vector:
    """The sides, the largest as 1; width and depth in the order of their lengths, since a result may be turned."""
    size = _size(bounds)
    sides = Vector((min(size.x, size.y), max(size.x, size.y), size.z))
    return sides / (max(sides) or 1.0)


def _size(bounds: Sequence[float]) -> Vector:
    return Vector(bounds[3:]) - Vector(bounds[:3])


def _centre(bounds: Sequence[float]) -> Vector:
    return (Vector(bounds[3:]) + Vector(bounds[:3])) / 2
