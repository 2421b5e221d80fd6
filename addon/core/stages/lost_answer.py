"""An intent without an answer: the account is asked before anything is sent again."""

from __future__ import annotations

import time

from ....vendor.assetgen import (
    APIError,
    AssetGenError,
    AuthenticationError,
    ConcurrencyError,
    InvalidAnswerError,
    RateLimitError,
)
from ....vendor.assetgen.contract import TaskRequest
from ..errors import SentTooOften
from ..jobs.job import Stage
from ..jobs.records import JobRecord
from ..jobs.task_table import TaskTaken
from ..log import logger
from ..status.error_messages import ExitCode
from .context import Cancelled, JobContext, Postponed
from .reconcile import KnownTasks, Reconciliation, Verdict, reconcile

log = logger(__name__)

NO_INTENT = {"request_id": "", "intent_at": 0.0}
"""What the journal says of a step whose request surely did not arrive."""

_AGAIN_SECONDS = 0.5
_MOST_SENDS = 4
"""Requests for one step, as long as every one of them surely did not arrive. Then the service has a longer trouble."""

_LOOK_SECONDS = 0.1


def settle(
    context: JobContext,
    record: JobRecord,
    request: TaskRequest,
    *,
    lost: AssetGenError | None = None,
    answered: bool = False,
) -> JobRecord:
    """Adopts the task that a lost request made, or clears the way for another request, or asks the user.

    Args:
        context: What all jobs of the runtime are run with.
        record: The job; its current step has an open intent.
        request: The request that was sent.
        lost: How it was lost, where this process saw it.
        answered: The service did answer, so that nothing of the request is still on its way.

    Raises:
        Postponed: It is not known yet.
        AssetGenError: The account cannot be read at the moment. The intent stays open.
        SentTooOften: Another request is not worth sending now.
    """
    with context.creation_guard.search(request.name) as allowed:
        if not allowed:
            raise Postponed("Finding out whether the task exists", _AGAIN_SECONDS)
        conclusion = _reconcile_twice(context, record, request, answered=answered)
        if conclusion.verdict is Verdict.ADOPT:
            task_id = conclusion.candidates[0]
            try:
                record = context.journal.record_task(record.id, task_id, conclusion.task_type)
                log.info("job %s: adopted the task %s, whose answer was lost", record.id, task_id)
                return record
            except TaskTaken:
                raise Postponed("Finding out whether the task exists", _AGAIN_SECONDS) from None
    if conclusion.verdict is Verdict.UNCERTAIN:
        return _ask_user(context, record, conclusion)
    context.journal.change(record.id, step=NO_INTENT)
    if record.step.sends >= _MOST_SENDS:
        raise SentTooOften from lost
    log.info("job %s: no task of request %s; sending another one", record.id, record.step.request_id)
    raise Postponed("The request did not arrive; sending it again", context.timing.resend * 2.0**record.step.sends)


def _reconcile_twice(context: JobContext, record: JobRecord, request: TaskRequest, *, answered: bool) -> Reconciliation:
    conclusion = _reconcile_once(context, record, request)
    if conclusion.verdict is not Verdict.RESEND:
        return conclusion
    # Nothing there. The list may lag behind, and a request that was cut off may still be on its way.
    age = time.time() - record.step.intent_at
    _wait(context, record.id, max(context.timing.settle, 0.0 if answered else context.timing.young_intent - age))
    return _reconcile_once(context, record, request)


def _reconcile_once(context: JobContext, record: JobRecord, request: TaskRequest) -> Reconciliation:
    client = context.connection.client(record.service_id, context.cancel_flags.stopped(record.id))
    intents = context.journal.open_intents(record.service_id, request.name)
    rivals = sum(1 for job_id in intents if job_id != record.id)
    known_tasks = KnownTasks.from_entries(context.journal.tasks.all(record.service_id))
    try:
        return reconcile(client, known_tasks, record.step, request.body(), request.source_field, rivals=rivals)
    except (AuthenticationError, RateLimitError, ConcurrencyError):
        raise
    except (APIError, InvalidAnswerError) as error:
        return Reconciliation(Verdict.UNCERTAIN, f"the service does not list this account's tasks: {error.message}")


def _wait(context: JobContext, job_id: str, seconds: float) -> None:
    stopped = context.cancel_flags.stopped(job_id)
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        if stopped():
            raise Cancelled
        time.sleep(min(left, _LOOK_SECONDS))


def _ask_user(context: JobContext, record: JobRecord, conclusion: Reconciliation) -> JobRecord:
    adopt = f"Adopt takes the task {conclusion.candidates[0]}, " if conclusion.candidates else ""
    return context.journal.change(
        record.id,
        stage=Stage.UNCERTAIN,
        resume=Stage.CREATE,
        step={"candidates": list(conclusion.candidates)},
        text="",
        error=f"The answer to the request was lost, and {conclusion.reason}",
        advice=f"{adopt}Resend starts another task, which may be paid twice, Forget gives up",
        request_id=record.step.request_id,
        exit_code=ExitCode.UNCERTAIN,
    )
