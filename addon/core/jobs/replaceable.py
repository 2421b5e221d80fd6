"""What lies at a path that a user names for a result, and may be overwritten with it."""

from __future__ import annotations

import stat
from pathlib import Path

from .job import ReplaceableFile

_LIBRARY = ".mtl"
"""What is replaced with an OBJ of the same name, as by Blender's own exporter."""


def replaceable_files(target: Path) -> tuple[ReplaceableFile, ...]:
    """The file at a path as it is now, with the library of materials of that name; nothing where there is none."""
    found = _look(target)
    library = _look(target.with_suffix(_LIBRARY)) if found is not None else None
    return tuple(item for item in (found, library) if item is not None)


def _look(path: Path) -> ReplaceableFile | None:
    try:
        seen = path.stat()
    except OSError:
        return None
    return ReplaceableFile(path.name, seen.st_size, seen.st_mtime_ns) if stat.S_ISREG(seen.st_mode) else None
