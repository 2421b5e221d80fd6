"""Large files in large pieces: httpx reads 64 kB at a time, and what it does for each of them adds up to its half.

What httpx keeps the network under is private to it. Where another version has it elsewhere, nothing is changed and
transfers are only slower.
"""

from __future__ import annotations

from typing import Any

import httpx

PIECE = 1 << 20
"""The most bytes that are read at once; as many are held in memory, a few times over."""


def read_in_large_pieces(client: httpx.Client) -> None:
    """Has a client's connections, those through proxies included, read what is there, up to :data:`PIECE` at once."""
    transports = [getattr(client, "_transport", None), *getattr(client, "_mounts", {}).values()]
    for transport in transports:
        pool: Any = getattr(transport, "_pool", None)
        if hasattr(pool, "_network_backend"):
            pool._network_backend = _Backend(pool._network_backend)


class _Backend:
    """A network backend of httpcore whose streams read large pieces."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend

    def connect_tcp(self, *arguments: Any, **options: Any) -> LargePieces:
        return LargePieces(self._backend.connect_tcp(*arguments, **options))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)


class LargePieces:
    """A network stream of httpcore that reads more than it is asked for, where that is there."""

    def __init__(self, stream: Any) -> None:
        """Wraps a stream; what is not here is the stream's own."""
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """What has come, up to :data:`PIECE` bytes however few were asked for: httpcore takes all that it is given."""
        content: bytes = self._stream.read(max(max_bytes, PIECE), timeout)
        return content

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Sends all of it; as a view, since what one call could not send is cut off for the next one."""
        self._stream.write(memoryview(buffer), timeout)

    def start_tls(self, *arguments: Any, **options: Any) -> LargePieces:
        """The same over TLS."""
        return LargePieces(self._stream.start_tls(*arguments, **options))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
