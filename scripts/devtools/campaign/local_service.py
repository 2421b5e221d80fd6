"""The extension's own local engine as the service of a run: its faults, and a stand-in for the slow Blender."""

from __future__ import annotations

import http.client
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .faults import NetworkFault, ServiceScript
from .scripted import results
from .scripted.forms import FORMS

_MANY = 1_000_000
_TASK_SECONDS = 4.0
_GIVEN_UP = 75.0
"""Seconds after which even the client has given up."""

_PATHS: Mapping[str, tuple[str, str]] = {
    "create": ("POST", "/v3/[gma][eon]*"),
    "upload": ("POST", "/v3/files"),
    "poll": ("POST", "/v3/tasks/list"),
    "read": ("GET", "/v3/tasks/*"),
    "usage": ("GET", "/v3/account/usage"),
    "fetch": ("GET", "/files/*"),
}


def serve_local(folder: Path, key: str, ready: int) -> None:
    """Runs an engine in this process until it is killed; its port is written to the file descriptor ``ready``."""
    from asset_generation.vendor.assetgen.contract import CAPABILITIES, POOL_SIZES
    from asset_generation.vendor.assetgen_local import LocalService, Options
    from asset_generation.vendor.assetgen_local.options import DEFAULT_RATES

    options = Options(
        key=key,
        runner=_copy_words,
        capabilities=frozenset(CAPABILITIES),
        faults=True,
        workers=4,
        rates=dict.fromkeys(DEFAULT_RATES, _MANY),
        pools=dict.fromkeys(POOL_SIZES, _MANY),
    )

    def on_ready(connection: Any) -> None:
        os.write(ready, f"{connection.port}\n".encode())
        os.close(ready)

    LocalService(folder, options).run(on_ready)


def _copy_words(
    request: Mapping[str, Any], *, on_progress: Callable[[float, str], None], stopped: Callable[[], bool]
) -> dict[str, Any]:
    """Takes some seconds, and gives a small file with the words of what it was made from."""
    from asset_generation.vendor.assetgen.contract import CAPABILITIES

    on_progress(0.5, "half done")
    time.sleep(_TASK_SECONDS)
    form = FORMS[CAPABILITIES[request["type"]].endpoint]
    if form.gives == "answer":
        return {"files": {}, "values": {"riggable": True, "rig_type": "biped"}, "facts": {}}
    found = (results.words_of(Path(path).read_bytes()).partition("|")[0] for path in _files_of(request))
    words = request["body"].get("prompt") or next((one for one in found if one), "")
    content = f"{words}|{form.kind}|{request['task_id']}"
    key, name = ("generated_image_url", "image.png") if form.gives == "image" else ("model_url", "model.glb")
    made = results.png(content) if form.gives == "image" else results.glb(content)
    (Path(request["output_dir"]) / name).write_bytes(made)
    facts = {"faces": 1, "triangles": 1, "vertices": 3} if form.gives == "model" else {}
    return {"files": {key: name}, "values": {}, "facts": facts}


def _files_of(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from _files_of(item)
    elif isinstance(value, str) and value.startswith("/") and Path(value).is_file():
        yield value


# Its faults


def arm(base_url: str, key: str, script: ServiceScript) -> None:
    """Has the engine misbehave as the script says, as far as it can."""
    faults = [_as_local(fault) for fault in script.network]
    if script.failing:
        faults.append(
            {"action": "task", "status": "failed", "error_code": 2018, "times": script.failing, **_at("create")}
        )
    if script.damage in ("expired", "missing"):
        faults.append({"action": "expire_link", "times": script.damaged, **_at("fetch")})
    for fault in faults:
        ask(base_url, key, "POST", "/_local/faults", fault)


def disarm(base_url: str, key: str) -> None:
    """Has it behave again."""
    ask(base_url, key, "DELETE", "/_local/faults")


def _at(call: str) -> dict[str, Any]:
    method, path = _PATHS[call]
    return {"match": {"method": method, "path": path}}


def _as_local(fault: NetworkFault) -> dict[str, Any]:
    common = {**_at(fault.call), "skip": fault.first - 1, "times": fault.times}
    page = {"headers": {"Content-Type": "text/html"}, "body": "<html><h1>gateway</h1></html>"}
    match fault.kind:
        case "reset_before":
            return {"action": "drop_before", **common}
        case "reset_after":
            return {"action": "drop_after", **common}
        case "cut":
            return {"action": "cut", "bytes": 20, **common}
        case "timeout":
            return {"action": "delay", "seconds": max(_GIVEN_UP, fault.alive or 0.0), **common}
        case "drip":
            return {"action": "delay", "seconds": 5.0, **common}
        case "rate_429":
            return {"action": "status", "status": 429, "code": 1007, "headers": {"Retry-After": "3"}, **common}
        case "own_500" | "own_503":
            return {"action": "status", "status": int(fault.kind[-3:]), "code": 1000, **common}
        case "web_page":
            return {"action": "status", "status": 200, **page, **common}
        case _:
            return {"action": "status", "status": int(fault.kind[-3:]), **page, **common}


# The truth, read through its own API


def read_truth(base_url: str, key: str) -> dict[str, Any]:
    """What is so at the engine, in the form of the scripted service's truth.

    Raises:
        OSError: It cannot be asked now.
        ValueError: What it answers cannot be read.
    """
    from asset_generation.vendor.assetgen.contract import CAPABILITIES

    forms = {model.task_type: FORMS[model.endpoint] for model in CAPABILITIES.values() if model.endpoint in FORMS}
    usage = ask(base_url, key, "GET", "/v3/account/usage?limit=200&offset=0")
    rows = usage if isinstance(usage, list) else next(value for value in usage.values() if isinstance(value, list))
    details = {row["task_id"]: ask(base_url, key, "GET", f"/v3/tasks/{row['task_id']}") for row in rows}

    def words_of(task_id: str) -> str:
        found = details.get(task_id)
        if found is None:
            return ""
        content = _content(found)
        if content:
            return results.words_of(content).partition("|")[0]
        asked = found["input"]
        source = forms[found["type"]].source
        return str(asked.get("prompt") or words_of(str(asked.get(source) or asked.get("input") or "")))

    return {
        "tasks": [
            {
                "id": task_id,
                "kind": forms[detail["type"]].kind,
                "gives": forms[detail["type"]].gives,
                "words": words_of(task_id),
                "ours": True,
                "request_id": "",
                "marker": detail["input"].get("client_request_id", ""),
                "arrived_at": 0.0,
                "alive_at": 0.0,
                "status": detail["status"],
                "digest": results.digest(_content(detail)),
            }
            for task_id, detail in details.items()
        ],
        "coming": None,
        "fired": {},
        "requests": {},
        "broken_rules": [],
    }


def _content(detail: Mapping[str, Any]) -> bytes:
    output = detail.get("output") or {}
    link = output.get("model_url") or output.get("generated_image_url") or ""
    if not link:
        return b""
    parts = urlsplit(link)
    return _request(parts.netloc, "GET", f"{parts.path}?{parts.query}", {})


def ask(base_url: str, key: str, method: str, path: str, body: Any = None) -> Any:
    """The ``data`` of one answer.

    Raises:
        OSError: There is none.
        ValueError: It cannot be read.
    """
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    content = _request(urlsplit(base_url).netloc, method, path, headers, body)
    return json.loads(content)["data"]


def _request(host: str, method: str, path: str, headers: Mapping[str, str], body: Any = None) -> bytes:
    connection = http.client.HTTPConnection(host, timeout=60)
    try:
        connection.request(method, path, None if body is None else json.dumps(body), dict(headers))
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise ValueError(f"{method} {path} was answered with {answer.status}: {content[:200]!r}")
        return content
    except http.client.HTTPException as error:
        raise ConnectionError(str(error)) from error
    finally:
        connection.close()
