"""Copies what was fetched into a folder of the user's. Nothing there is ever overwritten, nor is half a file there.

A copy is written under a hidden name and then gets its own name at once. The names are noted in the job's own folder
before that: a job that was killed on the way finds the copies that it made, and gives none a second name.
"""

from __future__ import annotations

import errno
import filecmp
import itertools
import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..paths import file_name, longest_path, make_private, sync_folder

_SHORTEST_NAME = 6


def save_copies(files: Mapping[str, Path], main: str, folder: Path, name: str, job_folder: Path) -> list[Path]:
    """Copies files under one name: ``Chair.glb`` and ``Chair_front_view.png``, or all of them as ``Chair-2...``.

    Args:
        files: Paths by key.
        main: Key of the file that is called just like the job; empty where there is none.
        folder: Made when missing.
        name: The job's name.
        job_folder: The job's own, whose name is no other job's.

    Returns:
        The copies, in the order of ``files``.

    Raises:
        OSError: They could not be written; none of them is left.
    """
    folder.mkdir(parents=True, exist_ok=True)
    notes = make_private(job_folder) / "copies.json"
    parts = {key: folder / f".{job_folder.name}-{number}.part" for number, key in enumerate(files)}
    stem = _stem(name, folder, [f"_{file_name(key)}{path.suffix}" for key, path in files.items()], parts.values())
    noted = read_notes(notes)
    try:
        for key, source in files.items():
            copy_whole(source, parts[key])
        for number in itertools.count(1):
            numbered = stem if number == 1 else f"{stem}-{number}"
            targets = {
                key: folder / f"{numbered}{'' if key == main else '_' + file_name(key)}{path.suffix}"
                for key, path in files.items()
            }
            ours = {target for target in targets.values() if str(target) in noted}
            if any(target.exists() for target in targets.values() if target not in ours):
                continue
            write_notes(notes, list(targets.values()))
            if _publish(parts, targets, ours):
                return list(targets.values())
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
    raise AssertionError("unreachable: there is always another number")


def _stem(name: str, folder: Path, ends: Iterable[str], parts: Iterable[Path]) -> str:
    """What all copies are called, short enough for the folder."""
    room = longest_path() - len(str(folder)) - 1
    for_name = room - max(map(len, ends)) - len("-999")
    if for_name < _SHORTEST_NAME or room < max(len(part.name) for part in parts):
        raise OSError(errno.ENAMETOOLONG, "The path of the folder is too long for this system", str(folder))
    return file_name(name, for_name)


def copy_whole(source: Path, part: Path) -> None:
    """Copies a file, onto the disk."""
    part.unlink(missing_ok=True)  # it may be a second name of a finished copy, from before the job was killed
    with source.open("rb") as reader, part.open("xb") as writer:
        shutil.copyfileobj(reader, writer, 1024 * 1024)
        writer.flush()
        os.fsync(writer.fileno())


def _publish(parts: Mapping[str, Path], targets: Mapping[str, Path], ours: set[Path]) -> bool:
    """Gives all parts their names, or none when another's file has come to one of them."""
    made: dict[str, Path] = {}
    try:
        for key, target in targets.items():
            if target in ours and target.exists():
                if filecmp.cmp(parts[key], target, shallow=False):
                    continue  # from before the job was killed
                if target.stat().st_size:
                    raise FileExistsError
                os.replace(parts[key], target)  # killed between the two lines of move_to_free
            else:
                move_to_free(parts[key], target)
            made[key] = target
    except BaseException as error:
        for key, target in made.items():
            os.replace(target, parts[key])
        if isinstance(error, FileExistsError):
            return False
        raise
    sync_folder(next(iter(targets.values())).parent)
    return True


def move_to_free(part: Path, target: Path) -> None:
    """Renames a file to a name that nobody has.

    Raises:
        FileExistsError: Somebody has it by now.
    """
    if sys.platform == "win32":
        part.rename(target)  # refuses by itself
        return
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # a drive without hard links
        target.open("xb").close()
        os.replace(part, target)
    else:
        part.unlink()


def read_notes(notes: Path) -> frozenset[str]:
    """Paths of copies that this job made, or was about to make."""
    try:
        return frozenset(map(str, json.loads(notes.read_bytes())))
    except (OSError, ValueError, TypeError):
        return frozenset()


def write_notes(notes: Path, targets: list[Path]) -> None:
    """Notes the paths that copies are about to get."""
    part = notes.with_suffix(".part")
    with part.open("w", encoding="utf-8") as file:
        json.dump([str(target) for target in targets], file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, notes)
