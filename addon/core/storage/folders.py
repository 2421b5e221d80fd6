"""The folders that hold results, and what in them is one of ours: nothing is read or moved through a link."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TRASH = ".trash"
"""Below the folder of results: what is being deleted."""

_BROKEN = ".broken"
_MADE_ON_THE_WAY = frozenset(
    {
        *("upload.glb", "upload.part.glb", "copies.json"),
        *("part.blend", "part.slices", "part.slices.json", "part.slices.weights"),
    }
)
_PART = ".part"


class FolderSize(NamedTuple):
    """What a folder takes in bytes, its set-aside files, and whether a result can be among its files."""

    bytes: int = 0
    set_aside: int = 0
    set_aside_files: int = 0
    is_empty: bool = True


def job_folders(results: Path) -> Iterator[Path]:
    """The folders of jobs, and links to folders among them."""
    if not results.is_dir():
        return
    for entry in os.scandir(results):
        if not entry.name.startswith(".") and entry.is_dir():
            yield results / entry.name


def is_link(path: Path) -> bool:
    """Whether a path leads elsewhere than its name says: a link, or a junction of Windows."""
    return path.is_symlink() or os.path.normcase(path.resolve()) != os.path.normcase(path.parent.resolve() / path.name)


def size_of(folder: Path) -> FolderSize:
    """What a folder takes. Links count as nothing, and so does what cannot be read.

    A file with several names counts as a part of it for each of them: the local engine's imports have two.
    """
    whole = set_aside = set_aside_files = 0
    is_empty = True
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                state = Path(place, name).lstat()
            except OSError:
                continue
            size = state.st_size // max(1, state.st_nlink)
            whole += size
            if name.endswith(_BROKEN):
                set_aside += size
                set_aside_files += 1
            if name not in _MADE_ON_THE_WAY and not name.endswith(_PART):
                is_empty = False
    return FolderSize(whole, set_aside, set_aside_files, is_empty)
