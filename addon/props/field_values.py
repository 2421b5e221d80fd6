"""From properties to the fields of a request: what was set, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy

from ..core.errors import BadRequest
from .field_info import CapabilityInfo, FieldInfo

VIEWS_TASK = "multiview_task"
"""What a capability takes that works on views: the panel offers the jobs that made some, in a menu."""

_PATHS = frozenset({"file", "files"})
_FEWEST_VIEWS = 2


def from_call(properties: Any, info: CapabilityInfo) -> dict[str, Any]:
    """The fields that a call of an operator was given, the source's included."""
    return _read(properties, [field for field in info.fields if properties.is_property_set(field.name)])


def from_panel(group: Any, info: CapabilityInfo) -> dict[str, Any]:
    """The fields as the panel shows them: those that differ from their default, and those that the panel suggests."""
    fields = [field for field in shown_fields(group, info) if _is_suggested(group, field) or _is_changed(group, field)]
    if info.takes == VIEWS_TASK:
        fields += [field for field in info.fields if field.name == info.source_field]
    # What every request must have and nobody sees here: as the panel begins.
    unseen = [field.name for field in info.own_fields if field.required and not field.panel]
    values = _read(group, fields) | {name: group.bl_rna.properties[name].default for name in unseen}
    if replaces_files(group, info):
        values = {
            field.name: values[field.name] for field in fields if field.name in values and field.kind not in _PATHS
        }
    return values


def fill_panel(group: Any, info: CapabilityInfo, fields: Mapping[str, Any]) -> list[str]:
    """Has the panel show the fields of a request: :func:`from_panel` gives them again.

    Returns:
        The names of those that it has no place for, or whose value it does not know.
    """
    known = {field.name: field for field in info.fields}
    for name, field in known.items():
        group.property_unset(name)
        if field.suggested and field.unset is not None:
            setattr(group, name, field.unset)
    unheld = []
    for name, value in fields.items():
        try:
            setattr(group, name, known[name].write(value))
        except (LookupError, TypeError, ValueError, OverflowError):  # a later version of the extension may have sent it
            unheld.append(name)
    return unheld


def shown_fields(group: Any, info: CapabilityInfo) -> tuple[FieldInfo, ...]:
    """The fields that the panel shows: those that the chosen model version takes."""
    return info.panel_fields(getattr(group, info.version_field) if info.version_field else "")


def replaces_files(group: Any, info: CapabilityInfo) -> bool:
    """Whether a task is named whose views are taken instead of files."""
    if not info.task_field:
        return False
    return any(field.name == info.task_field and getattr(group, field.name) for field in shown_fields(group, info))


def missing_input(group: Any, info: CapabilityInfo) -> str:
    """What still has to be filled in before a request can be made, as a sentence; empty when nothing is."""
    fields = shown_fields(group, info)
    for field in fields:
        if field.required and field.unset == "" and not getattr(group, field.name).strip():
            return f"{group.bl_rna.properties[field.name].name} is empty"
    if info.takes != "images" or replaces_files(group, info):
        return ""
    files = [field.name for field in fields if field.takes_image and not field.advanced]
    filled = [name for name in files if getattr(group, name)]
    if len(files) > 1 and (files[0] not in filled or len(filled) < _FEWEST_VIEWS):
        return f"Choose the {files[0]} view and at least one more"
    return "" if filled else "Choose an image"


def _is_suggested(group: Any, field: FieldInfo) -> bool:
    """Whether the panel's own value is meant: not when the user filled in what says the same in a larger way."""
    return field.suggested and not (field.replaced_by and getattr(group, field.replaced_by))


def _is_changed(group: Any, field: FieldInfo) -> bool:
    if not group.is_property_set(field.name):
        return False
    return bool(getattr(group, field.name) != group.bl_rna.properties[field.name].default)


def _read(properties: Any, fields: list[FieldInfo]) -> dict[str, Any]:
    values: dict[str, Any] = {}
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
        if field.inside:
            values[field.inside] = {**values.get(field.inside, {}), field.name: value}
        elif field.kind == "map":
            values[field.name] = {**value, **values.get(field.name, {})}
        else:
            values[field.name] = value
    return values


def _absolute(path: str) -> str:
    """Blender writes ``//`` for the folder of the open file."""
    return bpy.path.abspath(path) if path.startswith("//") else path
