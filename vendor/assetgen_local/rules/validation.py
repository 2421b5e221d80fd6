"""Bodies read by the contract's models, and what is said when they do not fit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from ...assetgen.contract import (
    MARKER_FIELD,
    MAX_TASK_IDS,
    MAX_USAGE_ROWS,
    UNNAMED,
    Complaint,
    FieldKind,
    FieldSpec,
    Reason,
    Region,
    RuleError,
    Takes,
    TaskRequest,
    allowed_values,
    complaints,
    describe,
    value_text,
)
from ..errors import bad_parameter

_IGNORED = ("type", "enable_audit", MARKER_FIELD)
"""Fields that say nothing about the task. The echo shows them, price and engine never see them."""
TASK_WANTED = "the id of a finished task, as a bare UUID"
_MAX_REASONS = 3


class ManyTasks(BaseModel):
    """The body of ``POST /v3/tasks/list``."""

    task_ids: Annotated[list[str], Field(max_length=MAX_TASK_IDS)]


class UsagePage(BaseModel):
    """The query of ``GET /v3/account/usage``."""

    limit: Annotated[int, Field(ge=1, le=MAX_USAGE_ROWS)] = 50
    offset: Annotated[int, Field(ge=0, le=2**62)] = 0


def read_request(model: type[TaskRequest], body: Mapping[str, Any], region: Region) -> TaskRequest:
    """A creation request, as a region of the service takes it.

    JSON types are taken as they are: ``"5000"`` is no integer.

    Raises:
        ServiceError: The body does not fit, or has fields that its model version does not take (code 1004); the message
            names field, given value and what is allowed.
    """
    accepted = _accepted(model, body, region)
    relevant = {name: value for name, value in accepted.items() if name not in _IGNORED}
    try:
        request = model.model_validate_json(json.dumps(relevant), strict=True)
    except ValidationError as error:
        raise bad_parameter(_reasons(error, model)) from error
    try:
        request.check_region(region)
    except RuleError as error:
        raise bad_parameter(str(error)) from error
    return request


def read_many_tasks(body: Mapping[str, Any]) -> list[str]:
    """The ids that a client wants to read.

    Raises:
        ServiceError: The body does not fit (code 1004).
    """
    try:
        return ManyTasks.model_validate_json(json.dumps(body), strict=True).task_ids
    except ValidationError as error:
        raise bad_parameter(_reasons(error)) from error


def read_usage_page(query: Mapping[str, str]) -> UsagePage:
    """The page of usage rows that a client wants.

    Raises:
        ServiceError: ``limit`` or ``offset`` do not fit (code 1004).
    """
    try:
        return UsagePage.model_validate(dict(query))
    except ValidationError as error:
        raise bad_parameter(_reasons(error)) from error


def _accepted(model: type[TaskRequest], body: Mapping[str, Any], region: Region) -> dict[str, Any]:
    """The body, without what this region passes over and the other one refuses."""
    _check_no_null(model, body)
    if reason := model.refused(body, region):
        raise bad_parameter(reason)
    if region is Region.INTERNATIONAL or not model.refused(body):
        return dict(body)
    passed_over = {spec.name: spec for spec in describe(model) if spec.forbidden_by}
    for name in passed_over.keys() & body.keys():
        _check_value(passed_over[name], body[name])
    return {name: value for name, value in body.items() if name not in passed_over}


def _check_value(spec: FieldSpec, value: Any) -> None:
    """Lets a switch or a choice pass whose value is one; what it says is of no consequence."""
    known = isinstance(value, bool) if spec.kind is FieldKind.SWITCH else value in spec.choices
    if not known:
        raise bad_parameter(f"`{spec.name}` is {value_text(value)}; allowed: {allowed_values(spec)}")


def _check_no_null(model: type[TaskRequest], body: Mapping[str, Any]) -> None:
    """No field has null among its values; what is not given is left out."""
    for spec in describe(model):
        for path in (spec.path, *((alias,) for alias in spec.aliases)):
            if _is_null(body, path):
                words = TASK_WANTED if _names_task(spec, model) else allowed_values(spec)
                raise bad_parameter(f"`{'.'.join(path)}` is null; allowed: {words}")


def _is_null(body: Mapping[str, Any], path: tuple[str, ...]) -> bool:
    value: Any = body
    for step in path:
        if not isinstance(value, Mapping) or step not in value:
            return False
        value = value[step]
        if value is None:
            return True
    return False


def _reasons(error: ValidationError, model: type[TaskRequest] | None = None) -> str:
    refusals = complaints(error, describe(model) if model is not None else ())
    # A union complains once for each of its members. Where one of them knows the value and says why it will not do, the
    # others have nothing to add.
    explained = {one.spec.name for one in refusals if one.spec is not None and one.reason is Reason.RULE}
    reasons = dict.fromkeys(
        _reason(one, model)
        for one in refusals
        if one.reason is Reason.RULE or one.spec is None or one.spec.name not in explained
    )
    return "; ".join(list(reasons)[:_MAX_REASONS])


def _reason(complaint: Complaint, model: type[TaskRequest] | None) -> str:
    spec = complaint.spec
    name = ".".join(spec.path if spec else complaint.place)
    if complaint.reason is Reason.RULE:
        message = complaint.words
        for unnamed in UNNAMED if name else ():
            message = f"`{name}`{message.removeprefix(unnamed)}" if message.startswith(f"{unnamed} ") else message
        return message if not name or name in message else f"`{name}`: {message}"
    allowed = TASK_WANTED if spec and model and _names_task(spec, model) else complaint.allowed
    if complaint.reason is Reason.MISSING:
        return f"`{name}` is missing" + (f"; allowed: {allowed}" if spec else "")
    return f"`{name}` is {value_text(complaint.given)}; allowed: {allowed}" if name else complaint.words


def _names_task(spec: FieldSpec, model: type[TaskRequest]) -> bool:
    return model.takes is not Takes.MODEL_FILE and spec.name == model.source_field
