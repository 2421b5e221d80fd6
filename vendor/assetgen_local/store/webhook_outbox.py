"""Events that endpoints are still to be told of, and what is said (docs/api.md, 7).

They are written in the transaction that brings them about, so none is lost and none is sent that did not happen.
"""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ...assetgen.contract import TaskStatus
from ...assetgen.contract.answers.webhook_events import (
    DELIVERY_HEADER,
    ENDPOINT_HEADER,
    EVENT_HEADER,
    SIGNATURE_HEADER,
    EventType,
)
from ...assetgen.contract.webhook_signatures import sign
from ..webhook_endpoint import WebhookEndpoint
from .account import as_number
from .tasks import iso_time

SCHEMA = """
CREATE TABLE deliveries (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, endpoint TEXT NOT NULL, type TEXT NOT NULL,
                         task_id TEXT NOT NULL, data TEXT, created_at REAL NOT NULL,
                         attempts INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL, answer TEXT);
CREATE INDEX deliveries_pending ON deliveries (state) WHERE state = 'pending'
"""

_TASK_FIELDS = ("task_id", "type", "status", "output")


class DeliveryState(StrEnum):
    """How far a delivery is."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


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
            "created_at": iso_time(self.created_at),
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


@dataclass(frozen=True, slots=True)
class WebhookOutbox:
    """The events of one data folder. What adds one belongs into a transaction of the caller.

    Attributes:
        endpoints: Who is told.
        alert: Hundredths of a credit below which the balance is told of; None for never.
    """

    connection: sqlite3.Connection
    clock: Callable[[], float]
    endpoints: Sequence[WebhookEndpoint] = ()
    alert: int | None = None

    def task_ended(self, task_id: str, status: str) -> None:
        """A task came to an end."""
        kind = _type_of_end(status)
        if kind is not None:
            self._add(kind, task_id, None)

    def balance_changed(self, task_id: str, before: int, after: int) -> None:
        """A task took the balance from one amount to another, in hundredths of a credit."""
        if self.alert is not None and after < self.alert <= before:
            data = {"balance": as_number(after), "threshold": as_number(self.alert)}
            self._add(EventType.BALANCE_LOW, task_id, data)

    def pending(self) -> list[Delivery]:
        """What is still to be delivered, in the order in which it happened."""
        rows = self.connection.execute(
            "SELECT id, endpoint, type, task_id, data, created_at, attempts FROM deliveries WHERE state = ?"
            " ORDER BY seq",
            (DeliveryState.PENDING,),
        )
        return [
            Delivery(delivery, endpoint, kind, task_id, json.loads(data) if data else None, at, attempts)
            for delivery, endpoint, kind, task_id, data, at, attempts in rows
        ]

    def attempted(self, delivery_id: str, state: DeliveryState, answer: str) -> None:
        """A delivery was tried; ``answer`` is the status that came back, or what went wrong."""
        self.connection.execute(
            "UPDATE deliveries SET attempts = attempts + 1, state = ?, answer = ? WHERE id = ?",
            (state, answer, delivery_id),
        )

    def recent(self, count: int) -> list[dict[str, Any]]:
        """The last deliveries, the newest first, for who looks into them."""
        names = ("id", "endpoint", "type", "task_id", "attempts", "state", "answer")
        rows = self.connection.execute(f"SELECT {', '.join(names)} FROM deliveries ORDER BY seq DESC LIMIT ?", (count,))
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _add(self, kind: EventType, task_id: str, data: Mapping[str, Any] | None) -> None:
        for endpoint in self.endpoints:
            if kind in endpoint.kinds:
                self.connection.execute(
                    "INSERT INTO deliveries (id, endpoint, type, task_id, data, created_at, state)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (
                        str(uuid.uuid4()),
                        endpoint.id,
                        kind,
                        task_id,
                        json.dumps(data) if data is not None else None,
                        self.clock(),
                        DeliveryState.PENDING,
                    ),
                )


def _type_of_end(status: str) -> EventType | None:
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
