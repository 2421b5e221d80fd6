"""Delivers webhooks: tries each until the receiver takes it or all attempts are used up (docs/api.md, 7.3)."""

from __future__ import annotations

import asyncio
import http.client
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

from ..store.webhook_outbox import Delivery, DeliveryState, WebhookOutbox
from ..webhook_endpoint import WebhookEndpoint

_ANSWER_SECONDS = 5.0
_WORKERS = 4

_LOG = logging.getLogger(__name__)


class WebhookSender:
    """Sees deliveries to their end. Used from the event loop's thread; the sending itself is done on others.

    Args:
        outbox: Where the deliveries are.
        detail: Tells of a task what clients read of it.
        retry_seconds: Pauses between the attempts.
        clock: The time of day in Unix seconds.
    """

    def __init__(
        self,
        outbox: WebhookOutbox,
        detail: Callable[[str], Mapping[str, Any]],
        retry_seconds: Sequence[float],
        clock: Callable[[], float],
    ) -> None:
        self._outbox = outbox
        self._detail = detail
        self._retry_seconds = retry_seconds
        self._clock = clock
        self._endpoints = {endpoint.id: endpoint for endpoint in outbox.endpoints}
        self._in_flight: dict[str, asyncio.Task[None]] = {}
        self._threads = ThreadPoolExecutor(_WORKERS, thread_name_prefix="assetgen-webhook")

    def wake(self) -> None:
        """Takes up what is pending. Call it after something happened that endpoints are told of."""
        if not self._endpoints:
            return
        for delivery in self._outbox.pending():
            if delivery.id not in self._in_flight and delivery.endpoint in self._endpoints:
                self._in_flight[delivery.id] = asyncio.create_task(self._deliver(delivery))

    async def close(self) -> None:
        """Stops; what is pending is taken up at the next start."""
        running = list(self._in_flight.values())
        for one in running:
            one.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _deliver(self, delivery: Delivery) -> None:
        try:
            endpoint = self._endpoints[delivery.endpoint]
            for pause in (*self._retry_seconds[delivery.attempts :], None):
                taken, answer = await self._attempt(delivery, endpoint)
                state = (
                    DeliveryState.DELIVERED
                    if taken
                    else DeliveryState.PENDING
                    if pause is not None
                    else DeliveryState.FAILED
                )
                self._outbox.attempted(delivery.id, state, answer)
                if state is not DeliveryState.PENDING or pause is None:
                    return
                await asyncio.sleep(pause)
        except Exception:  # one that cannot be sent must not keep the others; it stays pending
            _LOG.exception("delivery %s", delivery.id)
        finally:
            self._in_flight.pop(delivery.id, None)

    async def _attempt(self, delivery: Delivery, endpoint: WebhookEndpoint) -> tuple[bool, str]:
        """Whether the receiver took it, and what it answered or what went wrong."""
        body = delivery.body({} if delivery.data is not None else self._detail(delivery.task_id))
        headers = delivery.headers(body, endpoint.secret, self._clock())
        loop = asyncio.get_running_loop()
        try:
            status = await loop.run_in_executor(self._threads, _post, endpoint.url, body, headers)
        except (OSError, http.client.HTTPException) as error:
            return False, f"{type(error).__name__}: {error}"
        return 200 <= status < 300, str(status)


def _post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """The status that a receiver answers. Redirects are not followed: the endpoint that is named is the one meant."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=_ANSWER_SECONDS)
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body, dict(headers))
        return connection.getresponse().status
    finally:
        connection.close()
