"""What the API's text says of a creation request, typed from the text alone and checked to the letter.

Nothing here is taken from the extension: where both read the text differently, a run of the campaign shows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TOKEN = re.compile(r"file_" + UUID.pattern)

Check = Callable[[Any], str]
"""Says what is wrong with a value; empty when nothing is."""


class Refused(Exception):
    """The request is not as the API's text wants it."""


def _text(least: int = 1, most: int = 1024) -> Check:
    return lambda value: (
        "" if isinstance(value, str) and least <= len(value) <= most else f"must be {least} to {most} characters"
    )


def _flag(value: Any) -> str:
    return "" if isinstance(value, bool) else "must be true or false"


def _whole(value: Any) -> str:
    return "" if isinstance(value, int) and not isinstance(value, bool) else "must be a whole number"


def _one_of(*choices: str) -> Check:
    return lambda value: "" if value in choices else f"must be one of {', '.join(choices)}"


def _task(value: Any) -> str:
    return "" if isinstance(value, str) and UUID.fullmatch(value) else "must be a task's number"


def _map(value: Any) -> str:
    return "" if isinstance(value, dict) else "must be an object"


def _token(value: Any) -> str:
    return "" if isinstance(value, str) and TOKEN.fullmatch(value) else "must be a file token"


def _file(value: Any) -> str:
    if not isinstance(value, dict):
        return "must be an object"
    if "file_token" in value:
        return _token(value["file_token"])
    return "" if "url" in value or "object" in value else "must specify url, object or file_token"


def _texture_prompt(value: Any) -> str:
    if not isinstance(value, dict) or len(value) != 1 or not {*value} <= {"text", "image", "images"}:
        return "must have exactly one of text, image and images"
    return ""


@dataclass(frozen=True, slots=True)
class Form:
    """One endpoint.

    Attributes:
        kind: What its tasks are called, unless the run gives them another name.
        pool: Whose tasks are counted together.
        fields: What is known of it; anything else is forwarded.
        required: Fields that must be there.
        inputs: Whether one of ``input`` and ``file`` must be there.
        source: The field that names a task, and the kinds that it may be of; empty for any that gives a model.
        gives: ``model``, ``image`` or ``answer``.
    """

    kind: str
    pool: str
    fields: Mapping[str, Check]
    required: tuple[str, ...] = ()
    inputs: bool = False
    source: str = ""
    source_kinds: tuple[str, ...] = ()
    gives: str = "model"
    all_fields: dict[str, Check] = field(default_factory=dict)

    def check(self, body: Mapping[str, Any]) -> None:
        """Looks at a body.

        Raises:
            Refused: With the reason.
        """
        for name in self.required:
            if name not in body:
                raise Refused(f"{name} is required")
        if self.inputs and not {"input", "file"} & {*body}:
            raise Refused("input or file is required")
        for name, value in body.items():
            check = self.fields.get(name) or _COMMON.get(name)
            if check is not None and (wrong := check(value)):
                raise Refused(f"{name} {wrong}")

    def known(self, name: str) -> bool:
        """Whether the API's text has this field."""
        return name in self.fields or name in _COMMON


_COMMON: Mapping[str, Check] = {
    "priority": lambda value: "" if value in (1, 2, 3) else "must be 1 to 3",
    "parameters": _map,
    "type": lambda value: "",
    "enable_audit": lambda value: "",
}
_VERSIONS = ("v3.1-20260211", "v3.0-20250812", "v2.5-20250123", "P1-20260311", "P2-20260801")
_IMAGE_MODELS = (
    *("seedream_v5", "seedream_v4", "banana", "banana_pro", "banana2"),
    *("chat_image_1", "chat_image_1.5", "chat_image_2"),
)
_MODEL: Mapping[str, Check] = {
    "model_version": _one_of(*_VERSIONS),
    **dict.fromkeys(("texture", "pbr", "quad", "smart_low_poly", "generate_parts", "export_uv"), _flag),
    **dict.fromkeys(("model_seed", "texture_seed", "face_limit"), _whole),
    "texture_quality": _one_of("standard", "detailed", "extreme"),
    "geometry_quality": _one_of("standard", "detailed"),
}
_SOURCE = "original_model_task_id"
_ONE_IMAGE: Mapping[str, Check] = {"input": lambda value: _token(value) and _task(value), "file": _file}

FORMS: Mapping[str, Form] = {
    "/v3/generation/text-to-model": Form(
        "text-to-model",
        "generation",
        {**_MODEL, "prompt": _text(), "negative_prompt": _text(1, 255), "image_seed": _whole},
        ("prompt", "model_version"),
    ),
    "/v3/generation/image-to-model": Form(
        "image-to-model", "generation", {**_MODEL, **_ONE_IMAGE}, ("model_version",), inputs=True
    ),
    "/v3/generation/text-to-image": Form(
        "text-to-image",
        "images",
        {
            "prompt": _text(1, 1800),
            "model": _one_of(*_IMAGE_MODELS),
            "output_format": _one_of("png", "jpeg"),
            "watermark": _flag,
        },
        ("prompt",),
        gives="image",
    ),
    "/v3/models/import": Form(
        "import",
        "processing",
        {
            "input": _token,
            "file": lambda value: _file(value) or ("" if "file_token" in value else "needs a file_token"),
        },
        inputs=True,
    ),
    "/v3/models/texture": Form(
        "texture",
        "processing",
        {
            _SOURCE: _task,
            "model_version": _one_of("v3.0-20250812", "v2.5-20250123"),
            "texture_prompt": _texture_prompt,
            **dict.fromkeys(("texture", "pbr", "bake"), _flag),
            "texture_seed": _whole,
        },
        (_SOURCE,),
        source=_SOURCE,
    ),
    "/v3/models/convert": Form(
        "convert",
        "processing",
        {
            _SOURCE: _task,
            "format": lambda value: _one_of("GLTF", "USDZ", "FBX", "OBJ", "STL", "3MF")(str(value).upper()),
        },
        (_SOURCE, "format"),
        source=_SOURCE,
    ),
    "/v3/mesh/decimate": Form(
        "decimate",
        "mesh",
        {
            _SOURCE: _task,
            "input": _task,
            "quad": _flag,
            "bake": _flag,
            "face_limit": lambda value: _whole(value) or ("" if 500 <= value <= 20000 else "must be 500 to 20000"),
        },
        source=_SOURCE,
    ),
    "/v3/animations/rig-check": Form(
        "rig-check", "animation", {_SOURCE: _task}, (_SOURCE,), source=_SOURCE, gives="answer"
    ),
    "/v3/animations/rig": Form(
        "rig",
        "animation",
        {
            _SOURCE: _task,
            "model_version": _one_of("v1.0-20240301", "v2.5-20260210"),
            "out_format": _one_of("glb", "fbx"),
            "spec": _one_of("mixamo", "tripo"),
        },
        (_SOURCE,),
        source=_SOURCE,
    ),
    "/v3/animations/retarget": Form(
        "retarget",
        "animation",
        {_SOURCE: _task, "animation": _text(), "out_format": _one_of("glb", "fbx")},
        (_SOURCE, "animation"),
        source=_SOURCE,
        source_kinds=("rig",),
    ),
    "/v3/mesh/segment": Form(
        "segment",
        "mesh",
        {_SOURCE: _task, "model_version": _one_of("v1.0-20250506", "v2.0-20260430")},
        (_SOURCE,),
        source=_SOURCE,
    ),
    "/v3/mesh/complete": Form(
        "complete", "mesh", {_SOURCE: _task}, (_SOURCE,), source=_SOURCE, source_kinds=("segment",)
    ),
}

POOL_SIZES: Mapping[str, int] = {"generation": 10, "images": 1, "animation": 10, "processing": 5, "mesh": 10}
MARKER = "client_request_id"
"""The field by which the client's requests can be told apart. The API's text does not have it."""
