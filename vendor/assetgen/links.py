"""Requests to links that the service gave: signed downloads and presigned uploads. They never get the key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import httpx

from .addresses import link_fault, link_text
from .connections import Connections, connection_error
from .errors import InvalidAnswerError

_MOST_REDIRECTS = 5


@dataclass(frozen=True, slots=True)
class Links:
    """Opens links. ``loopback`` allows those to this machine."""

    connections: Connections
    loopback: bool

    @contextmanager
    def get(self, url: str, headers: Mapping[str, str]) -> Iterator[httpx.Response]:
        """The answer to a GET, its body still to be read; redirects are followed to safe addresses.

        Raises:
            InvalidAnswerError: The link, or one that it redirects to, must not be followed.
            ConnectionFailed: No answer came, or (from the body of the ``with``) it broke off.
        """
        for _ in range(_MOST_REDIRECTS + 1):
            client = self._client(url)
            try:
                with client.stream("GET", url, headers=dict(headers)) as response:
                    if not response.has_redirect_location:
                        yield response
                        return
                    url = str(response.url.join(response.headers["location"]))
            except httpx.HTTPError as error:
                raise connection_error(error, url) from error
        raise InvalidAnswerError(f"{link_text(url)} redirects too often")

    def put(self, url: str, body: Iterable[bytes], size: int) -> httpx.Response:
        """Sends ``size`` bytes to a presigned link and returns the answer, whose body nobody needs.

        Raises:
            InvalidAnswerError: The link must not be followed.
            ConnectionFailed: No answer came.
        """
        try:
            # No content type: where a signature covers it, one that the service did not think of would break it.
            with self._client(url).stream("PUT", url, content=body, headers={"Content-Length": str(size)}) as response:
                return response
        except httpx.HTTPError as error:
            raise connection_error(error, url) from error

    def _client(self, url: str) -> httpx.Client:
        if fault := link_fault(url, loopback=self.loopback):
            raise InvalidAnswerError(f"the link {link_text(url)} is not followed: {fault}")
        return self.connections.to(url)
