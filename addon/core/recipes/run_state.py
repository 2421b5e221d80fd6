"""What is known of the runs of a recipe into one folder: which job did what, with what, and where its results went.

It is a file beside the results. What is in there is on the disk before anything follows from it: a job's id before the
job is entered, so that a run that was killed finds the job again and nothing is paid twice.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from ..errors import Refused
from ..jobs import process_lock
from ..jobs.job import ReplaceableFile
from ..log import logger

log = logger(__name__)

_VERSION = 1


class WrittenFile(NamedTuple):
    """A result where the recipe wants it: its wanted path, the one that it got, and what it was when it was written."""

    wanted: str
    path: str
    size: int
    modified_ns: int

    @property
    def is_there(self) -> bool:
        """Whether there is still a file."""
        return Path(self.path).is_file()

    @property
    def replaceable(self) -> ReplaceableFile:
        """It may be overwritten as long as it is as it was written."""
        return ReplaceableFile(Path(self.path).name, self.size, self.modified_ns)


class JobState(NamedTuple):
    """One job of a recipe.

    Attributes:
        fingerprint: Of all that its result depends on.
        job_id: Of the journal; the job may not have been entered yet.
        is_done: Whether its result is there.
        task_id: The finished task.
        files: What it gave, in its own folder, by key.
        written: What was written of it. Of an earlier job of this key too, as long as this one has written nothing.
        credits: What the finished task was charged; empty where the service did not say.
    """

    fingerprint: str
    job_id: str
    is_done: bool = False
    task_id: str = ""
    files: Mapping[str, str] = {}
    written: tuple[WrittenFile, ...] = ()
    credits: str = ""


class RunState:
    """The state of one recipe in one folder. Only one process at a time has it.

    Args:
        path: The file; made with its folder when it is first written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock: IO[bytes] | None = None
        self._jobs = _read(path)

    def lock(self) -> None:
        """Keeps other processes from running the recipe into this folder, until :meth:`close`.

        Raises:
            Refused: Another one does so now, or the folder cannot be written.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = process_lock.try_lock(self._path.with_suffix(".lock"))
        except OSError as error:
            raise Refused(f"{self._path.parent} cannot be written: {error.strerror or error}") from error
        if self._lock is None:
            raise Refused(
                f"This recipe is being run into {self._path.parent} by another process",
                "Wait until it has ended, or choose another folder",
            )
        self._jobs = _read(self._path)

    def close(self) -> None:
        """Lets others run the recipe."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def job(self, key: str) -> JobState | None:
        """What is known of a job; None where that is nothing."""
        return self._jobs.get(key)

    def put(self, key: str, state: JobState) -> None:
        """Notes what is known of a job, on the disk.

        Raises:
            OSError: It could not be written.
        """
        jobs = {**self._jobs, key: state}
        _write(self._path, jobs)
        self._jobs = jobs


def _read(path: Path) -> dict[str, JobState]:
    """What a file has; nothing where there is none, or one that cannot be read."""
    try:
        document = json.loads(path.read_bytes())
        return {key: _job(told) for key, told in document["jobs"].items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        log.warning("%s cannot be read, so what it says was done is not known: %s", path, error)
        return {}


def _job(told: Mapping[str, Any]) -> JobState:
    written = tuple(WrittenFile(str(item[0]), str(item[1]), int(item[2]), int(item[3])) for item in told["written"])
    files = {str(key): str(file) for key, file in told["files"].items()}
    is_done = bool(told["is_done"])
    task_id, credits = str(told["task_id"]), str(told.get("credits", ""))
    return JobState(str(told["fingerprint"]), str(told["job_id"]), is_done, task_id, files, written, credits)


def _write(path: Path, jobs: Mapping[str, JobState]) -> None:
    part = path.with_suffix(".part")
    document = {"version": _VERSION, "jobs": {key: state._asdict() for key, state in jobs.items()}}
    with part.open("w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
