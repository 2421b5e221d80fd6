"""Which object of a result is the result of which source: what an object keeps is taken from there."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ...core.jobs.job import Placement
from ...headless import mesh_notes
from ...headless.part_matching import Part, match

Pair = tuple[bpy.types.Object, bpy.types.Object | None]


def paired(
    objects: Sequence[bpy.types.Object], sources: Sequence[bpy.types.Object], placement: Placement | None
) -> list[Pair]:
    """Each mesh object of a result with the source that it is the result of; None where that cannot be told.

    To be asked right after the objects were appended: what the background Blender noted on them tells their names in
    the file that came back, which they may not have been able to keep here.

    Args:
        objects: What came.
        sources: What the job worked on, as far as it is still there, in the order of the placement.
        placement: What is known of all that it worked on.
    """
    meshes = [item for item in objects if item.type == "MESH"]
    if placement is None:
        return [(item, None) for item in meshes]
    indices = match(_parts(placement), [_part(item) for item in meshes])
    places = _places(sources, placement)
    return [
        (item, places.get(index) if index is not None else None) for item, index in zip(meshes, indices, strict=True)
    ]


def _parts(placement: Placement) -> list[Part]:
    """The parts of the model that the service worked on, one for each source."""
    if len(placement.parts) == len(placement.sources):
        return [Part(part.name, part.bounds) for part in placement.parts]
    return [Part(name) for name, _ in placement.sources]


def _part(item: bpy.types.Object) -> Part:
    notes = mesh_notes.read_notes(item)
    return Part(notes.name, notes.bounds) if notes else Part("")


def _places(sources: Sequence[bpy.types.Object], placement: Placement) -> dict[int, bpy.types.Object]:
    """The sources by their number in the placement; nothing where one of them cannot be found in it."""
    found: dict[int, bpy.types.Object] = {}
    index = 0
    for item in sources:
        while len(sources) < len(placement.sources) and index < len(placement.sources):
            name, uid = placement.sources[index]
            if uid == item.session_uid or name == item.name:
                break
            index += 1
        if index == len(placement.sources):
            return {}
        found[index] = item
        index += 1
    return found
