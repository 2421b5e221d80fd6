"""The examples of the reference page: one for every capability, in the three ways in which a program can call it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any, NamedTuple

from asset_generation.addon.cli.options import command_name, option_name
from asset_generation.vendor.assetgen.contract import FieldKind, FieldSpec, FileObject, Takes, TaskRequest, describe
from asset_generation.vendor.assetgen.contract.field_specs import nested_model
from asset_generation.vendor.assetgen.contract.references import FileForm
from pydantic import BaseModel

EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "text_to_model": {"prompt": "a wooden chair", "model_version": "v3.1-20260211", "face_limit": 20000},
    "image_to_model": {"file": "chair.png", "model_version": "v3.1-20260211"},
    "multiview_to_model": {"front": "front.png", "back": "back.png", "model_version": "v3.1-20260211"},
    "image_to_splat": {"file": "chair.png"},
    "texture": {"text": "rusty iron", "texture_quality": "detailed"},
    "stylize": {"style": "lego"},
    "convert": {"format": "FBX", "texture_size": 1024},
    "rig": {"rig_type": "biped"},
    "retarget": {"animations": ["preset:walk", "preset:run"]},
    "decimate": {"face_limit": 5000},
    "segment": {"model_version": "v2.0-20260430"},
    "complete": {"part_names": ["seat", "leg"]},
    "smart_segment": {"parameters": {"parts": 4}},
    "text_to_image": {"prompt": "a wooden chair on white", "size": "2K"},
    "image_to_image": {"files": ["chair.png", "fabric.png"], "prompt": "the chair in this fabric"},
    "image_to_multiview": {"file": "chair.png"},
    "edit_multiview": {"back": "a red cushion on the seat"},
}
"""Fields of the examples, flattened. A capability that is not listed is shown with the fields that it needs."""

_WIDTH = 120


class _Name(str):
    """A value that stands in an example as a name and not as a text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def examples(model: type[TaskRequest]) -> str:
    """The example of a capability as an operator, as a request of the client, and as a command."""
    fields = example_fields(model)
    request = _python(_client_request(model, fields))
    creation = f"client.tasks.create({request})"
    if len(creation) > _WIDTH:
        creation = f"client.tasks.create(\n    {request}\n)"
    return (
        f"```python\nbpy.ops.assetgen.{model.name}({_arguments(_operator_fields(model, fields))})\n"
        f"{creation}\n```\n\n"
        f"```sh\n{command_line(model)}\n```"
    )


def example_fields(model: type[TaskRequest]) -> dict[str, Any]:
    """The fields of a capability's example, flattened, files as paths."""
    example = EXAMPLES.get(model.name, {})
    needed = [spec for spec in describe(model) if spec.required and len(spec.path) == 1 and spec.name not in example]
    return {spec.name: spec.choices[0] if spec.choices else spec.suggested for spec in needed} | dict(example)


def command_line(model: type[TaskRequest]) -> str:
    """The example of a capability as a command."""
    return " ".join(["assetgen", *_command_words(model, example_fields(model))])


def _arguments(fields: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_python(value)}" for name, value in fields.items())


class _Call(NamedTuple):
    """A model that stands in an example as the call that makes it."""

    model: type[BaseModel]
    fields: dict[str, Any]


def _python(value: Any) -> str:
    """A value as Python with the quotes of this project."""
    if isinstance(value, _Call):
        return f"{value.model.__name__}({_arguments(value.fields)})"
    if isinstance(value, str) and not isinstance(value, _Name):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_python(key)}: {_python(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_python, value)) + "]"
    return repr(value)


def _operator_fields(model: type[TaskRequest], fields: Mapping[str, Any]) -> dict[str, Any]:
    specs = {spec.name: spec for spec in describe(model)}
    shown: dict[str, Any] = {}
    for name, value in fields.items():
        kind = specs[name].kind
        if kind is FieldKind.FILE:
            shown[name] = f"//{value}"
        elif kind is FieldKind.FILES:
            shown[name] = ";".join(f"//{item}" for item in value)
        elif kind is FieldKind.NAMES:
            shown[name] = ", ".join(value)
        elif kind in (FieldKind.MAP, FieldKind.LIST):
            shown[name] = _Name(repr(json.dumps(value)))
        else:
            shown[name] = value
    return shown


def _client_request(model: type[TaskRequest], fields: Mapping[str, Any]) -> _Call:
    request = _Call(model, {})
    if model.source_field is not None:
        file = _Call(FileObject, {"type": "glb", "file_token": _Name("token")})
        request.fields[model.source_field] = file if model.takes is Takes.MODEL_FILE else _Name("task_id")
    for spec in describe(model):
        if spec.name not in fields:
            continue
        place = request
        for step in spec.path[:-1]:
            nested = nested_model(place.model.model_fields[step].annotation)
            assert nested is not None  # or the path would have ended here
            place = place.fields.setdefault(step, _Call(nested, {}))
        place.fields[spec.text_field or spec.path[-1]] = _client_value(spec, fields[spec.name])
    return request


def _client_value(spec: FieldSpec, value: Any) -> Any:
    if spec.kind is FieldKind.FILES:
        return [_Name(f"file_{number}") for number, _ in enumerate(value, start=1)]
    if spec.kind is not FieldKind.FILE:
        return value
    if spec.file_form is FileForm.OBJECT and not spec.text_field:
        return _Name(f"{spec.name}_file")
    return _Name("token" if len(spec.path) == 1 else f"{spec.name}_token")


def _command_words(model: type[TaskRequest], fields: Mapping[str, Any]) -> list[str]:
    words = [command_name(model)]
    if model.takes in (Takes.MODEL_FILE, Takes.MODEL_TASK):
        words.append("chair.glb")
    elif model.source_field is not None:
        words += ["--task", "TASK_ID"]
    specs = {spec.name: spec for spec in describe(model)}
    for name, value in fields.items():
        words += _typed(specs[name], value)
    return words


def _typed(spec: FieldSpec, value: Any) -> list[str]:
    option = option_name(spec.name)
    match spec.kind:
        case FieldKind.SWITCH:
            return [option if value else f"--no-{option.removeprefix('--')}"]
        case FieldKind.FILES:
            return [option, *map(shlex.quote, value)]
        case FieldKind.NAMES:
            return [option, shlex.quote(",".join(value))]
        case FieldKind.MAP | FieldKind.LIST:
            return [option, shlex.quote(json.dumps(value))]
        case _:
            return [option, shlex.quote(str(value))]
