"""Which sources the free-standing objects of a result follow: in their place, their parent and their visibility."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NamedTuple

import bpy

from ...core.jobs.job import Placement
from .pairs import Pair


class Owned(NamedTuple):
    """An object of a result that has no parent in it.

    Attributes:
        item: The object.
        sources: What it is the result of; none where that is not known.
        parts: Itself and all that hangs on it.
    """

    item: bpy.types.Object
    sources: tuple[bpy.types.Object, ...]
    parts: tuple[bpy.types.Object, ...]


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
    parts: dict[bpy.types.Object, list[bpy.types.Object]] = {}
    for item in objects:  # not by asking objects for their children: Blender goes through the whole file for that
        parts.setdefault(root_of(item, came), []).append(item)
    found: dict[bpy.types.Object, dict[bpy.types.Object, None]] = {item: {} for item in parts}
    for item, source in pairs:
        if source is not None:
            found[root_of(item, came)][source] = None
    return [Owned(item, tuple(own) or only, tuple(parts[item])) for item, own in found.items()]


def root_of(item: bpy.types.Object, objects: Set[bpy.types.Object]) -> bpy.types.Object:
    """The uppermost of the parents of an object that came with it."""
    while item.parent is not None and item.parent in objects:
        item = item.parent
    return item
