"""Is this a plan that can be carried out? Asked on the caller's thread, so nothing here touches the network."""

from __future__ import annotations

from pathlib import Path

from ...vendor.assetgen.contract import MODEL_FORMATS, Takes, capability
from .connection import Connection
from .errors import BadRequest, CoreError, Refused
from .files_check import check_file
from .job import JobPlan, SourceKind, Stage
from .requests import check, needs_upload

_MODELS = frozenset({Takes.MODEL_TASK, Takes.RIG_TASK, Takes.SEGMENT_TASK})


def check_plan(plan: JobPlan, connection: Connection) -> None:
    """Makes sure that a plan makes sense, that its files are there and that the service may be asked.

    Raises:
        Refused: It is not so; nothing was written or sent.
    """
    if not plan.steps:
        raise Refused("There is nothing to do in this plan")
    for step in plan.steps:
        check(step.capability, step.fields)
    _check_source(plan)
    if plan.delivery.folder and Path(plan.delivery.folder).is_file():
        raise Refused(f"{plan.delivery.folder} is a file; results go into a folder")
    settings = connection.settings
    if not settings.is_local:
        try:
            connection.check_online(settings.base_url)
        except CoreError as error:
            raise Refused(str(error), error.advice) from error


def first_stage(plan: JobPlan) -> Stage:
    """The stage that a new job begins with. Its snapshot, where it has one, has been made by the caller."""
    return Stage.UPLOAD if needs_upload(plan) else Stage.CREATE


def _check_source(plan: JobPlan) -> None:
    source = plan.source
    first = capability(plan.steps[0].capability)
    if source.kind is SourceKind.TASK and not source.task_id:
        raise Refused("The task to go on with is missing")
    if source.kind is SourceKind.SELECTION:
        if not Path(source.path).is_file():
            raise Refused(f"The snapshot of the selection is missing: {source.path}")
        if not source.details.get("objects"):
            raise Refused("Nothing is selected", "Select a mesh object and try again")
    if source.kind is SourceKind.MODEL_FILE:
        check_file(source.path, MODEL_FORMATS)
    given = first.source_field is not None and first.source_field in plan.steps[0].fields
    if (
        first.takes is Takes.MODEL_FILE
        and source.kind not in (SourceKind.SELECTION, SourceKind.MODEL_FILE)
        and not given
    ):
        raise BadRequest(f"{first.label} needs a model to upload", first.source_field or "")
    if first.takes in _MODELS and source.kind is not SourceKind.TASK and not given:
        raise BadRequest(f"{first.label} works on a task; the model must be imported first", first.source_field or "")
