"""The shape of every answer (docs/api.md, 1.2), and the error that handlers raise to get one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from ..assetgen.contract import ErrorCode

_SUGGESTIONS: Mapping[int, str] = {
    ErrorCode.AUTHENTICATION: "Check the API key, and that it belongs to this service.",
    ErrorCode.SERVER_ERROR: "Try again; if it stays, look into the engine's log.",
    ErrorCode.MALFORMED_REQUEST: "Check the request's method, content type and JSON.",
    ErrorCode.BAD_PARAMETER: "Correct the named field and send the request again.",
    ErrorCode.RATE_LIMITED: "Wait until the window resets, then try again.",
    ErrorCode.CONCURRENCY_LIMIT: "Wait until a running task has ended, then try again.",
    ErrorCode.TASK_NOT_FOUND: "Check the task id.",
    ErrorCode.MODERATION: "Say it in other words.",
    ErrorCode.INSUFFICIENT_CREDITS: "Add credits, or wait until running tasks give theirs back.",
    ErrorCode.PRIORITY_NOT_ALLOWED: "Leave `priority` out, or lower it.",
    ErrorCode.TOO_LARGE_2021: "Send less at once.",
    ErrorCode.UNKNOWN_ROUTE: "Check the path.",
}
BRIEF_CODES = frozenset({ErrorCode.RATE_LIMITED, ErrorCode.CONCURRENCY_LIMIT})
"""Codes whose published bodies carry neither ``status`` nor ``request_id``."""


class ServiceError(Exception):
    """An answer that says no.

    Args:
        code: One of docs/api.md, 3.1.
        message: What is wrong, for a person.
        status: HTTP status.
        headers: Headers that belong to this answer.
    """

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        status: int = HTTPStatus.BAD_REQUEST,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.headers = dict(headers or {})

    def response(self, request_id: str) -> Response:
        """The answer that carries this error."""
        body: dict[str, Any] = {
            "code": int(self.code),
            "message": self.message,
            "suggestion": _SUGGESTIONS.get(self.code, ""),
        }
        if self.code not in BRIEF_CODES:
            body |= {"status": "error", "request_id": request_id}
        return json_response(body, self.status, self.headers)


def bad_parameter(message: str) -> ServiceError:
    """A field, a value or a reference that cannot be taken (HTTP 400, code 1004)."""
    return ServiceError(ErrorCode.BAD_PARAMETER, message)


def malformed(message: str, status: int = HTTPStatus.BAD_REQUEST) -> ServiceError:
    """A request that cannot be read (code 1003)."""
    return ServiceError(ErrorCode.MALFORMED_REQUEST, message, status=status)


def too_large(message: str) -> ServiceError:
    """A body above its bound (HTTP 413, code 2021)."""
    return ServiceError(ErrorCode.TOO_LARGE_2021, message, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


def not_found(task_id: str) -> ServiceError:
    """A task that does not exist (HTTP 404, code 2001)."""
    return ServiceError(ErrorCode.TASK_NOT_FOUND, f"there is no task {task_id[:80]}", status=HTTPStatus.NOT_FOUND)


def success(data: Mapping[str, Any]) -> Response:
    """An answer that says yes."""
    return json_response({"code": int(ErrorCode.SUCCESS), "status": "success", "data": data})


def json_response(
    body: Mapping[str, Any], status: int = HTTPStatus.OK, headers: Mapping[str, str] | None = None
) -> Response:
    """A JSON answer. Plain ASCII, because a lone surrogate that a client sent has no form in UTF-8."""
    return Response(json.dumps(body, separators=(",", ":")), status, headers, media_type="application/json")
