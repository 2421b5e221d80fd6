"""Webhooks: who is told of what, and what is said (docs/api.md, 7). Endpoints are given when the engine starts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import urlsplit

from ...assetgen.contract import TaskStatus
from ...assetgen.contract.answers.webhook_events import (
    DELIVERY_HEADER,
    ENDPOINT_HEADER,
    EVENT_HEADER,
    SIGNATURE_HEADER,
    EventType,
)
from ...assetgen.contract.webhook_signatures import sign
from ...loopback import is_loopback
from .timestamps import iso

SECRET_PREFIX = "whsec_"
ALL_KINDS = frozenset(str(kind) for kind in EventType)
_TASK_FIELDS = ("task_id", "type", "status", "output")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address that is told of events.

    Attributes:
        url: Where deliveries go: https, or http on this machine.
        secret: What signs them.
        kinds: The types of events that it wants.
    """

    url: str
    secret: str = field(repr=False)
    kinds: frozenset[str] = ALL_KINDS

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        here = parts.scheme == "http" and is_loopback(parts.hostname or "")
        if not here and not (parts.scheme == "https" and parts.hostname):
            raise ValueError(f"{self.url}: a webhook needs an https address, or http on this machine")
        if not self.secret.startswith(SECRET_PREFIX) or self.secret == SECRET_PREFIX:
            raise ValueError(f"the secret of the webhook {self.url} does not begin with {SECRET_PREFIX}")
        if unknown := self.kinds - ALL_KINDS:
            raise ValueError(f"no event is of the type {', '.join(sorted(unknown))}; there are {', '.join(EventType)}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """An endpoint from ``URL=SECRET`` or ``URL=SECRET,KIND,KIND``.

        Raises:
            ValueError: The text has another form, or the address, the secret or a kind cannot be used.
        """
        # An address may have "=" in its query; the secret begins alike in any case.
        url, found, rest = text.partition(f"={SECRET_PREFIX}")
        if not found:
            raise ValueError(f"{text.partition('=')[0]}: expected URL={SECRET_PREFIX}...[,KIND ...]")
        secret, *kinds = rest.split(",")
        return cls(url, f"{SECRET_PREFIX}{secret}", frozenset(kinds) or ALL_KINDS)

    @property
    def id(self) -> str:
        """Names the endpoint; the same at every start."""
        return f"we_{hashlib.sha256(self.url.encode()).hexdigest()[:16]}"


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event on its way to one endpoint.

    Attributes:
        id: Names it; the same in every attempt.
        endpoint: Id of the endpoint.
        type: Type of the event.
        task_id: The task that the event is about, or that brought it about.
        data: What the event says, where the task does not.
        created_at: When it happened, in Unix seconds.
        attempts: How often it was tried.
    """

    id: str
    endpoint: str
    type: str
    task_id: str
    data: Mapping[str, Any] | None
    created_at: float
    attempts: int

    def body(self, task: Mapping[str, Any]) -> bytes:
        """What is sent; ``task`` is the task's detail with fresh links."""
        data = self.data if self.data is not None else _task_data(task)
        event = {
            "id": f"{self.task_id}:{self.type}",
            "type": self.type,
            "created_at": iso(self.created_at),
            "data": data,
        }
        return json.dumps(event, separators=(",", ":")).encode()

    def headers(self, body: bytes, secret: str, now: float) -> dict[str, str]:
        """The headers of an attempt; each has a signature of its own time."""
        return {
            "Content-Type": "application/json",
            ENDPOINT_HEADER: self.endpoint,
            DELIVERY_HEADER: self.id,
            EVENT_HEADER: self.type,
            SIGNATURE_HEADER: sign(body, secret, int(now)),
        }


def type_of_end(status: str) -> EventType | None:
    """The event of a task's end; None for a status that ends nothing."""
    if status == TaskStatus.SUCCESS:
        return EventType.TASK_COMPLETED
    return EventType.TASK_FAILED if status in (TaskStatus.FAILED, TaskStatus.CANCELLED) else None


def _task_data(task: Mapping[str, Any]) -> dict[str, Any]:
    data = {name: task[name] for name in _TASK_FIELDS if name in task}
    if task["status"] == TaskStatus.SUCCESS:
        return data
    # Also of a cancelled task: whatever did not succeed is told as `failed` (docs/api.md, 7.1).
    data["status"] = str(TaskStatus.FAILED)
    code, message = task.get("error_code"), task.get("error_message")
    data["error"] = {"code": "" if code is None else str(code), "message": message or f"the task was {task['status']}"}
    return data
