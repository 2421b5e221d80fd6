"""The stage that spends money: one creation request, with its intent in the journal before it leaves."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from typing import Any

from ....vendor.assetgen import AssetGenError, Client, ConcurrencyError, InvalidAnswerError, RateLimitError
from ....vendor.assetgen.contract import TaskCreated, TaskRequest, capability
from ....vendor.assetgen.rate_limits import window_of
from ..errors import Refused
from ..jobs.job import SourceKind, Stage
from ..jobs.records import JobRecord, StepRecord
from ..jobs.task_table import TaskTaken
from ..limits.concurrency import Delay, Pool
from ..limits.rate_limiter import DEFAULTS, Group
from ..log import logger
from ..requests.build import build
from ..requests.model_files import upload_type
from ..status.wait_messages import rate_text
from . import shared_row
from .context import JobContext, Postponed
from .lost_answer import NO_INTENT, settle
from .upload import SOURCE

log = logger(__name__)

_AGAIN_SECONDS = 0.5


def create(context: JobContext, record: JobRecord) -> JobRecord:
    """Creates the task of the current step, or finds out what became of the request that may have done so already.

    Raises:
        Postponed: There is no place for the task yet, the service takes no request now, or its fate is not known yet.
        AssetGenError: No task was created, surely; or its fate is still open, which the journal knows.
    """
    if record.step.task_id:  # the job has taken over what another one began
        return context.journal.change(record.id, stage=Stage.WAIT, text="")
    request = request_of(record)
    if record.step.intent_is_open:
        lost = None
        if (answer := context.answers.get(record.step.request_id)) is not None:
            record, lost = _take_answer(context, record, answer)
        return _noted(settle(context, record, request, lost=lost) if record.step.intent_is_open else record)
    if context.cancel_flags.spending.is_set() and not record.has_paid:
        raise Postponed("Not started: nothing more is to be paid for", None)
    client = context.connection.client(record.service_id, context.cancel_flags.stopped(record.id))
    with context.creation_guard.creation(record.id, request.name) as allowed:
        if not allowed:
            raise Postponed("Waiting until another job's lost answer is cleared up", _AGAIN_SECONDS)
        group = _acquire_turn(context, record, request)
        try:
            record, lost = _send(context, record, request, client, group)
        finally:
            context.rate_limiter.end(group, client.rate_limits.get(group.name))
        if lost is None:
            return _noted(record)
    context.board.live(record.id, text="The answer was lost; finding out whether the task exists")
    return _noted(settle(context, record, request, lost=lost))


def _noted(record: JobRecord) -> JobRecord:
    """The job, after its row tells what task it has, where it is one of a batch."""
    shared_row.note(record)
    return record


def _acquire_turn(context: JobContext, record: JobRecord, request: TaskRequest) -> Group:
    """Waits in line for a place in the pool and for a request that the service will take."""
    group = Group(record.service_id, window_of(request.endpoint))
    default = None if context.connection.is_loopback else DEFAULTS.get(request.rate_group)
    delay = context.concurrency.enter(
        record.id, pool_of(record), lambda: context.rate_limiter.begin(group, record.id, default)
    )
    if delay is not None:
        raise _postponed(delay)
    return group


def _send(
    context: JobContext, record: JobRecord, request: TaskRequest, client: Client, group: Group
) -> tuple[JobRecord, AssetGenError | None]:
    """Sends the request: the job with its task, or with an open intent and how the answer was lost."""
    marker = _marker_for(context, record)
    request_id = uuid.uuid4().hex
    intent = {
        "request_id": request_id,
        "intent_at": time.time(),
        "sends": record.step.sends + 1,
        "marker": marker or record.step.marker,
        "unmarked": record.step.unmarked or not marker,
    }
    record, before = context.journal.change(record.id, step=intent), record.step
    context.intents_seen[request_id] = time.monotonic()
    try:
        shared_row.begin(context, record)
    except (Refused, Postponed):
        context.journal.change(record.id, step=_not_taken(before))
        raise
    stopped = context.cancel_flags.stopped(record.id)
    try:
        created = client.tasks.create(request, marker=marker, request_id=request_id, stopped=stopped)
    except AssetGenError as error:
        if error.may_have_arrived:
            return record, error
        not_taken = _not_taken(before)
        if isinstance(error, RateLimitError | ConcurrencyError):
            # To be turned away is no failed try: the job stands in line again, as if it had not asked.
            shared_row.note(context.journal.change(record.id, step=not_taken))
            raise _turned_away(context, record, group, error) from error
        if marker and context.markers.is_to_blame(record.id, record.service_id, error):
            context.journal.change(record.id, step=not_taken)
            log.info("job %s: %s; sending the request without its marker", record.id, error)
            raise Postponed("The service refused the request; sending it without its marker", 0.0) from error
        context.markers.forget(record.id)
        shared_row.note(context.journal.change(record.id, step={**not_taken, "sends": record.step.sends}))
        raise
    context.answers[request_id] = created
    return _take_answer(context, record, created)


def _take_answer(
    context: JobContext, record: JobRecord, created: TaskCreated
) -> tuple[JobRecord, AssetGenError | None]:
    """Notes the task that a request has made: see :func:`_send`. While that cannot be written the answer is kept, and
    nobody has to look for the task.
    """
    request_id = record.step.request_id
    try:
        record = context.journal.record_task(record.id, created.task_id, created.type)
    except TaskTaken:
        # Another process took the task for the one that it had lost. Its own may be there instead, or is not yet made.
        log.info("job %s: the task %s was adopted by another job meanwhile", record.id, created.task_id)
        del context.answers[request_id]
        return record, InvalidAnswerError(
            "another job had lost its answer and took the task for its own",
            request_id=request_id,
            may_have_arrived=True,
        )
    del context.answers[request_id]
    context.intents_seen.pop(request_id, None)
    name = record.step.capability
    log.info("job %s: created the task %s (%s) by request %s", record.id, created.task_id, name, request_id)
    context.markers.taken(record.id, record.service_id)
    return record, None


def _not_taken(before: StepRecord) -> Mapping[str, Any]:
    """What the journal says of a step after a request that surely made no task: the same as before it."""
    return {**NO_INTENT, "sends": before.sends, "unmarked": before.unmarked}


def _marker_for(context: JobContext, record: JobRecord) -> str:
    """What the step's next request carries: the same as the ones before, or nothing."""
    if not context.connection.settings.mark_requests:
        return ""
    if not context.markers.may_be_sent(record.id, record.service_id):
        return ""
    return record.step.marker or uuid.uuid4().hex


def _turned_away(
    context: JobContext, record: JobRecord, group: Group, error: RateLimitError | ConcurrencyError
) -> Postponed:
    if isinstance(error, ConcurrencyError):
        return _postponed(context.concurrency.refused(record.id, pool_of(record), error.retry_after))
    return _postponed(Delay(1, context.rate_limiter.refused(group, error.retry_after), is_rate=True))


def _postponed(delay: Delay) -> Postponed:
    if delay.is_rate and delay.seconds is not None:
        return Postponed(rate_text(delay.seconds), delay.seconds)
    return Postponed("", delay.seconds)  # the limiter shows the number, which may be another one by now


def pool_of(record: JobRecord) -> Pool:
    """The pool in which the current step's task counts."""
    step = record.plan.steps[record.position]
    return Pool(record.service_id, capability(step.capability).pool_for(step.fields))


def request_of(record: JobRecord) -> TaskRequest:
    """The request of the current step: fed by the upload, the step before, or the task that the job began with."""
    step = record.plan.steps[record.position]
    source = record.plan.source
    if record.position > 0:
        source_task_id = record.steps[record.position - 1].task_id
    else:
        source_task_id = source.task_id if source.kind is SourceKind.TASK else ""
    return build(
        capability(step.capability).name,
        step.fields,
        source_task_id=source_task_id,
        file_token=record.tokens.get(SOURCE, ""),
        file_type="glb" if source.kind is SourceKind.SELECTION else upload_type(source.path),
        tokens=record.tokens,
        fed=bool(source_task_id),
    )
