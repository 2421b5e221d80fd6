"""What a request refers to: uploaded files and earlier tasks (docs/api.md, 2.6, 6.1 and 6.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...assetgen.contract import (
    CAPABILITIES,
    IMAGE_FORMATS,
    MODEL_FORMATS,
    VIEWS,
    FileRef,
    Gives,
    Takes,
    TaskRequest,
    TaskStatus,
    describe,
    file_references,
    is_task_id,
    value_text,
)
from ..errors import bad_parameter, not_found
from ..store.database import Database
from ..store.tasks import IMAGE_KEY, INPUT_FIELD, MODEL_FIELD, MODEL_KEY, VIEW_KEYS, Result, Sources, Task
from .validation import TASK_WANTED

BUCKET = "local"
"""The bucket that upload credentials name; the object's key is the file token."""

_URLS = ("http:", "https:", "data:")


def with_source(model: type[TaskRequest], body: Mapping[str, Any]) -> dict[str, Any]:
    """The body with the task that it refers to under its own field, where it came as a bare UUID in ``input``.

    Raises:
        ServiceError: ``input`` is something else, where only a task can be meant.
    """
    completed = dict(body)
    field = _task_field(model)
    if field in ("", INPUT_FIELD) or INPUT_FIELD not in body or field in body:
        return completed
    task_id = completed.pop(INPUT_FIELD)
    if not isinstance(task_id, str) or not is_task_id(task_id):
        raise bad_parameter(f"`{INPUT_FIELD}` is {value_text(task_id)}; allowed: {TASK_WANTED}")
    completed[field] = task_id
    return completed


def _task_field(model: type[TaskRequest]) -> str:
    """The field in which a capability takes a task; "" where it takes none."""
    if model.takes is Takes.MODEL_FILE:
        return ""
    return model.source_field or model.task_field or ""


def resolve(request: TaskRequest, sent: Mapping[str, Any], database: Database) -> Sources:
    """What a request works on.

    Args:
        request: The request.
        sent: The body as it came, to name the field that the client used.
        database: What is known of tasks and uploads.

    Raises:
        ServiceError: A task does not exist (2001), is not finished or of the wrong type; a file token is not valid, its
            bytes have not arrived, or are of the wrong kind (1004).
    """
    return Sources(task_id=_source_task(request, sent, database), tokens=_tokens(request, database))


def _source_task(request: TaskRequest, sent: Mapping[str, Any], database: Database) -> str:
    task_id = request.source_task()
    if task_id is None:
        return ""
    field = _field_used(request, sent, task_id)
    if not is_task_id(task_id):
        raise bad_parameter(f"`{field}` is {value_text(task_id)}; allowed: {TASK_WANTED}")
    task = database.task(task_id.lower())
    if task is None:
        raise not_found(task_id)
    _check_source(request, task, field)
    return task.id


def _field_used(request: TaskRequest, sent: Mapping[str, Any], task_id: str) -> str:
    field = _task_field(type(request))
    aliases = next((spec.aliases for spec in describe(type(request)) if spec.name == field), ())
    return next((name for name in (INPUT_FIELD, field, *aliases) if sent.get(name) == task_id), "inputs")


def _check_source(request: TaskRequest, task: Task, field: str) -> None:
    if task.status != TaskStatus.SUCCESS:
        raise bad_parameter(f"`{field}` names a task that is {task.status}; allowed: one that is success")
    made_by = CAPABILITIES.get(task.capability)
    if request.source_takes:
        eligible = task.capability in request.source_takes
        types = (CAPABILITIES[name].task_type for name in CAPABILITIES if name in request.source_takes)
        allowed = f"one of the type {' or '.join(types)}"
    else:
        eligible = made_by is not None and made_by.gives is Gives.MODEL
        allowed = "one that gives a model"
    if made_by is None or not eligible:
        raise bad_parameter(f"`{field}` names a task of the type {task.type}; allowed: {allowed}")
    if task.result is None or not _has_main_file(task.result, made_by.gives):
        what = "one that gives an image" if made_by.gives is Gives.IMAGES else "one that gives a model"
        raise bad_parameter(
            f"`{field}` names a task without files, or with none any more; allowed: one that gives {what}"
        )


def _has_main_file(result: Result, gives: Gives) -> bool:
    keys = {IMAGE_KEY, VIEW_KEYS[VIEWS[0]]} if gives is Gives.IMAGES else {MODEL_KEY}
    return bool(keys & result.files.keys())


def _tokens(request: TaskRequest, database: Database) -> dict[str, str | list[str]]:
    """File tokens by field: each file that the request gives, whichever field it came in."""
    # An import takes tokens only, no objects in a storage (docs/api.md, 8.4).
    importing = request.takes is Takes.MODEL_FILE
    check = _FileCheck(database, formats=MODEL_FORMATS if importing else IMAGE_FORMATS, objects=not importing)
    paths = {spec.name: ".".join(spec.path) for spec in describe(type(request))}
    tokens: dict[str, str | list[str]] = {}
    for name, reference in file_references(request).items():
        field = paths.get(name, name)
        tokens[MODEL_FIELD if importing else name] = (
            [check.token(one, field) for one in reference]
            if isinstance(reference, list)
            else check.token(reference, field)
        )
    return tokens


class _FileCheck:
    """Looks at the files of one request."""

    def __init__(self, database: Database, *, formats: tuple[str, ...], objects: bool) -> None:
        self._database = database
        self._formats = formats
        self._objects = objects

    def token(self, reference: FileRef, field: str) -> str:
        """The token of a file that is there and of the right kind."""
        token = self._named_token(reference, field)
        upload = self._database.upload_tokens.find(token)
        if upload is None:
            raise bad_parameter(f"`{field}`: the file token {value_text(token)} is not valid or has expired")
        if not upload.format:
            raise bad_parameter(f"`{field}`: no file has been sent for the file token {token} yet")
        if upload.format not in self._formats:
            kind = "a model" if self._formats is MODEL_FORMATS else "an image"
            raise bad_parameter(f"`{field}` is a {upload.format} file; allowed: {kind}")
        return token

    def _named_token(self, reference: FileRef, field: str) -> str:
        if isinstance(reference, str):
            if reference.lower().startswith(_URLS):
                raise _not_fetched(field)
            return reference
        if reference.file_token:
            return reference.file_token
        if reference.object and self._objects:
            return reference.object.get("key", "") if reference.object.get("bucket") == BUCKET else ""
        raise _not_fetched(field)


def _not_fetched(field: str) -> Exception:
    return bad_parameter(
        f"`{field}`: the local engine fetches nothing from elsewhere; upload the file and give its token (file_<uuid>)"
    )
