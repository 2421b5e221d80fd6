"""Processor time of the local engine's service for a thousand instant tasks, and of a bare service for as many.

Started without arguments it is the client; with ``own`` or ``reference`` it is one of the services.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from load_extension import load_package

load_package()

from asset_generation.vendor.assetgen import Client
from asset_generation.vendor.assetgen.contract import Category, Decimate, FileObject, ImportModel, RateGroup
from asset_generation.vendor.assetgen_local import LocalService, Options

TASKS = 1000
_MANY = 10**9
_TASK = "00000000-0000-0000-0000-000000000000"


def _instant(request: Mapping[str, Any], **_: Any) -> dict[str, Any]:
    (Path(request["output_dir"]) / "model.glb").write_bytes(b"glTF")
    return {"files": {"model_url": "model.glb"}, "values": {}, "facts": {}}


def _serve_own(folder: Path) -> None:
    options = Options(
        runner=_instant, rates=dict.fromkeys(RateGroup, _MANY), pools=dict.fromkeys(Category, _MANY), workers=1
    )
    with LocalService(folder, options) as service:
        _talk(service.base_url, service.key)


def _serve_reference() -> None:
    import threading

    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    async def create(request: Request) -> Response:
        await request.json()
        return JSONResponse({"code": 0, "data": {"task_id": _TASK, "status": "queued"}})

    async def read(request: Request) -> Response:
        ids = (await request.json())["task_ids"]
        tasks = {task_id: {"task_id": task_id, "status": "success"} for task_id in ids}
        return JSONResponse({"code": 0, "data": {"tasks": tasks, "missed": []}})

    routes = [Route("/v3/mesh/decimate", create, methods=["POST"]), Route("/v3/tasks/list", read, methods=["POST"])]
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), port=0, log_level="error"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    _talk(f"http://127.0.0.1:{port}", "key")


def _talk(base_url: str, key: str) -> None:
    """Says where it is, and its processor time whenever a line comes in."""
    print(json.dumps({"base_url": base_url, "key": key}), flush=True)
    for _ in sys.stdin:
        print(json.dumps({"cpu": time.process_time()}), flush=True)


def _measure(kind: str, folder: Path) -> float:
    """Milliseconds of processor time per task."""
    service = subprocess.Popen(
        [sys.executable, __file__, kind, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert service.stdin is not None and service.stdout is not None
    try:
        where = json.loads(service.stdout.readline())
        with Client(where["key"], where["base_url"]) as client:
            source = _source(client) if kind == "own" else _TASK
            before = _cpu(service)
            ids = [client.tasks.create(Decimate(input=source)).task_id for _ in range(TASKS)]
            while any(not task.is_final for task in client.tasks.list(ids).tasks.values()):
                time.sleep(0.5)
            return (_cpu(service) - before) / TASKS * 1000
    finally:
        service.stdin.close()
        service.wait(30)


def _source(client: Client) -> str:
    with tempfile.NamedTemporaryFile(suffix=".obj") as file:
        file.write(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        file.flush()
        token = client.files.upload(Path(file.name))
    imported = client.tasks.create(ImportModel(file=FileObject(type="obj", file_token=token)))
    return client.tasks.wait(imported.task_id, interval=0.05).task_id


def _cpu(service: subprocess.Popen[str]) -> float:
    assert service.stdin is not None and service.stdout is not None
    service.stdin.write("\n")
    service.stdin.flush()
    return float(json.loads(service.stdout.readline())["cpu"])


def main() -> None:
    """Prints the figures."""
    with tempfile.TemporaryDirectory(prefix="assetgen-bench-") as folder:
        own = _measure("own", Path(folder) / "engine")
        reference = _measure("reference", Path(folder))
    print(json.dumps({"own": own, "reference": reference, "tasks": TASKS}))


if sys.argv[1:2] == ["own"]:
    _serve_own(Path(sys.argv[2]))
elif sys.argv[1:2] == ["reference"]:
    _serve_reference()
else:
    main()
