"""Is this a plan that can be carried out? Asked on the caller's thread, so nothing here touches the network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ....vendor.assetgen.contract import MODEL_FORMATS, Takes, TaskRequest, describe
from ..errors import BadRequest, CoreError, Refused
from ..jobs.job import JobPlan, SourceKind, Stage
from ..service.connection import Connection
from .build import PLACEHOLDER_TASK, needs_upload
from .file_checks import check_file
from .step_compatibility import check_steps, check_task, works_on

_UPLOADED = (SourceKind.SELECTION, SourceKind.MODEL_FILE)


def check_plan(plan: JobPlan, connection: Connection, capability_of: Callable[[str], str]) -> None:
    """Makes sure that a plan makes sense, that its files are there and that the service may be asked.

    Args:
        plan: What the user asked for.
        connection: Where it would go.
        capability_of: Which capability made a task; empty where that is not known.

    Raises:
        Refused: It is not so; nothing was written or sent.
    """
    if not plan.steps:
        raise Refused("There is nothing to do in this plan")
    on_task = plan.source.kind is SourceKind.TASK
    first = check_steps(plan.steps, on_task=on_task)
    _check_source(plan, first)
    task = plan.source.task_id if first.source_task() == PLACEHOLDER_TASK else first.source_task()
    if task:
        check_task(first, capability_of(task))
    if plan.delivery.folder and Path(plan.delivery.folder).is_file():
        raise Refused(f"{plan.delivery.folder} is a file; results go into a folder")
    try:
        connection.check_service()
    except CoreError as error:
        raise Refused(str(error), error.advice) from error


def first_stage(plan: JobPlan) -> Stage:
    """The stage that a new job begins with. Its snapshot, where it has one, has been made by the caller."""
    return Stage.UPLOAD if needs_upload(plan) else Stage.CREATE


def _check_source(plan: JobPlan, first: TaskRequest) -> None:
    """Makes sure that the source is there, and that it is of the kind that the first step works on."""
    source = plan.source
    if source.kind is SourceKind.TASK and not source.task_id:
        raise Refused("The task to go on with is missing")
    if source.kind is SourceKind.SELECTION:
        if not Path(source.path).is_file():
            raise Refused(f"The snapshot of the selection is missing: {source.path}")
        if source.snapshot is None or not source.snapshot.objects:
            raise Refused("Nothing is selected", "Select a mesh object and try again")
    if source.kind is SourceKind.MODEL_FILE:
        check_file(source.path, MODEL_FORMATS)
    field = first.source_field or ""
    given = any(spec.source and spec.name in plan.steps[0].fields for spec in describe(type(first)))
    if first.takes is Takes.MODEL_FILE:
        if source.kind not in _UPLOADED and not given:
            raise BadRequest(f"{first.label} needs a model to upload", field)
    elif source.kind in _UPLOADED:
        if first.takes in (Takes.NOTHING, Takes.IMAGES):
            raise BadRequest(f"{first.label} does not work on a model")
        raise BadRequest(f"{first.label} works on a task; the model must be imported first", field)
    elif first.source_field is not None and source.kind is not SourceKind.TASK and not given:
        raise BadRequest(f"{first.label} works on a task; the model must be imported first", field)
    elif source.kind is SourceKind.TASK and first.source_field is None and first.task_field is None:
        raise BadRequest(f"{first.label} {works_on(type(first))}")
