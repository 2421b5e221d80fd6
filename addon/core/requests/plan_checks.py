"""Is this a plan that can be carried out? Nothing here touches the network."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ....vendor.assetgen.contract import Gives, Takes, TaskRequest, capability, describe
from ..errors import BadRequest, Refused
from ..jobs.job import JobPlan, SourceKind, Stage, StepPlan
from .build import PLACEHOLDER_TASK, check, needs_upload
from .file_checks import is_below
from .model_files import check_model

_UPLOADED = (SourceKind.SELECTION, SourceKind.MODEL_FILE)


def check_plan(
    plan: JobPlan, capability_of: Callable[[str], str], region: str = "", *, skip_folder: Path | None = None
) -> None:
    """Makes sure that a plan makes sense and that its files are there. See :func:`check_plans`."""
    check_plans([plan], capability_of, region, skip_folder=skip_folder)


def check_plans(
    plans: Iterable[JobPlan],
    capability_of: Callable[[str], str],
    region: str = "",
    *,
    skip_folder: Path | None = None,
) -> None:
    """Makes sure that plans make sense and that their files are there. Steps that are the same are checked once.

    Args:
        plans: What the user asked for.
        capability_of: Which capability made a task; empty where that is not known.
        region: Where the service is, as in the settings.
        skip_folder: Files below it are not looked at: for a thread that must not wait for the drive that it is on.

    Raises:
        Refused: It is not so; nothing was written or sent.
    """
    checked: dict[str, TaskRequest] = {}
    for plan in plans:
        if not plan.steps:
            raise Refused("There is nothing to do in this plan")
        on_task = plan.source.kind is SourceKind.TASK
        key = f"{on_task} {plan.steps}"
        if key not in checked:
            checked[key] = _check_steps(plan.steps, region, on_task=on_task, skip_folder=skip_folder)
        _check_plan(plan, checked[key], capability_of, skip_folder)


def _check_plan(
    plan: JobPlan, first: TaskRequest, capability_of: Callable[[str], str], skip_folder: Path | None
) -> None:
    _check_source(plan, first, skip_folder)
    task = plan.source.task_id if first.source_task() == PLACEHOLDER_TASK else first.source_task()
    if task:
        _check_task(first, capability_of(task))
    folder = plan.delivery.folder
    if folder and not is_below(folder, skip_folder) and Path(folder).is_file():
        raise Refused(f"{plan.delivery.folder} is a file; results go into a folder")
    if plan.delivery.file_name and not is_below(folder, skip_folder) and not Path(folder).is_dir():
        raise Refused(f"There is no folder {folder}", "Choose another one")


def first_stage(plan: JobPlan) -> Stage:
    """The stage that a new job begins with. Its snapshot, where it has one, has been made by the caller."""
    return Stage.UPLOAD if needs_upload(plan) else Stage.CREATE


def _check_source(plan: JobPlan, first: TaskRequest, skip_folder: Path | None) -> None:
    """Makes sure that the source is there, and that it is of the kind that the first step works on."""
    source = plan.source
    if source.kind is SourceKind.TASK and not source.task_id:
        raise Refused("The task to go on with is missing")
    if source.kind is SourceKind.SELECTION:
        if not is_below(source.path, skip_folder) and not Path(source.path).is_file():
            raise Refused(f"The snapshot of the selection is missing: {source.path}")
        if source.snapshot is None or not source.snapshot.objects:
            raise Refused("Nothing is selected", "Select a mesh object and try again")
    if source.kind is SourceKind.MODEL_FILE and not is_below(source.path, skip_folder):
        check_model(source.path)
    field = first.source_field or ""
    names_source = any(spec.source and spec.name in plan.steps[0].fields for spec in describe(type(first)))
    if first.takes is Takes.MODEL_FILE:
        if source.kind not in _UPLOADED and not names_source:
            raise BadRequest(f"{first.label} needs a model to upload", field)
    elif source.kind in _UPLOADED:
        if first.takes in (Takes.NOTHING, Takes.IMAGES):
            raise BadRequest(f"{first.label} does not work on a model")
        raise BadRequest(f"{first.label} works on a task; the model must be imported first", field)
    elif first.source_field is not None and source.kind is not SourceKind.TASK and not names_source:
        raise BadRequest(f"{first.label} works on a task; the model must be imported first", field)
    elif source.kind is SourceKind.TASK and first.source_field is None and first.task_field is None:
        raise BadRequest(f"{first.label} {works_on(type(first))}")


# Which task can feed which capability: refused here, where the service would refuse it later


def _check_steps(steps: Sequence[StepPlan], region: str, *, on_task: bool, skip_folder: Path | None) -> TaskRequest:
    """Makes sure that each step can be built and that each after the first can work on the one before.

    Args:
        steps: One or more.
        region: Where the service is.
        on_task: Whether the job begins with an earlier task.
        skip_folder: Files below it are not looked at.

    Returns:
        The request of the first step, with placeholders for what only a running job knows.

    Raises:
        BadRequest: It is not so.
    """
    requests = [
        check(step.capability, step.fields, fed=on_task or place > 0, region=region, skip_folder=skip_folder)
        for place, step in enumerate(steps)
    ]
    for before, request in itertools.pairwise(requests):
        # A step that names its task itself does not need the one before.
        if request.source_task() in (None, PLACEHOLDER_TASK) and not feeds(before.name, type(request)):
            raise BadRequest(
                f"{request.label} cannot follow {before.label}: it {works_on(type(request))}",
                request.source_field or "",
            )
    return requests[0]


def _check_task(request: TaskRequest, known_capability: str) -> None:
    """Makes sure that a request can work on a task of a capability; empty where that is not known.

    A task that is not known was made elsewhere. The service will say, and a refusal costs nothing.

    Raises:
        BadRequest: It cannot.
    """
    if known_capability and not feeds(known_capability, type(request)):
        label = capability(known_capability).label
        raise BadRequest(
            f"{request.label} {works_on(type(request))}; this task is one of {label}", request.source_field or ""
        )


def feeds(name: str, model: type[TaskRequest]) -> bool:
    """Whether the result of the capability ``name`` is what ``model`` can work on."""
    if model.source_takes:
        return name in model.source_takes
    return model.takes is Takes.MODEL_TASK and capability(name).gives is Gives.MODEL


def works_on(model: type[TaskRequest]) -> str:
    """What a capability works on, for the end of a sentence."""
    if model.source_takes:
        labels = sorted(capability(name).label for name in model.source_takes)
        return f"works on the result of {' or '.join(labels)}"
    match model.takes:
        case Takes.MODEL_FILE:
            return "takes an uploaded model, so it can only come first"
        case Takes.NOTHING | Takes.IMAGES:
            return "does not work on an earlier task, so it can only come first"
        case _:
            return "works on a model"
