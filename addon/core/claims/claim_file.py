"""A claim is a file in the folder of a row: whoever made the one with the highest number has the row.

A file that must not exist is made by exactly one of those who try, on every computer and at once (O_EXCL). A claim is
never taken away: who takes a row over from a dead owner makes the claim with the next number. So there is one winner
however many try, and an owner who was only asleep finds out by one look at the folder.

An owner touches its claims again and again. How old one is is told by the clock of the drive alone, see
:class:`.shared_clock.SharedClock`.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import NamedTuple

_PREFIX = ".claim-"


class Claim(NamedTuple):
    """A claim on a row.

    Attributes:
        number: The highest one in a folder counts.
        job_id: The job that works the row off; empty where it cannot be read (yet).
        owner: The process that made it, as in :mod:`..jobs.process_lock`.
    """

    number: int
    job_id: str
    owner: str = ""

    def path(self, folder: Path) -> Path:
        """The file."""
        return folder / f"{_PREFIX}{self.number}"


def latest(folder: Path) -> Claim | None:
    """The claim that counts; None where there is none.

    Raises:
        OSError: The folder cannot be read.
    """
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        return None
    numbers = [int(number) for name in names if (number := name.removeprefix(_PREFIX)) != name and number.isdecimal()]
    return _read(folder, max(numbers)) if numbers else None


def make(folder: Path, number: int, job_id: str, owner: str) -> Claim | None:
    """Claims a row with a number; None when somebody else has made that claim.

    Raises:
        OSError: The file cannot be written.
    """
    claim = Claim(number, job_id, owner)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(claim.path(folder), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    except FileExistsError:
        return None
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump({"job": job_id, "owner": owner}, file)
    return claim


def is_held(folder: Path, claim: Claim) -> bool:
    """Whether a claim is the one that counts.

    Raises:
        OSError: The folder cannot be read.
    """
    last = latest(folder)
    return last is not None and (last.number, last.job_id) == (claim.number, claim.job_id)


def touch(folder: Path, claim: Claim) -> bool:
    """Shows that the owner lives; False when the row is somebody else's by now.

    Raises:
        OSError: The drive is away.
    """
    if not is_held(folder, claim):
        return False
    try:
        os.utime(claim.path(folder))  # without times, so that it is the drive's clock that says them
    except FileNotFoundError:
        return False
    return True


def touched_at(folder: Path, claim: Claim) -> float | None:
    """When the owner last showed that it lives, by the drive's clock; None when the claim was given back meanwhile."""
    try:
        return claim.path(folder).stat().st_mtime
    except FileNotFoundError:
        return None


def give_back(folder: Path, claim: Claim) -> None:
    """Ends a claim, and those before it. Trouble is passed over: the claim grows old by itself then.

    The oldest go first: at no moment does one count that was overtaken.
    """
    with contextlib.suppress(OSError):
        if is_held(folder, claim):
            for number in range(1, claim.number + 1):
                claim._replace(number=number).path(folder).unlink(missing_ok=True)


def _read(folder: Path, number: int) -> Claim | None:
    try:
        facts = json.loads((folder / f"{_PREFIX}{number}").read_bytes())
        return Claim(number, str(facts["job"]), str(facts["owner"]))
    except FileNotFoundError:  # given back between the two looks
        return latest(folder)
    except (ValueError, TypeError, KeyError):  # it is just being written, or its owner died over it
        return Claim(number, "")
