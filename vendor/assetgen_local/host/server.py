"""uvicorn as we need it: loopback only, no polling while idle, ended by an event."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

HOST = "127.0.0.1"
_KEEP_ALIVE_SECONDS = 75
"""Longer than clients keep an idle connection, so that it is they who close it: a request that meets a connection just
being closed from our side would be one of which nobody knows whether it arrived."""

_GRACE_SECONDS = 2


def listen(port: int) -> socket.socket:
    """A socket on 127.0.0.1, and nowhere else.

    Raises:
        OSError: The port is taken.
    """
    # asyncio switches Nagle's algorithm off only where it sees that the protocol is TCP; with it, an answer of two
    # writes takes 40 ms longer.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows, where REUSEADDR would let another program share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
    except OSError as error:
        listener.close()
        raise OSError(error.errno, f"port {port} on {HOST} cannot be taken: {error.strerror}") from error
    return listener


class Server(uvicorn.Server):
    """A server for one application.

    Args:
        app: What answers.
        on_ready: Called once connections are taken.
    """

    def __init__(self, app: ASGIApp, on_ready: Callable[[], None]) -> None:
        self._on_ready = on_ready
        self._stop = asyncio.Event()
        config = uvicorn.Config(
            app,
            loop="asyncio",
            http="h11",
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,  # kept up to date by the polling that we leave out
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        super().__init__(config)

    def stop(self) -> None:
        """Ends the server. Call it on the event loop's thread."""
        self._stop.set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Takes connections from now on."""
        await super().startup(sockets)
        self._on_ready()

    async def main_loop(self) -> None:
        """Waits for the end; uvicorn's own looks ten times a second."""
        await self._stop.wait()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves signals to the process: uvicorn would raise them again before the backend is closed."""
        yield
