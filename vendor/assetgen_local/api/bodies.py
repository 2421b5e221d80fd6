"""Reading request bodies, within their bounds."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Any, NoReturn

from starlette.requests import Request

from ..errors import malformed, too_large


def content_type(request: Request) -> str:
    """The media type of the body, without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_chunks(request: Request, limit: int, what: str) -> AsyncIterator[bytes]:
    """The body in chunks.

    Raises:
        ServiceError: It is larger than ``limit`` bytes (HTTP 413, code 2021), as declared or as it arrives.
    """
    received = int(request.headers.get("content-length") or 0)
    if received <= limit:
        received = 0
        async for chunk in request.stream():
            received += len(chunk)
            if received > limit:
                break
            yield chunk
    if received > limit:
        raise too_large(f"{what} may have at most {limit / 1024 / 1024:g} MB")


async def read_json(request: Request, limit: int) -> dict[str, Any]:
    """The body as a JSON object.

    Raises:
        ServiceError: It is no JSON (HTTP 415 or 400, code 1003), no object, or too large.
    """
    if content_type(request) != "application/json":
        raise malformed("the body must have the content type application/json", HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    raw = b"".join([chunk async for chunk in read_chunks(request, limit, "a request body")])
    try:
        body = json.loads(raw, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise malformed(f"the body is not valid JSON: {error}") from error
    if not isinstance(body, dict):
        raise malformed("the body must be a JSON object")
    return body


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):  # which has no form in the answers that echo the body
        raise ValueError(f"{text} is too large")
    return number


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
