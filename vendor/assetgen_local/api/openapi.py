"""The service as an OpenAPI 3.1 document, made from the declarations: what is served is what is described."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from http import HTTPStatus
from typing import Any

from ...assetgen.contract import CAPABILITIES, TaskRequest
from .openapi_schemas import all_schemas, reference, success_of, usage_parameters

_JSON = "application/json"
_KEY = "key"
_IDS = ("X-Request-ID", "X-Service-Trace-ID")
_RATES = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")

_ALWAYS = (
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.INTERNAL_SERVER_ERROR,
    HTTPStatus.INSUFFICIENT_STORAGE,
)
_BODY = (HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
_SAID: Mapping[HTTPStatus, str] = {
    HTTPStatus.BAD_REQUEST: "The request cannot be read (1003), or a field or a reference cannot be taken (1004).",
    HTTPStatus.UNAUTHORIZED: "The key is missing or not valid here (2).",
    HTTPStatus.FORBIDDEN: "Too few credits (2010), or a priority above the account's (2013).",
    HTTPStatus.NOT_FOUND: "There is no such task (2001).",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is too large (2021).",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The body has another content type (1003).",
    HTTPStatus.TOO_MANY_REQUESTS: "The rate window is used up (1007), or the task's pool is full (2000).",
    HTTPStatus.INTERNAL_SERVER_ERROR: "The local engine failed on the request (1000).",
    HTTPStatus.NOT_IMPLEMENTED: "The local engine has no geometry for this capability yet (1000).",
    HTTPStatus.INSUFFICIENT_STORAGE: "The disk is full (1000).",
}


@cache
def document() -> dict[str, Any]:
    """The document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Asset generation, local engine",
            "version": "3",
            "description": "API version 3 on 127.0.0.1. A path answers other methods than its own with 405 (1003), and"
            " any other path under /v3 with 404 (4001).",
        },
        "security": [{_KEY: []}],
        "paths": {**{model.endpoint: {"post": _creation(model)} for model in CAPABILITIES.values()}, **_others()},
        "components": {
            "schemas": all_schemas(),
            "headers": {name: {"schema": {"type": "string"}} for name in _IDS}
            | {name: {"schema": {"type": "integer"}} for name in _RATES},
            "parameters": {
                "RequestId": {
                    "name": "X-Request-ID",
                    "in": "header",
                    "required": False,
                    "schema": {"type": "string"},
                }
            },
            "responses": {_name(status): _failure(status) for status in _SAID},
            "securitySchemes": {_KEY: {"type": "http", "scheme": "bearer"}},
        },
    }


def _creation(model: type[TaskRequest]) -> dict[str, Any]:
    failures = (*_BODY, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.NOT_IMPLEMENTED)
    return _operation(
        model.name,
        model.summary,
        reference("TaskCreated"),
        failures,
        tag=model.tier,
        body={_JSON: reference(model.__name__)},
    )


def _others() -> dict[str, Any]:
    task_id = {"name": "task_id", "in": "path", "required": True, "schema": {"type": "string"}}
    file = {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}, "required": ["file"]}
    free = {_JSON: {"description": "The API does not show it; anything is taken"}}
    only_size = (HTTPStatus.REQUEST_ENTITY_TOO_LARGE,)
    read = _operation(
        "read_task", "One task with fresh links", reference("TaskDetail"), (HTTPStatus.NOT_FOUND,), tag="Tasks"
    )
    usage = _operation(
        "read_usage", "A page of tasks, the newest first", reference("Usage"), (HTTPStatus.BAD_REQUEST,), tag="Account"
    )
    return {
        "/v3/tasks/{task_id}": {"parameters": [task_id], "get": read},
        "/v3/tasks/list": {
            "post": _operation(
                "read_tasks",
                "Many tasks by id",
                reference("TaskList"),
                _BODY,
                tag="Tasks",
                body={_JSON: reference("TaskIds")},
            )
        },
        "/v3/files": {
            "post": _operation(
                "upload",
                "Uploads one file",
                reference("FileToken"),
                _BODY,
                tag="Files",
                body={"multipart/form-data": file},
            )
        },
        "/v3/files/presign": {
            "post": _operation(
                "presign",
                "A link that takes the bytes of a file by PUT",
                reference("Presigned"),
                only_size,
                tag="Files",
                body=free,
                needed=False,
            )
        },
        "/v3/files/upload-credentials": {
            "post": _operation(
                "upload_credentials",
                "The same in the form of storage credentials",
                reference("UploadCredentials"),
                only_size,
                tag="Files",
                body=free,
                needed=False,
            )
        },
        "/v3/account/balance": {
            "get": _operation("read_balance", "The account's credits", reference("Balance"), (), tag="Account")
        },
        "/v3/account/usage": {"get": usage | {"parameters": [*usage["parameters"], *usage_parameters()]}},
    }


def _operation(
    name: str,
    summary: str,
    data: dict[str, Any],
    failures: Iterable[HTTPStatus],
    *,
    tag: str,
    body: Mapping[str, Any] | None = None,
    needed: bool = True,
) -> dict[str, Any]:
    """One operation.

    Args:
        name: Its id.
        summary: What it does.
        data: Schema of the success's data.
        failures: How it can fail beside what any request can meet.
        tag: The group it is shown in.
        body: Schema of its body by media type.
        needed: Whether there must be a body.
    """
    operation: dict[str, Any] = {
        "operationId": name,
        "summary": summary,
        "tags": [str(tag)],
        "parameters": [{"$ref": "#/components/parameters/RequestId"}],
    }
    if body is not None:
        operation["requestBody"] = {
            "required": needed,
            "content": {kind: {"schema": schema} for kind, schema in body.items()},
        }
    content = {_JSON: {"schema": success_of(data)}}
    success = {"description": "Success.", "headers": _headers(), "content": content}
    operation["responses"] = {"200": success} | {
        str(int(status)): {"$ref": f"#/components/responses/{_name(status)}"}
        for status in sorted({*failures, *_ALWAYS})
    }
    return operation


def _headers() -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in (*_IDS, *_RATES)}


def _failure(status: HTTPStatus) -> dict[str, Any]:
    schema = "TooMany" if status is HTTPStatus.TOO_MANY_REQUESTS else "Error"
    return {
        "description": _SAID[status],
        "headers": _headers(),
        "content": {_JSON: {"schema": reference(schema)}},
    }


def _name(status: HTTPStatus) -> str:
    return "".join(word.capitalize() for word in status.phrase.replace("-", " ").split())
