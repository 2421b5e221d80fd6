"""The files that were written for a job go when no job has a use for them any more."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..log import logger
from .job import JobPlan, Source

_KEPT_SECONDS = 24 * 3600.0
"""An image may belong to a job that another Blender has not entered yet; after this time it does not."""

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


def remove_unused_images(folder: Path, plans: Iterable[JobPlan]) -> None:
    """Removes images that were written here and that none of the plans needs any more; what cannot be removed stays."""
    try:
        old = [path for path in folder.iterdir() if time.time() - path.stat().st_mtime > _KEPT_SECONDS]
        if old:
            needed = {text for plan in plans for step in plan.steps for text in _texts(step.fields)}
            for path in old:
                if str(path) not in needed:
                    with contextlib.suppress(OSError):  # Windows removes no file that another Blender is sending
                        path.unlink(missing_ok=True)
    except FileNotFoundError:  # there are none
        return
    except OSError as error:
        logger(__name__).info("old images stay: %s", error)


def _texts(fields: Mapping[str, Any]) -> Iterator[str]:
    for value in fields.values():
        yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str))


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
