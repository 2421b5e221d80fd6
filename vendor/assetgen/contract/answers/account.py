"""Account records (docs/api.md, 5.2)."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator, model_validator

from .lenient_values import or_empty, or_nothing


class Balance(BaseModel):
    """Credits of the account. ``balance`` can be spent; ``frozen`` is held by tasks that still run."""

    model_config = ConfigDict(extra="allow")

    balance: Decimal
    frozen: Decimal = Decimal(0)

    @model_validator(mode="before")
    @classmethod
    def _unwrap(cls, value: Any) -> Any:
        # The contract leaves the nesting open: both {balance, frozen} and {balance: {balance, frozen}} are read.
        if isinstance(value, dict) and isinstance(value.get("balance"), dict):
            return value["balance"]
        return value

    @field_validator("frozen", mode="before")
    @classmethod
    def _none_held(cls, value: Any) -> Any:
        return 0 if value is None else value


class UsageRow(BaseModel):
    """One task as the account's usage lists it. Without an id it is about something else, such as a purchase."""

    model_config = ConfigDict(extra="allow")

    task_id: str = ""
    type: str = ""
    status: str = ""
    created_at: datetime | None = None
    credits_consumed: Decimal | None = None

    _lenient = field_validator("created_at", "credits_consumed", mode="wrap")(or_nothing)
    _texts = field_validator("task_id", "type", "status", mode="wrap")(or_empty)

    @model_validator(mode="before")
    @classmethod
    def _map(cls, value: Any) -> Any:
        return value if isinstance(value, dict | UsageRow) else {}
