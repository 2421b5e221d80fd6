"""A service whose tasks take as long as is said and cost it next to nothing: what a batch is measured against.

Argument: seconds that a task takes. Prints its address; ends with its standard input. ``GET /_seen`` tells how many
requests of each kind came, and when the first creation did, by the monotonic clock that all processes share.
"""

from __future__ import annotations

import json
import struct
import sys
import threading
import time
import uuid
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def _glb() -> bytes:
    """The smallest model: one triangle."""
    positions = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    box = {"min": [0, 0, 0], "max": [1, 1, 0]}
    scene = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", **box}],
        "bufferViews": [{"buffer": 0, "byteLength": len(positions)}],
        "buffers": [{"byteLength": len(positions)}],
    }
    text = json.dumps(scene).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(positions), b"BIN\0") + positions
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


class _State:
    seconds = 0.0
    address = ""
    model = _glb()
    lock = threading.Lock()
    tasks: dict[str, tuple[float, dict[str, Any]]] = {}  # noqa: RUF012  # there is one service in this process
    seen: Counter[str] = Counter()  # noqa: RUF012
    first = 0.0


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        if self.path == "/_seen":
            self._answer({**_State.seen, "first": _State.first})
        elif self.path.startswith("/model"):
            self._count("download")
            self._send(_State.model, "model/gltf-binary")
        elif self.path.startswith("/v3/tasks/"):
            self._answer(_detail(self.path.rpartition("/")[2]))
        else:
            self._answer({"list": [], "balance": 0, "frozen": 0})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        if self.path == "/v3/tasks/list":
            self._count("poll")
            self._answer({"tasks": {task_id: _detail(task_id) for task_id in body["task_ids"]}, "missed": []})
            return
        self._count("create")
        _State.first = _State.first or time.monotonic()
        task_id = str(uuid.uuid4())
        _State.tasks[task_id] = (time.monotonic(), body)
        self._answer({"task_id": task_id, "type": "text_to_model", "status": "queued"})

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def _count(self, kind: str) -> None:
        with _State.lock:
            _State.seen[kind] += 1

    def _answer(self, data: Any) -> None:
        self._send(json.dumps({"code": 0, "status": "success", "data": data}).encode(), "application/json")

    def _send(self, content: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _detail(task_id: str) -> dict[str, Any]:
    began, body = _State.tasks[task_id]
    is_done = time.monotonic() - began >= _State.seconds
    task = {"task_id": task_id, "type": "text_to_model", "input": body, "created_at": "2026-11-01T00:00:00Z"}
    if not is_done:
        return {**task, "status": "running", "progress": 0}
    output = {"model_url": f"{_State.address}/model/{task_id}.glb"}
    ended = {"status": "success", "progress": 100, "credits_consumed": 20, "completed_at": "2026-11-01T00:00:01Z"}
    return {**task, **ended, "output": output}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def main() -> None:
    """Serves until the standard input ends."""
    _State.seconds = float(sys.argv[1])
    with _Server(("127.0.0.1", 0), _Handler) as server:
        _State.address = f"http://127.0.0.1:{server.server_address[1]}"
        print(_State.address, flush=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()


if __name__ == "__main__":
    main()
