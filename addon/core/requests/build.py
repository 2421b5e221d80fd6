"""From the flattened fields that a user set to the request that the contract declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ....vendor.assetgen.contract import (
    MODEL_FORMATS,
    FieldKind,
    FieldSpec,
    FileObject,
    Region,
    RuleError,
    Takes,
    TaskRequest,
    capability,
    describe,
    is_file_reference,
    value_text,
)
from ..errors import BadRequest
from ..jobs.job import EXTRA, JobPlan, SourceKind
from ..jobs.late_files import late_files
from ..settings import Region as SetRegion
from .file_checks import check_file, is_below
from .model_files import check_model, upload_type
from .validation_messages import bad_request, broken_rule

PLACEHOLDER_TASK = "00000000-0000-0000-0000-000000000000"
PLACEHOLDER_TOKEN = "file_" + PLACEHOLDER_TASK
_FILE_KINDS = frozenset({FieldKind.FILE, FieldKind.FILES})


def check(
    name: str, fields: Mapping[str, Any], *, fed: bool = False, region: str = "", skip_folder: Path | None = None
) -> TaskRequest:
    """Makes sure that a request could be built from ``fields``, files included but for late ones. Nothing is sent.

    Args:
        name: The capability.
        fields: What the user set, flattened; files as paths.
        fed: Whether it gets the task of the step before, or the task that its job begins with.
        region: Where it will be sent, as in the settings; anything but a region of the contract is not known.
        skip_folder: Files below it are not looked at.

    Returns:
        The request, with placeholders for what only a running job knows.

    Raises:
        BadRequest: With a sentence, and the name of the field where there is one.
    """
    for spec, path in _paths(name, fields):
        if is_below(path, skip_folder) or late_files.is_late(Path(path)):
            continue
        if spec.formats == MODEL_FORMATS:
            check_model(path, field=spec.name)
        else:
            check_file(path, spec.formats, field=spec.name)
    request = _request(
        name,
        fields,
        source_task_id=PLACEHOLDER_TASK,
        file_token=PLACEHOLDER_TOKEN,
        file_type="glb",
        token_of=lambda path: PLACEHOLDER_TOKEN,
        fed=fed,
    )
    try:
        request.check_region(Region(region) if region in set(Region) else None)
        if region == SetRegion.LOCAL:
            request.check_local()
    except RuleError as error:
        raise broken_rule(error, describe(type(request))) from None
    return request


def build(
    name: str,
    fields: Mapping[str, Any],
    *,
    source_task_id: str = "",
    file_token: str = "",
    file_type: str = "glb",
    tokens: Mapping[str, str] | None = None,
    fed: bool = False,
) -> TaskRequest:
    """The request to send.

    Args:
        name: The capability.
        fields: What the user set, flattened; files as paths.
        source_task_id: The finished task that it works on, where it works on one.
        file_token: The uploaded model that it works on, where it works on one.
        file_type: File name extension of that model.
        tokens: For each path in ``fields``, the token that its upload gave.
        fed: Whether ``source_task_id`` also goes to a capability that does not need a task but can work on one.

    Raises:
        BadRequest: A value is out of bounds, or a file has no token.
    """
    uploaded = tokens or {}

    def token_of(path: str) -> str:
        try:
            return uploaded[path]
        except KeyError:
            raise BadRequest(f"{Path(path).name} has not been uploaded") from None

    return _request(
        name,
        fields,
        source_task_id=source_task_id,
        file_token=file_token,
        file_type=file_type,
        token_of=token_of,
        fed=fed,
    )


def files_of(name: str, fields: Mapping[str, Any]) -> tuple[str, ...]:
    """The paths among ``fields``: what has to be uploaded before the request can be built. Each one once."""
    return tuple(dict.fromkeys(path for _, path in _paths(name, fields)))


def uploads_of(plan: JobPlan) -> tuple[str, ...]:
    """The paths that a plan's steps name, each one once; what the plan works on is not among them."""
    return tuple(dict.fromkeys(path for step in plan.steps for path in files_of(step.capability, step.fields)))


def needs_upload(plan: JobPlan) -> bool:
    """Whether anything must reach the service before the first task."""
    return plan.source.kind in (SourceKind.SELECTION, SourceKind.MODEL_FILE) or bool(uploads_of(plan))


def _declaration(name: str) -> type[TaskRequest]:
    try:
        return capability(name)
    except LookupError as error:
        raise BadRequest(str(error)) from None


@cache
def _described(model: type[TaskRequest]) -> dict[str, FieldSpec]:
    """The fields by their names, the other names under which they are read included."""
    return {name: spec for spec in describe(model) for name in (spec.name, *spec.aliases)}


def _extra(model: type[TaskRequest], fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields that the declaration does not have, for the service to make something of."""
    extra = fields.get(EXTRA) or {}
    if not isinstance(extra, Mapping):
        raise BadRequest(f"Extra is {value_text(extra)}; allowed: an object", EXTRA)
    known = {name: spec for spec in describe(model) for name in (spec.path[0], *spec.aliases)}
    for name in extra:
        if name in known:
            raise BadRequest(f"{name} has an option of its own, {known[name].label}; Extra is for unknown ones", EXTRA)
    return extra


def _names(model: type[TaskRequest]) -> list[str]:
    return [spec.name for spec in describe(model)]


def _specs(model: type[TaskRequest], fields: Mapping[str, Any]) -> dict[str, FieldSpec]:
    specs = _described(model)
    for name in fields:
        if name not in specs and name != EXTRA:
            raise BadRequest(f"{model.label} has no field {name!r}; it has {', '.join(_names(model))}", name)
    return specs


def _paths(name: str, fields: Mapping[str, Any]) -> Iterator[tuple[FieldSpec, str]]:
    """The files among ``fields`` that the service does not have yet. What it has is passed on as it is."""
    model = _declaration(name)
    specs = _specs(model, fields)
    for field, value in fields.items():
        spec = specs.get(field)
        if spec is None or spec.kind not in _FILE_KINDS or value is None:
            continue
        for item in _items(spec, value):
            if not is_file_reference(item):
                yield spec, item


def _items(spec: FieldSpec, value: Any) -> Iterable[str]:
    """The files of a field as texts; one path will do for a field that takes several."""
    items = value if spec.kind is FieldKind.FILES and isinstance(value, list | tuple) else [value]
    for item in items:
        if not isinstance(item, str | Path):
            raise BadRequest(f"{spec.label} takes the path of a file, not {item!r}", spec.name)
    return [str(item) for item in items]


def _request(
    name: str,
    fields: Mapping[str, Any],
    *,
    source_task_id: str,
    file_token: str,
    file_type: str,
    token_of: Callable[[str], str],
    fed: bool,
) -> TaskRequest:
    model = _declaration(name)
    specs = _specs(model, fields)
    body: dict[str, Any] = dict(_extra(model, fields))
    used = {field for field, value in fields.items() if value is not None}
    if fed and model.task_field is not None:
        used.add(model.task_field)
    for field, value in fields.items():
        if value is not None and field != EXTRA:
            as_text = bool(specs[field].text_field) and specs[field].text_field not in used
            _set(body, specs[field].path, _given_value(specs[field], value, token_of, as_text=as_text))
    names_source = any(spec.source and spec.path[0] in body for spec in specs.values())
    if model.source_field is not None and not names_source:
        if model.takes is Takes.MODEL_FILE:
            body[model.source_field] = FileObject(type=file_type, file_token=file_token)
        else:
            body[model.source_field] = source_task_id
    elif fed and model.task_field is not None:
        body.setdefault(model.task_field, source_task_id)
    try:
        return model.model_validate(body)
    except ValidationError as error:
        raise bad_request(model, tuple(specs.values()), error) from None


def _set(body: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for step in path[:-1]:
        body = body.setdefault(step, {})
    body[path[-1]] = value


def _given_value(spec: FieldSpec, value: Any, token_of: Callable[[str], str], *, as_text: bool) -> Any:
    """A field's value as the declaration takes it, which brings files into the form that they have on the wire."""
    if spec.kind is FieldKind.FILE:
        return _reference(str(value), token_of, as_text=as_text)
    if spec.kind is FieldKind.FILES:
        return [_reference(item, token_of, as_text=as_text) for item in _items(spec, value)]
    return value


def _reference(value: str, token_of: Callable[[str], str], *, as_text: bool) -> str | FileObject:
    if is_file_reference(value):
        return value
    token = token_of(value)
    return token if as_text else FileObject(type=upload_type(value), file_token=token)
