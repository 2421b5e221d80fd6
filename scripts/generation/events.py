"""docs/events.schema.json: the JSON Schema of what the command line prints with ``--json``."""

from __future__ import annotations

import inspect
import json
import types
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints

from asset_generation.addon.cli.events import EVENTS

_PLAIN: dict[type, str] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def schema() -> str:
    """The file's content. Each line of output is one instance of it."""
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of `assetgen ... --json`",
        "description": "Later versions may add fields and kinds: leave out what you do not know.",
        "anyOf": [{"$ref": f"#/$defs/{event.__name__}"} for event in EVENTS],
        "$defs": {event.__name__: _event(event) for event in EVENTS},
    }
    return json.dumps(whole, indent=2) + "\n"


def _event(event: type) -> dict[str, Any]:
    hints = get_type_hints(event, include_extras=True)
    properties = {name: _type(hint) for name, hint in hints.items()}
    kind = properties.pop("event")
    words = {"type": "string", "description": "a sentence for people; it may be empty"}
    optional = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
    return {
        "type": "object",
        "description": inspect.getdoc(event),
        "properties": {"event": kind, "message": words, **properties},
        "required": ["event", "message", *(name for name in properties if name not in optional)],
    }


def _type(hint: Any) -> dict[str, Any]:
    """The schema of a type, as far as events need it."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is NotRequired:
        return _type(arguments[0])
    if origin is Annotated:
        return {**_type(arguments[0]), "description": arguments[1]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {"type": [_PLAIN[argument] for argument in arguments]}
    if origin is list:
        return {"type": "array", "items": _type(arguments[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": _type(arguments[1])}
    return {} if hint is Any else {"type": _PLAIN[hint]}
