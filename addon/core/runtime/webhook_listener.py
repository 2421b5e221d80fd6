"""Takes deliveries of webhooks and writes down which tasks have ended, for all runtimes of the data folder."""

from __future__ import annotations

import queue
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from ....vendor.assetgen.webhooks import TOLERANCE, TaskEvent, WebhookError, WebhookEvent, verify
from ..jobs.webhook_inbox import ReceivedEvent, WebhookInbox
from ..log import logger

log = logger(__name__)

TAKEN, BAD, TOO_MANY = 200, 400, 503
"""What a delivery is answered with (HTTP): taken, not to be trusted, to be sent again."""

_MOST_WAITING = 10_000
_ALIVE_PAUSE = 5.0
_LOOK_SECONDS = 0.25
_AGAIN_SECONDS = 1.0
_END_SECONDS = 5.0
_BATCH = 500


class DeliveryOutcome(NamedTuple):
    """What became of a delivery: an event that is new or was there before, or why it is not to be trusted."""

    event: WebhookEvent | None
    is_repeated: bool = False
    error: WebhookError | None = None


class WebhookListener:
    """What is behind the address that the service sends to. A delivery is answered before anything is written.

    Args:
        path: The file that the runtimes look at.
        service_id: Whose tasks the events are of.
        secret: What signs the deliveries (``whsec_...``).
        tell: Called with every outcome: refusals on the caller's thread, the rest on the listener's.
        tolerance: Seconds by which a delivery's time may differ from ours.
        clock: The time of day in Unix seconds.

    Raises:
        sqlite3.Error: The file cannot be used.
        JournalTrouble: As for the journal, on a drive that several computers share.
    """

    def __init__(
        self,
        path: Path,
        service_id: str,
        secret: str,
        tell: Callable[[DeliveryOutcome], None],
        *,
        tolerance: float = TOLERANCE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._id = uuid.uuid4().hex
        self._service_id = service_id
        self._secret = secret
        self._tell = tell
        self._tolerance = tolerance
        self._clock = clock
        self._inbox = WebhookInbox(path)
        self._inbox.attend(self._id, service_id, clock())
        self._waiting: queue.Queue[tuple[WebhookEvent, float]] = queue.Queue(_MOST_WAITING)
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._loop, daemon=True, name="assetgen-webhooks")

    def start(self) -> None:
        """Starts the thread that writes."""
        self._thread.start()

    def close(self) -> None:
        """Writes what was taken, and leaves. What cannot be written soon is told again by the service, or polled."""
        self._ending.set()
        self._thread.join(_END_SECONDS)

    def receive(self, body: bytes, headers: Mapping[str, str]) -> int:
        """Looks at a delivery; returns the HTTP status of the answer. Takes no longer than a hash does.

        Args:
            body: The body exactly as it arrived.
            headers: The request's headers.
        """
        now = self._clock()
        try:
            event = verify(body, headers, self._secret, tolerance=self._tolerance, now=lambda: now)
        except WebhookError as error:
            self._tell(DeliveryOutcome(None, error=error))
            return BAD
        try:
            self._waiting.put_nowait((event, now))
        except queue.Full:
            return TOO_MANY
        return TAKEN

    def _loop(self) -> None:
        attended = self._clock()
        unwritten: list[tuple[WebhookEvent, float]] = []
        try:
            while not self._ending.is_set() or not self._waiting.empty():
                unwritten = unwritten or self._next()
                try:
                    if unwritten:
                        self._write(unwritten)
                        unwritten = []
                    if abs(self._clock() - attended) >= _ALIVE_PAUSE:
                        attended = self._clock()
                        self._inbox.attend(self._id, self._service_id, attended)
                except sqlite3.Error as error:  # a full disk, or another program that holds the file
                    log.warning("what webhooks told cannot be written: %s", error)
                    if self._ending.wait(_AGAIN_SECONDS):
                        return
        finally:
            self._leave()

    def _next(self) -> list[tuple[WebhookEvent, float]]:
        """What has come; waits for the first of it, and not for more."""
        events: list[tuple[WebhookEvent, float]] = []
        try:
            events.append(self._waiting.get(timeout=_LOOK_SECONDS))
            while len(events) < _BATCH:
                events.append(self._waiting.get_nowait())
        except queue.Empty:
            pass
        return events

    def _write(self, events: list[tuple[WebhookEvent, float]]) -> None:
        rows = [ReceivedEvent(self._service_id, event.id, _task_of(event), now) for event, now in events]
        new = {row.id for row in self._inbox.add(rows)}
        for event, _ in events:
            self._tell(DeliveryOutcome(event, is_repeated=event.id not in new))
            new.discard(event.id)

    def _leave(self) -> None:
        try:
            self._inbox.leave(self._id)
        except sqlite3.Error as error:
            log.info("a listener could not say that it has ended: %s", error)  # after a while it counts as gone
        self._inbox.close()


def _task_of(event: WebhookEvent) -> str:
    return event.data.task_id if isinstance(event, TaskEvent) else ""
