"""Reading request bodies, within their bounds."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Any, NoReturn

from starlette.requests import Request

from .envelope import malformed, too_large

_MAX_DRAINED_BYTES = 1024 * 1024 * 1024
"""A refused body up to this size is read to its end: a client still sending misses an answer that comes early."""


def content_type(request: Request) -> str:
    """The media type of the body, without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_chunks(request: Request, limit: int, what: str) -> AsyncIterator[bytes]:
    """The body in chunks.

    Raises:
        ServiceError: It is larger than ``limit`` bytes (HTTP 413, code 2021). All of it has been read then.
    """
    error = too_large(f"{what} may have at most {_megabytes(limit)}")
    stream = request.stream()
    received = 0
    refused = int(request.headers.get("content-length") or 0) > limit
    async for chunk in stream:
        received += len(chunk)
        refused = refused or received > limit
        if not refused:
            yield chunk
        elif received > _MAX_DRAINED_BYTES:
            break
    if refused:
        raise error


async def read_json(request: Request, limit: int) -> dict[str, Any]:
    """The body as a JSON object.

    Raises:
        ServiceError: It is no JSON (HTTP 415 or 400, code 1003), no object, or too large.
    """
    if content_type(request) != "application/json":
        raise malformed("the body must have the content type application/json", HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    raw = b"".join([chunk async for chunk in read_chunks(request, limit, "a request body")])
    try:
        body = json.loads(raw, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise malformed(f"the body is not valid JSON: {error}") from error
    if not isinstance(body, dict):
        raise malformed("the body must be a JSON object")
    return body


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _megabytes(limit: int) -> str:
    return f"{limit / 1024 / 1024:g} MB"
