"""A job's record as a person sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ....vendor.assetgen.contract import CAPABILITIES, Gives, TaskRequest
from ..jobs.job import ENDED, RESTING, Action, JobView, Stage, StepView
from ..jobs.records import JobRecord, StepRecord
from ..requests.build import needs_upload
from . import prompt_words
from .expected_time import ExpectedTimes

_UPLOAD_WEIGHT = 1.0
_DOWNLOAD_WEIGHT = 1.5
"""Shares of the whole job beside the ``workload`` of its tasks."""


@dataclass(frozen=True, slots=True)
class LiveProgress:
    """What is known only here and not worth a place in the journal.

    Attributes:
        fraction: How far the current phase is, 0 to 1.
        text: Words about it; empty for the words that the stage has by itself.
        floor: What was shown last: progress never goes back.
        tasks: Status and progress of tasks, as last seen.
        lost: Id of the request whose answer was lost, while this process looks for its task.
    """

    fraction: float = 0.0
    text: str = ""
    floor: float = 0.0
    tasks: Mapping[str, tuple[str, float]] = field(default_factory=lambda: MappingProxyType({}))
    lost: str = ""


def make_view(record: JobRecord, live: LiveProgress, *, now: float, times: ExpectedTimes | None = None) -> JobView:
    """The view of a job.

    Args:
        record: What the journal knows.
        live: What only this process knows.
        now: Seconds since 1970.
        times: What earlier tasks took, where that is known.
    """
    ended_at = record.changed_at if record.stage in ENDED or record.stage is Stage.READY else now
    gives_answer = _gives(record) in (Gives.ANSWER, None)
    return JobView(
        id=record.id,
        name=record.plan.name,
        stage=record.stage,
        progress=progress(record, live),
        text=live.text or record.text or _text(record, live),
        error=record.error,
        advice=record.advice,
        request_id=record.request_id,
        steps=tuple(_step_view(step, live, now) for step in record.steps),
        actions=allowed_actions(record, live.lost),
        created_at=record.created_at,
        seconds=max(0.0, ended_at - record.created_at),
        result=record.result,
        blend=record.blend,
        files=record.files,
        delivered=record.delivered,
        answer=record.answer if gives_answer else "",
        exit_code=record.exit_code,
        service_id=record.service_id,
        plan=record.plan,
        note=_note(record),
        understood="" if gives_answer else prompt_words.understood(record.answer),
        keeps_shape=all(_declaration(step.capability).keeps_shape for step in record.plan.steps),
        gives_motion=_last(record).gives_motion,
        gives_parts=_last(record).gives_parts,
        ends_at=_ends_at(record, times) if times is not None else 0.0,
    )


def allowed_actions(record: JobRecord, lost: str = "") -> frozenset[Action]:
    """What a user can do with a job now; ``lost`` as in :class:`LiveProgress`."""
    match record.stage:
        case Stage.READY:
            return frozenset({Action.APPLY, Action.DISMISS})
        case Stage.APPLIED:
            again = {Action.APPLY} if _can_be_applied(record) else {Action.RETRY} if record.resume else set()
            return frozenset({Action.DISMISS, *again})
        case Stage.FAILED | Stage.STOPPED:
            return frozenset({Action.RETRY, Action.DISMISS} if record.resume else {Action.DISMISS})
        case Stage.UNCERTAIN:
            adopt = {Action.ADOPT} if record.step.candidates else set()
            return frozenset({Action.LOOK_AGAIN, Action.RESEND, Action.FORGET, *adopt})
        case Stage.CREATE if lost and lost == record.step.request_id:
            return frozenset({Action.STOP, Action.LOOK_AGAIN, Action.RESEND})
        case _:
            return frozenset({Action.STOP})


def progress(record: JobRecord, live: LiveProgress) -> float:
    """How far the whole job is, 0 to 1; never less than was shown before."""
    if record.stage in (Stage.READY, Stage.APPLIED):
        return 1.0
    weights = [_UPLOAD_WEIGHT if needs_upload(record.plan) else 0.0]
    weights += [_declaration(step.capability).workload for step in record.steps]
    weights.append(0.0 if _gives(record) is Gives.ANSWER else _DOWNLOAD_WEIGHT)
    phase = _phase(record)
    done = sum(weights[:phase]) + weights[phase] * min(1.0, max(0.0, live.fraction))
    return max(live.floor, done / sum(weights))


def _ends_at(record: JobRecord, times: ExpectedTimes) -> float:
    """When the tasks of a job will be done; 0 before the service has begun, or where one is of a new kind."""
    if record.stage is not Stage.WAIT or not record.step.answered_at:
        return 0.0
    ahead = record.plan.steps[record.position :]
    seconds = [times.seconds_of(record.service_id, step.capability, step.fields) for step in ahead]
    known = [item for item in seconds if item is not None]
    return record.step.answered_at + sum(known) if len(known) == len(seconds) else 0.0


def _declaration(name: str) -> type[TaskRequest]:
    """The declaration of a capability; what all have in common for one of another version of the extension."""
    return CAPABILITIES.get(name, TaskRequest)


def _last(record: JobRecord) -> type[TaskRequest]:
    """The declaration of what the job ends with."""
    return _declaration(record.plan.steps[-1].capability) if record.plan.steps else TaskRequest


def _gives(record: JobRecord) -> Gives | None:
    """What the job results in; None for a capability of another version of the extension."""
    model = CAPABILITIES.get(record.plan.steps[-1].capability) if record.plan.steps else None
    return model.gives if model is not None else None


def _can_be_applied(record: JobRecord) -> bool:
    """Whether the result can be brought into the scene (again): a .blend, or images for the file it came from."""
    images = _gives(record) is Gives.IMAGES and bool(record.files) and record.plan.delivery.origin is not None
    return bool(record.blend) or images


def _phase(record: JobRecord) -> int:
    """The index among upload, the steps, and download."""
    stage = record.resume if record.stage in RESTING else record.stage
    if stage in (Stage.SNAPSHOT, Stage.UPLOAD):
        return 0
    if stage in (Stage.DOWNLOAD, Stage.READY):
        return len(record.steps) + 1
    return 1 + record.position


def _text(record: JobRecord, live: LiveProgress) -> str:
    match record.stage:
        case Stage.SNAPSHOT | Stage.UPLOAD:
            return numbered_text(record, "Uploading" if needs_upload(record.plan) else "Starting")
        case Stage.CREATE:
            return numbered_text(record, f"{_label(record.step)}: starting")
        case Stage.WAIT:
            status, fraction = live.tasks.get(record.step.task_id, (record.step.status, 0.0))
            words = f"{fraction:.0%}" if fraction > 0 else {"running": "running"}.get(status, "in the queue")
            return numbered_text(record, f"{_label(record.step)}: {words}")
        case Stage.DOWNLOAD:
            return "Reading the answer" if _gives(record) is Gives.ANSWER else "Fetching the result"
        case Stage.READY:
            return "Ready"
        case Stage.APPLIED:
            return "Done"
        case Stage.FAILED:
            return "Failed"
        case Stage.STOPPED:
            return "Stopped"
        case Stage.UNCERTAIN:
            return "Please decide"


def numbered_text(record: JobRecord, words: str) -> str:
    """Which of the job's steps it is, where there are several."""
    count = len(record.steps)
    return f"Step {record.position + 1} of {count}: {words}" if count > 1 else words


def _note(record: JobRecord) -> str:
    """What the user must know of a job whichever way it goes: tasks that were made beside its own."""
    others = [task_id for step in record.steps if step.task_id for task_id in step.candidates]
    if not others:
        return ""
    return (
        f"The service has made the task {others[0]} from its request as well, which is charged too"
        if len(others) == 1
        else f"The service has made the tasks {', '.join(others)} from its requests as well, which are charged too"
    )


def _label(step: StepRecord) -> str:
    model = CAPABILITIES.get(step.capability)
    return model.label if model else step.capability


def _step_view(step: StepRecord, live: LiveProgress, now: float) -> StepView:
    status, fraction = live.tasks.get(step.task_id, (step.status, 0.0))
    if step.finished_at:
        status = step.status
        fraction = 1.0 if status == "success" else fraction
    end = step.finished_at or (now if step.answered_at else 0.0)
    return StepView(
        capability=step.capability,
        task_id=step.task_id,
        status=status,
        progress=fraction,
        credits=step.credits,
        seconds=max(0.0, end - step.answered_at) if step.answered_at else 0.0,
    )
