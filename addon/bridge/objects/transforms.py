"""The geometry of taking objects out and putting results in their place: matrices and boxes, nothing else."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import bpy
from mathutils import Matrix, Vector

from ...headless.fitting import fit_matrix as fit_matrix  # the background Blender has to come to the same
from ...headless.fitting import set_basis as set_basis

_WAYS_UP = [
    Matrix.Rotation(quarters * math.pi / 2, 4, axis)
    for quarters, axis in ((0, "X"), (1, "X"), (-1, "X"), (1, "Y"), (-1, "Y"), (2, "X"))
]
"""Turns of +Z to each of the axes, none first."""


def rigid(matrix: Matrix) -> Matrix:
    """Position and rotation of a matrix, without its scale, mirroring and shear.

    What is mirrored counts as mirrored along X: along another axis the rest would be upside down or back to front.
    """
    location, rotation, _ = matrix.decompose()
    turned = Matrix.LocRotScale(location, rotation, None)
    return turned if matrix.determinant() >= 0 else turned @ Matrix.Rotation(math.pi, 4, "X")


def levelled(matrix: Matrix) -> Matrix:
    """Like :func:`rigid`, with that axis of the mesh as +Z that points up, or nearly so.

    Files have Y or Z up, and importers leave what is between theirs and Blender's to the object: without a quarter turn
    what one sees stand would lie. Left of the rotation are a turn about the vertical and a lean of less than half a
    right angle.
    """
    turned = rigid(matrix)
    return max((turned @ way_up for way_up in _WAYS_UP), key=lambda frame: frame[2][2])


def upload_matrix(objects: Sequence[bpy.types.Object]) -> Matrix:
    """The world matrix that an upload is expressed in, without scale: where it is and how it is turned as one thing.

    That is what a single object has, or the object that all of them hang on. Others keep their places in the world, and
    have the turn that is common to all.
    """
    whole = _common_parent(objects)
    if whole is not None:
        return levelled(whole.matrix_world)
    turned = rigid(objects[0].matrix_world).to_3x3()
    if nearly_equal(turned, Matrix.Identity(3)):
        return Matrix.Identity(4)
    alike = all(nearly_equal(rigid(item.matrix_world).to_3x3(), turned) for item in objects)
    return levelled(turned.to_4x4()) if alike else Matrix.Identity(4)


def _common_parent(objects: Sequence[bpy.types.Object]) -> bpy.types.Object | None:
    """The nearest one that all hang on, or that is one of them and has the others."""
    above: list[bpy.types.Object] = list(_chain(objects[0]))
    for item in objects[1:]:
        own = set(_chain(item))
        above = [parent for parent in above if parent in own]
    return above[0] if above else None


def _chain(item: bpy.types.Object | None) -> Iterator[bpy.types.Object]:
    while item is not None:
        yield item
        item = item.parent


def world_of(item: bpy.types.Object) -> Matrix:
    """Where an object is while bones that it hangs on are at rest, also right after it was appended, before Blender has
    evaluated it.
    """
    if item.parent is None:
        return item.matrix_basis.copy()
    return world_of(item.parent) @ _in_parent(item)


def resting_world(item: bpy.types.Object) -> Matrix:
    """The world matrix of an object while bones that it hangs on are at rest, whatever their pose."""
    if not hangs_on_bone(item):
        return item.matrix_world
    return resting_world(item.parent) @ _in_parent(item)


def hangs_on_bone(item: bpy.types.Object) -> bool:
    """Whether a bone carries an object, or one of those that it hangs on."""
    return any(above.parent is not None and above.parent_type == "BONE" for above in _chain(item))


def _in_parent(item: bpy.types.Object) -> Matrix:
    matrix = item.matrix_parent_inverse @ item.matrix_basis
    bone = item.parent.data.bones.get(item.parent_bone) if item.parent_type == "BONE" else None
    if bone is None or bone.use_relative_parent:
        return matrix
    return bone.matrix_local @ Matrix.Translation((0.0, bone.length, 0.0)) @ matrix


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


def can_be_held(matrix: Matrix) -> bool:
    """Whether a matrix is nothing but a place, a rotation and a scale, so that an object can have it."""
    return nearly_equal(Matrix.LocRotScale(*matrix.decompose()), matrix, 1e-6)


def nearly_equal(one: Matrix, other: Matrix, tolerance: float = 1e-4) -> bool:
    """Whether two placements are the same but for rounding, measured against how far from the origin they are."""
    if one == other:
        return True
    limit = tolerance * max(1.0, *map(abs, to_numbers(one)))
    return all(map(limit.__ge__, map(abs, to_numbers(one - other))))


def moved_box(matrix: Matrix, bounds: Sequence[float]) -> tuple[float, ...]:
    """The world box of a box (lowest, then highest corner) that a matrix moves and turns; empty for an empty one."""
    if not bounds:
        return ()
    corners = [matrix @ Vector((bounds[x], bounds[y], bounds[z])) for x in (0, 3) for y in (1, 4) for z in (2, 5)]
    return (*map(min, zip(*corners, strict=True)), *map(max, zip(*corners, strict=True)))


def to_numbers(matrix: Matrix) -> tuple[float, ...]:
    """Row-major, 16 numbers: how matrices are stored."""
    return tuple(itertools.chain.from_iterable(matrix))


def from_numbers(numbers: Sequence[float]) -> Matrix:
    """Reads what :func:`to_numbers` wrote."""
    return Matrix([list(numbers[row * 4 : row * 4 + 4]) for row in range(4)])
