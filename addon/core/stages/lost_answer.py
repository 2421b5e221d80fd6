"""An intent without an answer: the account is asked before anything is sent again."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

from ....vendor.assetgen import APIError, AssetGenError, AuthenticationError, InvalidAnswerError, TimedOut
from ....vendor.assetgen.contract import ErrorCode, TaskRequest
from ..errors import SentTooOften
from ..jobs.job import Stage
from ..jobs.records import JobRecord, StepRecord
from ..jobs.task_table import TaskTaken
from ..limits.backoff import is_transient
from ..log import logger
from ..status.error_messages import ExitCode
from .clocks import UNMEASURED_DOUBT
from .context import JobContext, LostAnswer, Postponed
from .echoes import Echoes
from .proof import proof_of
from .reconcile import KnownTasks, Reconciliation, Rivals, Verdict, reconcile

log = logger(__name__)

NO_INTENT = {"request_id": "", "intent_at": 0.0}
"""What the journal says of a step whose request surely did not arrive."""


def given_up(step: StepRecord) -> Mapping[str, Any]:
    """What the journal says of a step whose open intent is given up for another request: the first may still arrive."""
    return {**NO_INTENT, "lost": step.lost + 1, "unmarked": step.unmarked or not step.marker}


_AGAIN_SECONDS = 0.5
_MOST_SENDS = 4
"""Requests for one step, as long as every one of them surely did not arrive. Then the service has a longer trouble."""

_LONGEST_PAUSE = 15
"""Between two looks, in pauses as long as the first."""

_SERVICE_CODES = frozenset(ErrorCode) - {ErrorCode.SUCCESS}


def settle(
    context: JobContext,
    record: JobRecord,
    request: TaskRequest,
    *,
    lost: AssetGenError | None = None,
) -> JobRecord:
    """Looks once. Adopts the task that a lost request made, or clears the way for another request, or asks the user.

    A request can be at work for as long as its answer is waited for, and longer behind a gateway that has given up.
    Until that time is over, finding nothing means nothing, and the job looks again.

    Args:
        context: What all jobs of the runtime are run with.
        record: The job; its current step has an open intent.
        request: The request that was sent.
        lost: How it was lost, when that happened just now.

    Raises:
        Postponed: It is not known yet.
        AssetGenError: The account cannot be read, or not at the moment. The intent stays open.
        SentTooOften: Another request is not worth sending now.
    """
    search = _search_of(context, record, lost)
    context.board.changed(record)
    context.board.live(record.id, lost=record.step.request_id)
    if search.is_given_up:
        raise _send_another(context, record)
    with context.creation_guard.search(request.name) as allowed:
        if not allowed:
            raise Postponed("Finding out whether the task exists", _AGAIN_SECONDS)
        is_last_look = time.monotonic() >= search.deadline
        conclusion = _reconcile(context, record, request, search, is_last_look=is_last_look)
        if conclusion.verdict is Verdict.ADOPT:
            task_id, *rest = conclusion.candidates
            others = rest if conclusion.is_proven else []
            try:
                record = context.journal.record_task(record.id, task_id, conclusion.task_type, others)
                log.info("job %s: adopted the task %s, whose answer was lost", record.id, task_id)
                del context.lost_answers[record.id]
                return record
            except TaskTaken:
                raise Postponed("Finding out whether the task exists", _AGAIN_SECONDS) from None
    if search.is_given_up:
        raise _send_another(context, record)
    if conclusion.may_change and not is_last_look:
        raise _look_again(context, search)
    del context.lost_answers[record.id]
    if conclusion.verdict is Verdict.UNCERTAIN:
        return _ask_user(context, record, conclusion)
    context.journal.change(record.id, step=given_up(record.step))
    if record.step.sends >= _MOST_SENDS:
        raise SentTooOften from search.error
    log.info("job %s: no task of request %s; sending another one", record.id, record.step.request_id)
    raise Postponed("The request did not arrive; sending it again", context.timing.resend * 2.0**record.step.sends)


def _search_of(context: JobContext, record: JobRecord, lost: AssetGenError | None) -> LostAnswer:
    """The search for the step's request: the one that goes on, or a new one."""
    search = context.lost_answers.get(record.id)
    if search is None or search.request_id != record.step.request_id:
        left = _most_seconds(context, lost) - _age(context, record.step)
        # Even when that is long over: the list may lag behind, so two looks at least.
        deadline = time.monotonic() + max(context.timing.settle, left)
        search = context.lost_answers[record.id] = LostAnswer(record.step.request_id, deadline, lost)
    return search


def _age(context: JobContext, step: StepRecord) -> float:
    """For how long the step's request has surely been under way, in seconds.

    The time of day may have been set forward since the intent, by hours and while the request hangs; so the monotonic
    clock counts, from when this process sent the request or first saw the intent of another one. Only what is older
    than any change of a clock explains is old by the time of day.
    """
    if time.time() - step.intent_at > UNMEASURED_DOUBT:
        return math.inf
    now = time.monotonic()
    return now - context.intents_seen.setdefault(step.request_id, now)


def _most_seconds(context: JobContext, lost: AssetGenError | None) -> float:
    """How long after its intent a request can still make a task."""
    if isinstance(lost, APIError) and lost.code in _SERVICE_CODES:
        return 0.0  # the service itself answered; a gateway's 5xx says nothing about what goes on behind it
    if context.connection.settings.is_local and not isinstance(lost, TimedOut):
        return context.timing.local_request  # no gateway in between: with its connection the request is gone
    return context.timing.lost_request


def _send_another(context: JobContext, record: JobRecord) -> Postponed:
    """Clears the way for another request, because the user wants it so."""
    context.journal.change(record.id, step={**given_up(record.step), "sends": 0})
    del context.lost_answers[record.id]
    log.info("job %s: sending another request, as the user asked; its answer was lost", record.id)
    return Postponed("Sending the request again", 0.0)


def _look_again(context: JobContext, search: LostAnswer) -> Postponed:
    pause = context.timing.look_again * min(2.0**search.looks, _LONGEST_PAUSE)
    search.looks += 1
    left = max(0.0, search.deadline - time.monotonic())
    return Postponed(
        "The answer was lost; looking at the service whether the task exists."
        f" Nothing is sent meanwhile (at most {math.ceil(left)} s more)",
        min(pause, left),
    )


def _reconcile(
    context: JobContext, record: JobRecord, request: TaskRequest, search: LostAnswer, *, is_last_look: bool
) -> Reconciliation:
    client = context.connection.client(record.service_id, context.cancel_flags.stopped(record.id))
    intents = context.journal.open_intents(record.service_id)
    capabilities = [capability for job_id, capability in intents.items() if job_id != record.id]
    same = capabilities.count(request.name)
    try:
        return reconcile(
            client,
            KnownTasks.from_entries(context.journal.tasks.all(record.service_id)),
            record.step,
            request,
            proof_of(context, record, request),
            rivals=Rivals(same, len(capabilities) - same),
            echoes=Echoes(client, search.echoes, is_patient=not is_last_look),
        )
    except AuthenticationError:
        raise
    except InvalidAnswerError as error:
        if not error.in_envelope:
            raise
        # The service itself answered, and will hardly do so otherwise by being waited for.
        reason = f"the list of this account's tasks cannot be read: {error.message}"
        return Reconciliation(Verdict.UNCERTAIN, reason, is_passing=True)
    except APIError as error:
        if is_transient(error):
            raise
        return Reconciliation(Verdict.UNCERTAIN, f"the service does not list this account's tasks: {error.message}")


def _ask_user(context: JobContext, record: JobRecord, conclusion: Reconciliation) -> JobRecord:
    adopt = f"Adopt takes the task {conclusion.candidates[0]}, " if conclusion.candidates else ""
    return context.journal.change(
        record.id,
        stage=Stage.UNCERTAIN,
        resume=Stage.CREATE,
        step={"candidates": list(conclusion.candidates)},
        text="",
        error=f"The answer to the request was lost, and {conclusion.reason}",
        advice=(
            f"{adopt}Look Again searches once more, Resend Now starts another task, which may be paid twice,"
            " Forget gives up"
        ),
        request_id=record.step.request_id,
        exit_code=ExitCode.UNCERTAIN,
    )
