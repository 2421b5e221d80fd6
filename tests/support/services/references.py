"""Creating tasks in a local engine: finished tasks and uploaded files to refer to, and what became of a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
from asset_generation.vendor.assetgen.contract import Takes, capability
from asset_generation.vendor.assetgen_local import LocalService

from ..requests import bodies
from .local_engine import ask, instant_runner, tiny_glb, tiny_png, wait_for_end
from .plain_http import plain

_PATIENCE = 240.0
"""Seconds that a task may take: with real geometry on a busy machine it is more than a few."""

_IN_ORDER = (
    "import_model",
    "text_to_model",
    "text_to_image",
    "image_to_multiview",
    "edit_multiview",
    "rig_check",
    "rig",
    "segment",
    "image_to_splat",
)
"""One of each kind of result, sources before what needs them."""


@dataclass(frozen=True, slots=True)
class References:
    """What a request can refer to.

    Attributes:
        image: Token of an uploaded image.
        model: Token of an uploaded model.
        tasks: A finished task by capability, for one of each kind of result.
    """

    image: str
    model: str
    tasks: Mapping[str, str]

    def source(self, name: str) -> str:
        """A task that a capability takes."""
        takes = capability(name).source_takes
        return (
            next(task for made_by, task in self.tasks.items() if made_by in takes)
            if takes
            else self.tasks["import_model"]
        )

    def put_into(self, name: str, body: Any) -> Any:
        """The body with the placeholders of :mod:`bodies` replaced."""
        if isinstance(body, dict):
            return {key: self.put_into(name, value) for key, value in body.items()}
        if isinstance(body, list):
            return [self.put_into(name, value) for value in body]
        if body == bodies.TASK:
            return self.source(name)
        if body == bodies.FILE:
            return self.model if capability(name).takes is Takes.MODEL_FILE else self.image
        return body


def make_references(service: LocalService) -> References:
    """Uploads the files and sees the tasks through."""
    image, model = upload(service, tiny_png(), "a.png"), upload(service, tiny_glb(), "a.glb")
    tasks: dict[str, str] = {}
    references = References(image, model, tasks)
    for name in _IN_ORDER:
        tasks[name] = run(service, name, references.put_into(name, bodies.SMALLEST[name]))["task_id"]
    return references


def run(service: LocalService, name: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The detail of a task that was created and succeeded."""
    created = ask(service, "POST", capability(name).endpoint, body)
    ended = wait_for_end(service, created["task_id"], _PATIENCE)
    assert ended["status"] == "success", ended
    return ended


def upload(service: LocalService, content: bytes, name: str) -> str:
    """The token of an uploaded file."""
    answer = plain.post(f"{service.base_url}/v3/files", files={"file": (name, content)}, headers=_key(service))
    token: str = answer.raise_for_status().json()["data"]["file_token"]
    return token


def _key(service: LocalService) -> dict[str, str]:
    return {"Authorization": f"Bearer {service.key}"}


class RecordingRunner:
    """The instant runner, which remembers what it was asked."""

    def __init__(self) -> None:
        self.requests: dict[str, Mapping[str, Any]] = {}

    def __call__(self, request: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        self.requests[request["task_id"]] = request
        return instant_runner(request, **more)


def post(service: LocalService, name: str, body: Any) -> httpx.Response:
    """The answer to a request to create a task."""
    return plain.post(service.base_url + capability(name).endpoint, json=body, headers=_key(service))


def refused(service: LocalService, name: str, body: Any, status: int = 400, code: int = 1004) -> str:
    """The message of an answer that says no."""
    answer = post(service, name, body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    message: str = answer.json()["message"]
    return message
