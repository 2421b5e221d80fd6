"""Sends requests to the service: the key, the request id, the envelope and the retries."""

from __future__ import annotations

import itertools
import logging
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from typing import IO, Any

import httpx

from ..loopback import is_loopback
from .addresses import host_of, service_address
from .answer_bodies import ENCODINGS, read_body
from .connections import Connections, connection_error
from .envelope import Answer, read_answer
from .errors import AnswerTooLarge, APIError, AssetGenError, ConfigurationError
from .rate_limits import RateLimit, read_rate_limit, window_of
from .retrying import Resend, Retries, Stopped, check_stopped

log = logging.getLogger(__name__)

Form = Callable[[], Mapping[str, tuple[str, IO[bytes]]]]
"""Makes the parts of a multipart body. Called for every sending, since a sent file is read to its end."""


class Transport:
    """One service and one key. Safe to use from several threads."""

    def __init__(self, api_key: str, base_url: str, connections: Connections, retries: Retries) -> None:
        """Checks the key and the address.

        Raises:
            ConfigurationError: One of them cannot be used.
        """
        self.base_url = service_address(base_url)
        self.connections = connections
        self.retries = retries
        self.rate_limits: dict[str, RateLimit] = {}
        self._key = _Key(api_key)

    @property
    def is_local(self) -> bool:
        """Whether the service is on this machine."""
        return is_loopback(host_of(self.base_url))

    def request(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        params: Mapping[str, str | int] | None = None,
        form: Form | None = None,
        resend: Resend = Resend.FREELY,
        request_id: str | None = None,
        stopped: Stopped | None = None,
    ) -> Answer:
        """Sends one logical request, again where ``resend`` allows it, always under the same request id.

        Raises:
            APIError: The service answered with an error.
            ConnectionFailed: No answer came.
            InvalidAnswerError: What came is not an answer of this API, or larger than any.
            StoppedError: ``stopped`` said so. It is asked before each sending and while waiting between them.
        """
        request_id = request_id or str(uuid.uuid4())
        for attempt in itertools.count(1):
            check_stopped(stopped)
            try:
                return self._send(
                    method, path, attempt, request_id, resend, json=json, params=params, files=form() if form else None
                )
            except AssetGenError as error:
                if not resend.allows(error):
                    raise
                asked = error.retry_after if isinstance(error, APIError) else None
                delay = self.retries.delay(attempt, asked)
                if delay is None:
                    raise
                log.debug("%s %s [%s] again in %.1f s: %s", method, path, request_id, delay, error)
            self.retries.wait(delay, stopped)
        raise AssertionError("unreachable: the loop has no end")

    def _send(self, method: str, path: str, attempt: int, request_id: str, resend: Resend, **content: Any) -> Answer:
        url = self.base_url + path
        client = self.connections.to(url, fresh=resend is Resend.IF_NOT_ARRIVED)
        headers = {"X-Request-ID": request_id, "Accept": "application/json", "Accept-Encoding": ENCODINGS}
        begun = time.monotonic()
        try:
            request = client.build_request(method, url, headers=headers, **content)
            response = _read(client.send(request, auth=self._key, stream=True))
        except httpx.HTTPError as error:
            log.debug("%s %s [%s] try %d: %s", method, path, request_id, attempt, type(error).__name__)
            raise connection_error(error, url, request_id) from error
        log.debug(
            "%s %s [%s] try %d: %d in %.3f s, trace %s",
            method,
            path,
            request_id,
            attempt,
            response.status_code,
            time.monotonic() - begun,
            response.headers.get("x-service-trace-id", "-"),
        )
        if (limit := read_rate_limit(response.headers)) is not None:
            self.rate_limits[window_of(path)] = limit
        return read_answer(response, request_id, self._key.hide)


def _read(response: httpx.Response) -> httpx.Response:
    """An answer with its body; without one where it is an error, too large to say which.

    Raises:
        AnswerTooLarge: It is a success and too large.
    """
    try:
        body = read_body(response)
    except AnswerTooLarge:
        if response.is_success:
            raise
        body = b""
    finally:
        response.close()
    # As bytes: httpx reads headers that are not ASCII, but makes none from texts.
    headers = [item for item in response.headers.raw if item[0].lower() not in (b"content-encoding", b"content-length")]
    return httpx.Response(
        response.status_code, headers=headers, content=body, request=response.request, extensions=response.extensions
    )


class _Key(httpx.Auth):
    """The bearer key. Only requests to the service are given it; nothing else holds it."""

    def __init__(self, key: str) -> None:
        key = key.strip()
        if not key:
            raise ConfigurationError("an API key is needed")
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise ConfigurationError(
                "the API key has characters in it that no key has; it may not have been copied whole"
            )
        self._key = key

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = f"Bearer {self._key}"
        yield request

    def hide(self, text: str) -> str:
        """The text without the key, which a service may repeat in its messages."""
        return text.replace(self._key, "***")

    def __repr__(self) -> str:
        return "<API key>"
