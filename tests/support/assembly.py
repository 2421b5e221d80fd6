"""What tests of results share that come in piece by piece."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import bpy
from asset_generation.addon.bridge.results import assembly, datablocks


def begin(blend: Path, titles: Callable[[str], Any] = lambda _: None) -> assembly.Assembly:
    """Begins to bring in a prepared file, of which a worker has read all that there is beside it; ``titles`` says what
    is made under another name than it has there.
    """
    table: Future[Any] = Future()
    table.set_result(assembly.read_table(blend, bpy.app.version[:2]))
    return assembly.begin(blend, table, titles)


def count_blocks() -> int:
    """How many datablocks the open file has."""
    return sum(len(blocks) for blocks in datablocks.known_blocks().values())


def own_collection() -> bpy.types.Collection:
    """A collection in the scene, as a new file has one: of the scene's own one Blender loses members by redo
    (docs/platform.md).
    """
    collection = bpy.data.collections.new("Collection")
    bpy.context.scene.collection.children.link(collection)
    return collection
