"""The folder of a batch: one folder for each row, what became of it, and what all programs of the batch agree on."""

from __future__ import annotations

import json
import os
import uuid
from pathlib import Path
from typing import Any, NamedTuple

from ..claims.shared_clock import SharedClock
from ..errors import Refused
from ..stages.shared_row import DONE, RESULT

SETTINGS = "batch.json"
CLAIM_SECONDS = 120.0
"""After so long without a sign of life a program counts as dead. Longer than a network drive takes to show a new time
everywhere, and than it is away for a moment.
"""

SHORTEST_CLAIM = 2.0
_CLOCKS = ".workers"


class RowState:
    """What became of a row."""

    DONE = DONE
    FAILED = "failed"
    UNCERTAIN = "uncertain"


class RowResult(NamedTuple):
    """What became of a row, for people and programs.

    Attributes:
        id: The row's.
        state: A word of :class:`RowState`.
        asked: What was asked for, as in :class:`.rows.Row`.
        name: What it ran.
        credits: What its tasks were charged for; empty where the service did not say.
        seconds: From the first to the last of it, waiting in line included.
        files: Its files, by what they are; paths from the folder of the batch.
        tasks: The ids of its tasks.
        answer: What a task said that gives an answer instead of a file.
        note: A sentence that belongs to the result.
        error: Why there is none.
        advice: What to do about it.
        job: The job's id, on the computer that ran it.
        request_id: Of the request that went wrong.
        exit_code: As of a program that ran the row alone.
        service: The service that did it.
    """

    id: str
    state: str
    asked: str
    name: str = ""
    credits: str = ""
    seconds: float = 0.0
    files: dict[str, str] = {}  # noqa: RUF012  # nobody changes it
    tasks: tuple[str, ...] = ()
    answer: str = ""
    note: str = ""
    error: str = ""
    advice: str = ""
    job: str = ""
    request_id: str = ""
    exit_code: int = 0
    service: str = ""


class BatchFolder:
    """The folder that all programs of a batch share. Nothing else is shared, not even a clock.

    Args:
        path: Made when missing.
        claim_seconds: After how long without a sign of life a program counts as dead; the first one of a batch says.

    Raises:
        Refused: It cannot be used.
    """

    def __init__(self, path: Path, claim_seconds: float = CLAIM_SECONDS) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            self.claim_seconds = _agreed(path / SETTINGS, claim_seconds)
            self._clock = SharedClock(path / _CLOCKS / uuid.uuid4().hex)
            self.began_at = self._clock.now()
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise Refused(f"The folder {path} cannot be used: {error}") from error

    def now(self) -> float:
        """The time by the drive's clock, in seconds since 1970.

        Raises:
            OSError: The drive is away.
        """
        return self._clock.now()

    def close(self) -> None:
        """Leaves nothing behind that only this program needs."""
        self._clock.close()

    def relative(self, path: str) -> str:
        """A file of a row as seen from the folder; as it is where it lies elsewhere."""
        try:
            return Path(path).relative_to(self.path).as_posix()
        except ValueError:
            return path


def read_result(folder: Path) -> RowResult | None:
    """What became of the row of a folder; None while nothing is known, or where it cannot be read."""
    try:
        facts: dict[str, Any] = json.loads((folder / RESULT).read_bytes())
        known = {name: value for name, value in facts.items() if name in RowResult._fields}
        result = RowResult(**known)
        return result._replace(tasks=tuple(result.tasks))
    except (OSError, ValueError, TypeError):
        return None


def ended_at(folder: Path) -> float:
    """When that was written, by the drive's clock; 0 where it is not there."""
    try:
        return (folder / RESULT).stat().st_mtime
    except OSError:
        return 0.0


def write_result(folder: Path, result: RowResult) -> None:
    """Writes what became of a row: all of it, or nothing.

    Raises:
        OSError: It cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f".{RESULT}.{result.job or 'none'}.part"
    facts = {name: value for name, value in result._asdict().items() if value}
    part.write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    os.replace(part, folder / RESULT)


def _agreed(path: Path, claim_seconds: float) -> float:
    """What the first program of the batch has said."""
    facts = {"format": 1, "claim_seconds": max(SHORTEST_CLAIM, claim_seconds)}
    part = path.with_name(f".{SETTINGS}.{uuid.uuid4().hex}")
    part.write_text(json.dumps(facts) + "\n", encoding="utf-8")
    try:
        if not path.exists():
            try:
                os.link(part, path)  # all of it, or not there, and only for the first one
            except FileExistsError:
                pass
            except OSError:  # a drive without hard links
                os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return float(json.loads(path.read_bytes())["claim_seconds"])
