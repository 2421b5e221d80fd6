"""What an action of the user does to a job that rests: one change of the journal, refused when the job moved on."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from typing import Any

from ....vendor.assetgen.contract import ErrorCode, TaskStatus
from ..errors import Refused
from ..jobs.job import RESTING, Action, Source, Stage
from ..jobs.records import JobRecord
from ..jobs.snapshot_files import remove_snapshot
from ..jobs.task_table import TaskTaken
from ..log import logger
from ..requests.build import files_of, needs_upload
from ..stages.context import JobContext
from ..stages.lost_answer import NO_INTENT, given_up
from ..stages.upload import SOURCE
from ..status.job_view import allowed_actions

log = logger(__name__)

_CLEAN: Mapping[str, Any] = {
    "text": "",
    "error": "",
    "advice": "",
    "request_id": "",
    "exit_code": 0,
    "error_code": 0,
    "asked_to_stop": 0,
    "resume": None,
}
_NEW_TASK: Mapping[str, Any] = {
    **NO_INTENT,
    "sends": 0,
    "task_id": "",
    "task_type": "",
    "answered_at": 0.0,
    "finished_at": 0.0,
    "status": "",
    "credits": "",
    "candidates": [],
    "marker": "",
    "unmarked": 0,
    "lost": 0,
}

_KNOWN = frozenset(TaskStatus)


def act(context: JobContext, record: JobRecord, action: Action) -> bool:
    """Does what the user asked for; True when the job has work to do now.

    Raises:
        Refused: The job has moved on, and the action does not fit any more.
    """
    search = context.lost_answers.get(record.id)
    if action not in allowed_actions(record, search.request_id if search is not None else ""):
        if record.stage is Stage.CREATE and record.owner != context.journal.owner:
            raise Refused(f"{record.plan.name} is looked after by another Blender or program", "Do this there")
        if action is Action.LOOK_AGAIN and record.owner == context.journal.owner and record.stage not in RESTING:
            return True  # this runtime took the job over and looks already, or has found the task meanwhile
        raise _moved_on(record)
    match action:
        case Action.RETRY:
            done = _retry(context, record)
        case Action.ADOPT:
            done = _adopt(context, record)
        case Action.LOOK_AGAIN | Action.RESEND if record.stage is Stage.CREATE:
            done = search is not None
            if search is not None and action is Action.RESEND:
                search.is_given_up = True  # a look that is just under way must not be overtaken by its own result
        case Action.LOOK_AGAIN:
            done = _look_again(context, record)
        case Action.RESEND:
            done = _resend(context, record)
        case Action.APPLY:
            done = context.journal.change_resting(
                record.id, record.stage, **{**_CLEAN, "stage": Stage.READY, "applier": ""}
            )
        case Action.FORGET:
            words = "Given up. If there is a task at the service, it goes on there and is charged"
            done = context.journal.change_resting(
                record.id, record.stage, **{**_CLEAN, "stage": Stage.STOPPED, "text": words}
            )
        case Action.DISMISS:
            done = _dismiss(context, record)
        case Action.STOP:
            raise AssertionError("a running job is stopped by its runtime")
    if not done:
        raise _moved_on(record)
    return action in (Action.RETRY, Action.ADOPT, Action.LOOK_AGAIN, Action.RESEND)


def remove_jobs(context: JobContext, job_ids: Iterable[str]) -> list[str]:
    """Takes jobs off the list in one transaction; those that have moved on stay. Returns the ids of the others."""
    gone: dict[str, Source] = {}
    with context.journal.transaction():
        for job_id in job_ids:
            with contextlib.suppress(LookupError):
                record = context.journal.job(job_id)
                if Action.DISMISS in allowed_actions(record) and context.journal.remove(job_id):
                    gone[job_id] = record.plan.source
    for source in gone.values():  # when it is sure that they are gone
        remove_snapshot(source, context.locations.data_dir)
    return list(gone)


def _moved_on(record: JobRecord) -> Refused:
    return Refused(f"{record.plan.name} has moved on, and this does not fit any more")


def _retry(context: JobContext, record: JobRecord) -> bool:
    stage = record.resume or Stage.CREATE
    if stage is Stage.READY:
        return context.journal.change_resting(
            record.id, record.stage, **{**_CLEAN, "stage": Stage.READY, "applier": ""}
        )
    step: Mapping[str, Any] | None = None
    changes: dict[str, Any] = {**_CLEAN, "stage": stage}
    if stage is Stage.CREATE and record.step.finished_at and record.step.status not in _KNOWN:
        stage = Stage.WAIT  # an earlier version took it for failed and refunded, which nobody knows
        changes["stage"] = stage
    if stage is Stage.WAIT:
        step = {"finished_at": 0.0}  # the same task is watched again
    elif stage is Stage.CREATE:
        # A finished task of this step is one that failed, and was refunded. An open intent stays: it is settled first.
        step = _NEW_TASK if record.step.finished_at else {"sends": 0}
        if record.error_code == ErrorCode.BAD_PARAMETER and _needs_tokens(record):
            # The service also says this of a token that has expired. The source's is not needed after the first step.
            kept = {SOURCE: record.tokens[SOURCE]} if record.position > 0 and SOURCE in record.tokens else {}
            changes |= {"stage": Stage.UPLOAD, "tokens": kept}
    return context.journal.restart(record.id, record.stage, step=step, **changes)


def _needs_tokens(record: JobRecord) -> bool:
    """Whether the current step refers to anything that was uploaded."""
    if record.position == 0:
        return needs_upload(record.plan)
    step = record.plan.steps[record.position]
    return bool(files_of(step.capability, step.fields))


def _adopt(context: JobContext, record: JobRecord) -> bool:
    task_id = record.step.candidates[0]
    if not context.journal.restart(record.id, record.stage, stage=Stage.CREATE, **_CLEAN):
        return False
    with contextlib.suppress(TaskTaken):  # then the job finds out for itself which other task it can be
        context.journal.record_task(record.id, task_id, "")
        log.info("job %s: adopted the task %s, as the user asked", record.id, task_id)
    return True


def _look_again(context: JobContext, record: JobRecord) -> bool:
    """The search starts afresh: the intent is as open as it was."""
    return context.journal.restart(record.id, record.stage, step={"candidates": []}, stage=Stage.CREATE, **_CLEAN)


def _resend(context: JobContext, record: JobRecord) -> bool:
    # The same task, as far as the service is concerned: its marker stays.
    step = {**given_up(record.step), "sends": 0, "candidates": []}
    if not context.journal.restart(record.id, record.stage, step=step, stage=Stage.CREATE, **_CLEAN):
        return False
    others = ", ".join(record.step.candidates) or "none"
    log.info("job %s: sending another request, as the user asked; tasks that it could have: %s", record.id, others)
    return True


def _dismiss(context: JobContext, record: JobRecord) -> bool:
    assert record.stage in RESTING
    if not context.journal.remove(record.id):
        return False
    # Its results stay: they were paid for, and may exist nowhere else. A snapshot can be made again.
    remove_snapshot(record.plan.source, context.locations.data_dir)
    return True
