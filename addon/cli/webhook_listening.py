"""What ``assetgen webhooks listen`` does: a server, what it writes down, and what it says of it."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing

from ...vendor.assetgen.webhooks import TimestampOutsideWindow
from ...vendor.loopback import is_loopback
from ..core.errors import BadRequest, Offline, Refused
from ..core.paths import Locations
from ..core.runtime.webhook_listener import DeliveryOutcome, WebhookListener
from ..core.settings import Settings
from ..core.status.error_messages import ExitCode
from .progress import Reporter
from .webhook_server import WebhookServer, listen, webhook_app

_QUIET_SECONDS = 1.0
"""Refusals are told once in so long: whoever floods the port must not flood the log."""


def listen_until_interrupted(
    settings: Settings,
    secret: str,
    show: Reporter,
    *,
    host: str,
    port: int,
    tolerance: float,
    on_start: Callable[[WebhookServer], None] = lambda server: None,
) -> int:
    """Takes deliveries for the data folder of the settings until Ctrl-C; returns the exit code.

    Args:
        settings: Whose jobs are woken, and of which service the deliveries are.
        secret: What signs them.
        show: Gets what is said.
        host: Address to listen on.
        port: Port; 0 for a free one, which is said.
        tolerance: Seconds by which a delivery's time may differ from ours.
        on_start: Called with the server before it begins, for who wants to end it.

    Raises:
        BadRequest: The port cannot be had.
        Offline: Blender's online access is off, and the address is not this machine's own.
        Refused: The data folder cannot be written.
    """
    if not settings.online and not is_loopback(host):
        raise Offline
    try:
        sock = listen(host, port)
    except OSError as error:
        raise BadRequest(f"{host}:{port} cannot be listened on: {error.strerror or error}", "port") from error
    outcomes = _Outcomes(show)
    path = Locations(settings.data_dir).webhooks
    with closing(sock):
        try:
            listener = WebhookListener(path, settings.service_id, secret, outcomes.tell, tolerance=tolerance)
        except (sqlite3.Error, OSError) as error:
            raise Refused(f"{path} cannot be written: {error}", "Choose another data folder") from error
        server = WebhookServer(webhook_app(listener.receive))
        on_start(server)
        taken = sock.getsockname()[1]
        words = f"Listening on {host}:{taken} for webhooks of {settings.service_id}; Ctrl-C ends it"
        show.event("listening", words, host=host, port=taken, service=settings.service_id)
        listener.start()
        try:
            server.run(sockets=[sock])
        finally:
            listener.close()
    show.event("ended", "Stopped listening; jobs are polled again as usual", events=outcomes.events)
    return ExitCode.INTERRUPTED if server.was_interrupted else ExitCode.DONE


class _Outcomes:
    """Says what became of deliveries. Called by two threads."""

    def __init__(self, show: Reporter) -> None:
        self._show = show
        self._lock = threading.Lock()
        self._refused = 0
        self._told_at = -_QUIET_SECONDS
        self.events = 0

    def tell(self, outcome: DeliveryOutcome) -> None:
        """Says it, refusals not more often than once a second."""
        with self._lock:
            if outcome.event is None:
                self._refuse(outcome)
                return
            self.events += not outcome.is_repeated
            event = outcome.event
            task = str(event.id).rpartition(":")[0]
            again = " (again)" if outcome.is_repeated else ""
            self._show.event(
                "webhook",
                f"{event.type} of {task or event.id}{again}",
                id=event.id,
                type=event.type,
                task=task,
                repeated=outcome.is_repeated,
            )

    def _refuse(self, outcome: DeliveryOutcome) -> None:
        self._refused += 1
        if time.monotonic() - self._told_at < _QUIET_SECONDS:
            return
        self._told_at, count, self._refused = time.monotonic(), self._refused, 0
        error = outcome.error
        words = f"Refused: {error}"
        if isinstance(error, TimestampOutsideWindow):
            words += ". If all of them are refused like this, this machine's clock is wrong"
        if count > 1:
            words += f" ({count} deliveries)"
        self._show.event("refused", words, refusal=type(error).__name__, count=count)
