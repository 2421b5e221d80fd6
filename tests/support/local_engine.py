"""A local engine for tests: the real HTTP service in a thread, with an instant runner in place of Blender."""

from __future__ import annotations

import json
import struct
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from asset_generation.vendor.assetgen_local import LocalService, Options
from asset_generation.vendor.assetgen_local.options import DEFAULT_POOLS, DEFAULT_RATES

KEY = "test-key"
MANY = 1_000_000


def tiny_glb() -> bytes:
    """A valid GLB: one mesh of one triangle."""
    positions = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    scene = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}
        ],
        "bufferViews": [{"buffer": 0, "byteLength": len(positions)}],
        "buffers": [{"byteLength": len(positions)}],
    }
    text = json.dumps(scene).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(positions), b"BIN\0") + positions
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def instant_runner(
    request: Mapping[str, Any], *, on_progress: Callable[[float, str], None], stopped: Callable[[], bool]
) -> dict[str, Any]:
    """Answers every task at once with the smallest model."""
    on_progress(0.5, "half done")
    (Path(request["output_dir"]) / "model.glb").write_bytes(tiny_glb())
    return {"files": {"model_url": "model.glb"}, "values": {}, "facts": {"faces": 1, "triangles": 1, "vertices": 3}}


@contextmanager
def local_engine(folder: Path, **options: Any) -> Iterator[LocalService]:
    """A running engine with the key ``KEY``, faults switched on, and no rate limit or pool in the way.

    Args:
        folder: Where a data folder is made; the same folder again continues it.
        options: Fields of ``Options`` that the test sets.
    """
    settings: dict[str, Any] = {
        "key": KEY,
        "runner": instant_runner,
        "faults": True,
        "rates": dict.fromkeys(DEFAULT_RATES, MANY),
        "pools": dict.fromkeys(DEFAULT_POOLS, MANY),
    }
    with LocalService(folder / "local_engine", Options(**(settings | options))) as service:
        yield service


def add_fault(service: LocalService, action: str, path: str = "*", method: str = "*", **more: Any) -> None:
    """Makes the engine misbehave at the next request that fits; see ``assetgen_local/faults.py`` for the actions."""
    ask(service, "POST", "/_local/faults", {"action": action, "match": {"method": method, "path": path}, **more})


def clear_faults(service: LocalService) -> None:
    """Makes the engine behave again."""
    ask(service, "DELETE", "/_local/faults")


def recorded(service: LocalService, path: str = "", method: str = "") -> list[dict[str, Any]]:
    """The requests that arrived so far, oldest first: method, path, query, request_id, authorization, at, status."""
    requests: list[dict[str, Any]] = ask(service, "GET", "/_local/requests")["requests"]
    return [one for one in requests if path in ("", one["path"]) and method in ("", one["method"])]


def ask(service: LocalService, method: str, path: str, body: Any = None) -> dict[str, Any]:
    """One plain request with the key, and the ``data`` of its answer."""
    request = urllib.request.Request(
        service.base_url + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "Authorization": f"Bearer {service.key}"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        data: dict[str, Any] = json.loads(answer.read())["data"]
    return data


def wait_for_end(service: LocalService, task_id: str, seconds: float = 30.0) -> dict[str, Any]:
    """The task detail, once the task has ended."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = ask(service, "GET", f"/v3/tasks/{task_id}")
        if found["status"] not in ("queued", "running"):
            return found
        time.sleep(0.01)
    raise TimeoutError(f"task {task_id} is {found['status']} after {seconds} s")
