"""The files of a snapshot go when its job has no use for them any more, or when no job was made of it."""

from __future__ import annotations

from pathlib import Path

from ..log import logger
from .job import Source


def remove_snapshot(source: Source, data_dir: Path) -> None:
    """Removes the files of a snapshot, if there is one and it is one of ours; what cannot be removed stays."""
    if source.snapshot is None or not Path(source.path).is_relative_to(data_dir):
        return
    try:
        for path in source.snapshot_files:
            path.unlink(missing_ok=True)
    except OSError as error:  # on Windows a virus scanner may hold it; it is a small file
        logger(__name__).info("a snapshot stays: %s", error)
