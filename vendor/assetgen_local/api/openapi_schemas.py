"""JSON schemas of what the service answers (docs/api.md, 1.2, 2, 5.2 and 6.2), and of the requests' bodies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...assetgen.contract import CAPABILITIES, Gives, TaskRequest, TaskStatus, rules_of
from ..errors import BRIEF_CODES
from ..rules.validation import ManyTasks, UsagePage
from ..store.tasks import IMAGE_KEY, MODEL_KEY, VIEW_KEYS

Schema = dict[str, Any]

_PLACE = "#/components/schemas/"
_TEXT: Schema = {"type": "string"}
_LINK: Schema = {"type": "string", "format": "uri", "description": "A signed link; reading the task renews it"}
_TIME: Schema = {"type": "string", "format": "date-time"}
_CREDITS: Schema = {"type": "number", "minimum": 0, "description": "Credits, up to two decimals"}
_IGNORED: Schema = {"description": "Ignored"}
_OTHER_LINKS = ("rendered_image_url", "rendered_video_url", "rendered_sequence_url", "multiview_basecolor_url")


def reference(name: str) -> Schema:
    """A reference to one of the schemas."""
    return {"$ref": f"{_PLACE}{name}"}


def success_of(data: Schema) -> Schema:
    """The envelope of a success around its data."""
    return _object({"code": {"const": 0}, "status": {"const": "success"}, "data": data})


def all_schemas() -> dict[str, Schema]:
    """All schemas that have a name: answers first, then the request of each capability."""
    types = sorted({model.task_type for model in CAPABILITIES.values()})
    task_ids = ManyTasks.model_json_schema()
    schemas: dict[str, Schema] = {
        "Error": _object(
            {
                "code": {"type": "integer", "not": {"enum": [0, *sorted(BRIEF_CODES)]}},
                "status": {"const": "error"},
                "message": _TEXT,
                "suggestion": _TEXT,
                "request_id": _TEXT,
            }
        ),
        "TooMany": _object({"code": {"enum": sorted(BRIEF_CODES)}, "message": _TEXT, "suggestion": _TEXT}),
        "TaskCreated": _object(
            {
                "task_id": {"type": "string", "format": "uuid"},
                "type": {"enum": types},
                "status": {"const": str(TaskStatus.QUEUED)},
            }
        ),
        "TaskOutput": _output(),
        "TaskDetail": _detail(types),
        "TaskList": _object(
            {
                "tasks": {"type": "object", "additionalProperties": reference("TaskDetail")},
                "missed": {"type": "array", "items": _TEXT},
            }
        ),
        "TaskIds": _plain(task_ids),
        "FileToken": _object({"file_token": _TEXT}),
        "Presigned": _object({"upload_url": _LINK, "file_token": _TEXT, "expires_in": {"type": "integer"}}),
        "UploadCredentials": _object(
            {
                "file_token": _TEXT,
                "bucket": _TEXT,
                "key": _TEXT,
                "upload_url": _LINK,
                "expires_in": {"type": "integer"},
            }
        ),
        "Balance": _object({"balance": _CREDITS, "frozen": _CREDITS}),
        "Usage": _object(
            {
                "items": {"type": "array", "items": reference("UsageRow")},
                "limit": {"type": "integer"},
                "offset": {"type": "integer"},
            }
        ),
        "UsageRow": _object(
            {
                "task_id": _TEXT,
                "type": {"enum": types},
                "status": {"enum": [str(status) for status in TaskStatus]},
                "created_at": _TIME,
                "credits_consumed": _CREDITS,
            }
        ),
    }
    for model in CAPABILITIES.values():
        schemas |= _request(model)
    return schemas


def usage_parameters() -> list[Schema]:
    """The query parameters of the usage rows, with their bounds."""
    schema = UsagePage.model_json_schema()
    return [
        {"name": name, "in": "query", "required": False, "schema": _plain(one)}
        for name, one in schema["properties"].items()
    ]


def _request(model: type[TaskRequest]) -> dict[str, Schema]:
    """The body of a capability's creation endpoint, and the schemas that it refers to."""
    schema = model.model_json_schema(ref_template=f"{_PLACE}{{model}}")
    inner = {name: _plain(one) for name, one in schema.pop("$defs", {}).items()}
    own = _plain(schema)
    own["properties"] |= {"type": _IGNORED, "enable_audit": _IGNORED}
    rules = "".join(f"\n- {rule}." for rule in rules_of(model))
    own["description"] = f"{model.summary}." + (f"\n\nRules:\n{rules}" if rules else "")
    return {**inner, model.__name__: own}


def _plain(schema: Any) -> Any:
    """The schema without what pydantic adds for Python: titles, and null for what can be left out."""
    if isinstance(schema, list):
        return [_plain(one) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    if "anyOf" in schema:
        members = [one for one in schema["anyOf"] if one != {"type": "null"}]
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        schema = {**rest, **members[0]} if len(members) == 1 else {**rest, "anyOf": members}
    kept = {}
    for key, value in schema.items():
        if key == "properties":
            kept[key] = {name: _plain(one) for name, one in value.items()}
        elif not (key == "title" or (key == "default" and value is None)):
            kept[key] = _plain(value)
    return kept


def _object(properties: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """An object with these fields and no others."""
    return {
        "type": "object",
        "properties": {**properties, **(optional or {})},
        "required": list(properties),
        "additionalProperties": False,
    }


def _detail(types: list[str]) -> Schema:
    schema = _object(
        {
            "task_id": {"type": "string", "format": "uuid"},
            "type": {"enum": types},
            "status": {"enum": [str(status) for status in TaskStatus]},
            "progress": {"type": "integer", "minimum": 0, "maximum": 100},
            "input": {"type": "object", "description": "The request as it was sent"},
            "created_at": _TIME,
            "credits_consumed": _CREDITS,
        },
        {
            "output": reference("TaskOutput"),
            "completed_at": _TIME,
            "error_code": {"type": "integer"},
            "error_message": _TEXT,
        },
    )
    schema["allOf"] = [
        _when(TaskStatus.SUCCESS, "output", "completed_at"),
        _when(TaskStatus.FAILED, "error_code", "error_message", "completed_at"),
    ]
    return schema


def _when(status: TaskStatus, *names: str) -> Schema:
    return {"if": {"properties": {"status": {"const": str(status)}}}, "then": {"required": list(names)}}


def _output() -> Schema:
    views = {key: _LINK for key in VIEW_KEYS.values()}
    kinds = ", ".join(str(gives) for gives in Gives)
    return {
        "type": "object",
        "description": f"What the task gave: its files as links, and values. A capability gives one of: {kinds}",
        "properties": {
            **dict.fromkeys((MODEL_KEY, IMAGE_KEY, "generated_image", *_OTHER_LINKS), _LINK),
            **views,
            "generate_multiview_image": {"type": "object", "properties": views, "additionalProperties": False},
            "riggable": {"type": "boolean"},
            "rig_type": _TEXT,
            "reason": _TEXT,
            "size": _TEXT,
            "local_engine": {
                "type": "object",
                "description": "Which words of the prompt had an effect; only the local engine says so",
                "properties": {
                    "understood": {"type": "array", "items": _TEXT},
                    "not_understood": {"type": "array", "items": _TEXT},
                    "note": _TEXT,
                },
            },
        },
    }
