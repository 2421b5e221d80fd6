"""Where everything lies on disk. The data folder survives uninstalling the extension."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path
from typing import NamedTuple

APP_NAME = "asset-generation"
_UNSAFE = r"[^\w\-. ]+"
_LONGEST_NAME = 60
_MOST_NAME_BYTES = 120
"""As UTF-8, in which most systems take 255 for a name: what is added to it needs room as well."""

_INSIDE = 120
"""Characters that the longest path of ours has inside the data folder: a part of a result in its job's folder."""
_DEVICE = r"(?i:con|prn|aux|nul|com\d|lpt\d) *(?:\.|$)"
"""Names that mean a device to Windows, whatever follows their first dot: what is written there is lost."""


def default_data_dir() -> Path:
    """The data folder of this user."""
    import platformdirs  # here: preferences ask for this path, and enabling the extension must import no wheel

    return Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))


class Locations(NamedTuple):
    """The files of one data folder."""

    data_dir: Path

    @property
    def journal(self) -> Path:
        """The SQLite file."""
        return self.data_dir / "journal.sqlite3"

    @property
    def webhooks(self) -> Path:
        """What webhooks told of tasks (SQLite); there once a listener was."""
        return self.data_dir / "webhooks.sqlite3"

    @property
    def owners(self) -> Path:
        """Lock files of the processes that run jobs."""
        return self.data_dir / "owners"

    @property
    def snapshots(self) -> Path:
        """Snapshots of selections (.blend), removed with their jobs."""
        return self.data_dir / "snapshots"

    @property
    def images(self) -> Path:
        """Blender's images as files, named after their content: more than one job may need one."""
        return self.data_dir / "images"

    @property
    def local_engine(self) -> Path:
        """Data of the local engine."""
        return self.data_dir / "local_engine"

    @property
    def saved_assets(self) -> Path:
        """Which files the extension has written into asset libraries, and what they were then (JSON)."""
        return self.data_dir / "saved_assets.json"

    @property
    def all_results(self) -> Path:
        """The folder with a folder for each job."""
        return self.data_dir / "results"

    def results(self, job_id: str) -> Path:
        """Folder of everything that a job made."""
        return self.all_results / job_id


def make_private(folder: Path) -> Path:
    """Creates a folder that only this user can read, and returns it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def sync_folder(folder: Path) -> None:
    """Has the names in a folder on the disk, where a system can do that."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def longest_path() -> int:
    """Characters that a path may have on this system.

    Windows can be told to take longer ones than this, but not each program on it does then.
    """
    return 259 if os.name == "nt" else 4095


def missing_room(data_dir: Path) -> int:
    """By how many characters the path of a data folder is too long for what comes into it; 0 when it is not."""
    return max(0, len(str(data_dir)) + _INSIDE - longest_path())


def file_name(words: str, longest: int = _LONGEST_NAME) -> str:
    """A name for a file from a job's name: safe on every system, never empty, without an extension.

    Args:
        words: Anything.
        longest: Characters that there is room for, at least 6.
    """
    name = re.sub(_UNSAFE, "_", words).strip(" ._")
    name = (f"_{name}" if re.match(_DEVICE, name) else name)[: min(longest, _LONGEST_NAME)]
    name = name.encode()[:_MOST_NAME_BYTES].decode(errors="ignore").rstrip(" .")
    return name or "result"
