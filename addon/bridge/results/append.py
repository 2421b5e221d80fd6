"""Brings the prepared .blend of a result into this file: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy

from ...core.errors import BrokenResult
from . import assembly
from .datablocks import added_blocks, known_blocks, load_collections


def append(blend: Path, into: bpy.types.Collection) -> list[bpy.types.Object]:
    """Appends the objects of the file's only collection and links them into ``into``; or those that have come piece by
    piece.

    Raises:
        BrokenResult: The file is not there or is not what it should be.
    """
    if not blend.is_file():
        raise BrokenResult("The prepared result is not on the disk any more", "Press Retry to fetch it again")
    left: list[bpy.types.Library] = []
    holders = assembly.take(blend)
    try:
        if holders is None:
            holders, _, left = load_collections(blend)
    except (OSError, RuntimeError) as error:
        raise BrokenResult("The prepared result cannot be opened", "Press Retry to fetch it again") from error
    objects = [item for holder in holders for item in holder.all_objects]
    if not objects:
        raise BrokenResult("The result has no objects in it")
    for item in objects:
        into.objects.link(item)
    bpy.data.batch_remove([*holders, *left])  # together: for each removal Blender goes through the whole file
    return objects


@contextmanager
def all_or_nothing() -> Iterator[None]:
    """Removes every datablock that was added inside, or came piece by piece before, when an error leaves it."""
    known = known_blocks(but=assembly.uids_of_current())
    try:
        yield
    except BaseException:
        bpy.data.batch_remove(added_blocks(known))
        raise
