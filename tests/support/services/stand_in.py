"""A stand-in for the service that was written from the API's text alone: it answers 400 to every form not shown there.

It imports nothing of the extension. Every request is recorded, tasks succeed at once, results are what the test hands
over. There is no queue, no price and no fault here: the question is only whether our requests are those of the text.
"""

from __future__ import annotations

import json
import re
import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .stand_in_forms import FIELDS, complaint

KEY = "stand-in-key"

_TYPES = {"/v3/mesh/decimate": "retopology"}  # 8.2; the others are the last part of the path
_VIEWS = ("front", "left", "back", "right")
_IMAGES = ("/v3/generation/text-to-image", "/v3/generation/image-to-image")
_ONLY_ON = {
    "/v3/models/refine": ("text-to-model",),
    "/v3/animations/retarget": ("rig",),
    "/v3/mesh/complete": ("segment", "smartsegment"),
    "/v3/generation/edit-multiview": ("image-to-multiview",),
    "/v3/generation/multiview-to-model": ("image-to-multiview", "edit-multiview"),
}
_SOURCES = ("original_model_task_id", "original_task_id", "draft_model_task_id", "input")


@dataclass(frozen=True, slots=True)
class Wire:
    """One request as it arrived, and what it was answered with."""

    method: str
    path: str
    body: Any
    status: int
    words: str


@dataclass(slots=True)
class StandIn:
    """What is known of the account.

    Attributes:
        base_url: Where it listens.
        results: The bytes of results, by ``model``, ``image`` and ``splat``.
        wire: Every request, in their order.
        tasks: The tasks, in the form of 2.3.
        uploads: The bytes of uploads, by token.
        refused: Answers that a test wants for a path, as pairs of status and code.
    """

    base_url: str
    results: Mapping[str, bytes]
    wire: list[Wire] = field(default_factory=list)
    tasks: dict[str, dict[str, Any]] = field(default_factory=dict)
    uploads: dict[str, bytes] = field(default_factory=dict)
    refused: dict[str, tuple[int, int]] = field(default_factory=dict)

    def sent(self, path: str) -> list[Any]:
        """The bodies that were sent to a path."""
        return [wire.body for wire in self.wire if wire.path == path]

    def complaints(self) -> list[str]:
        """What was refused, as sentences."""
        return [f"{wire.path}: {wire.words} {wire.body}" for wire in self.wire if wire.status >= 400]

    def create(self, path: str, body: Any) -> tuple[int, Any]:
        """The answer to a creation request."""
        words = complaint(path, body) or self._source_complaint(path, body) or self._token_complaint(body)
        if words:
            return 400, words
        kind = _TYPES.get(path, path.rpartition("/")[2])
        task = {"task_id": str(uuid.uuid4()), "type": kind, "status": "success", "progress": 100, "input": body}
        task |= {"created_at": "2026-11-01T00:00:00Z", "completed_at": "2026-11-01T00:00:01Z", "credits_consumed": 1.25}
        self.tasks[task["task_id"]] = task | {"output": self._output(path)}
        return 200, {"task_id": task["task_id"], "type": kind, "status": "queued"}

    def _output(self, path: str) -> dict[str, Any]:
        if path.endswith("rig-check"):
            return {"riggable": True, "rig_type": "biped"}
        if path in _IMAGES:
            return {"generated_image_url": f"{self.base_url}/files/image", "size": "1x1"}
        if path.endswith("multiview"):
            views = {f"{view}_view_url": f"{self.base_url}/files/image" for view in _VIEWS}
            return {"generate_multiview_image": views}
        return {"model_url": f"{self.base_url}/files/{'splat' if path.endswith('splat') else 'model'}"}

    def _source_complaint(self, path: str, body: Mapping[str, Any]) -> str:
        for name in _SOURCES:
            value = body.get(name)
            if not isinstance(value, str) or value.startswith(("file_", "https://", "v2.")):
                continue
            if value not in self.tasks:
                return f"{name} names no task"
            if self.tasks[value]["type"] not in _ONLY_ON.get(path, (self.tasks[value]["type"],)):
                return f"{name} names a task of the wrong type"
        return ""

    def _token_complaint(self, body: Any) -> str:
        unknown = set(re.findall(r"file_[0-9a-f-]{36}", json.dumps(body))) - self.uploads.keys()
        return f"no such file token: {unknown}" if unknown else ""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    account: StandIn

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.startswith("/files/"):
            self._send(200, self.account.results[path.removeprefix("/files/")], "application/octet-stream")
        elif path.startswith("/v3/tasks/") and (task := self.account.tasks.get(path.rpartition("/")[2])):
            self._answer(None, 200, task)
        elif path == "/v3/account/balance":
            self._answer(None, 200, {"balance": 1000.5, "frozen": 2.25})
        elif path == "/v3/account/usage":
            names = ("task_id", "type", "status", "created_at", "credits_consumed")
            rows = [{name: task[name] for name in names} for task in self.account.tasks.values()]
            self._answer(None, 200, {"list": rows})
        else:
            self._answer(None, 404, "unknown route", 4001)

    def do_PUT(self) -> None:
        self.account.uploads[self.path.rpartition("/")[2]] = self._content()
        self._send(200, b"", "text/plain")

    def do_POST(self) -> None:
        content, path, account = self._content(), self.path, self.account
        if path in account.refused:
            status, code = account.refused[path]
            self._answer(None, status, "not here", code)
        elif path == "/v3/files":
            self._upload(content)
        elif path == "/v3/files/presign":
            token = f"file_{uuid.uuid4()}"
            link = f"{account.base_url}/storage/{token}"
            self._answer(json.loads(content), 200, {"upload_url": link, "file_token": token, "expires_in": 1800})
        elif path == "/v3/tasks/list":
            ids = json.loads(content)["task_ids"]
            found = {task_id: account.tasks[task_id] for task_id in ids if task_id in account.tasks}
            self._answer({}, 200, {"tasks": found, "missed": [one for one in ids if one not in found]})
        elif path in FIELDS:
            body = json.loads(content)
            status, data = account.create(path, body)
            self._answer(body, status, data, 1004)
        else:
            self._answer(None, 404, "unknown route", 4001)

    def _upload(self, content: bytes) -> None:
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        parts = [part for part in BytesParser().parsebytes(head + content).get_payload() if not isinstance(part, str)]
        names = [part.get_param("name", header="content-disposition") for part in parts]
        if names != ["file"]:
            self._answer(names, 400, "the field is called file", 1003)
            return
        token = f"file_{uuid.uuid4()}"
        self.account.uploads[token] = parts[0].get_payload(decode=True)
        self._answer(None, 200, {"file_token": token})

    def _content(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        content = b""
        while size := int(self.rfile.readline(), 16):
            content += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return content

    def _answer(self, body: Any, status: int, data: Any, code: int = 0) -> None:
        """The envelope of 2.1; ``data`` is the message of an error."""
        if self.headers.get("Authorization") != f"Bearer {KEY}":
            status, data, code = 401, "no such key", 2
        self.account.wire.append(Wire(self.command, self.path, body, status, data if status >= 400 else ""))
        envelope = {"code": 0, "status": "success", "data": data}
        if status >= 400:
            envelope = {"code": code, "status": "error", "message": data, "suggestion": "", "request_id": "r"}
        self._send(status, json.dumps(envelope).encode(), "application/json")

    def _send(self, status: int, content: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("X-Request-ID", self.headers.get("X-Request-ID", "made-up"))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@contextmanager
def stand_in(**results: bytes) -> Iterator[StandIn]:
    """The stand-in on a free port of 127.0.0.1, for the time of the block."""
    handler = type("Handler", (_Handler,), {})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        account = StandIn(f"http://127.0.0.1:{server.server_address[1]}", results)
        handler.account = account  # type: ignore[attr-defined]  # made by type()
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield account
        finally:
            server.shutdown()
            thread.join()
