"""Which task can feed which capability: refused before anything is sent, where the service would refuse it later."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ....vendor.assetgen.contract import Gives, Takes, TaskRequest, capability
from ..errors import BadRequest
from ..jobs.job import StepPlan
from .build import PLACEHOLDER_TASK, check


def check_steps(steps: Sequence[StepPlan], *, on_task: bool) -> TaskRequest:
    """Makes sure that each step can be built and that each after the first can work on the one before.

    Args:
        steps: One or more.
        on_task: Whether the job begins with an earlier task.

    Returns:
        The request of the first step, with placeholders for what only a running job knows.

    Raises:
        BadRequest: It is not so.
    """
    requests = [check(step.capability, step.fields, fed=on_task or place > 0) for place, step in enumerate(steps)]
    for before, request in itertools.pairwise(requests):
        # A step that names its task itself does not need the one before.
        if request.source_task() in (None, PLACEHOLDER_TASK) and not feeds(before.name, type(request)):
            raise BadRequest(
                f"{request.label} cannot follow {before.label}: it {works_on(type(request))}",
                request.source_field or "",
            )
    return requests[0]


def check_task(request: TaskRequest, known_capability: str) -> None:
    """Makes sure that a request can work on a task of a capability; empty where that is not known.

    A task that is not known was made elsewhere. The service will tell, and a refusal costs nothing.

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
