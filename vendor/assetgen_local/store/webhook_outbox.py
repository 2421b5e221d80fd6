"""Events that endpoints are still to be told of.

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

from ...assetgen.contract.answers.webhook_events import EventType
from .account import as_number
from .webhook_events import Delivery, Endpoint, type_of_end

SCHEMA = """
CREATE TABLE deliveries (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, endpoint TEXT NOT NULL, type TEXT NOT NULL,
                         task_id TEXT NOT NULL, data TEXT, created_at REAL NOT NULL,
                         attempts INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL, answer TEXT);
CREATE INDEX deliveries_pending ON deliveries (state) WHERE state = 'pending'
"""


class State(StrEnum):
    """How far a delivery is."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Outbox:
    """The events of one data folder. What adds one belongs into a transaction of the caller.

    Attributes:
        endpoints: Who is told.
        alert: Hundredths of a credit below which the balance is told of; None for never.
    """

    database: sqlite3.Connection
    clock: Callable[[], float]
    endpoints: Sequence[Endpoint] = ()
    alert: int | None = None

    def task_ended(self, task_id: str, status: str) -> None:
        """A task came to an end."""
        kind = type_of_end(status)
        if kind is not None:
            self._add(kind, task_id, None)

    def balance_changed(self, task_id: str, before: int, after: int) -> None:
        """A task took the balance from one amount to another, in hundredths of a credit."""
        if self.alert is not None and after < self.alert <= before:
            data = {"balance": as_number(after), "threshold": as_number(self.alert)}
            self._add(EventType.BALANCE_LOW, task_id, data)

    def pending(self) -> list[Delivery]:
        """What is still to be delivered, in the order in which it happened."""
        rows = self.database.execute(
            "SELECT id, endpoint, type, task_id, data, created_at, attempts FROM deliveries WHERE state = ?"
            " ORDER BY seq",
            (State.PENDING,),
        )
        return [
            Delivery(delivery, endpoint, kind, task_id, json.loads(data) if data else None, at, attempts)
            for delivery, endpoint, kind, task_id, data, at, attempts in rows
        ]

    def attempted(self, delivery_id: str, state: State, answer: str) -> None:
        """A delivery was tried; ``answer`` is the status that came back, or what went wrong."""
        self.database.execute(
            "UPDATE deliveries SET attempts = attempts + 1, state = ?, answer = ? WHERE id = ?",
            (state, answer, delivery_id),
        )

    def recent(self, count: int) -> list[dict[str, Any]]:
        """The last deliveries, the newest first, for who looks into them."""
        names = ("id", "endpoint", "type", "task_id", "attempts", "state", "answer")
        rows = self.database.execute(f"SELECT {', '.join(names)} FROM deliveries ORDER BY seq DESC LIMIT ?", (count,))
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _add(self, kind: EventType, task_id: str, data: Mapping[str, Any] | None) -> None:
        for endpoint in self.endpoints:
            if kind in endpoint.kinds:
                self.database.execute(
                    "INSERT INTO deliveries (id, endpoint, type, task_id, data, created_at, state)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (
                        str(uuid.uuid4()),
                        endpoint.id,
                        kind,
                        task_id,
                        json.dumps(data) if data is not None else None,
                        self.clock(),
                        State.PENDING,
                    ),
                )
