"""A service on loopback with an account, which takes tasks and never gets on with them: for pictures of what costs."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PORT = 8347
"""Always the same one, since the pictures show it."""

_PROGRESS = 43
_ACCOUNT = {"balance": 1220.5, "frozen": 40}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """The account, or one task."""
        if self.path.startswith("/v3/account/balance"):
            self._answer(_ACCOUNT)
        elif self.path.startswith("/v3/account/usage"):
            self._answer({"items": []})
        else:
            self._answer(_task(self.path.rpartition("/")[2]))

    def do_POST(self) -> None:
        """A new task, or how those are that are asked for."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/v3/tasks/list":
            ids = json.loads(body)["task_ids"]
            self._answer({"tasks": {task_id: _task(task_id) for task_id in ids}, "missed": []})
        else:
            self._answer(_task("8f2c1d0e-11aa-4b7c-9d21-5a0c77e1b2f4"))

    def log_message(self, *_: Any) -> None:
        """Says nothing."""

    def _answer(self, data: object) -> None:
        content = json.dumps({"code": 0, "status": "success", "data": data}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _task(task_id: str) -> dict[str, Any]:
    return {"task_id": task_id, "type": "text_to_model", "status": "running", "progress": _PROGRESS, "input": {}}


@contextmanager
def serving() -> Iterator[None]:
    """Serves on 127.0.0.1 as long as the context lasts."""
    with ThreadingHTTPServer(("127.0.0.1", PORT), _Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield
        finally:
            server.shutdown()
