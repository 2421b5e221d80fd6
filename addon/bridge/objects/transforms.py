"""The geometry of taking objects out and putting results in their place: matrices and boxes, nothing else."""

from __future__ import annotations

import math
from collections.abc import Sequence

import bpy
from mathutils import Matrix, Vector

from ...headless.mesh_notes import Bounds

FIT_TOLERANCE = 0.01
"""Share of the largest side by which a result may differ from its source before it is fitted."""


def rigid(matrix: Matrix) -> Matrix:
    """Position and rotation of a matrix, without its scale, mirroring and shear."""
    location, rotation, _ = matrix.decompose()
    return Matrix.LocRotScale(location, rotation, None)


def upload_matrix(objects: Sequence[bpy.types.Object]) -> Matrix:
    """The world matrix that an upload is expressed in: a single object's without its scale, else identity."""
    return rigid(objects[0].matrix_world) if len(objects) == 1 else Matrix.Identity(4)


def world_of(item: bpy.types.Object) -> Matrix:
    """Where an object is, also right after it was appended, when Blender has not evaluated it yet."""
    if item.parent is None:
        return item.matrix_basis.copy()
    return world_of(item.parent) @ item.matrix_parent_inverse @ item.matrix_basis


def fit_matrix(result: Bounds, source: Bounds) -> Matrix:
    """The uniform scale and move that put ``result`` where ``source`` is; identity when it is there already."""
    if not result or not source:
        return Matrix.Identity(4)
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


def uniform_scale(matrix: Matrix) -> float | None:
    """The scale of a matrix that only moves, turns and scales evenly; None when it does more."""
    scale = matrix.to_3x3().determinant()
    if scale <= 0:
        return None
    scale = scale ** (1 / 3)
    ideal = rigid(matrix).to_3x3()
    rest = matrix.to_3x3() * (1 / scale)
    worst = max(abs(rest[row][column] - ideal[row][column]) for row in range(3) for column in range(3))
    return scale if worst < 1e-3 and math.isfinite(scale) else None


def nearly_equal(one: Matrix, other: Matrix, tolerance: float = 1e-4) -> bool:
    """Whether two placements are the same but for rounding, measured against how far from the origin they are."""
    size = max(1.0, *(abs(value) for row in one for value in row))
    return all(
        abs(one[row][column] - other[row][column]) <= tolerance * size for row in range(4) for column in range(4)
    )


def to_numbers(matrix: Matrix) -> tuple[float, ...]:
    """Row-major, 16 numbers: how matrices are stored."""
    return tuple(float(value) for row in matrix for value in row)


def from_numbers(numbers: Sequence[float]) -> Matrix:
    """Reads what :func:`to_numbers` wrote."""
    return Matrix([list(numbers[row * 4 : row * 4 + 4]) for row in range(4)])


def _size(bounds: Bounds) -> Vector:
    return Vector(bounds[3:]) - Vector(bounds[:3])


def _centre(bounds: Bounds) -> Vector:
    return (Vector(bounds[3:]) + Vector(bounds[:3])) / 2
