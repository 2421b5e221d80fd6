"""At most so many faces: edges collapsed in place, or one new surface of quads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import shape_keys
from .build import remove
from .collapse import SHARP_ANGLE, collapse_to, smooth_shading
from .measure import bounds
from .merged import merge
from .quad_remesh import remesh


def reduced(objects: Sequence[Any], limit: int, *, quad: bool, fitted: bool = False) -> list[Any]:
    """The objects with at most so many faces, by collapsing edges; or one new surface of quads in their place.

    Args:
        objects: Are changed, or removed.
        limit: Faces; 0 of quads for about as many as would have made it.
        quad: Whether it is one new surface of quads.
        fitted: Whether triangles are moved closer to the source afterwards, see :mod:`.fit_to_source`.

    Raises:
        EngineError: So few faces do not hold the model.
    """
    result = [_remeshed(objects, limit)] if quad else list(objects)
    if not quad:
        targets = shape_keys.take_off(objects)  # also where nothing is reduced: no modifier is applied beside them
        collapse_to(objects, limit, bounds(objects).diagonal, fit=fitted)
        shape_keys.put_back(targets)
    smooth_shading(result, SHARP_ANGLE)
    return result


def _remeshed(objects: Sequence[Any], limit: int) -> Any:
    source = merge(objects, "source")
    result = remesh(source.whole, limit)
    for material in list(source.whole.data.materials)[len(result.data.materials) :]:
        result.data.materials.append(material)
    source.remove()
    remove(objects)
    result.name = result.data.name = "model"
    return result
