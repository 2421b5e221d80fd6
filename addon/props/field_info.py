"""What the extension knows of a capability without loading the contract: plain data, filled by the generated module."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple


class FieldInfo(NamedTuple):
    """One field of a request as a Blender property.

    Attributes:
        name: The API's name, and the property's.
        kind: ``text``, ``choice``, ``integer``, ``number``, ``switch``, ``file``, ``files``, ``names`` or ``map``.
        unset: The value that stands for "the service decides"; it is never sent. None where there is no such value.
        suggested: Whether the panel sends the value it shows although the user has not touched it.
        required: Whether the API demands it.
        advanced: Whether the panel keeps it in the closed part.
        source: Whether it names what the task works on; a job fills it, panels leave it out.
    """

    name: str
    kind: str
    unset: Any = None
    suggested: bool = False
    required: bool = False
    advanced: bool = False
    source: bool = False

    def read(self, value: Any) -> Any:
        """The field's value from the property's; None when it stands for "the service decides".

        Raises:
            ValueError: The text of a map is not a JSON object.
        """
        if self.unset is not None and value == self.unset:
            return None
        return _READERS.get(self.kind, _as_it_is)(value)


class CapabilityInfo(NamedTuple):
    """A capability as panels and operators need it; see the contract's declaration of the same name."""

    name: str
    label: str
    summary: str
    takes: str
    gives: str
    tier: str
    source_field: str | None
    fields: tuple[FieldInfo, ...]

    @property
    def own_fields(self) -> tuple[FieldInfo, ...]:
        """The fields that a person fills in."""
        return tuple(field for field in self.fields if not field.source)


def _as_it_is(value: Any) -> Any:
    return value


def _names(value: str) -> list[str]:
    return [name.strip() for name in value.split(",") if name.strip()]


def _paths(value: str) -> list[str]:
    return [path.strip() for path in value.split(";") if path.strip()]


def _map(value: str) -> dict[str, Any]:
    found = json.loads(value)
    if not isinstance(found, dict):
        raise ValueError(f'a JSON object is needed, such as {{"key": 1}}, not {value!r}')
    return found


_READERS: dict[str, Callable[[Any], Any]] = {"names": _names, "files": _paths, "map": _map}
