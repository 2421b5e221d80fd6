"""HTTP as bytes: a request off a connection, an answer onto it, and the ways in which there is none."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import Any
from urllib.parse import parse_qsl, urlsplit

_MOST_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Request:
    """One request, read to its end. Header names are in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON.

        Raises:
            ValueError: It is none.
        """
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    """The next request on a connection; None at its end."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    lines = head.decode("latin-1").split("\r\n")
    method, target, _ = lines[0].split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}
    size = int(headers.get("content-length", "0"))
    if size > _MOST_BYTES or "transfer-encoding" in headers:
        return None
    try:
        body = await reader.readexactly(size)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    parts = urlsplit(target)
    return Request(method, parts.path, dict(parse_qsl(parts.query)), headers, body)


def as_bytes(reply: Reply, day: float) -> bytes:
    """An answer as it goes onto the wire; ``day`` is the time in its ``Date``."""
    headers = {
        "Date": formatdate(day, usegmt=True),
        "Content-Length": str(len(reply.body)),
        "Connection": "keep-alive",
        **reply.headers,
    }
    lines = [f"HTTP/1.1 {reply.status} .", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1") + reply.body


def reset(writer: asyncio.StreamWriter) -> None:
    """Ends a connection with a TCP reset."""
    connection = writer.get_extra_info("socket")
    if connection is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def file_of(request: Request) -> tuple[str, bytes]:
    """Name and content of the field ``file`` of a multipart body.

    Raises:
        ValueError: There is none.
    """
    kind = request.headers.get("content-type", "")
    if not kind.startswith("multipart/form-data; boundary="):
        raise ValueError("not multipart")
    boundary = b"--" + kind.partition("boundary=")[2].strip('"').encode()
    for part in request.body.split(boundary)[1:-1]:
        head, _, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        if b'name="file"' in head:
            name = head.partition(b'filename="')[2].partition(b'"')[0].decode("latin-1")
            return name, content.removesuffix(b"\r\n")
    raise ValueError("there is no field called file")
