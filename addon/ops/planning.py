"""From what the user asked for to a plan: the source, the steps, the delivery."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bpy
from mathutils import Matrix

from ..bridge import frames, marks, readiness, snapshot
from ..bridge.selection import Selection, usable_selection
from ..bridge.session import session
from ..core.errors import Refused
from ..core.job import Delivery, JobPlan, Origin, Placement, Source, SourceKind, StepPlan
from ..core.locations import Locations
from ..core.settings import Settings
from ..props.field_info import CapabilityInfo

UPLOAD = "import_model"
"""The capability that brings a model into the service; what the service does not know goes through it first."""


def plan(context: bpy.types.Context, info: CapabilityInfo, fields: Mapping[str, Any], settings: Settings) -> JobPlan:
    """The plan of one operation. Everything is checked before a snapshot is written.

    Raises:
        Refused: It cannot be done; the message says what to do.
    """
    if words := readiness.trouble(settings):
        raise Refused(words)
    # Here: the contract's models need pydantic, which enabling the extension must not import.
    from ..core.requests import check

    own = {field.name for field in info.own_fields}
    given = {name: value for name, value in fields.items() if name not in own}
    if given:
        check(info.name, fields)
        return _on_given_source(context, info, fields, given)
    check(info.name, fields)
    selection = usable_selection(context)
    if info.name == UPLOAD:
        return _on_upload(context, info, fields, selection, settings)
    return _on_selection(context, info, fields, selection, settings)


def _on_given_source(
    context: bpy.types.Context, info: CapabilityInfo, fields: Mapping[str, Any], given: Mapping[str, Any]
) -> JobPlan:
    """The caller named the task or the file to work on, so the selection does not matter."""
    rest = {name: value for name, value in fields.items() if name not in given}
    value = str(next(iter(given.values())))
    if info.source_field in given and info.takes == "model_file":
        path = Path(value).expanduser().absolute()
        source, title = Source(SourceKind.MODEL_FILE, path=str(path)), path.name
    elif info.source_field in given:
        source, title = Source(SourceKind.TASK, task_id=value), f"Task {value[:8]}"
    else:
        source, title, rest = Source(SourceKind.NOTHING), "an uploaded file", dict(fields)
    place = None
    if info.name != UPLOAD:
        at_cursor = Matrix.Translation(context.scene.cursor.location)
        place = Placement(frames.to_numbers(at_cursor), (), "", ())
    return _plan(context, info, source, (StepPlan(info.name, rest),), place, title)


def _on_upload(
    context: bpy.types.Context,
    info: CapabilityInfo,
    fields: Mapping[str, Any],
    selection: Selection,
    settings: Settings,
) -> JobPlan:
    source = snapshot.take(context, selection, Locations(settings.data_dir))
    frame = frames.from_numbers(source.details["frame"])
    place = snapshot.placement(context, selection, frame)
    return _plan(context, info, source, (StepPlan(info.name, dict(fields)),), place, selection.title)


def _on_selection(
    context: bpy.types.Context,
    info: CapabilityInfo,
    fields: Mapping[str, Any],
    selection: Selection,
    settings: Settings,
) -> JobPlan:
    is_file = info.name == "convert"
    known = marks.unmodified_task(selection.objects, settings.service_id, in_true_size=is_file)
    step = StepPlan(info.name, dict(fields))
    if known is not None:
        source = Source(SourceKind.TASK, task_id=known.task_id)
        place = snapshot.placement(context, selection, known.frame)
        return _plan(context, info, source, (step,), place, selection.title)
    source = snapshot.take(context, selection, Locations(settings.data_dir))
    place = snapshot.placement(context, selection, frames.from_numbers(source.details["frame"]))
    return _plan(context, info, source, (StepPlan(UPLOAD), step), place, selection.title)


def _plan(
    context: bpy.types.Context,
    info: CapabilityInfo,
    source: Source,
    steps: tuple[StepPlan, ...],
    place: Placement | None,
    title: str,
) -> JobPlan:
    origin = Origin(scene=context.scene.name, blend_path=bpy.data.filepath, session=session.file_token)
    return JobPlan(
        name=f"{info.label} {title}",
        source=source,
        steps=steps,
        delivery=Delivery(origin=origin, placement=place),
    )
