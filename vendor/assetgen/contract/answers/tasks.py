"""What the service tells about a task (docs/api.md, 2)."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ..endpoints.image_inputs import VIEWS
from ..request import MARKER_FIELD
from .lenient_values import as_text, or_empty, or_nothing


class TaskStatus(StrEnum):
    """The five states that the contract names."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCESS = "success"
    FAILED = "failed"
    CANCELLED = "cancelled"


FINAL_STATUSES = frozenset({TaskStatus.SUCCESS, TaskStatus.FAILED, TaskStatus.CANCELLED})
"""Polling stops on these."""


class TaskCreated(BaseModel):
    """The answer to a creation request."""

    model_config = ConfigDict(extra="allow")

    task_id: str = Field(pattern=r"\S")
    type: str = ""
    status: str = TaskStatus.QUEUED

    _texts = field_validator("type", "status", mode="wrap")(or_empty)


class PromptReading(BaseModel):
    """What became of the words of a prompt, as only the local engine tells."""

    model_config = ConfigDict(extra="allow")

    understood: list[str] = Field(default_factory=list)
    not_understood: list[str] = Field(default_factory=list)
    note: str = ""


class TaskOutput(BaseModel):
    """Results of a successful task. Links are signed and end after about 24 hours; reading the task renews them."""

    model_config = ConfigDict(extra="allow")

    model_url: str | None = None
    rendered_image_url: str | None = None
    generated_image_url: str | None = None
    generated_image: str | None = None
    rendered_video_url: str | None = None
    rendered_sequence_url: str | list[str] | None = None
    multiview_basecolor_url: str | None = None
    front_view_url: str | None = None
    left_view_url: str | None = None
    back_view_url: str | None = None
    right_view_url: str | None = None
    generate_multiview_image: dict[str, Any] | None = None
    riggable: bool | None = None
    rig_type: str | None = None
    reason: str | None = None
    size: str | None = None
    local_engine: PromptReading | None = None

    _lenient = field_validator("*", mode="wrap")(or_nothing)

    @property
    def image_url(self) -> str | None:
        """The generated image under either of the two names that the contract uses for it."""
        return self.generated_image_url or self.generated_image

    def links(self) -> dict[str, str]:
        """Every link of the output by its key without ``_url``; the views of a multiview by side, as ``front_view``.

        Keys that the contract does not name are kept as they came when they hold a link. Links of a list are numbered:
        ``rendered_sequence_1``.
        """
        views = self.generate_multiview_image or {}
        named = self.model_dump(exclude={"generate_multiview_image", "generated_image", "generated_image_url"})
        found: dict[str, str] = {}
        for key, value in (
            ("generated_image", self.image_url),
            *named.items(),
            *((_view(key), views[key]) for key in views),
        ):
            name = key.removesuffix("_url")
            items = (
                {f"{name}_{number}": item for number, item in enumerate(value, 1)} if isinstance(value, list) else {}
            )
            for item_name, item in (items or {name: value}).items():
                if isinstance(item, str) and item.startswith(("https://", "http://")):
                    found.setdefault(item_name, item)
        return found


class TaskDetail(BaseModel):
    """One task. Unknown fields and unknown statuses are kept; see :attr:`outcome` for how a status is read."""

    model_config = ConfigDict(extra="allow")

    task_id: str
    type: str = ""
    status: str
    progress: int = 0
    input: dict[str, Any] = Field(default_factory=dict)
    output: TaskOutput | None = None
    created_at: datetime | None = None
    completed_at: datetime | None = None
    credits_consumed: Decimal | None = None
    error_code: int | None = None
    error_message: str | None = None

    _lenient = field_validator(
        "created_at", "completed_at", "credits_consumed", "error_code", "error_message", mode="wrap"
    )(or_nothing)
    _texts = field_validator("type", "status", mode="before")(as_text)

    @field_validator("progress", mode="before")
    @classmethod
    def _whole(cls, value: Any) -> Any:
        """Progress in whole per cent, also from a number with decimals; 0 from anything that is no number."""
        return int(value) if isinstance(value, int | float) and 0 <= value <= 100 else 0

    @field_validator("input", mode="before")
    @classmethod
    def _map(cls, value: Any) -> Any:
        return value if isinstance(value, dict) else {}

    @field_validator("output", mode="before")
    @classmethod
    def _map_or_nothing(cls, value: Any) -> Any:
        """None in place of what is no map, as it may come from a task that has no output yet."""
        return value if isinstance(value, dict | TaskOutput) else None

    @property
    def has_known_status(self) -> bool:
        """Whether the contract names the status, so that it says what became of the credits."""
        return self.status in TaskStatus.__members__.values()

    @property
    def marker(self) -> str:
        """The marker of the request that made the task, as its echo shows it; empty where it shows none."""
        # A service may keep what it does not know in a map of its own.
        inner = (value for value in self.input.values() if isinstance(value, dict))
        markers = (fields.get(MARKER_FIELD) for fields in (self.input, *inner))
        return next((marker for marker in markers if isinstance(marker, str) and marker), "")

    @property
    def outcome(self) -> TaskStatus:
        """The status as a client acts on it: a status that the contract does not name counts as failed."""
        try:
            return TaskStatus(self.status)
        except ValueError:
            return TaskStatus.FAILED

    @property
    def is_final(self) -> bool:
        """Whether the task will not change any more."""
        return self.outcome in FINAL_STATUSES


class TaskList(BaseModel):
    """The answer to a read of many tasks: those found, by id, and the ids that were not."""

    model_config = ConfigDict(extra="allow")

    tasks: dict[str, TaskDetail] = Field(default_factory=dict)
    missed: list[str] = Field(default_factory=list)


def _view(key: str) -> str:
    """The flat key of a view inside of ``generate_multiview_image``, whose own names the API does not show."""
    return f"{key}_view" if key in VIEWS else key
