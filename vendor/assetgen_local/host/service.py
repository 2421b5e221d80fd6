"""The engine as one object: in a thread of this process for tests, or as all that a process does."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

from ..api.app import build_app
from ..api.auth import random_key
from ..backend import Backend
from ..options import Options
from .data_dir import Connection, DataDir
from .server import HOST, Server, listen

_STOP_SECONDS = 20.0


class LocalService:
    """One engine over one data folder.

    Either :meth:`start` and :meth:`stop` (also as a context manager), or :meth:`run`, which lasts until another thread
    or a signal handler calls :meth:`request_stop`. The folder keeps everything for the next start.
    """

    def __init__(self, data_dir: Path, options: Options | None = None) -> None:
        self.data_dir = data_dir
        self.options = options or Options()
        self._connection: Connection | None = None
        self._request_stop: Callable[[], None] | None = None
        self._stop_early = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def connection(self) -> Connection:
        """How to reach the engine.

        Raises:
            RuntimeError: It does not run.
        """
        if self._connection is None:
            raise RuntimeError("the local engine does not run")
        return self._connection

    @property
    def base_url(self) -> str:
        """The service host root."""
        return self.connection.base_url

    @property
    def key(self) -> str:
        """The API key that it takes."""
        return self.connection.key

    def run(self, on_ready: Callable[[Connection], None] = lambda _: None) -> None:
        """Serves until it is asked to stop.

        Args:
            on_ready: Called once connections are taken.

        Raises:
            DataDirInUse: Another engine has the folder.
            OSError, sqlite3.Error, DatabaseTooNew: The port is taken, or the folder cannot be used.
        """
        folder = DataDir.acquire(self.data_dir)
        try:
            with listen(self.options.port) as listener:
                port = listener.getsockname()[1]
                key = self.options.key or random_key()
                connection = Connection(port, key, f"http://{HOST}:{port}", os.getpid())

                def ready() -> None:
                    folder.announce(connection)
                    self._connection = connection
                    on_ready(connection)

                asyncio.run(self._serve(connection, ready, [listener]))
        finally:
            self._connection = None
            folder.release()

    def request_stop(self) -> None:
        """Asks :meth:`run` to end. From any thread, from a signal handler, and at any time."""
        self._stop_early.set()
        if self._request_stop is not None:
            self._request_stop()

    async def _serve(self, connection: Connection, ready: Callable[[], None], listeners: list[socket.socket]) -> None:
        backend = Backend.open(self.data_dir, self.options, connection.base_url)
        try:
            server = Server(build_app(backend, connection.key), ready)
            loop = asyncio.get_running_loop()

            def stop_soon() -> None:
                with suppress(RuntimeError):  # the loop has ended by itself in the meantime
                    loop.call_soon_threadsafe(server.stop)

            self._request_stop = stop_soon
            if self._stop_early.is_set():
                return
            backend.start()
            await server.serve(sockets=listeners)
        finally:
            self._request_stop = None
            await backend.close()

    def start(self) -> Self:
        """Serves in a thread; returns once connections are taken.

        Raises:
            What :meth:`run` raises.
        """
        ready = threading.Event()
        trouble: list[BaseException] = []

        def serve() -> None:
            try:
                self.run(lambda _: ready.set())
            except BaseException as error:  # handed to the thread that waits
                trouble.append(error)
            finally:
                ready.set()

        self._stop_early.clear()
        self._thread = threading.Thread(target=serve, name="assetgen-local", daemon=True)
        self._thread.start()
        ready.wait()
        if trouble:
            self._thread.join()
            raise trouble[0]
        return self

    def stop(self) -> None:
        """Ends the thread that :meth:`start` began. Running tasks go back into the queue.

        Raises:
            TimeoutError: It does not end, which a runner causes that does not stop when it is told to.
        """
        self.request_stop()
        if self._thread is not None:
            self._thread.join(_STOP_SECONDS)
            if self._thread.is_alive():
                raise TimeoutError("the local engine does not end")
            self._thread = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
