"""Bodies read by the contract's models, and what is said when they do not fit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import ErrorDetails

from ...assetgen.contract import UNNAMED, FieldSpec, Takes, TaskRequest, allowed_values, describe
from ..errors import bad_parameter
from ..options import Region

_IGNORED = ("type", "enable_audit")
TASK_WANTED = "the id of a finished task, as a bare UUID"
_RULE = "value_error"
"""pydantic's type of an error that a validator of the contract raised."""

_SWITCHES = frozenset({"quad", "smart_low_poly", "generate_parts"})
_PASSED_OVER = "geometry_quality"
"""What the China deployment passes over for P1, the switches where they are off (docs/api.md, 9.1)."""

_MAX_REASONS = 3
_MAX_SHOWN = 60


class ManyTasks(BaseModel):
    """The body of ``POST /v3/tasks/list``."""

    task_ids: Annotated[list[str], Field(max_length=100)]


class UsagePage(BaseModel):
    """The query of ``GET /v3/account/usage``."""

    limit: Annotated[int, Field(ge=1, le=200)] = 50
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
        return model.model_validate_json(json.dumps(relevant), strict=True)
    except ValidationError as error:
        raise bad_parameter(_reasons(error, model)) from error


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
    accepted = dict(body)
    if region is Region.CHINA and model.refused(accepted):
        # Of these, the China deployment refuses only switches that are on.
        accepted = {name: value for name, value in accepted.items() if not _means_nothing(name, value)}
    if reason := model.refused(accepted):
        raise bad_parameter(reason)
    return accepted


def _means_nothing(name: str, value: object) -> bool:
    return name == _PASSED_OVER or (name in _SWITCHES and value is False)


def excerpt(value: object) -> str:
    """A value as an error message shows it."""
    text = json.dumps(value, default=str)
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 3]}..."


def _reasons(error: ValidationError, model: type[TaskRequest] | None = None) -> str:
    specs = describe(model) if model is not None else ()
    errors = [(_spec_of(details, specs), details) for details in error.errors(include_url=False)]
    # A union complains once for each of its members. Where one of them knows the value and says why it will not do, the
    # others have nothing to add.
    explained = {spec.name for spec, details in errors if spec is not None and details["type"] == _RULE}
    reasons = dict.fromkeys(
        _reason(details, spec, model)
        for spec, details in errors
        if details["type"] == _RULE or spec is None or spec.name not in explained
    )
    return "; ".join(list(reasons)[:_MAX_REASONS])


def _reason(details: ErrorDetails, spec: FieldSpec | None, model: type[TaskRequest] | None) -> str:
    name = ".".join(spec.path) if spec else ".".join(str(part) for part in details["loc"])
    allowed = _allowed(spec, model) if spec else ""
    if details["type"] == _RULE:  # a rule of the contract's own, which says all of it
        message = str(details.get("ctx", {}).get("error", details["msg"]))
        for unnamed in UNNAMED if name else ():
            message = f"`{name}`{message.removeprefix(unnamed)}" if message.startswith(f"{unnamed} ") else message
        return message if not name or name in message else f"`{name}`: {message}"
    if details["type"] == "missing":
        return f"`{name}` is missing" + (f"; allowed: {allowed}" if allowed else "")
    if not name:
        return details["msg"]
    return f"`{name}` is {excerpt(details['input'])}; allowed: {allowed or _lower(details['msg'])}"


def _spec_of(details: ErrorDetails, specs: Sequence[FieldSpec]) -> FieldSpec | None:
    # A union adds the names of its members to the location, so the field is the longest path that begins it.
    fitting = [spec for spec in specs if details["loc"][: len(spec.path)] == spec.path]
    return max(fitting, key=lambda spec: len(spec.path), default=None)


def _allowed(spec: FieldSpec, model: type[TaskRequest] | None) -> str:
    takes_task = model is not None and model.takes is not Takes.MODEL_FILE and spec.name == model.source_field
    return TASK_WANTED if takes_task else allowed_values(spec)


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
