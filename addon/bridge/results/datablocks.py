"""What a result can consist of, and which of it came last."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import bpy

_TABLES = (
    *("objects", "meshes", "materials", "images", "textures", "armatures", "actions", "node_groups", "collections"),
    *("curves", "pointclouds", "shape_keys", "libraries"),
)
"""What a result can consist of."""


class Loaded(NamedTuple):
    """What was appended from a prepared file, linked nowhere yet.

    Attributes:
        collections: Its collections.
        materials: The materials that were asked for, in their order.
        left: Appending leaves the file's name behind as an empty library, which every later opening would look for: to
            be removed.
    """

    collections: list[bpy.types.Collection]
    materials: list[bpy.types.Material]
    left: list[bpy.types.Library]


def load_collections(blend: Path, most_objects: int | None = None, materials: Sequence[str] = ()) -> Loaded:
    """Appends the collections of a prepared file, and materials by their names; nothing where it has more than
    ``most_objects``.

    Raises:
        OSError: The file cannot be opened.
        RuntimeError: The same, as some Blenders say it.
        LookupError: It has not all of the materials.
    """
    libraries = set(bpy.data.libraries)
    with bpy.data.libraries.load(str(blend), link=False) as (there, here):
        if most_objects is None or len(there.objects) <= most_objects:
            here.collections = list(there.collections)
            here.materials = list(materials)
    new = [library for library in bpy.data.libraries if library not in libraries]
    left = [library for library in new if Path(bpy.path.abspath(library.filepath)) == blend]
    found = [material for material in here.materials if isinstance(material, bpy.types.Material)]
    if most_objects is None and len(found) != len(materials):
        raise LookupError("the materials are not those that were asked for")
    return Loaded([collection for collection in here.collections if collection is not None], found, left)


def known_blocks(but: Collection[int] = ()) -> dict[str, set[int]]:
    """The session ids of all datablocks that a result can consist of, by table; ``but`` those."""
    return {
        name: {block.session_uid for block in getattr(bpy.data, name)}.difference(but)
        for name in _TABLES
        if hasattr(bpy.data, name)
    }


def added_blocks(known: Mapping[str, set[int]]) -> list[bpy.types.ID]:
    """The datablocks that were added since :func:`known_blocks`; shape keys go with their mesh."""
    return [
        block
        for name, uids in known.items()
        for block in getattr(bpy.data, name)
        if block.session_uid not in uids and name != "shape_keys"
    ]


def with_uids(uids: Collection[int]) -> list[bpy.types.ID]:
    """The datablocks that have these session ids, as far as they are there."""
    tables = [getattr(bpy.data, name) for name in _TABLES if name != "shape_keys" and hasattr(bpy.data, name)]
    return [block for table in tables for block in table if block.session_uid in uids] if uids else []
