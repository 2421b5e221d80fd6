"""A local engine for tests: the real HTTP service in a thread, with an instant runner in place of Blender."""

from __future__ import annotations

import json
import struct
import urllib.request
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from asset_generation.vendor.assetgen.contract import CAPABILITIES, POOL_SIZES, VIEWS, Gives
from asset_generation.vendor.assetgen_local import LocalService, Options
from asset_generation.vendor.assetgen_local.options import DEFAULT_RATES

from ..waits import looks

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


def tiny_png() -> bytes:
    """A valid PNG of one pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixel = zlib.compress(b"\0\xff\x80\0")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")


def tiny_splat() -> bytes:
    """A PLY of one point, as viewers of splats read it."""
    names = ("x", "y", "z", "opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3")
    properties = "".join(f"property float {name}\n" for name in names)
    head = f"ply\nformat binary_little_endian 1.0\nelement vertex 1\n{properties}end_header\n"
    return head.encode() + struct.pack(f"<{len(names)}f", *range(len(names)))


def instant_runner(
    request: Mapping[str, Any], *, on_progress: Callable[[float, str], None], stopped: Callable[[], bool]
) -> dict[str, Any]:
    """Answers every task at once with the smallest result of the kind that its capability gives."""
    on_progress(0.5, "half done")
    made = CAPABILITIES[request["type"]]
    values: dict[str, Any] = {}
    files: dict[str, tuple[str, bytes]] = {}
    match made.gives:
        case Gives.ANSWER:
            values = {"riggable": True, "rig_type": "biped"}
        case Gives.SPLAT:
            files = {"model_url": ("splat.ply", tiny_splat())}
        case Gives.IMAGES if "multiview" in made.name:
            files = {f"{view}_view_url": (f"{view}.png", tiny_png()) for view in VIEWS}
        case Gives.IMAGES:
            files = {"generated_image_url": ("image.png", tiny_png())}
            values = {"size": "1x1"}
        case Gives.MODEL:
            files = {"model_url": ("model.glb", tiny_glb())}
    for name, content in files.values():
        (Path(request["output_dir"]) / name).write_bytes(content)
    facts = {"faces": 1, "triangles": 1, "vertices": 3} if made.gives is Gives.MODEL else {}
    return {"files": {key: name for key, (name, _) in files.items()}, "values": values, "facts": facts}


@contextmanager
def local_engine(folder: Path, **options: Any) -> Iterator[LocalService]:
    """A running engine with the key ``KEY``, all capabilities, faults switched on, no rate limit or pool in the way.

    Args:
        folder: Where a data folder is made; the same folder again continues it.
        options: Fields of ``Options`` that the test sets.
    """
    settings: dict[str, Any] = {
        "key": KEY,
        "runner": instant_runner,
        "capabilities": frozenset(CAPABILITIES),
        "faults": True,
        "rates": dict.fromkeys(DEFAULT_RATES, MANY),
        "pools": dict.fromkeys(POOL_SIZES, MANY),
    }
    with LocalService(folder / "local_engine", Options(**(settings | options))) as service:
        yield service


def add_fault(service: LocalService, action: str, path: str = "*", method: str = "*", **more: Any) -> None:
    """Makes the engine misbehave at the next request that fits; see ``assetgen_local/api/faults`` for the actions."""
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
    for _ in looks(seconds):
        task = ask(service, "GET", f"/v3/tasks/{task_id}")
        if task["status"] not in ("queued", "running"):
            return task
    raise TimeoutError(f"task {task_id} is {task['status']} after {seconds} s")
