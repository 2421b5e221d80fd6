"""A task as the engine keeps it, and as it tells clients about it (docs/api.md, 2.4 and 2.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from ...assetgen.contract import VIEWS, TaskStatus
from .account import as_number

MODEL_FIELD = "model"
"""The name among a task's tokens of the model file that an import works on."""

INPUT_FIELD = "input"
"""The field of a request that takes a file or a task, whichever it is given."""

MODEL_KEY = "model_url"
IMAGE_KEY = "generated_image_url"
VIEW_KEYS = {view: f"{view}_view_url" for view in VIEWS}
"""Output keys of the engine's files (docs/api.md, 2.5): the model, the generated image, the views by their names."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What a task works on: an earlier task, and uploaded files by the field that names them.

    A field that takes several files has a list of tokens, any other has one token.
    """

    task_id: str = ""
    tokens: Mapping[str, str | list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewTask:
    """A task that is about to be created; everything in it has been checked.

    Attributes:
        sent: The request as the client sent it: what the task detail echoes.
        body: The request as the contract reads it: what the engine gets.
        forced: An outcome that a test asked for, instead of work.
    """

    id: str
    capability: str
    type: str
    category: str
    priority: int
    sent: Mapping[str, Any]
    body: Mapping[str, Any]
    sources: Sources
    price: int
    forced: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What the engine made: output keys with file names in the task's folder, further output values, and facts."""

    files: Mapping[str, str]
    values: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """A task as stored. ``status`` is a text because tests force ones that the contract does not name."""

    id: str
    capability: str
    type: str
    category: str
    status: str
    sent: Mapping[str, Any]
    body: Mapping[str, Any]
    sources: Sources
    price: int
    consumed: int
    attempts: int
    created_at: float
    completed_at: float | None
    result: Result | None
    error_code: int | None
    error_message: str | None
    forced: Mapping[str, Any] | None


def task_detail(task: Task, progress: int, link: Callable[[str, str], str]) -> dict[str, Any]:
    """The task as clients read it.

    Args:
        task: The task.
        progress: Per cent done of a running task.
        link: Makes a fresh link from a task id and a file name.
    """
    fields: dict[str, Any] = {
        "task_id": task.id,
        "type": task.type,
        "status": task.status,
        "progress": 100 if task.status == TaskStatus.SUCCESS else progress,
        "input": dict(task.sent),
        "created_at": iso_time(task.created_at),
        "credits_consumed": as_number(task.consumed),
    }
    if task.completed_at is not None:
        fields["completed_at"] = iso_time(task.completed_at)
    if task.status == TaskStatus.SUCCESS and task.result is not None:
        links = {key: link(task.id, name) for key, name in task.result.files.items()}
        fields["output"] = {**links, **_repeated(links), **task.result.values}
    if task.error_code is not None:
        fields["error_code"] = task.error_code
        fields["error_message"] = task.error_message or ""
    return fields


def _repeated(links: Mapping[str, str]) -> dict[str, Any]:
    """The links once more under the second name that the API has for them."""
    views = {key: links[key] for key in VIEW_KEYS.values() if key in links}
    again: dict[str, Any] = {"generate_multiview_image": views} if views else {}
    if IMAGE_KEY in links:
        again["generated_image"] = links[IMAGE_KEY]
    return again


def usage_row(task: Task) -> dict[str, Any]:
    """The task as the account's usage lists it (docs/api.md, 5.2)."""
    return {
        "task_id": task.id,
        "type": task.type,
        "status": task.status,
        "created_at": iso_time(task.created_at),
        "credits_consumed": as_number(task.consumed),
    }


def iso_time(seconds: float) -> str:
    """A time in Unix seconds as the API writes it: ISO 8601 in UTC, to the millisecond."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
