"""From properties to the fields of a request: what was set, and nothing else."""

from __future__ import annotations

from typing import Any

import bpy

from ..core.errors import BadRequest
from .field_info import CapabilityInfo, FieldInfo

_PATHS = frozenset({"file", "files"})


def from_call(properties: Any, info: CapabilityInfo) -> dict[str, Any]:
    """The fields that a call of an operator was given, the source's included."""
    return _read(properties, [field for field in info.fields if properties.is_property_set(field.name)])


def from_panel(group: Any, info: CapabilityInfo) -> dict[str, Any]:
    """The fields as the panel shows them: those that differ from their default, and those that the panel suggests."""
    return _read(group, [field for field in info.own_fields if field.suggested or _is_changed(group, field)])


def _is_changed(group: Any, field: FieldInfo) -> bool:
    if not group.is_property_set(field.name):
        return False
    return bool(getattr(group, field.name) != group.bl_rna.properties[field.name].default)


def _read(properties: Any, fields: list[FieldInfo]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in fields:
        label = properties.bl_rna.properties[field.name].name
        try:
            value = field.read(getattr(properties, field.name))
        except ValueError as error:
            raise BadRequest(f"{label}: {error}", field.name) from error
        if value is None:
            continue
        if field.kind in _PATHS:
            value = [_absolute(path) for path in value] if isinstance(value, list) else _absolute(value)
        found[field.name] = value
    return found


def _absolute(path: str) -> str:
    """Blender writes ``//`` for the folder of the open file."""
    return bpy.path.abspath(path) if path.startswith("//") else path
