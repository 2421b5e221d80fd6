"""What a job is named after: the prompt, the image, or the job whose result it takes."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from .objects import image_files
from .state import state

if TYPE_CHECKING:
    from ..core.jobs.job import JobView

_PRESET = "preset:"
"""Begins the names of motions that are a service's own."""

LONGEST = 40
"""Characters; datablocks are named after jobs, and Blender's names have 63 bytes."""


def file_title(path: str) -> str:
    """A file's name without its folder and extension, or the name of an image of Blender's own."""
    if path.startswith(image_files.PREFIX):
        return shorten(path.removeprefix(image_files.PREFIX))
    return shorten(PurePath(path.replace("\\", "/")).stem)


def task_title(task_id: str) -> str:
    """The title of the job here that made a task, else the beginning of the task's number."""
    job = job_of_task(task_id)
    return (job.title if job is not None else "") or f"Task {task_id[:8]}"


def job_of_task(task_id: str) -> JobView | None:
    """The job here that made a task; None when there is none."""
    return next((job for job in state.newest_first() if any(step.task_id == task_id for step in job.steps)), None)


def field_title(value: object) -> str:
    """What a field asks for, in words: ``walk``, ``quadruped walk``, ``walk, run``."""
    names = [str(item) for item in (value if isinstance(value, list) else [value])]
    return shorten(", ".join(name.removeprefix(_PRESET).replace(":", " ").replace("_", " ") for name in names))


def shorten(words: str) -> str:
    """One line of at most :data:`LONGEST` characters, cut between words where that is possible."""
    line = " ".join(words.split())
    if len(line) <= LONGEST:
        return line
    room = LONGEST - len("...")
    space = line.rfind(" ", 0, room + 1)
    return line[: space if space > LONGEST // 2 else room].rstrip(" ,;.:") + "..."
