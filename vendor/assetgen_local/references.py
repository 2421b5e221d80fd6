"""What a request refers to: uploaded files and earlier tasks (API sections 2.5, 3 and 4.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..assetgen.contract import (
    CAPABILITIES,
    IMAGE_FORMATS,
    MODEL_FORMATS,
    FieldKind,
    FieldSpec,
    Gives,
    Takes,
    TaskRequest,
    TaskStatus,
    describe,
)
from .envelope import bad_parameter, not_found
from .store import Store
from .tasks import MODEL_FIELD, Sources, Task
from .validation import TASK_WANTED, shown

BUCKET = "local"
"""The bucket that upload credentials name; the object's key is the file token."""

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_EMPTY_FILE = "`{field}` must specify url, object or file_token"
_FILE_FIELDS = ("file", "input")


def check_input_forms(body: Mapping[str, Any]) -> None:
    """Refuses what no endpoint takes as input, before the request is read: data URIs and ``file.data``.

    Raises:
        ServiceError: HTTP 400, code 1004.
    """
    given = body.get("input")
    if isinstance(given, str) and given[:5].lower() == "data:":
        raise bad_parameter("`input` must not be a data URI; upload the file and give its token")
    file = body.get("file")
    if isinstance(file, dict) and not any(file.get(name) for name in ("url", "object", "file_token")):
        raise bad_parameter(_EMPTY_FILE.format(field="file"))


def with_source(model: type[TaskRequest], body: Mapping[str, Any]) -> dict[str, Any]:
    """The body with the source task under its own field, where it came as a bare UUID in ``input``.

    Raises:
        ServiceError: ``input`` is something else, where a task is expected.
    """
    completed = dict(body)
    field = model.source_field
    if model.takes is not Takes.MODEL_TASK or field is None or "input" not in body or field in body:
        return completed
    given = completed.pop("input")
    if not isinstance(given, str) or not _UUID.fullmatch(given):
        raise bad_parameter(f"`input` is {shown(given)}; allowed: {TASK_WANTED}")
    completed[field] = given
    return completed


def resolve(request: TaskRequest, store: Store) -> Sources:
    """What a request works on.

    Raises:
        ServiceError: A task does not exist (2001), is not finished or of the wrong type; a file token is not valid, its
            bytes have not arrived, or are of the wrong kind (1004).
    """
    return Sources(task_id=_source_task(request, store), tokens=_tokens(request, store))


def _source_task(request: TaskRequest, store: Store) -> str:
    if request.takes is not Takes.MODEL_TASK or request.source_field is None:
        return ""
    given: str = getattr(request, request.source_field)
    if not _UUID.fullmatch(given):
        raise bad_parameter(f"`{request.source_field}` is {shown(given)}; allowed: {TASK_WANTED}")
    task = store.task(given.lower())
    if task is None:
        raise not_found(given)
    _check_source(task, request.source_field)
    return task.id


def _check_source(task: Task, field: str) -> None:
    if task.status != TaskStatus.SUCCESS:
        raise bad_parameter(f"`{field}` names a task that is {task.status}; allowed: one that is success")
    made_by = CAPABILITIES.get(task.capability)
    gives_model = made_by is not None and made_by.gives is Gives.MODEL
    if not gives_model or task.result is None or "model_url" not in task.result.files:
        raise bad_parameter(f"`{field}` names a task of the type {task.type}; allowed: one that gives a model")


def _tokens(request: TaskRequest, store: Store) -> dict[str, str | list[str]]:
    """File tokens by field: each file that the request gives, whichever field it came in."""
    tokens: dict[str, str | list[str]] = {}
    body = request.body()
    if request.takes is Takes.MODEL_FILE:
        field = next(name for name in _FILE_FIELDS if body.get(name) is not None)
        # An import takes tokens only: "object references are not" accepted (API section 4.5).
        tokens[MODEL_FIELD] = _token(body[field], field, store, model=True, objects=False)
        return tokens
    for spec in describe(type(request)):
        given = _value(body, spec)
        if given is None:
            continue
        if spec.kind is FieldKind.FILE:
            tokens[spec.name] = _token(given, ".".join(spec.path), store, model=False)
        elif spec.kind is FieldKind.FILES:
            tokens[spec.name] = [_token(item, ".".join(spec.path), store, model=False) for item in given]
    return tokens


def _value(body: Mapping[str, Any], spec: FieldSpec) -> Any:
    value: Any = body
    for name in spec.path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _token(given: Any, field: str, store: Store, *, model: bool, objects: bool = True) -> str:
    token = _token_text(given, field, objects)
    upload = store.upload(token)
    if upload is None:
        raise bad_parameter(f"`{field}`: the file token {shown(token)} is not valid or has expired")
    if not upload.format:
        raise bad_parameter(f"`{field}`: no file has been sent for the file token {token} yet")
    if upload.format not in (MODEL_FORMATS if model else IMAGE_FORMATS):
        raise bad_parameter(f"`{field}` is a {upload.format} file; allowed: {'a model' if model else 'an image'}")
    return token


def _token_text(given: Any, field: str, objects: bool) -> str:
    if isinstance(given, str):
        if given.lower().startswith(("http:", "https:", "data:")):
            raise _not_fetched(field)
        return given
    if token := given.get("file_token"):
        return str(token)
    if (named := given.get("object")) and objects:
        return str(named.get("key", "")) if named.get("bucket") == BUCKET else ""
    if given.get("url") or given.get("object"):
        raise _not_fetched(field)
    raise bad_parameter(_EMPTY_FILE.format(field=field))


def _not_fetched(field: str) -> Exception:
    return bad_parameter(
        f"`{field}`: the local engine fetches nothing from elsewhere; upload the file and give its token (file_<uuid>)"
    )
