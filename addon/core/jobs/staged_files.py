"""What a press writes lies in a folder on this machine first: the data folder may be on a drive that does not answer.

The folder belongs to this process. A worker brings what is in it into the data folder before the job is entered.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..errors import Refused
from ..paths import make_private
from . import process_lock
from .job import JobPlan, StepPlan

_PREFIX = "asset-generation-"
_OWNERS = "owners"


class StagingArea:
    """A private folder among the temporary files of the system, for as long as this process wants it."""

    def __init__(self) -> None:
        self._root: Path | None = None
        self._owner: process_lock.Owner | None = None

    def new_folder(self) -> Path:
        """An empty folder for the files of one job.

        Raises:
            OSError: There is no room for it, or it may not be made.
        """
        if self._root is None or not self._root.is_dir():  # the system may have tidied up
            self.remove()
            root = Path(tempfile.mkdtemp(prefix=_PREFIX))
            self._owner = process_lock.Owner(root / _OWNERS)
            self._root = root
        return Path(tempfile.mkdtemp(dir=self._root))

    def remove(self) -> None:
        """Removes the folder with all that is in it."""
        root, self._root = self._root, None
        owner, self._owner = self._owner, None
        if owner is not None:
            owner.release()
        if root is not None:
            shutil.rmtree(root, ignore_errors=True)


def remove_left_behind() -> None:
    """Removes what processes left here that did not come to their end. What cannot be removed stays."""
    for root in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            owners = list((root / _OWNERS).iterdir())
            if owners and all(process_lock.is_left(path) for path in owners):
                shutil.rmtree(root)


def with_moved_files(
    plan: JobPlan, staged: Path, data_dir: Path, renamed: Mapping[Path, Path] = MappingProxyType({})
) -> tuple[JobPlan, dict[Path, Path]]:
    """The plan as it reads when its files lie in the data folder, and where each of them goes.

    Args:
        plan: Its files are in ``staged``, where it has any that were written for it.
        staged: A folder with the same order inside as the data folder.
        data_dir: The data folder.
        renamed: Where those files of the plan are that got another name; see :class:`.late_files.LateFiles`.
    """
    moves: dict[Path, Path] = {}

    def moved(value: Any) -> Any:
        if isinstance(value, list):
            return [moved(item) for item in value]
        if not isinstance(value, str) or not value or not Path(value).is_relative_to(staged):
            return value
        path = renamed.get(Path(value), Path(value))
        target = moves[path] = data_dir / path.relative_to(staged)
        return str(target)

    source = replace(plan.source, path=moved(plan.source.path))
    if source.snapshot is not None:
        images = {name: moved(path) for name, path in source.snapshot.images.items()}
        source = replace(source, snapshot=source.snapshot._replace(images=images))
    steps = tuple(
        StepPlan(step.capability, {name: moved(value) for name, value in step.fields.items()}) for step in plan.steps
    )
    return replace(plan, source=source, steps=steps), moves


class Copies:
    """Which files of a press were copied to another drive, so that those that are one file here are one there, too."""

    def __init__(self) -> None:
        self._copies: dict[tuple[int, ...], Path] = {}

    def made_of(self, source: Path) -> Path | None:
        """The copy of a file that was staged under another name as well; it may be gone."""
        return self._copies.get(self._file(source))

    def remember(self, source: Path, copy: Path) -> None:
        """Takes note of a copy."""
        if source.stat().st_nlink > 1:
            self._copies[self._file(source)] = copy

    @staticmethod
    def _file(path: Path) -> tuple[int, ...]:
        state = path.stat()  # the number alone may be that of a later file
        return (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns)


def bring_in(moves: Mapping[Path, Path], copies: Copies | None = None) -> list[Path]:
    """Puts files into the data folder, each one whole or not at all. The staged ones stay, for another try.

    Args:
        moves: Where they are, and where they go.
        copies: Those of earlier calls.

    Returns:
        Those that were not there before.

    Raises:
        Refused: It cannot be done; nothing was put there.
    """
    added: list[Path] = []
    for source, target in moves.items():
        try:
            if not target.exists():  # an image is named after its content, and may be of use to another job
                _bring_in(source, target, copies or Copies())
                added.append(target)
        except OSError as error:
            remove_files(added)
            raise Refused(
                f"The files of the job could not be written to {target.parent}: {error.strerror or error}",
                "Make room on the disk, or choose another data folder in the preferences",
            ) from error
    return added


def remove_files(paths: Iterable[Path]) -> None:
    """Removes files; what cannot be removed stays."""
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def remove_folder(folder: Path) -> None:
    """Removes the files of one job; what cannot be removed goes with the whole area."""
    shutil.rmtree(folder, ignore_errors=True)


def _bring_in(source: Path, target: Path, copies: Copies) -> None:
    make_private(target.parent)
    part = target.with_name(f"{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        if not _link(source, part) and not _link(copies.made_of(source), part):
            _copy(source, part)
            copies.remember(source, target)
        part.replace(target)
    except BaseException:
        remove_files([part])
        raise


def _link(source: Path | None, target: Path) -> bool:
    """Whether a file has got a second name; on the same drive, then nothing has to be copied."""
    if source is None:
        return False
    try:
        os.link(source, target)
    except OSError:
        return False
    return True


def _copy(source: Path, target: Path) -> None:
    with source.open("rb") as original, target.open("wb") as copy:
        shutil.copyfileobj(original, copy, 1 << 20)
        copy.flush()
        os.fsync(copy.fileno())
