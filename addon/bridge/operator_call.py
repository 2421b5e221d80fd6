"""Calls an operator as a script would, but without waiting for its job, and with its error as it was raised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy

from ..core.errors import BadRequest, Refused


class _Call:
    """What an operator said of the call that is going on."""

    def __init__(self) -> None:
        self.job_ids: list[str] = []
        self.error: Exception | None = None


class _State:
    """The call that is going on."""

    def __init__(self) -> None:
        self.call: _Call | None = None


_state = _State()


def start_jobs(capability: str, objects: Sequence[bpy.types.Object] | None, fields: Mapping[str, Any]) -> list[str]:
    """Has the operator of a capability start its jobs; returns their ids.

    Args:
        capability: Its name.
        objects: What is selected for the call; None for what is selected anyway.
        fields: What the operator is called with.

    Raises:
        BadRequest: There is no such operation, or it does not take these fields.
        Refused: It cannot be started.
    """
    operator = getattr(bpy.types, f"ASSETGEN_OT_{capability}", None)
    if operator is None or not hasattr(operator, "info"):
        raise BadRequest(f'There is no operation "{capability}"', advice="docs/reference.md has their names")
    call = _state.call = _Call()
    given = {name: str(value) if isinstance(value, Path) else value for name, value in fields.items()}
    try:
        with _selected(objects):
            getattr(bpy.ops.assetgen, capability)("EXEC_DEFAULT", **given)
    except TypeError as error:  # Blender's own check of the keywords
        raise BadRequest(f"{operator.info.label}: {str(error).strip()}") from None
    except RuntimeError as error:
        raise (call.error or Refused(str(error).strip())) from None
    finally:
        _state.call = None
    return call.job_ids


def started(job_ids: list[str]) -> bool:
    """An operator has started jobs. Whether the caller waits for them by itself."""
    if _state.call is None:
        return False
    _state.call.job_ids = job_ids
    return True


def refused(error: Exception) -> None:
    """An operator could not start any."""
    if _state.call is not None:
        _state.call.error = error


@contextmanager
def _selected(objects: Sequence[bpy.types.Object] | None) -> Iterator[None]:
    """Selects objects, and afterwards what was selected before."""
    if objects is None:
        yield
        return
    layer = bpy.context.view_layer
    if absent := [item.name for item in objects if layer.objects.get(item.name) != item]:
        raise Refused(f'"{absent[0]}" is not in the view layer that is open')
    before, active = list(layer.objects.selected), layer.objects.active
    _select(objects, objects[0] if objects else None)
    try:
        yield
    finally:
        _select(before, active)


def _select(objects: Sequence[bpy.types.Object], active: bpy.types.Object | None) -> None:
    layer = bpy.context.view_layer
    for item in list(layer.objects.selected):
        item.select_set(False)
    for item in objects:
        item.select_set(True)
    layer.objects.active = active
