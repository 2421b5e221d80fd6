"""What the end of a task means for its job."""

from __future__ import annotations

import time
from typing import Any

from ....vendor.assetgen import TaskFailedError
from ....vendor.assetgen.contract import ImportModel, TaskDetail, TaskStatus
from ..jobs.job import SourceKind, Stage
from ..jobs.records import JobRecord
from ..requests.prices import credits_text
from ..status import prompt_words
from ..status.error_messages import present
from .context import JobContext
from .save_result import MODEL
from .second_tasks import note_second_tasks


def finish_step(context: JobContext, record: JobRecord, detail: TaskDetail) -> JobRecord:
    """Goes on to the next step or to the download, or ends the job when the task failed."""
    record = note_second_tasks(context, record)
    step: dict[str, Any] = {
        "status": detail.status,
        "finished_at": time.time(),
        "credits": credits_text(detail.credits_consumed),
    }
    if detail.outcome is not TaskStatus.SUCCESS:
        return _fail_job(context, record, detail, step)
    if step["credits"]:
        fields = record.plan.steps[record.position].fields
        context.prices.record_charge(record.service_id, record.step.capability, fields, step["credits"])
    kept = prompt_words.noted(record.answer, detail.output)
    if record.position + 1 < len(record.steps):
        return context.journal.change(
            record.id, step=step, stage=Stage.CREATE, position=record.position + 1, text="", answer=kept
        )
    if record.step.capability == ImportModel.name:
        is_here = record.plan.source.kind is SourceKind.SELECTION or record.plan.delivery.origin is None
        if is_here or detail.output is None or MODEL not in detail.output.links():
            # Its task is all that it is for: there is nothing to fetch that the user does not have, or that there is.
            text = "Done" if is_here else "Uploaded; the service sends nothing back that could be brought in"
            return context.journal.change(record.id, step=step, stage=Stage.APPLIED, text=text)
    context.finished_tasks.put(detail)  # its links are fetched next
    # Also for an answer, which needs no download: what was read can be read again if it cannot be noted now.
    return context.journal.change(record.id, step=step, stage=Stage.DOWNLOAD, text="", answer=kept)


def _fail_job(context: JobContext, record: JobRecord, detail: TaskDetail, step: dict[str, Any]) -> JobRecord:
    message = present(TaskFailedError(detail, request_id=record.step.request_id), capability=record.step.capability)
    return context.journal.change(
        record.id,
        step=step,
        stage=Stage.FAILED,
        # A status that nobody knows may be one of a task that is paid for, and may still change: Retry reads it again.
        resume=Stage.CREATE if detail.has_known_status else Stage.WAIT,
        text="",
        **message.columns(),
    )
