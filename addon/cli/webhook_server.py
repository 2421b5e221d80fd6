"""The address that webhooks are sent to: one request a connection, small, and soon, whoever sends it."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from ...vendor.assetgen.webhooks import MAX_EVENT_BYTES

Receive = Callable[[bytes, Mapping[str, str]], int]
"""Takes a body and headers; says which HTTP status to answer."""

REQUEST_SECONDS = 10.0
"""A connection ends after so long, also one whose sender trickles: the service itself waits for five seconds."""

_MOST_CONNECTIONS = 200
_TOO_LARGE = 413
_ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def webhook_app(receive: Receive) -> ASGIApp:
    """The application: POST to whatever path, since that is chosen by whoever registers the address."""

    async def answer(request: Request) -> Response:
        body = await _read(request)
        status = _TOO_LARGE if body is None else receive(body, request.headers)
        return Response(status_code=status, headers={"connection": "close"})

    return Starlette(routes=[Route("/{path:path}", answer, methods=["POST"])])


async def _read(request: Request) -> bytes | None:
    """The body; None as soon as it is larger than any event."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > MAX_EVENT_BYTES:
            return None
        parts.append(part)
    return b"".join(parts)


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections.

    Raises:
        OSError: The address is not one of this machine's, or the port is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=_MOST_CONNECTIONS)


class WebhookServer(uvicorn.Server):
    """Serves one application until Ctrl-C, or until somebody sets ``should_exit``.

    Args:
        app: What answers.
        request_seconds: How long one connection may take.

    Attributes:
        was_interrupted: Whether a signal ended it.
    """

    def __init__(self, app: ASGIApp, request_seconds: float = REQUEST_SECONDS) -> None:
        self.was_interrupted = False
        protocol = type("_Protocol", (_HurriedProtocol,), {"seconds": request_seconds})
        config = uvicorn.Config(
            app,
            loop="asyncio",
            http=protocol,
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_graceful_shutdown=1,
        )
        super().__init__(config)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ends the server at a signal; uvicorn would raise it again before we have said that we leave."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._interrupt) for number in _ENDING_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                if handler is not None:  # Blender's own, which Python does not know: it ends with Blender
                    signal.signal(number, handler)

    def _interrupt(self, *_: Any) -> None:
        self.was_interrupted = self.should_exit = True


class _HurriedProtocol(H11Protocol):
    """A connection that is cut off after a while, whatever it is doing."""

    seconds = REQUEST_SECONDS

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._end = self.loop.call_later(self.seconds, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end.cancel()
        super().connection_lost(exc)
