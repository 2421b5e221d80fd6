"""What Blender tells us of opened files."""

from __future__ import annotations

import bpy
from bpy.app.handlers import persistent

from . import pump
from .objects import triangle_counts
from .objects.triangle_counts import counts
from .results.open_file import open_file
from .state import state


@persistent
def _on_load(_path: object = None, _unused: object = None) -> None:
    open_file.replaced()
    counts.clear()
    state.filled.clear()
    pump.new_file()


def register() -> None:
    """Listens."""
    bpy.app.handlers.load_post.append(_on_load)
    bpy.app.handlers.depsgraph_update_post.append(triangle_counts.on_depsgraph_update)


def unregister() -> None:
    """Stops to listen."""
    bpy.app.handlers.depsgraph_update_post.remove(triangle_counts.on_depsgraph_update)
    bpy.app.handlers.load_post.remove(_on_load)
    triangle_counts.stop()
