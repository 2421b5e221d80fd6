"""What was begun of a row: its requests with their markers, and its tasks as soon as the service has named them.

It is written before a request leaves, so that whoever takes the row over from a dead owner pays for nothing twice: a
task with an id is waited for, and a request without one is looked for at the service by its marker.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from ..paths import sync_folder

_PREFIX = ".begun-"
_SUFFIX = ".json"
_NEW_FOLDERS = 3
"""Above the folder of a step of a recipe, up to that of the batch: they may have been made just now."""


class BegunStep(NamedTuple):
    """One step of a row of which a request has left, or was about to.

    Attributes:
        capability: Its name.
        request_id: Of the last request; empty where none is under way.
        marker: What its requests carry; empty where they carry none.
        unmarked: Whether one of them may have left without it.
        lost: How many were given up although their answer was lost.
        task_id: Empty where it is not known.
        task_type: What the service calls it.
        credits: What it was charged for, once that is known.
    """

    capability: str
    request_id: str = ""
    marker: str = ""
    unmarked: bool = False
    lost: int = 0
    task_id: str = ""
    task_type: str = ""
    credits: str = ""


class Begun(NamedTuple):
    """What was begun of a row.

    Attributes:
        job_id: The job that began it.
        service_id: The service of its tasks.
        row: What was asked for, as in :class:`..jobs.job.Delivery`.
        steps: In their order; all but the last one have ended well.
        written_at: By the drive's clock; 0 for what is about to be written.
    """

    job_id: str
    service_id: str
    row: str
    steps: tuple[BegunStep, ...]
    written_at: float = 0.0


def read(folder: Path) -> Begun | None:
    """What was begun in a row's folder; None for nothing.

    Each job has a file of its own, so that one who wakes up late overwrites nothing of those who came after it. Jobs
    that took the row over have all that was known before: what is farthest counts.

    Raises:
        OSError: A file is there and cannot be read.
        ValueError: One is damaged, so that nobody can tell what was paid for.
    """
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        return None
    found = [_read(folder / name) for name in names if name.startswith(_PREFIX) and name.endswith(_SUFFIX)]
    return max((begun for begun in found if begun is not None), key=_how_far, default=None)


def write(folder: Path, begun: Begun, *, safely: bool) -> None:
    """Replaces what is said there by the same job.

    Args:
        folder: The row's.
        begun: What was begun.
        safely: Whether it is on the drive when this returns, as it must be before money is spent.

    Raises:
        OSError: It cannot be written.
    """
    steps = [step._asdict() for step in begun.steps]
    facts = {"job": begun.job_id, "service": begun.service_id, "row": begun.row, "steps": steps}
    folder.mkdir(parents=True, exist_ok=True)
    path = _path(folder, begun.job_id)
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8") as file:
        json.dump(facts, file)
        if safely:
            file.flush()
            os.fsync(file.fileno())
    os.replace(part, path)
    if safely:
        for changed in (folder, *folder.parents[:_NEW_FOLDERS]):
            sync_folder(changed)


def is_there(folder: Path) -> bool:
    """Whether it is written down that anything was begun of a row; what cannot be looked at has nothing."""
    return any(folder.glob(f"{_PREFIX}*"))


def forget(folder: Path, job_id: str = "") -> None:
    """Nothing of it counts any more: the row has its result, or what was begun has failed at the service.

    Args:
        folder: The row's.
        job_id: Whose; all jobs' when left out.
    """
    paths = [_path(folder, job_id)] if job_id else list(folder.glob(f"{_PREFIX}*"))
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()


def _path(folder: Path, job_id: str) -> Path:
    return folder / f"{_PREFIX}{job_id}{_SUFFIX}"


def _how_far(begun: Begun) -> tuple[int, int, float]:
    return sum(1 for step in begun.steps if step.task_id), len(begun.steps), begun.written_at


def _read(path: Path) -> Begun | None:
    try:
        with path.open("rb") as file:
            facts: dict[str, Any] = json.loads(file.read())
            written_at = os.fstat(file.fileno()).st_mtime
        steps = tuple(BegunStep(**step) for step in facts["steps"])
        return Begun(facts["job"], facts["service"], facts["row"], steps, written_at)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{path} is damaged, so that nobody can tell what was paid for: {error}") from error
