"""A small service that keeps tasks, and treats the markers of requests as a test wants it to."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import Enum, auto
from typing import Any
from urllib.parse import parse_qs

from asset_generation.vendor.assetgen.contract import MARKER_FIELD

from .local_engine import tiny_glb
from .scripted_service import Fault, ReceivedRequest, Reply, Script, ScriptedServer, failure, lost, ok

DECIMATE = "/v3/mesh/decimate"
IMPORT = "/v3/models/import"
USAGE = "/v3/account/usage"
LIST = "/v3/tasks/list"
_TYPES = {DECIMATE: "decimate-model", IMPORT: "import-model"}


class Treatment(Enum):
    """What the service does with a field that it does not know."""

    ECHOES = auto()
    DROPS = auto()
    REFUSES_BY_NAME = auto()
    REFUSES = auto()


@dataclass
class KeptTask:
    """A task. It is there from ``born_at`` on, in seconds since 1970, and succeeds at once unless told otherwise."""

    id: str
    type: str
    input: Mapping[str, Any]
    born_at: float
    status: str = "success"


@dataclass
class MarkingService:
    """The service of one test.

    Attributes:
        treatment: Of markers.
        types: What it calls the tasks of its endpoints.
        clock_is_off_by: Seconds that are added to every time that it tells.
        lose: How many creations do their work and are not answered.
        born_late: Seconds until a task whose answer is lost is there.
        new_status: What tasks that are made from now on end as.
        answer_delay: Seconds between the making of a task and its answer.
        refuses_all: With which words every creation is refused; empty: none is.
        tasks: Every task that it has, or will have.
        bodies: The bodies of all creation requests.
    """

    script: Script
    treatment: Treatment = Treatment.ECHOES
    types: dict[str, str] = field(default_factory=lambda: dict(_TYPES))
    clock_is_off_by: float = 0.0
    lose: int = 0
    born_late: float = 0.0
    new_status: str = "success"
    answer_delay: float = 0.0
    refuses_all: str = ""
    tasks: dict[str, KeptTask] = field(default_factory=dict)
    bodies: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self.base_url = self.script.base_url
        for endpoint in _TYPES:
            self.script.handle("POST", endpoint, self._create)
        self.script.handle("POST", LIST, self._list)
        self.script.handle("GET", USAGE, self._usage)
        self.script.handle("POST", "/v3/files", lambda _: ok({"file_token": f"file_{uuid.uuid4()}"}))
        self.script.handle("GET", "/model.glb", lambda _: Reply(200, tiny_glb()))

    @property
    def markers(self) -> list[str]:
        """What the creation requests carried, in their order; empty texts for those that carried nothing."""
        return [body.get(MARKER_FIELD, "") for body in self.bodies]

    def add(self, endpoint: str = DECIMATE, **input: Any) -> str:
        """A task that somebody else makes."""
        with self._lock:
            return self._new(endpoint, input, 0.0).id

    def _new(self, endpoint: str, body: Mapping[str, Any], late: float) -> KeptTask:
        task_id = str(uuid.uuid4())
        task = KeptTask(task_id, self.types[endpoint], body, time.time() + late, self.new_status)
        self.tasks[task_id] = task
        self.script.handle("GET", f"/v3/tasks/{task_id}", lambda _: ok(self._detail(task)))
        return task

    def _create(self, seen: ReceivedRequest) -> Reply:
        body = dict(seen.json)
        with self._lock:
            self.bodies.append(body)
            if self.refuses_all:
                return failure(400, 1004, self.refuses_all)
            if MARKER_FIELD in body:
                if self.treatment is Treatment.REFUSES_BY_NAME:
                    return failure(400, 1004, f"`{MARKER_FIELD}` is not a field of this request")
                if self.treatment is Treatment.REFUSES:
                    return failure(400, 1003, "the request cannot be read")
                if self.treatment is Treatment.DROPS:
                    del body[MARKER_FIELD]
            is_lost = self.lose > 0
            self.lose -= is_lost
            task = self._new(seen.path, body, self.born_late if is_lost else 0.0)
        answer = {"task_id": task.id, "type": task.type, "status": "queued"}
        return lost(Fault.CLOSE_AFTER) if is_lost else replace(ok(answer), delay=self.answer_delay)

    def _there(self) -> list[KeptTask]:
        """The tasks that are there by now, the newest first."""
        with self._lock:
            there = [task for task in self.tasks.values() if task.born_at <= time.time()]
        return sorted(there, key=lambda task: -task.born_at)

    def _time(self, task: KeptTask) -> str:
        return datetime.fromtimestamp(task.born_at + self.clock_is_off_by, UTC).isoformat()

    def _detail(self, task: KeptTask) -> dict[str, Any]:
        detail = {
            "task_id": task.id,
            "type": task.type,
            "status": task.status,
            "input": task.input,
            "created_at": self._time(task),
        }
        if task.status == "success":
            detail["output"] = {"model_url": f"{self.base_url}/model.glb"}
        return detail

    def _list(self, seen: ReceivedRequest) -> Reply:
        there = {task.id: task for task in self._there()}
        wanted = seen.json["task_ids"]
        return ok(
            {
                "tasks": {task_id: self._detail(there[task_id]) for task_id in wanted if task_id in there},
                "missed": [task_id for task_id in wanted if task_id not in there],
            }
        )

    def _usage(self, seen: ReceivedRequest) -> Reply:
        query = {name: int(values[0]) for name, values in parse_qs(seen.query).items()}
        page = self._there()[query["offset"] : query["offset"] + query["limit"]]
        rows = [
            {"task_id": task.id, "type": task.type, "status": task.status, "created_at": self._time(task)}
            for task in page
        ]
        return ok({"items": rows})


@contextmanager
def marking_service() -> Iterator[MarkingService]:
    """A running service of this kind."""
    with ScriptedServer() as server, server.script() as script:
        yield MarkingService(script)
