"""Which sources the free-standing objects of a result follow: in their place, their parent and their visibility."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NamedTuple

import bpy

from ...core.jobs.job import Placement
from .pairs import Pair


class Owned(NamedTuple):
    """An object of a result that has no parent in it, and the sources that it is the result of; none if unknown."""

    item: bpy.types.Object
    sources: tuple[bpy.types.Object, ...]


def owned(
    objects: Sequence[bpy.types.Object],
    pairs: Sequence[Pair],
    sources: Sequence[bpy.types.Object],
    placement: Placement | None,
) -> list[Owned]:
    """The objects without parent, each with the sources of all that hangs on it.

    What is the result of no certain source belongs to the only source, where there was only one: its parts, its rig.
    """
    came = set(objects)
    only = tuple(sources) if placement is not None and len(placement.sources) == 1 else ()
    found: dict[bpy.types.Object, dict[bpy.types.Object, None]] = {
        item: {} for item in objects if item.parent is None or item.parent not in came
    }
    for item, source in pairs:
        if source is not None:
            found[root_of(item, came)][source] = None
    return [Owned(item, tuple(own) or only) for item, own in found.items()]


def root_of(item: bpy.types.Object, objects: Set[bpy.types.Object]) -> bpy.types.Object:
    """The uppermost of the parents of an object that came with it."""
    while item.parent is not None and item.parent in objects:
        item = item.parent
    return item
