"""The HTTP connections: pooled, shared by all threads, and made when they are first needed."""

from __future__ import annotations

import logging
import ssl
import threading
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx

from ..loopback import is_loopback
from .addresses import host_of
from .errors import ConfigurationError, ConnectionFailed, InvalidAnswerError, StoppedError, TimedOut
from .large_pieces import read_in_large_pieces

_NEVER_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
)


class WithoutQueries(logging.Filter):
    """Takes the query off the addresses that httpx logs: a signed link is a key to a result while it is valid."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Changes the record; all are let through."""
        if isinstance(record.args, tuple):
            record.args = tuple(
                argument.copy_with(query=None) if isinstance(argument, httpx.URL) else argument
                for argument in record.args
            )
        return True


_without_queries = WithoutQueries()


class _SharedClient(httpx.Client):
    """A client that one thread may close while another is about to send with it: that one is told so, typed."""

    def send(self, *args: Any, **kwargs: Any) -> httpx.Response:
        """Like httpx's own, and nothing was sent when it raises StoppedError."""
        try:
            return super().send(*args, **kwargs)
        except RuntimeError as error:  # httpx has no error of its own for this
            if self.is_closed:
                raise StoppedError("the client is closed") from error
            raise


class Connections:
    """Gives out httpx clients. None of them knows the API key: it is put on single requests."""

    def __init__(
        self,
        *,
        connect_timeout: float,
        read_timeout: float,
        user_agent: str,
        proxy: str = "",
        ca_file: Path | None = None,
    ) -> None:
        logging.getLogger("httpx").addFilter(_without_queries)  # the same one however often, so it is there once
        self._timeout = httpx.Timeout(read_timeout, connect=connect_timeout)
        self._user_agent = user_agent
        self._proxy = proxy if not proxy or "://" in proxy else f"http://{proxy}"
        self._ca_file = ca_file
        self._tls: ssl.SSLContext | None = None
        self._clients: dict[tuple[bool, bool, bool], httpx.Client] = {}
        self._closed = False
        self._lock = threading.Lock()

    def to(self, url: str, *, fresh: bool = False) -> httpx.Client:
        """The client for an address.

        Args:
            url: Where the request goes. This machine is never reached through a proxy.
            fresh: Use a new connection. A kept one may have been closed by the other side just now, and then nobody
                can tell whether a request on it arrived.

        Raises:
            ConfigurationError: The proxy or the certificates that are named cannot be used.
            StoppedError: The connections were closed.
        """
        direct = is_loopback(host_of(url))
        key = (direct, direct and url.startswith("http:"), fresh)
        with self._lock:
            if self._closed:
                raise StoppedError("the client is closed")
            if key not in self._clients:
                self._clients[key] = self._make(direct=direct, encrypted=not key[1], fresh=fresh)
            return self._clients[key]

    def close(self) -> None:
        """Closes all connections; requests from now on raise StoppedError."""
        with self._lock:
            self._closed = True
            clients = list(self._clients.values())
            self._clients.clear()
        for client in clients:
            client.close()

    def _make(self, *, direct: bool, encrypted: bool, fresh: bool) -> httpx.Client:
        # What is never encrypted needs no certificates, which take 10 ms and more to read: that context trusts nobody.
        tls = self._trusted() if encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        try:
            client = _SharedClient(
                verify=tls,
                trust_env=not direct,
                proxy=None if direct else self._proxy or None,
                timeout=self._timeout,
                follow_redirects=False,
                limits=httpx.Limits(max_keepalive_connections=0 if fresh else 20),
                headers={"User-Agent": self._user_agent},
            )
            read_in_large_pieces(client)
            # The API knows no cookies. One that is not plain ASCII could be kept, but never be sent again.
            client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
            return client
        except (ValueError, ImportError, httpx.InvalidURL) as error:
            # Not chained, and its text not shown: a proxy's address may hold a password.
            raise ConfigurationError(
                f"the proxy that this machine's settings name cannot be used ({type(error).__name__})"
            ) from None

    def _trusted(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = self._trust()
        return self._tls

    def _trust(self) -> ssl.SSLContext:
        """What shows that a service is the one it says: public certificates, the system's, those of the user's file."""
        context = httpx.create_ssl_context()
        # A firm's own certificates are installed in the system, and the public ones do not have them.
        context.load_default_certs()
        if self._ca_file is not None:
            try:
                context.load_verify_locations(self._ca_file)
            except OSError as error:
                raise ConfigurationError(f"the certificates in {self._ca_file} cannot be read: {error}") from error
        return context


def connection_error(error: httpx.HTTPError, url: str, request_id: str = "") -> ConnectionFailed | InvalidAnswerError:
    """What an error of httpx means to callers, above all whether the request may have arrived."""
    host = host_of(url)
    arrived = not isinstance(error, _NEVER_SENT)
    if isinstance(error, httpx.TimeoutException):
        words = f"{host} did not answer in time" if arrived else f"{host} cannot be reached in time"
        return TimedOut(words, request_id=request_id, may_have_arrived=arrived)
    if isinstance(error, httpx.DecodingError):
        return InvalidAnswerError(
            f"the answer of {host} could not be decoded", request_id=request_id, may_have_arrived=True
        )
    words = f"the connection to {host} broke off" if arrived else f"{host} cannot be reached"
    return ConnectionFailed(f"{words}: {error}", request_id=request_id, may_have_arrived=arrived)
