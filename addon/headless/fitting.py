"""How a result that came back in another size or place is brought to where its source is.

Shared by both sides of the wall between two Blenders, see :mod:`.mesh_notes`.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathutils import Matrix, Vector

FIT_TOLERANCE = 0.01
"""Share of the largest side by which a result may differ from its source before it is fitted."""


def fit_matrix(result: Sequence[float], source: Sequence[float]) -> Matrix:
    """The uniform scale and move that put the box ``result`` where ``source`` is; identity when it is there already."""
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


def _size(bounds: Sequence[float]) -> Vector:
    return Vector(bounds[3:]) - Vector(bounds[:3])


def _centre(bounds: Sequence[float]) -> Vector:
    return (Vector(bounds[3:]) + Vector(bounds[:3])) / 2
