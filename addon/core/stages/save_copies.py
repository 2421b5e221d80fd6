"""Copies what was fetched into a folder of the user's. Nothing there is ever overwritten."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from ..paths import file_name


def save_copies(files: Mapping[str, Path], main: str, folder: Path, name: str) -> list[Path]:
    """Copies files under one name: ``Chair.glb`` and ``Chair_front_view.png``, or all of them as ``Chair-2...``.

    Args:
        files: Paths by key.
        main: Key of the file that is called just like the job; empty where there is none.
        folder: Made when missing.
        name: The job's name.

    Returns:
        The copies, in the order of ``files``.

    Raises:
        OSError: They could not be written; none of them is left.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem = file_name(name)
    for number in itertools.count(1):
        numbered = stem if number == 1 else f"{stem}-{number}"
        targets = {
            key: folder / f"{numbered}{'' if key == main else '_' + file_name(key)}{path.suffix}"
            for key, path in files.items()
        }
        if _reserve(list(targets.values())):
            break
    try:
        for key, target in targets.items():
            _copy(files[key], target)
    except BaseException:
        for target in targets.values():
            target.unlink(missing_ok=True)
        raise
    return list(targets.values())


def _reserve(targets: list[Path]) -> bool:
    """Creates all of the files, or none when one is there: two jobs that end at once never get the same names."""
    made: list[Path] = []
    try:
        for target in targets:
            target.open("xb").close()
            made.append(target)
    except FileExistsError:
        for target in made:
            target.unlink(missing_ok=True)
        return False
    return True


def _copy(source: Path, target: Path) -> None:
    part = target.with_name(f".{target.name}.part")
    try:
        shutil.copyfile(source, part)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
