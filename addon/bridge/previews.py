"""Thumbnails of files, for panels: small pictures that Blender loads by itself and that are no data of the user's file.

``icon_of(path)`` is the number that ``layout.template_icon(icon_value=...)`` and ``label(icon_value=...)`` take. It is
cheap enough for ``draw()``: the file is opened on a thread of Blender's when the picture is first seen, and Blender
draws the panel again when it is there. All of them are released by ``unregister()``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy

MOST = 400
"""So many are kept; those that were not drawn for the longest time go first. Each is up to 256 KB large."""

_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff", ".exr", ".hdr"})


class _Previews:
    """The collection, from when the first one is asked for."""

    def __init__(self) -> None:
        self.collection: Any = None


_previews = _Previews()


def icon_of(path: str | Path) -> int:
    """The icon that shows a picture file; 0, which is drawn as nothing, where Blender has no window.

    The picture is the one that the file has when it is first seen, so that nothing asks a slow drive again and again:
    whoever writes other content into the same file calls :func:`forget`. One that is being written has none yet. A path
    that begins with ``//`` is relative to the open file.
    """
    name = str(path)
    if bpy.app.background or Path(name).suffix.lower() not in _SUFFIXES:
        return 0
    if name.startswith("//"):
        name = bpy.path.abspath(name)
    if _previews.collection is None:
        from bpy.utils import previews  # here: enabling the extension need not wait for it

        _previews.collection = previews.new()
    collection = _previews.collection
    preview = collection.get(name)
    if preview is None:
        from ..core.jobs.late_files import late_files

        if late_files.is_late(Path(name)):  # Blender would remember that there is none
            return 0
        preview = collection.load(name, name, "IMAGE")
        while len(collection) > MOST:
            del collection[next(iter(collection))]
    else:  # to the end of the order
        collection[name] = collection.pop(name)
    return int(preview.icon_id)


def forget(path: str | Path) -> None:
    """Has a file be read anew when its picture is next drawn."""
    name = str(path)
    if _previews.collection is not None and name in _previews.collection:
        del _previews.collection[name]


def unregister() -> None:
    """Releases all pictures."""
    if _previews.collection is not None:
        from bpy.utils import previews  # here: as above

        collection, _previews.collection = _previews.collection, None
        previews.remove(collection)
