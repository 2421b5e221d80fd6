"""Reads what the service answers: the envelope, and which error an answer means (docs/api.md, 1.2 and 3.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from . import errors
from .answer_bodies import json_object
from .contract import ErrorCode
from .retrying import retry_after, until_reset

_BY_CODE: dict[int, type[errors.APIError]] = {
    ErrorCode.AUTHENTICATION: errors.AuthenticationError,
    ErrorCode.AUTHENTICATION_2: errors.AuthenticationError,
    ErrorCode.SERVER_ERROR: errors.ServerError,
    ErrorCode.SERVER_ERROR_2: errors.ServerError,
    ErrorCode.MALFORMED_REQUEST: errors.BadParameterError,
    ErrorCode.BAD_PARAMETER: errors.BadParameterError,
    ErrorCode.RATE_LIMITED: errors.RateLimitError,
    ErrorCode.CONCURRENCY_LIMIT: errors.ConcurrencyError,
    ErrorCode.TASK_NOT_FOUND: errors.NotFoundError,
    ErrorCode.INPUT_2002: errors.BadParameterError,
    ErrorCode.INPUT_2003: errors.BadParameterError,
    ErrorCode.INPUT_2004: errors.BadParameterError,
    ErrorCode.INPUT_2005: errors.BadParameterError,
    ErrorCode.INPUT_2006: errors.BadParameterError,
    ErrorCode.INPUT_2007: errors.BadParameterError,
    ErrorCode.MODERATION: errors.ModerationError,
    ErrorCode.INPUT_2009: errors.BadParameterError,
    ErrorCode.INSUFFICIENT_CREDITS: errors.InsufficientCreditsError,
    ErrorCode.PRIORITY_NOT_ALLOWED: errors.PermissionDeniedError,
    ErrorCode.VERSION_2015: errors.VersionError,
    ErrorCode.VERSION_2016: errors.VersionError,
    ErrorCode.VERSION_2017: errors.VersionError,
    ErrorCode.TOO_LARGE_2021: errors.TooLargeError,
    ErrorCode.TOO_LARGE_2022: errors.TooLargeError,
    ErrorCode.UNKNOWN_ROUTE: errors.NotFoundError,
}

_BY_STATUS: dict[int, type[errors.APIError]] = {
    400: errors.BadParameterError,
    403: errors.PermissionDeniedError,
    404: errors.NotFoundError,
    405: errors.BadParameterError,
    413: errors.TooLargeError,
    415: errors.BadParameterError,
    422: errors.BadParameterError,
    429: errors.RateLimitError,
}

_WITHOUT_ENVELOPE = frozenset({401, 413, 429})
"""Statuses that proxies before the service answer with bodies of their own, and that mean the same from them. A bare
404 is not among them: it may come from a wrong address, and must not be taken for "this task does not exist"."""

_GIVEN_UP = frozenset({408, 444, 460, 499})
"""Statuses of a service or proxy that gave up on a request, which may be under way behind it nevertheless."""

_LONGEST_TEXT = 2000
"""Of a message or an id. They come into the journal and onto the screen, whoever wrote them."""

_LONGEST_CODE = 9
"""Digits of a code that is given as a text."""

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Answer:
    """A successful answer: the envelope's ``data`` and the id of the request that it answers."""

    data: Any
    request_id: str


def read_answer(response: httpx.Response, request_id: str, hide: Callable[[str], str]) -> Answer:
    """Opens the envelope of an answer.

    Args:
        response: An answer that was read to its end.
        request_id: The id that the request was sent with.
        hide: Takes secrets out of a text; the service may repeat them.

    Raises:
        APIError: The service answered with an error; the class says which kind.
        InvalidAnswerError: It is not an answer of this API.
    """
    body = json_object(response.content)
    code = _code(body)
    request_id = _fit(hide(response.headers.get("x-request-id", ""))) or request_id
    if code == ErrorCode.SUCCESS and response.is_success:
        return Answer(body.get("data"), request_id)
    kind = _kind(response.status_code, code)
    if kind is None:
        raise errors.InvalidAnswerError(
            _not_ours(response),
            status=response.status_code,
            request_id=request_id,
            may_have_arrived=_may_have_arrived(response, code),
        )
    reason = f"{response.status_code} {response.reason_phrase}".strip()
    asked = retry_after(response.headers)
    if asked is None and kind is errors.RateLimitError:
        asked = until_reset(response.headers)
    raise kind(
        _text(body, "message", hide) or f"the service answered {reason}",
        code=code,
        status=response.status_code,
        suggestion=_text(body, "suggestion", hide),
        request_id=_text(body, "request_id", hide) or request_id,
        trace_id=_fit(hide(response.headers.get("x-service-trace-id", ""))),
        retry_after=asked,
        may_have_arrived=kind is errors.ServerError or _may_have_arrived(response, code),
    )


def parse(model: type[Model], data: Any, what: str, request_id: str) -> Model:
    """Reads ``data`` as ``model``.

    Raises:
        InvalidAnswerError: It does not fit. The text names the field but shows no value, which could be a signed link.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "data"
        raise errors.InvalidAnswerError(
            f"the service's answer about {what} cannot be read: {where}: {first['msg']}",
            status=200,
            request_id=request_id,
            may_have_arrived=True,
            in_envelope=True,
        ) from None


def _may_have_arrived(response: httpx.Response, code: int | None) -> bool:
    """Whether an answer that is no good leaves open what became of the request.

    Only a refusal settles it: a status that is one, or a code of the API. A code that the API does not know, under a
    status of success, is the answer of somebody else.
    """
    if response.status_code >= 500 or response.status_code in _GIVEN_UP or code == ErrorCode.SUCCESS:
        return True
    return response.is_success and code not in _BY_CODE


def _kind(status: int, code: int | None) -> type[errors.APIError] | None:
    """The class of the error; None when something else than the service seems to have answered."""
    if status == 401:
        return errors.AuthenticationError
    if code is None or code == ErrorCode.SUCCESS:
        by_status = _BY_STATUS.get(status) if status in _WITHOUT_ENVELOPE else None
        return errors.ServerError if status >= 500 else by_status
    if code in _BY_CODE:
        return _BY_CODE[code]
    return errors.ServerError if status >= 500 else _BY_STATUS.get(status, errors.APIError)


def _code(body: dict[str, Any]) -> int | None:
    code = body.get("code")
    if isinstance(code, str) and code.isdecimal() and len(code) <= _LONGEST_CODE:
        return int(code)
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def _text(body: dict[str, Any], name: str, hide: Callable[[str], str]) -> str:
    value = body.get(name)
    return _fit(hide(value)) if isinstance(value, str) else ""


def _fit(text: str) -> str:
    """A text of the service as far as it can be stored and shown: JSON can hold half characters, and any number."""
    return text[:_LONGEST_TEXT].encode(errors="replace").decode().strip()


def _not_ours(response: httpx.Response) -> str:
    if response.is_redirect:
        return (
            f"the service's address leads elsewhere (HTTP {response.status_code}); "
            "the key is not sent on, so give the final address"
        )
    return (
        f"what answered (HTTP {response.status_code}) does not speak the service's API; "
        "is the service's address right, and is no proxy or login page in between?"
    )
