"""The files of a snapshot go when its job has no use for them any more, or when no job was made of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from ..log import logger
from .job import Source

_ABANDONED_SECONDS = 24 * 3600.0
"""Much longer than it takes from a snapshot to the journal, also where the computer sleeps in between."""


def remove_snapshot(source: Source, data_dir: Path) -> None:
    """Removes the files of a snapshot, if there is one and it is one of ours; what cannot be removed stays."""
    if source.snapshot is None or not Path(source.path).is_relative_to(data_dir):
        return
    try:
        for path in source.snapshot_files:
            path.unlink(missing_ok=True)
    except OSError as error:  # on Windows a virus scanner may hold it; it is a small file
        logger(__name__).info("a snapshot stays: %s", error)


def remove_abandoned_snapshots(folder: Path, is_used: Callable[[str], bool]) -> None:
    """Removes the files of old snapshots that no job was made of, as when Blender was killed right then.

    Args:
        folder: Where snapshots are.
        is_used: Whether any job has a file with this name, also one that this version of the extension cannot read.

    Raises:
        sqlite3.Error: The journal cannot say whether one is used; then nothing more is removed.
    """
    try:
        paths = [path for path in folder.iterdir() if path.is_file()]
    except OSError:
        return
    for path in paths:
        try:
            if path.stat().st_mtime < time.time() - _ABANDONED_SECONDS and not is_used(path.name):
                path.unlink()
        except OSError as error:
            logger(__name__).info("an abandoned snapshot stays: %s", error)
