"""One row on its way: claimed, given to the runtime, and its end written down."""

from __future__ import annotations

import filecmp
import re
import time
from dataclasses import dataclass, field
from enum import Enum, auto

from ..claims import begun as begun_file
from ..claims import claim_file
from ..claims.begun import Begun
from ..claims.claim_file import Claim
from ..errors import Refused
from ..jobs.job import RESTING, Action, JobView, Stage
from ..jobs.job_ids import new_job_id
from ..log import logger
from ..runtime.runtime import Runtime
from .folder import BatchFolder, RowResult, RowState, ended_at, read_result, write_result
from .left_over import clear
from .recipe_run import RowSteps, begun_job
from .rows import Row

log = logger(__name__)

_PICTURES = (".png", ".jpg", ".jpeg", ".webp")


class Begin(Enum):
    """What came of the try to begin a row."""

    RUNS = auto()
    DONE = auto()
    """It has its result already, or failed while this program ran."""
    HELD = auto()
    """Another program has it."""


@dataclass(slots=True)
class RowRun:
    """A row that this program works off.

    Attributes:
        began_at: By the monotonic clock.
        steps: Those of a recipe.
        is_lost: Whether another program has taken it.
    """

    row: Row
    job_id: str
    claim: Claim
    began_at: float = field(default_factory=time.monotonic)
    steps: RowSteps | None = None
    is_lost: bool = False


def claim_row(runtime: Runtime, folder: BatchFolder, row: Row) -> RowRun | Begin:
    """Claims a row, if it is to be done and nobody has it.

    Raises:
        Refused: What was begun of it cannot be read.
        OSError: The folder cannot be used.
    """
    if is_over(folder, row):
        return Begin.DONE
    last = claim_file.latest(row.folder)
    if last is not None and row.recipe is None and _is_of_own_job(runtime, last):
        return RowRun(row, last.job_id, last)
    if last is not None and not _is_free(runtime, folder, row, last):
        return Begin.HELD
    known = _begun(row)
    # What this computer began goes on as the same job.
    goes_on = known is not None and runtime.record(known.job_id) is not None
    job_id = known.job_id if known is not None and goes_on else ""
    if row.recipe is not None:
        job_id = begun_job(runtime, row.recipe)
    job_id = job_id or new_job_id()
    claim = claim_file.make(row.folder, (last.number if last else 0) + 1, job_id, runtime.owner)
    if claim is None:
        return Begin.HELD
    now_known = _begun(row)
    if is_over(folder, row) or _job_of(now_known) != _job_of(known):  # it was ended, or begun, between the looks
        claim_file.give_back(row.folder, claim)
        return Begin.DONE if is_over(folder, row) else Begin.HELD
    return RowRun(row, job_id, claim)


def start_row(runtime: Runtime, folder: BatchFolder, run: RowRun) -> None:
    """Has the runtime work a claimed row off, from where it stood.

    Raises:
        Refused: It cannot be run.
    """
    if runtime.record(run.job_id) is not None:
        _go_on(runtime, run.job_id)
        return
    known = _begun(run.row)
    age = max(0.0, folder.now() - known.written_at) if known is not None else 0.0
    runtime.submit(run.row.plan, job_id=run.job_id, begun=known, age=age)


def is_over(folder: BatchFolder, row: Row) -> bool:
    """Whether a row needs no more work: it has its result, or its failure is not older than this program."""
    result = read_result(row.folder)
    if result is None:
        return False
    return result.state == RowState.DONE or ended_at(row.folder) >= folder.began_at


def end_row(runtime: Runtime, folder: BatchFolder, run: RowRun, job: JobView) -> RowResult:
    """Writes down what became of a row; what must be kept to go on with it stays.

    Raises:
        OSError: It cannot be written.
    """
    result = _result(folder, run, job)
    if result.state == RowState.DONE:
        result = result._replace(files=_without_doubles(folder, run.row, result.files))
    write_result(run.row.folder, result)
    if result.state == RowState.DONE:
        clear(runtime, run.row, run.job_id)
    elif result.state == RowState.FAILED:
        _keep_what_is_paid(runtime, run)
    return result


def leave_row(runtime: Runtime, run: RowRun) -> None:
    """Ends our part in a row that was stopped before anything was paid for it, or that another program has by now."""
    record = runtime.record(run.job_id)
    if record is None or record.stage not in RESTING:
        return
    known = claim_file.latest(run.row.folder)
    is_ours = known is not None and known.job_id == run.job_id
    if is_ours and (record.has_paid or record.step.intent_is_open):
        return  # it was stopped by hand, and goes on when the batch is run again
    begun_file.forget(run.row.folder, run.job_id)
    runtime.dismiss([run.job_id])


def _without_doubles(folder: BatchFolder, row: Row, files: dict[str, str]) -> dict[str, str]:
    """The files of a row, without copies of what a program had saved already that died before it could say so."""
    kept: dict[str, str] = {}
    for key, path in files.items():
        copy = folder.path / path
        first = copy.with_name(re.sub(rf"^{re.escape(row.id)}-\d+(?=[._])", row.id, copy.name))
        if first != copy and first.is_file() and filecmp.cmp(first, copy, shallow=False):
            copy.unlink()
            copy = first
        kept[key] = folder.relative(str(copy))
    return kept


def refused_result(row: Row, error: Refused) -> RowResult:
    """What became of a row that could not be started."""
    return RowResult(row.id, RowState.FAILED, row.asked, row.label, error=str(error), advice=error.advice, exit_code=2)


def picture_of(files: dict[str, str]) -> str:
    """The file that shows what a row has given; empty where there is none."""
    return next((path for path in files.values() if path.lower().endswith(_PICTURES)), "")


def _is_of_own_job(runtime: Runtime, claim: Claim) -> bool:
    """Whether a job of ours went on before its row was looked at, and has claimed that: taken over from the program
    that was interrupted, it begins with the runtime and not with the batch.
    """
    return claim.owner == runtime.owner and bool(claim.job_id) and runtime.record(claim.job_id) is not None


def _is_free(runtime: Runtime, folder: BatchFolder, row: Row, claim: Claim) -> bool:
    """Whether the owner of a claim is gone: it has not shown for long that it lives, or is known here to be dead."""
    if claim.owner and claim.job_id and runtime.record(claim.job_id) is not None:
        return claim.owner != runtime.owner and runtime.is_dead(claim.owner)
    touched = claim_file.touched_at(row.folder, claim)
    return touched is not None and folder.now() - touched > folder.claim_seconds


def _begun(row: Row) -> Begun | None:
    try:
        return begun_file.read(row.folder)
    except ValueError as error:
        raise Refused(str(error), "Delete the file to begin the row anew; what was begun may be paid twice") from error


def _job_of(begun: Begun | None) -> str:
    return begun.job_id if begun is not None else ""


def _go_on(runtime: Runtime, job_id: str) -> None:
    """Has a job of our own journal go on, where it rests."""
    record = runtime.record(job_id)
    if record is None or record.stage not in RESTING or record.stage is Stage.APPLIED:
        return
    if record.stage is Stage.UNCERTAIN:
        runtime.act(job_id, Action.LOOK_AGAIN)
    else:
        runtime.act(job_id, Action.RETRY)


def _keep_what_is_paid(runtime: Runtime, run: RowRun) -> None:
    """After a failure: a job that has anything paid, or that may be, goes on with it when the batch is run again; any
    other is begun anew.
    """
    record = runtime.record(run.job_id)
    if record is not None:
        step = record.step
        failed_there = bool(step.task_id) and record.resume is Stage.CREATE
        if step.intent_is_open or (step.task_id and not failed_there):
            return
        if record.position > 0:  # the steps before are paid: other computers go on from there too
            known = begun_file.read(run.row.folder)
            if known is not None:
                steps = known.steps[: record.position]
                begun_file.forget(run.row.folder)
                begun_file.write(run.row.folder, known._replace(job_id=run.job_id, steps=steps), safely=True)
            return
        runtime.dismiss([run.job_id])
    begun_file.forget(run.row.folder)


def _result(folder: BatchFolder, run: RowRun, job: JobView) -> RowResult:
    states = {Stage.APPLIED: RowState.DONE, Stage.READY: RowState.DONE, Stage.UNCERTAIN: RowState.UNCERTAIN}
    state = states.get(job.stage, RowState.FAILED)
    return RowResult(
        id=run.row.id,
        state=state,
        asked=run.row.asked,
        name=run.row.label,
        credits=job.credits,
        seconds=round(time.monotonic() - run.began_at, 2),
        files={key: folder.relative(path) for key, path in job.delivered},
        tasks=tuple(step.task_id for step in job.steps if step.task_id),
        answer=job.answer,
        note=job.note,
        error="" if state == RowState.DONE else job.error or job.text,
        advice=job.advice,
        job=job.id,
        request_id=job.request_id,
        exit_code=job.exit_code,
        service=job.service_id,
    )
