"""Receiving webhooks (docs/api.md, 7): is a delivery from the service, and what does it say?

    deliveries = Deliveries()

    def receive(body: bytes, headers: Mapping[str, str]) -> int:
        try:
            event = verify(body, headers, secret)
        except WebhookError:
            return 400
        if not deliveries.seen(delivery_id(headers)) and not deliveries.seen(event.id):
            later(event)
        return 200

The service wants its answer within about five seconds and sends again when it gets none, so the work comes after it.
Nothing here touches the network, and neither texts nor errors hold the secret.
"""

from __future__ import annotations

import hmac
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping

from pydantic import BaseModel, ValidationError

from .contract.answers.webhook_events import (
    DELIVERY_HEADER,
    EVENT_HEADER,
    SIGNATURE_HEADER,
    BalanceEvent,
    BalanceLow,
    EventFailure,
    EventType,
    TaskEvent,
    TaskEventData,
    WebhookEvent,
    event_class,
)
from .contract.webhook_signatures import sign, signature
from .errors import (
    ConfigurationError,
    EventMismatch,
    MalformedSignature,
    MissingHeader,
    NotAnEvent,
    SignatureMismatch,
    TimestampOutsideWindow,
    WebhookError,
)

__all__ = [
    "MAX_EVENT_BYTES",
    "TOLERANCE",
    "BalanceEvent",
    "BalanceLow",
    "Deliveries",
    "EventFailure",
    "EventMismatch",
    "EventType",
    "MalformedSignature",
    "MissingHeader",
    "NotAnEvent",
    "SignatureMismatch",
    "TaskEvent",
    "TaskEventData",
    "TimestampOutsideWindow",
    "WebhookError",
    "WebhookEvent",
    "delivery_id",
    "parse",
    "sign",
    "verify",
]

TOLERANCE = 300.0
"""Seconds by which a delivery's time may differ from ours; about five minutes are advised (docs/api.md, 7.2)."""

MAX_EVENT_BYTES = 1024 * 1024
"""Largest body that is looked at. A receiver should read no more than this from whoever sends."""


def verify(
    body: bytes,
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance: float | None = TOLERANCE,
    now: Callable[[], float] = time.time,
) -> WebhookEvent:
    """Makes sure that a delivery comes from the service, unchanged and now, and returns what it says.

    Args:
        body: The body exactly as it arrived: JSON that was read and written again has another signature.
        headers: The request's headers; the case of their names does not matter.
        secret: The endpoint's signing secret (``whsec_...``).
        tolerance: Seconds by which the delivery's time may differ from ours, either way; None to take any time.
        now: This machine's clock, in Unix seconds.

    Returns:
        A :class:`TaskEvent`, a :class:`BalanceEvent`, or for a type that is not known a plain :class:`WebhookEvent`.

    Raises:
        MissingHeader: The signature or the event's type is not among the headers.
        MalformedSignature: The signature's header is not ``t=...,v1=...``.
        SignatureMismatch: The body was changed, or another secret signed it: the two cannot be told apart.
        TimestampOutsideWindow: It was signed too long ago, or for too late a time.
        NotAnEvent: It is signed well, but it is no event; or it is larger than any.
        EventMismatch: The header, which the signature does not cover, names another type than the body.
        ConfigurationError: The secret is empty; then anyone could sign.
    """
    secret = secret.strip()
    if not secret:
        raise ConfigurationError("a signing secret is needed to check webhooks")
    _check_size(body)
    timestamp, signatures = _read_signature(_header(headers, SIGNATURE_HEADER))
    expected = signature(body, secret, timestamp).encode()
    # All are compared, so that the time it takes says nothing about which one fitted. There is more than one while a
    # secret is being replaced.
    if sum([hmac.compare_digest(expected, one.encode(errors="replace")) for one in signatures]) == 0:
        raise SignatureMismatch("the signature does not fit: the body was changed, or another secret signed it")
    _check_time(int(timestamp), tolerance, now())
    told = _header(headers, EVENT_HEADER)
    event = parse(body)
    if told != event.type:
        raise EventMismatch(f"the header says {told!r} and the body {event.type!r}")
    return event


def parse(body: bytes) -> WebhookEvent:
    """Reads the body of a delivery, without asking whether it comes from the service.

    Raises:
        NotAnEvent: It is none.
    """
    _check_size(body)
    try:
        kind = event_class(_Head.model_validate_json(body).type)
        return kind.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "body"
        raise NotAnEvent(f"the body is not an event: {where}: {first['msg']}") from None


def delivery_id(headers: Mapping[str, str]) -> str:
    """The id of a delivery, the same when the service repeats it.

    Raises:
        MissingHeader: There is none.
    """
    return _header(headers, DELIVERY_HEADER)


class Deliveries:
    """Remembers which deliveries were there, so that a repeated one is not acted upon twice. Thread-safe.

    The delivery id is what the service offers for this, but the signature does not cover it: who replays a delivery
    within the window can give it another id. An event's own ``id`` is covered; remember that as well where acting twice
    would do harm.

    Args:
        most: How many ids are remembered; beyond that the oldest are forgotten.
    """

    def __init__(self, most: int = 10_000) -> None:
        if most < 1:
            raise ValueError(f"at least one id must be remembered, not {most}")
        self._most = most
        self._lock = threading.Lock()
        self._ids: OrderedDict[str, None] = OrderedDict()

    def seen(self, delivery: str) -> bool:
        """Whether the id was there before; remembers it. Of several threads that ask at once, one hears False."""
        with self._lock:
            is_repeated = delivery in self._ids
            self._ids[delivery] = None
            self._ids.move_to_end(delivery)
            if len(self._ids) > self._most:
                self._ids.popitem(last=False)
            return is_repeated

    def forget(self, delivery: str) -> None:
        """Lets the id count as new again, for a delivery that could not be handled and will be repeated."""
        with self._lock:
            self._ids.pop(delivery, None)

    def __len__(self) -> int:
        return len(self._ids)


class _Head(BaseModel):
    type: str


def _check_size(body: bytes) -> None:
    if len(body) > MAX_EVENT_BYTES:
        raise NotAnEvent(f"the body has more than {MAX_EVENT_BYTES // 1024} KB, which no event has")


def _header(headers: Mapping[str, str], name: str) -> str:
    lower_name = name.lower()
    value = next((value for key, value in headers.items() if key.lower() == lower_name), "").strip()
    if not value:
        raise MissingHeader(f"the header {name} is missing")
    return value


def _read_signature(header: str) -> tuple[str, list[str]]:
    """The text of ``t`` and every ``v1``; parts with other names belong to schemes that we do not know."""
    parts = [tuple(word.strip() for word in part.split("=", 1)) for part in header.split(",")]
    if any(len(part) != 2 for part in parts):
        raise MalformedSignature("the signature's header is not of the form t=<unix seconds>,v1=<hex>")
    times = [value for name, value in parts if name == "t"]
    signatures = [value for name, value in parts if name == "v1" and value]
    if len(times) != 1 or not (times[0].isascii() and times[0].isdecimal() and len(times[0]) <= 15):
        raise MalformedSignature("the signature's header must have one t, in unix seconds")
    if not signatures:
        raise MalformedSignature("the signature's header has no v1")
    return times[0], signatures


def _check_time(timestamp: int, tolerance: float | None, now: float) -> None:
    if tolerance is None or abs(now - timestamp) <= tolerance:
        return
    direction = "ago" if timestamp < now else "ahead of this machine's clock"
    raise TimestampOutsideWindow(
        f"it was signed {abs(now - timestamp):.0f} seconds {direction}; at most {tolerance:.0f} are allowed"
    )
