"""What a capability would work on now, and the sentence that says what is missing when there is nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import bpy

from ..bridge.objects import provenance
from ..bridge.objects.selection import Selection, selected_meshes
from ..bridge.objects.unsaved_images import images_of_objects
from ..core.errors import Refused
from ..core.settings import LOCAL, Settings
from ..props.field_info import WITHOUT_SELECTION as WITHOUT_SELECTION
from ..props.field_info import CapabilityInfo
from ..props.task_properties import CAPABILITIES

EARLIER_RESULTS = {
    "rig_task": "a rigged result",
    "segment_task": "a segmented result",
    "draft_task": "a draft",
}
"""What is taken by capabilities that work on the result of a certain earlier task, in words."""

UPLOAD = next(name for name, info in CAPABILITIES.items() if info.takes == "model_file")
"""The capability that brings a model into the service; what the service does not know goes through it first."""


class AcceptedSource(NamedTuple):
    """Selected objects that came from a task which the capability accepts.

    ``task_id`` is the accepted one: what the objects came from, or what that task itself worked on.
    """

    selection: Selection
    task_id: str
    capability: str


class PanelSource(NamedTuple):
    """What the panel says of the source: ``uploads`` is for how many of the ``jobs`` it has to go out first, ``edited``
    whether it is not any more what its task gave.
    """

    selection: Selection
    uploads: int
    edited: bool = False
    jobs: int = 1


def models_in(context: bpy.types.Context, info: CapabilityInfo) -> list[Selection]:
    """The selection as models that can have a job each: what came from one task together, every other mesh by itself.

    Empty for a capability that needs no selection, and where nothing is selected that will do.
    """
    if info.takes in WITHOUT_SELECTION:
        return []
    try:
        objects = selected_meshes(context).objects
    except Refused:
        return []
    groups = provenance.by_task(objects, whole=info.takes not in EARLIER_RESULTS)
    return [Selection(group) for group in groups]


def panel_source(
    context: bpy.types.Context, info: CapabilityInfo, settings: Settings, models: Sequence[Selection] = ()
) -> PanelSource | None:
    """The source without a look at its geometry; None for a capability that needs no selection.

    Args:
        context: Where the selection is.
        info: The capability.
        settings: Which service.
        models: What gets a job each; the whole selection gets one when left out.

    Raises:
        Refused: Nothing that is selected will do; the sentence says what to do.
    """
    if info.takes in WITHOUT_SELECTION:
        return None
    if not models:
        return _panel_source(context, info, settings, None)
    found = [_panel_source(context, info, settings, model) for model in models]
    objects = tuple(item for model in models for item in model.objects)
    uploads = sum(source.uploads for source in found)
    return PanelSource(Selection(objects), uploads, any(source.edited for source in found), len(found))


def _panel_source(
    context: bpy.types.Context, info: CapabilityInfo, settings: Settings, model: Selection | None
) -> PanelSource:
    if info.takes in EARLIER_RESULTS:
        source = accepted_source(context, info, settings.service_id, model)
        return PanelSource(source.selection, uploads=0, edited=provenance.looks_edited(source.selection.objects))
    selection = model or selected_meshes(context)
    task = provenance.probable_task(selection.objects, settings.service_id) if info.name != UPLOAD else None
    # A file is made in its true size, so the task of an object that was scaled is of no use for it. Whether unsaved
    # images are those that the task had is looked at when Run is pressed.
    uploads = (
        task is None
        or (info.needs_true_size and abs(task.scale - 1) > provenance.SAME_SCALE)
        or any(image.is_dirty for image in images_of_objects(selection.objects))
    )
    return PanelSource(selection, uploads=int(uploads))


def accepted_source(
    context: bpy.types.Context, info: CapabilityInfo, service_id: str, model: Selection | None = None
) -> AcceptedSource:
    """The selected result that a capability of :data:`EARLIER_RESULTS` can work on; ``model`` is the part of the
    selection that is meant, all of it when left out.

    Raises:
        Refused: What is selected is no such result.
    """
    runs = " or ".join(CAPABILITIES[name].label for name in info.source_takes)
    refusal = f"{info.label} works on {EARLIER_RESULTS[info.takes]}: run {runs} first and select it"
    try:
        selection = model or selected_meshes(context)
    except Refused:
        if context.mode != "OBJECT":
            raise
        raise Refused(refusal) from None
    task = provenance.common_task(selection.objects)
    if task is None:
        raise Refused(refusal)
    if task.capability in info.source_takes:
        accepted = (task.task_id, task.capability)
    elif task.capability == info.name and task.source_capability in info.source_takes:
        # Another motion for what has one already: what it was made from is still there.
        accepted = (task.source_task, task.source_capability)
    else:
        raise Refused(refusal)
    if task.service_id != service_id:
        service_name = "the local engine" if task.service_id == LOCAL else task.service_id
        raise Refused(f"This result is known to {service_name} only: choose it in the preferences, or run {runs} again")
    return AcceptedSource(selection, *accepted)
