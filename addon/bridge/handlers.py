"""What Blender tells us of opened files."""

from __future__ import annotations

import bpy
from bpy.app.handlers import persistent

from . import pump
from .results.open_file import open_file
from .session import session


@persistent
def _on_load(_path: object = None, _unused: object = None) -> None:
    open_file.replaced()
    if session.ready is not None:
        pump.new_file()


def register() -> None:
    """Listens."""
    bpy.app.handlers.load_post.append(_on_load)


def unregister() -> None:
    """Stops to listen."""
    bpy.app.handlers.load_post.remove(_on_load)
