"""A job that goes on with what another computer began of its row: nothing of that is paid for again."""

from __future__ import annotations

import time

from ..claims.begun import Begun, BegunStep
from ..errors import Refused
from ..jobs.job import JobPlan, Stage
from ..jobs.records import JobRecord, StepRecord
from ..requests.build import files_of, needs_upload
from ..requests.plan_checks import first_stage
from ..stages.context import JobContext

_SUCCESS = "success"


def take_over_row(context: JobContext, job_id: str, plan: JobPlan, begun: Begun, age: float) -> JobRecord:
    """Enters the job.

    Args:
        context: What all jobs of the runtime are run with.
        job_id: The new job's.
        plan: The whole row.
        begun: What was begun of it.
        age: How many seconds ago, by the drive's clock: that of the other computer may be wrong.

    Raises:
        Refused: It was begun at another service, or for something else.
    """
    service_id = context.connection.settings.service_id
    if begun.service_id != service_id:
        raise Refused(f"It was begun at {begun.service_id}, and {service_id} is set", "Go on with it there")
    if begun.row != plan.delivery.row or len(begun.steps) > len(plan.steps):
        raise Refused(
            "It was begun with other settings than it has now",
            "Put the old ones back, or delete its folder, which gives up what was begun",
        )
    if not begun.steps:
        return context.journal.add(job_id, plan, service_id, first_stage(plan))
    last = len(begun.steps) - 1
    steps = [_step_record(context, step, place, age, is_last=place == last) for place, step in enumerate(begun.steps)]
    return context.journal.add(job_id, plan, service_id, _stage(plan, steps[-1]), steps)


def _step_record(context: JobContext, step: BegunStep, place: int, age: float, *, is_last: bool) -> StepRecord:
    now = time.time()
    task_id = step.task_id
    if not task_id and step.marker:  # our own journal may know more than what was written down
        task_id = context.journal.task_of_marker(step.marker)
    is_open = bool(step.request_id) and not task_id
    return StepRecord(
        position=place,
        capability=step.capability,
        request_id=step.request_id,
        intent_at=now - age if is_open else 0.0,
        sends=1 if is_open else 0,
        task_id=task_id,
        task_type=step.task_type,
        answered_at=now - age if task_id else 0.0,
        finished_at=0.0 if is_last else now,
        status="" if is_last else _SUCCESS,
        credits="" if is_last else step.credits,
        marker=step.marker,
        unmarked=step.unmarked,
        lost=step.lost,
    )


def _stage(plan: JobPlan, step: StepRecord) -> Stage:
    """Where the job begins: what its further requests refer to has to be uploaded again."""
    has_task = bool(step.task_id)
    left = plan.steps[step.position + has_task :]
    is_first = step.position == 0 and not has_task
    if (is_first and needs_upload(plan)) or any(files_of(one.capability, one.fields) for one in left):
        return Stage.UPLOAD
    return Stage.CREATE
