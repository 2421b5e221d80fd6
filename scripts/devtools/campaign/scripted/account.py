"""The truth: everything that came to life at the service, and what is on its way."""

from __future__ import annotations

import random
import time
import uuid
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from ..faults import ServiceScript, Stranger
from . import results
from .forms import FORMS, POOL_SIZES, TOKEN, Form, Refused

_SHARED_TYPES = ("generate", "process")
"""What a service calls its tasks that knows only few kinds."""


class PoolFull(Exception):
    """The account has as many unfinished tasks of this category as it may have."""


@dataclass(slots=True)
class Task:
    """A task that is alive, and charged unless it failed. Times are the service's own, in true seconds since 1970."""

    id: str
    form: Form
    words: str
    body: dict[str, Any]
    request_id: str
    arrived_at: float
    alive_at: float
    ends_at: float
    fails: bool = False
    ours: bool = True
    fetches: int = 0

    def status(self, now: float) -> str:
        """As the API names it."""
        if now < self.alive_at + 0.5:
            return "queued"
        if now < self.ends_at:
            return "running"
        return "failed" if self.fails else "success"

    @property
    def content(self) -> bytes:
        """The result's bytes, unlike those of any other task."""
        words = f"{self.words}|{self.form.kind}|{self.id}"
        return results.png(words) if self.form.gives == "image" else results.glb(words)


@dataclass(slots=True)
class Account:
    """All tasks and uploads of one account."""

    script: ServiceScript
    random: random.Random
    tasks: dict[str, Task] = field(default_factory=dict)
    uploads: dict[str, bytes] = field(default_factory=dict)
    coming: int = 0
    created: int = 0
    stale_tokens: int = 0

    def upload(self, content: bytes) -> str:
        """Keeps a file; returns its token."""
        token = f"file_{uuid.uuid4()}"
        self.uploads[token] = content
        return token

    def check(self, path: str, body: Mapping[str, Any], now: float) -> Form:
        """Looks at a creation request; returns its form.

        Raises:
            Refused: It is not as the API wants it.
            PoolFull: It has to wait.
        """
        form = FORMS[path]
        form.check(body)
        unknown = sorted(name for name in body if not form.known(name))
        if unknown and self.script.marker == "refused_named":
            raise Refused(f"unknown field {unknown[0]}")
        if unknown and self.script.marker == "refused":
            raise Refused("the request has a bad parameter")
        for token in _tokens(body):
            if token not in self.uploads:
                raise Refused(f"the file token {token} is invalid or expired")
            if self.stale_tokens < self.script.bad_tokens:
                self.stale_tokens += 1
                del self.uploads[token]
                raise Refused(f"the file token {token} is invalid or expired")
        source = self._source(form, body, now)
        if form.source and source is None:
            raise Refused(f"{form.source} is required")
        running = sum(
            1 for task in self.tasks.values() if task.ours and task.form.pool == form.pool and now < task.ends_at
        )
        if running >= POOL_SIZES[form.pool]:
            raise PoolFull
        return form

    def create(self, form: Form, body: dict[str, Any], request_id: str, arrived_at: float) -> Task:
        """Brings a task to life and charges it."""
        now = time.time()
        task = Task(
            str(uuid.UUID(int=self.random.getrandbits(128), version=4)),
            form,
            self._words(form, body),
            body,
            request_id,
            arrived_at,
            now,
            now + self.random.uniform(*self.script.seconds),
            fails=self.created < self.script.failing,
        )
        self.created += 1
        self.tasks[task.id] = task
        return task

    def create_stranger(self, stranger: Stranger) -> None:
        """A task of somebody else."""
        form = FORMS[stranger.path]
        someone = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        body: dict[str, Any] = {"prompt": stranger.words}
        if form.source:
            body = {form.source: someone}
        elif form.inputs:
            body = {"input": f"file_{someone}"}
        if stranger.marker:
            body["client_request_id"] = stranger.marker
        task = self.create(form, body, "", time.time())
        task.ours = False
        task.fails = False

    # As the API shows it

    def moment(self, true_time: float) -> str:
        """A time as the service's own clock has it."""
        return datetime.fromtimestamp(true_time + self.script.clock, UTC).isoformat().replace("+00:00", "Z")

    def type_of(self, task: Task) -> str:
        """What the service calls a task of this kind."""
        kind = task.form.kind
        if self.script.types == "share":
            return _SHARED_TYPES[len(kind) % len(_SHARED_TYPES)]
        return f"op-{zlib.crc32(kind.encode()):x}" if self.script.types == "odd" else kind

    def echo(self, task: Task) -> dict[str, Any]:
        """The request's parameters, as far as this service keeps them."""
        if self.script.marker == "dropped":
            return {name: value for name, value in task.body.items() if task.form.known(name)}
        return task.body

    def usage(self, now: float) -> list[dict[str, Any]]:
        """All rows, in the order of the script."""
        tasks = [task for task in self.tasks.values() if task.alive_at + self.script.usage_lag <= now]
        tasks.sort(key=lambda task: task.alive_at, reverse=self.script.usage_order == "newest")
        if self.script.usage_order == "any":
            self.random.shuffle(tasks)
        return [
            {
                "task_id": task.id,
                "type": self.type_of(task),
                "status": task.status(now),
                "created_at": self.moment(task.alive_at),
                "credits_consumed": 20.0 if task.status(now) == "success" else 0.0,
            }
            for task in tasks
        ]

    def _source(self, form: Form, body: Mapping[str, Any], now: float) -> Task | None:
        task_id = body.get(form.source) or (body.get("input") if form.source else None)
        if not isinstance(task_id, str):
            return None
        task = self.tasks.get(task_id)
        if task is None:
            raise Refused(f"there is no task {task_id}")
        if task.status(now) != "success":
            raise Refused(f"the task {task_id} has not succeeded")
        if task.form.gives != "model" or (form.source_kinds and task.form.kind not in form.source_kinds):
            raise Refused(f"the task {task_id} is of the wrong kind")
        return task

    def _words(self, form: Form, body: Mapping[str, Any]) -> str:
        """What a task is about, through everything that it was made from: the label of its job."""
        if "prompt" in body:
            return str(body["prompt"])
        for token in _tokens(body):
            return results.words_of(self.uploads.get(token, b""))
        task = self.tasks.get(str(body.get(form.source) or body.get("input") or ""))
        return task.words if task is not None else ""


def _tokens(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        return [token for item in value for token in _tokens(item)]
    return [value] if isinstance(value, str) and TOKEN.fullmatch(value) else []
