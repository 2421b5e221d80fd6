"""The stage that spends money: one creation request, with its intent in the journal before it leaves."""

from __future__ import annotations

import time
import uuid

from ...vendor.assetgen import AssetGenError, ServerError
from ...vendor.assetgen.contract import TaskRequest, capability
from .job import SourceKind
from .records import JobRecord
from .requests import build
from .settling import NO_INTENT, settle
from .tools import Hold, Tools
from .uploading import SOURCE, source_type

_AGAIN_SECONDS = 0.5


def create(tools: Tools, record: JobRecord) -> JobRecord:
    """Creates the task of the current step, or finds out what became of the request that may have done so already.

    Raises:
        Hold: There is no place for the task yet, or its fate cannot be told yet.
        AssetGenError: No task was created, surely; or its fate is still open, which the journal knows.
    """
    request = request_of(record)
    if record.step.intent_is_open:
        return settle(tools, record, request)
    place = tools.gate.enter(record.id, request.category)
    if place:
        raise Hold(f"Waiting for a free place at the service (number {place} in the line)", None)
    stopped = tools.wishes.stopped(record.id)
    client = tools.connection.client(record.service_id, stopped)
    with tools.traffic.creation(record.id, request.name) as allowed:
        if not allowed:
            raise Hold("Waiting until another job's lost answer is cleared up", _AGAIN_SECONDS)
        request_id = uuid.uuid4().hex
        intent = {"request_id": request_id, "intent_at": time.time(), "sends": record.step.sends + 1}
        record = tools.journal.change(record.id, step=intent)
        try:
            created = client.tasks.create(request, request_id=request_id, stopped=stopped)
        except AssetGenError as error:
            if not error.may_have_arrived:
                tools.journal.change(record.id, step=NO_INTENT)
                raise
            lost = error
        else:
            return tools.journal.answered(record.id, created.task_id, created.type)
    tools.board.live(record.id, text="The answer was lost; finding out whether the task exists")
    return settle(tools, record, request, lost=lost, answered=isinstance(lost, ServerError))


def request_of(record: JobRecord) -> TaskRequest:
    """The request of the current step: fed by the upload, the step before, or the task that the job began with."""
    step = record.plan.steps[record.position]
    if record.position > 0:
        source_task_id = record.steps[record.position - 1].task_id
    else:
        source_task_id = record.plan.source.task_id if record.plan.source.kind is SourceKind.TASK else ""
    return build(
        capability(step.capability).name,
        step.fields,
        source_task_id=source_task_id,
        file_token=record.tokens.get(SOURCE, ""),
        file_type=source_type(record.plan.source),
        tokens=record.tokens,
    )
