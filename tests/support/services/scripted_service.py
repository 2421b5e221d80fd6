"""A real HTTP service on 127.0.0.1 that answers what a test tells it to, and misbehaves on demand.

A test queues replies for the requests it expects, in their order. A request that was not expected, or a reply that was
not asked for, fails the test at its end, so that no test passes because nothing happened.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from types import TracebackType
from typing import Any, Self, cast

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Mount
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

KEY = "tsk_very-secret-key"
"""The key that clients of the service use; it must show up nowhere but in the requests."""

_KEPT_BODY = 1024 * 1024  # of larger request bodies only size and hash are kept, so that tests can measure memory
_PIECE = 64 * 1024


class Fault(Enum):
    """How a connection ends without an answer."""

    CLOSE_BEFORE = auto()
    """Before the request was processed: it is not recorded."""
    CLOSE_AFTER = auto()
    """After the request was processed: the answer is lost."""
    RESET_AFTER = auto()
    """As above, with a TCP reset."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer.

    Attributes:
        delay: Seconds before it.
        cut_after: Closes the connection after so many bytes of the body.
        fault: Closes the connection instead.
        repeat: Sends the body so many times, one piece after the other: a large answer that takes no memory.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut_after: int | None = None
    fault: Fault | None = None
    repeat: int = 1


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """One request as it arrived."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes
    size: int
    sha256: str
    connection: tuple[str, int]

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def request_id(self) -> str:
        return self.headers.get("x-request-id", "")


Handler = Callable[[ReceivedRequest], Reply]


def ok(data: Any, **headers: str) -> Reply:
    """A successful envelope. Header names are given with underscores."""
    return _json_reply(200, {"code": 0, "status": "success", "data": data}, headers)


def failure(status: int, code: int, message: str = "it failed", **headers: str) -> Reply:
    """An error envelope as the API documents it."""
    body = {
        "code": code,
        "status": "error",
        "message": message,
        "suggestion": "try something else",
        "request_id": "from-body",
    }
    return _json_reply(status, body, headers)


def lost(fault: Fault = Fault.CLOSE_AFTER) -> Reply:
    """No answer."""
    return Reply(fault=fault)


def _json_reply(status: int, body: Any, headers: Mapping[str, str]) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, json.dumps(body).encode(), {"content-type": "application/json", **named})


class Script:
    """What one test expects, and what came."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self.requests: list[ReceivedRequest] = []
        self.unexpected: list[str] = []
        self._queues: dict[tuple[str, str], deque[Reply]] = {}
        self._handlers: dict[tuple[str, str], Handler] = {}

    def reply(self, method: str, path: str, *replies: Reply) -> None:
        """Queues replies to one endpoint; each is given once."""
        self._queues.setdefault((method, path), deque()).extend(replies)

    def handle(self, method: str, path: str, handler: Handler) -> None:
        """Answers every request to one endpoint."""
        self._handlers[method, path] = handler

    def seen(self, path: str) -> list[ReceivedRequest]:
        """The requests to one path."""
        return [request for request in self.requests if request.path == path]

    def answer(self, seen: ReceivedRequest) -> Reply:
        """The reply to a request."""
        key = (seen.method, seen.path)
        if queue := self._queues.get(key):
            reply = queue.popleft()
        elif key in self._handlers:
            reply = self._handlers[key](seen)
        else:
            self.unexpected.append(f"{seen.method} {seen.path}")
            reply = failure(404, 4001, "unknown route")
        if reply.fault is not Fault.CLOSE_BEFORE:
            self.requests.append(seen)
        return reply

    def check(self) -> None:
        """Fails when something else came than was expected."""
        assert not self.unexpected, f"requests that nobody expected: {self.unexpected}"
        left = [f"{len(queue)} x {method} {path}" for (method, path), queue in self._queues.items() if queue]
        assert not left, f"requests that never came: {left}"


class ScriptedServer:
    """Runs the service in a thread. One server serves many tests, one after the other."""

    def __init__(self, port: int = 0) -> None:
        self._socket = socket.create_server(("127.0.0.1", port))
        self.base_url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._script = Script(self.base_url)
        self._transports: dict[tuple[str, int], asyncio.Transport] = {}
        application = Starlette(routes=[Mount("/", app=self._serve)])
        config = uvicorn.Config(
            application,
            http=_protocol_recording(self._transports),
            lifespan="off",
            log_level="critical",
            access_log=False,
            date_header=False,  # a test that is about clocks sends its own
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), name="scripted-service")

    @contextlib.contextmanager
    def script(self) -> Iterator[Script]:
        """A fresh script; checked at the end, unless the test failed already."""
        self._script = Script(self.base_url)
        yield self._script
        self._script.check()

    def __enter__(self) -> Self:
        self._thread.start()
        deadline = time.monotonic() + 10
        while not self._server.started:
            assert time.monotonic() < deadline and self._thread.is_alive(), "the scripted service did not start"
            time.sleep(0.005)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        self._thread.join(10)
        self._socket.close()
        assert not self._thread.is_alive(), "the scripted service did not end"

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        seen = await _read(request)
        reply = self._script.answer(seen)
        await asyncio.sleep(reply.delay)
        if reply.fault is not None:
            self._drop(seen.connection, reply.fault)
            return
        if reply.repeat > 1:
            headers = {"content-length": str(reply.repeat * len(reply.body)), **reply.headers}
            await StreamingResponse(_repeated(reply), reply.status, headers)(scope, receive, send)
            return
        response = Response(reply.body, reply.status, dict(reply.headers))
        if reply.cut_after is None:
            await response(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": reply.status, "headers": response.raw_headers})
        await send({"type": "http.response.body", "body": reply.body[: reply.cut_after], "more_body": True})
        self._transports[seen.connection].close()

    def _drop(self, connection: tuple[str, int], fault: Fault) -> None:
        transport = self._transports[connection]
        if fault is Fault.RESET_AFTER:
            # A socket that does not linger is closed with a reset.
            raw = transport.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()


async def _repeated(reply: Reply) -> AsyncIterator[bytes]:
    for _ in range(reply.repeat):
        yield reply.body


async def _read(request: Request) -> ReceivedRequest:
    hashed, size, kept = hashlib.sha256(), 0, bytearray()
    async for piece in request.stream():
        hashed.update(piece)
        size += len(piece)
        if len(kept) < _KEPT_BODY:
            kept += piece
    client = request.scope["client"]
    return ReceivedRequest(
        method=request.method,
        path=request.url.path,
        query=request.url.query,
        headers=dict(request.headers),
        body=bytes(kept),
        size=size,
        sha256=hashed.hexdigest(),
        connection=(client[0], client[1]),
    )


def _protocol_recording(transports: dict[tuple[str, int], asyncio.Transport]) -> type[asyncio.Protocol]:
    """A protocol that writes its connections down, so that a handler can end the one that it answers on."""

    class RecordingProtocol(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            transports[transport.get_extra_info("peername")[:2]] = transport
            super().connection_made(transport)

    return cast("type[asyncio.Protocol]", RecordingProtocol)


@dataclass
class StoredFile:
    """A file behind a signed link, as a handler.

    Attributes:
        content: Its bytes.
        etag: Its ETag; empty for none.
        ranges: Whether it answers ranges.
        cuts: How many bytes each of the next answers gives before the connection is closed.
        asked: The ``Range`` headers that came, empty where there was none.
    """

    content: bytes
    etag: str = '"v1"'
    ranges: bool = True
    cuts: deque[int] = field(default_factory=deque)
    asked: list[str] = field(default_factory=list)

    def __call__(self, seen: ReceivedRequest) -> Reply:
        asked = seen.headers.get("range", "")
        self.asked.append(asked)
        cut = self.cuts.popleft() if self.cuts else None
        headers = {"etag": self.etag} if self.etag else {}
        unchanged = seen.headers.get("if-range", self.etag) == self.etag
        if not (asked and self.ranges and unchanged):
            return Reply(200, self.content, headers, cut_after=cut)
        start = int(asked.removeprefix("bytes=").removesuffix("-"))
        if start >= len(self.content):
            return Reply(416, b"", {"content-range": f"bytes */{len(self.content)}"})
        headers["content-range"] = f"bytes {start}-{len(self.content) - 1}/{len(self.content)}"
        return Reply(206, self.content[start:], headers, cut_after=cut)


class RawServer:
    """Answers connections with exactly these bytes, one after the other, then closes each. Not necessarily HTTP.

    Attributes:
        heads: What each connection sent, up to the end of the HTTP header.
    """

    def __init__(self, *answers: bytes) -> None:
        self._answers = answers
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._run, name="raw-server")
        self.base_url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.heads: list[bytes] = []

    def _run(self) -> None:
        for answer in self._answers:
            try:
                connection, _ = self._socket.accept()
            except OSError:  # closed: the test is over
                return
            with connection, contextlib.suppress(OSError):  # the client may have gone away
                connection.settimeout(5)
                head = b""
                while b"\r\n\r\n" not in head and (piece := connection.recv(_PIECE)):
                    head += piece
                self.heads.append(head)
                connection.sendall(answer)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Closing alone does not wake a thread that waits in accept().
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(10)
        assert not self._thread.is_alive(), "the raw server did not end"


def unused_port() -> int:
    """A port of 127.0.0.1 where nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port
