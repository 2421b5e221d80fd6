"""Reads the bodies of answers, within bounds: whoever answers may be something else than the service."""

from __future__ import annotations

import json
import zlib
from typing import Any

import httpx

from .errors import AnswerTooLarge

MAX_BYTES = 8 * 1024**2
"""Largest answer that is read, packed and unpacked. A hundred tasks have some hundred KB. To read 8 MB of JSON keeps
all threads of Python waiting: 20 ms for tasks, half a second for the worst that there is."""

MAX_DEPTH = 64
"""How deep the objects and lists of an answer may lie in each other."""

ENCODINGS = "gzip"
"""What answers may be compressed with. Packed twice, they could not be unpacked within bounds."""

_GZIP = 16 + zlib.MAX_WBITS


def read_body(response: httpx.Response) -> bytes:
    """Reads an answer to its end and unpacks it.

    Args:
        response: Its body is still to be read; from a request that accepted no other than :data:`ENCODINGS`.

    Raises:
        AnswerTooLarge: It has more than :data:`MAX_BYTES`.
        httpx.HTTPError: It broke off, or is packed in another way.
    """
    raw = bytearray()
    for piece in response.iter_raw():
        raw += piece
        if len(raw) > MAX_BYTES:
            raise _too_large(response)
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding == "identity":
        return bytes(raw)
    if encoding not in ("gzip", "x-gzip"):
        raise httpx.DecodingError(f"the answer is packed as {encoding}, which was not asked for")
    try:
        unpacker = zlib.decompressobj(_GZIP)
        body = unpacker.decompress(raw, MAX_BYTES + 1)
    except zlib.error as error:
        raise httpx.DecodingError(str(error)) from error
    if len(body) > MAX_BYTES:
        raise _too_large(response)
    if not unpacker.eof:
        raise httpx.DecodingError("the answer ends too early")
    return body


def json_object(body: bytes) -> dict[str, Any]:
    """A body as a JSON object; empty when it is none, or lies deeper in itself than anything that means something."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):  # also the UnicodeDecodeError of a body that is no text
        return {}
    return value if isinstance(value, dict) and not _is_too_deep(value) else {}


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            item
            for group in level
            for item in (group.values() if isinstance(group, dict) else group)
            if isinstance(item, dict | list)
        ]
        if not level:
            return False
    return True


def _too_large(response: httpx.Response) -> AnswerTooLarge:
    return AnswerTooLarge(
        f"the answer has more than {MAX_BYTES // 1024**2} MB, which no answer of the service has",
        status=response.status_code,
        may_have_arrived=True,
    )
