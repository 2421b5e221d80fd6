"""Brings the prepared .blend of a result into this file: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import bpy

from ...core.errors import BrokenResult

_TABLES = (
    *("objects", "meshes", "materials", "images", "textures", "armatures", "actions", "node_groups", "collections"),
    *("curves", "pointclouds", "shape_keys", "libraries"),
)
"""What a result can consist of."""


def append(blend: Path, into: bpy.types.Collection) -> list[bpy.types.Object]:
    """Appends the objects of the file's only collection and links them into ``into``.

    Raises:
        BrokenResult: The file is not there or is not what it should be.
    """
    if not blend.is_file():
        raise BrokenResult("The prepared result is not on the disk any more", "Press Retry to fetch it again")
    libraries = set(bpy.data.libraries)
    try:
        with bpy.data.libraries.load(str(blend), link=False) as (there, here):
            here.collections = list(there.collections)
    except (OSError, RuntimeError) as error:
        raise BrokenResult("The prepared result cannot be opened", "Press Retry to fetch it again") from error
    holders = [collection for collection in here.collections if collection is not None]
    objects = [item for holder in holders for item in holder.all_objects]
    if not objects:
        raise BrokenResult("The result has no objects in it")
    for item in objects:
        into.objects.link(item)
    # Appending leaves the file's name behind as an empty library, which every later opening would look for. Together:
    # for each removal Blender goes through the whole file.
    new = [library for library in bpy.data.libraries if library not in libraries]
    left = [library for library in new if Path(bpy.path.abspath(library.filepath)) == blend]
    bpy.data.batch_remove([*holders, *left])
    return objects


@contextmanager
def all_or_nothing() -> Iterator[None]:
    """Removes every datablock that was added inside when an error leaves it."""
    known = known_blocks()
    try:
        yield
    except BaseException:
        bpy.data.batch_remove(added_blocks(known))
        raise


def known_blocks() -> dict[str, set[int]]:
    """The session ids of all datablocks that a result can consist of, by table."""
    return {
        name: {block.session_uid for block in getattr(bpy.data, name)} for name in _TABLES if hasattr(bpy.data, name)
    }


def added_blocks(known: Mapping[str, set[int]]) -> list[bpy.types.ID]:
    """The datablocks that were added since :func:`known_blocks`; shape keys go with their mesh."""
    return [
        block
        for name, uids in known.items()
        for block in getattr(bpy.data, name)
        if block.session_uid not in uids and name != "shape_keys"
    ]
