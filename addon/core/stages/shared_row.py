"""The row of a batch that a job works off: other computers may take it, so they must be able to tell what was begun.

That a request is about to leave is written into the row's folder first, and then the claim is looked at. Who takes a
row over makes a claim first, and then looks at what was written. So either it finds the request, or that is not sent.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..claims import begun, claim_file
from ..claims.begun import Begun, BegunStep
from ..errors import Refused
from ..jobs.records import JobRecord
from ..log import logger
from .context import JobContext, Postponed

log = logger(__name__)

RESULT = "row.json"
"""What became of a row, in its folder, once it has ended."""

DONE = "done"
"""The state of a row there that needs no more work."""

STEPS = ".steps"
"""In the folder of a recipe's row, the folder with one for each step: what was begun of it, and whose job it is."""

_AGAIN_SECONDS = 5.0


def begin(context: JobContext, record: JobRecord) -> None:
    """Writes down that the current step's request is about to leave. Nothing to do for a job of no batch.

    Raises:
        Refused: The row is another job's by now.
        Postponed: The folder cannot be used at the moment.
    """
    if not record.plan.delivery.row:
        return
    folder = _folder(record)
    try:
        begun.write(folder, _begun(record), safely=True)
        is_ours = _hold(folder, record.id, context.journal.owner)
        if not is_ours:
            begun.forget(folder, record.id)
    except (OSError, ValueError) as error:
        log.warning("job %s: %s", record.id, error)
        raise Postponed(f"The folder of the batch cannot be used: {error}. Trying again", _AGAIN_SECONDS) from error
    if not is_ours:
        raise Refused(f"{record.plan.name} is worked off by another program of the batch, so nothing was sent")


def note(record: JobRecord) -> None:
    """Writes down what is known of the row's tasks now. Trouble is passed over: markers find them as well.

    A row that others have ended meanwhile has been cleared, and nobody would clear it once more.
    """
    if not record.plan.delivery.row or is_delivered_by_others(record):
        return
    folder = _folder(record)
    try:
        begun.write(folder, _begun(record), safely=False)
    except OSError as error:
        log.warning("job %s: what was begun could not be noted: %s", record.id, error)


def is_delivered_by_others(record: JobRecord) -> bool:
    """Whether the row is done by another job and has files, beside which further copies would be in the way."""
    if not record.plan.delivery.row:
        return False
    try:
        facts: dict[str, Any] = json.loads((_folder(record) / RESULT).read_bytes())
    except (OSError, ValueError):
        return False
    return facts.get("state") == DONE and bool(facts.get("files")) and facts.get("job") != record.id


def _hold(folder: Path, job_id: str, owner: str) -> bool:
    """Whether the row is a job's. One that nobody has, such as after the end of a batch, is claimed for it."""
    claim = claim_file.latest(folder)
    if claim is not None:
        return claim.job_id == job_id
    earlier = begun.read(folder)
    if _has_ended(folder) or (earlier is not None and earlier.job_id != job_id):
        return False
    return claim_file.make(folder, 1, job_id, owner) is not None


def _folder(record: JobRecord) -> Path:
    """Where others look for what the job has begun."""
    return Path(record.plan.delivery.row_folder or record.plan.delivery.folder)


def _has_ended(folder: Path) -> bool:
    """Whether it is known what became of the row that a folder is of, or one of its steps."""
    row = folder.parent.parent if folder.parent.name == STEPS else folder
    return (row / RESULT).exists()


def _begun(record: JobRecord) -> Begun:
    steps = [
        BegunStep(
            step.capability,
            step.request_id if not step.task_id else "",
            step.marker,
            step.unmarked,
            step.lost,
            step.task_id,
            step.task_type,
            step.credits,
        )
        for step in record.steps[: record.position + 1]
    ]
    return Begun(record.id, record.service_id, record.plan.delivery.row, tuple(steps))
