"""Webhook events: what the service sends to a registered address (docs/api.md, 7.1)."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, model_validator

from .tasks import TaskDetail, TaskStatus

ENDPOINT_HEADER = "Service-Webhook-Id"
"""Names the registered endpoint that a delivery is for."""

DELIVERY_HEADER = "Service-Webhook-Delivery"
"""Names the delivery; the same again when it is repeated."""

EVENT_HEADER = "Service-Webhook-Event"
"""The event's type once more."""

SIGNATURE_HEADER = "Service-Webhook-Signature"
"""``t=<unix seconds>,v1=<hex>``, see :mod:`.signatures`."""


_LONGEST_CODE = 9
"""Digits of a code that is given as a text."""


class EventType(StrEnum):
    """The kinds of events that the contract names."""

    TASK_COMPLETED = "task.completed"
    TASK_FAILED = "task.failed"
    BALANCE_LOW = "balance.low"


class EventFailure(BaseModel):
    """Why the task of an event failed. The code is a text here and a number in the task's ``error_code``."""

    model_config = ConfigDict(extra="allow", coerce_numbers_to_str=True)

    code: str = ""
    message: str = ""


class TaskEventData(TaskDetail):
    """The task that an event is about, as its detail tells it, and why it failed where it did."""

    error: EventFailure | None = None

    @model_validator(mode="before")
    @classmethod
    def _null_is_missing(cls, value: Any) -> Any:
        # A field that is null says as much as one that is missing.
        if isinstance(value, dict):
            return {name: item for name, item in value.items() if item is not None}
        return value

    @property
    def failure_code(self) -> int | None:
        """The number of the error, from whichever of the two places has it; None where neither has a number."""
        if self.error_code is not None:
            return self.error_code
        code = self.error.code if self.error is not None else ""
        return int(code) if code.isdecimal() and len(code) <= _LONGEST_CODE else None

    @property
    def failure_message(self) -> str:
        """The words of the error, from whichever of the two places has them; may be empty."""
        return self.error_message or (self.error.message if self.error is not None else "")


class BalanceLow(BaseModel):
    """The balance, and the threshold of the credit alert that it fell below. In credits."""

    model_config = ConfigDict(extra="allow")

    balance: Decimal
    threshold: Decimal


class WebhookEvent(BaseModel):
    """An event. One of a type that the contract does not name is of this class, and its ``data`` is as it came."""

    model_config = ConfigDict(extra="allow")

    types: ClassVar[frozenset[str]] = frozenset()
    """The types that a subclass reads."""

    id: str
    """Task id and type, joined by a colon; the same in every delivery of the event, and covered by the signature."""
    type: str
    created_at: datetime | None = None
    data: Any = None


class TaskEvent(WebhookEvent):
    """A task has ended."""

    types: ClassVar[frozenset[str]] = frozenset({EventType.TASK_COMPLETED, EventType.TASK_FAILED})

    data: TaskEventData

    @property
    def is_success(self) -> bool:
        """Whether the task was successful, by the event and by the task alike."""
        return self.type == EventType.TASK_COMPLETED and self.data.outcome is TaskStatus.SUCCESS


class BalanceEvent(WebhookEvent):
    """The balance is below the threshold of the credit alert. Tasks go on."""

    types: ClassVar[frozenset[str]] = frozenset({EventType.BALANCE_LOW})

    data: BalanceLow


def event_class(event_type: str) -> type[WebhookEvent]:
    """The class that reads events of a type; the base for types that the contract does not name."""
    return next((model for model in (TaskEvent, BalanceEvent) if event_type in model.types), WebhookEvent)
