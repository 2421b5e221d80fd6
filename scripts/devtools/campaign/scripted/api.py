"""The API's routes: a request in, an answer out, all by the text. What goes wrong on purpose is not here."""

from __future__ import annotations

import json
import secrets
import time
import uuid
from collections.abc import Callable
from typing import Any

from .account import Account, PoolFull, Task
from .forms import FORMS, UUID, Refused
from .wire import Reply, Request, file_of

_LINK_SECONDS = 24 * 3600.0


def call_of(request: Request) -> str:
    """Which of the calls of :data:`..faults.CALLS` a request is; empty for others."""
    if request.path in FORMS:
        return "create"
    if request.path.startswith("/files/"):
        return "fetch"
    if request.path.startswith("/v3/tasks/"):
        return "poll" if request.path == "/v3/tasks/list" else "read"
    return {"/v3/files": "upload", "/v3/account/usage": "usage"}.get(request.path, "")


class Api:
    """One service. ``broken_rules`` are requests that the text does not allow, and that no script asked for."""

    def __init__(self, account: Account, address: Callable[[], str], key: str) -> None:
        self._account = account
        self._key = key
        self._address = address
        self._signatures: dict[str, tuple[str, float]] = {}
        self.broken_rules: list[str] = []

    def answer(self, request: Request) -> Reply:
        """What the service says to any request but creations, which may have to wait."""
        if (refusal := self.refusal(request)) is not None:
            return refusal
        match call_of(request):
            case "upload":
                return self._upload(request)
            case "poll":
                return self._tasks(request)
            case "read":
                return self._task(request)
            case "usage":
                return self._usage(request)
            case "fetch":
                return self._file(request)
        if request.path == "/v3/account/balance":
            return self.ok({"balance": 100000.0, "frozen": 0.0})
        return self._broken(404, 4001, f"no route {request.method} {request.path}")

    def refusal(self, request: Request) -> Reply | None:
        """What is wrong with the key or the form of a request."""
        if request.path.startswith("/files/"):
            if "authorization" in request.headers:
                return self._broken(400, 1003, "a signed link was given the key")
            return None
        if request.headers.get("authorization") != f"Bearer {self._key}":
            return self._broken(401, 2, "the key is missing or wrong")
        wanted = "GET" if call_of(request) in ("read", "usage", "") else "POST"
        if request.method != wanted:
            return self._broken(405, 1003, f"{request.path} wants {wanted}")
        kind = request.headers.get("content-type", "")
        if request.method == "POST" and request.path != "/v3/files" and not kind.startswith("application/json"):
            return self._broken(415, 1003, f"{request.path} wants JSON")
        return None

    def check_creation(self, request: Request) -> Reply | None:
        """Why a creation is turned away; None when it is not."""
        if (refusal := self.refusal(request)) is not None:
            return refusal
        try:
            body = request.json
            if not isinstance(body, dict):
                raise ValueError
        except ValueError:
            return self._broken(400, 1003, "the body is no JSON object")
        try:
            self._account.check(request.path, body, time.time())
        except PoolFull:
            return self.error(429, 2000, "too many tasks of this category", {"Retry-After": "2"})
        except Refused as refused:
            if "expired" not in str(refused) and not self._account.script.marker.startswith("refused"):
                return self._broken(400, 1004, f"{request.path}: {refused}")
            return self.error(400, 1004, str(refused))
        return None

    def created(self, task: Task) -> Reply:
        """The answer to a creation."""
        return self.ok({"task_id": task.id, "type": self._account.type_of(task), "status": "queued"})

    def ok(self, data: Any) -> Reply:
        """The envelope of a success."""
        return _json(200, {"code": 0, "status": "success", "data": data})

    def error(self, status: int, code: int, message: str, headers: dict[str, str] | None = None) -> Reply:
        """The envelope of an error."""
        body: dict[str, Any] = {"code": code, "message": message, "suggestion": "Please see the documentation."}
        if code not in (1007, 2000):
            body |= {"status": "error", "request_id": secrets.token_hex(8)}
        return _json(status, body, headers)

    def detail(self, task: Task) -> dict[str, Any]:
        """A task as it is read."""
        now = time.time()
        status = task.status(now)
        found: dict[str, Any] = {
            "task_id": task.id,
            "type": self._account.type_of(task),
            "status": status,
            "progress": 100
            if now >= task.ends_at
            else int(99 * (now - task.alive_at) / (task.ends_at - task.alive_at)),
            "input": self._account.echo(task),
            "created_at": self._account.moment(task.alive_at),
        }
        if status == "success":
            found |= {"completed_at": self._account.moment(task.ends_at), "credits_consumed": 20.0}
            found["output"] = self._output(task)
        if status == "failed":
            found |= {"completed_at": self._account.moment(task.ends_at), "credits_consumed": 0.0}
            found |= {"error_code": 2018, "error_message": "the task waited too long"}
        return found

    def _output(self, task: Task) -> dict[str, Any]:
        if task.form.gives == "answer":
            return {"riggable": True, "rig_type": "biped"}
        signature = secrets.token_urlsafe(12)
        self._signatures[signature] = (task.id, time.time() + _LINK_SECONDS)
        suffix = "png" if task.form.gives == "image" else "glb"
        link = f"{self._address()}/files/{task.id}.{suffix}?signature={signature}"
        return {"generated_image": link} if suffix == "png" else {"model_url": link}

    def _upload(self, request: Request) -> Reply:
        try:
            name, content = file_of(request)
        except ValueError as error:
            return self._broken(400, 1003, str(error))
        model = content.startswith(b"glTF") and name.endswith(".glb")
        image = content.startswith(b"\x89PNG") and name.endswith(".png")
        if not model and not image:
            return self._broken(400, 1004, f"{name} is not of the kind that its name says")
        return self.ok({"file_token": self._account.upload(content)})

    def _tasks(self, request: Request) -> Reply:
        try:
            wanted = request.json["task_ids"]
        except (ValueError, KeyError, TypeError):
            wanted = None
        if not isinstance(wanted, list) or len(wanted) > 100 or not all(isinstance(one, str) for one in wanted):
            return self._broken(400, 1003, "task_ids must be at most 100 texts")
        known = {one: self.detail(self._account.tasks[one]) for one in wanted if one in self._account.tasks}
        return self.ok({"tasks": known, "missed": [one for one in wanted if one not in known]})

    def _task(self, request: Request) -> Reply:
        task_id = request.path.removeprefix("/v3/tasks/")
        if not UUID.fullmatch(task_id):
            return self._broken(400, 1004, f"{task_id} is no task's number")
        task = self._account.tasks.get(task_id)
        return self.ok(self.detail(task)) if task is not None else self.error(404, 2001, "task not found")

    def _usage(self, request: Request) -> Reply:
        try:
            limit, offset = int(request.query["limit"]), int(request.query["offset"])
        except (KeyError, ValueError):
            return self._broken(400, 1004, "limit and offset must be whole numbers")
        if not 1 <= limit <= 200 or offset < 0:
            return self._broken(400, 1004, "limit must be 1 to 200")
        rows = self._account.usage(time.time())[offset : offset + limit]
        key = self._account.script.usage_key
        return self.ok({key: rows} if key else rows)

    def _file(self, request: Request) -> Reply:
        signed, ends = self._signatures.get(request.query.get("signature", ""), ("", 0.0))
        task = self._account.tasks.get(signed)
        if task is None or not request.path.startswith(f"/files/{signed}") or time.time() > ends:
            return Reply(403, b"<Error><Code>AccessDenied</Code></Error>", {"Content-Type": "application/xml"})
        task.fetches += 1
        script = self._account.script
        if task.fetches <= script.damaged:
            return _damaged(script.damage, task.content)
        return _part(request, task.content)

    def _broken(self, status: int, code: int, message: str) -> Reply:
        self.broken_rules.append(message)
        return self.error(status, code, message)


def _json(status: int, body: Any, headers: dict[str, str] | None = None) -> Reply:
    now = time.time()
    rates = {"X-RateLimit-Limit": "200", "X-RateLimit-Remaining": "150", "X-RateLimit-Reset": str(int(now) + 30)}
    ids = {"X-Request-ID": str(uuid.uuid4()), "X-Service-Trace-ID": secrets.token_hex(8)}
    more = {"Content-Type": "application/json", **rates, **ids, **(headers or {})}
    return Reply(status, json.dumps(body).encode(), more)


def _part(request: Request, content: bytes) -> Reply:
    headers = {"Content-Type": "application/octet-stream", "ETag": f'"{len(content)}"', "Accept-Ranges": "bytes"}
    asked = request.headers.get("range", "")
    start = int(asked.removeprefix("bytes=").rstrip("-") or 0) if asked else 0
    if not start:
        return Reply(200, content, headers)
    if start >= len(content):
        return Reply(416, b"", {"Content-Range": f"bytes */{len(content)}"})
    return Reply(206, content[start:], {**headers, "Content-Range": f"bytes {start}-{len(content) - 1}/{len(content)}"})


def _damaged(how: str, content: bytes) -> Reply:
    match how:
        case "cut":  # the length that is said is the length that comes: the file itself is cut
            return Reply(200, content[: len(content) // 2], {"Content-Type": "application/octet-stream"})
        case "wrong":
            return Reply(200, b"<!DOCTYPE html><html><body>Please log in</body></html>", {"Content-Type": "text/html"})
        case "scrambled":
            return Reply(200, content[:12] + bytes(len(content) - 12), {"Content-Type": "application/octet-stream"})
        case "missing":
            return Reply(404, b"", {})
        case "expired":
            return Reply(403, b"<Error><Code>ExpiredToken</Code></Error>", {"Content-Type": "application/xml"})
        case _:
            return Reply(200, b"", {"Content-Type": "application/octet-stream"})
