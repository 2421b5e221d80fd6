"""From what the user asked for to a plan: the source, the steps, the delivery."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import bpy
from mathutils import Matrix

from ..bridge import preflight, titles
from ..bridge.objects import image_files, places, provenance, snapshot, transforms, unsaved_images
from ..bridge.objects.selection import Selection, having_faces, mode_name, selected_meshes, usable_selection
from ..bridge.result_choices import ResultChoices, result_choices
from ..bridge.results.open_file import open_file
from ..core.errors import Refused
from ..core.jobs.job import Delivery, JobPlan, Origin, Placement, Source, SourceKind, StepPlan
from ..core.jobs.place import COLLECT, KEEP
from ..core.paths import Locations
from ..core.settings import Settings
from ..props.field_info import CapabilityInfo
from . import sources
from .sources import UPLOAD


class OperationCall(NamedTuple):
    """What was asked for: a capability with the fields that were set, files as paths or names of Blender's images."""

    context: bpy.types.Context
    info: CapabilityInfo
    fields: Mapping[str, Any]
    settings: Settings
    staged: Path
    choices: ResultChoices
    snapshots: snapshot.Snapshots
    model: Selection | None = None

    def selection(self) -> Selection:
        """The meshes to work on.

        Raises:
            Refused: There are none; the sentence says what to do.
        """
        return having_faces(self.model, self.context) if self.model is not None else usable_selection(self.context)


def plan(
    context: bpy.types.Context,
    info: CapabilityInfo,
    fields: Mapping[str, Any],
    settings: Settings,
    staged: Path,
    model: Selection | None = None,
    choices: ResultChoices | None = None,
    *,
    is_checked: bool = False,
    snapshots: snapshot.Snapshots | None = None,
) -> JobPlan:
    """The plan of one operation. Everything is checked before a snapshot is written.

    What has to be written goes into ``staged``, in the order of the data folder; a worker takes it there. ``model`` is
    the part of the selection that is worked on, all of it when left out; without ``choices`` those of the preferences
    count; ``is_checked`` says that the same fields have been checked for another part of it. What is to be written of
    the scene is left to ``snapshots`` where they are given, so that several plans have it done at once.

    Raises:
        Refused: It cannot be done; the message says what to do.
    """
    if snapshots is None:
        with snapshot.Snapshots() as batch:
            made = plan(context, info, fields, settings, staged, model, choices, is_checked=is_checked, snapshots=batch)
            batch.write()
        return made
    if words := preflight.obstacle(settings):
        raise Refused(words)
    if settings.is_local and not info.local:
        raise Refused(f"{info.label} is not in the local engine yet", "Choose the online service in the preferences")
    # Here: the contract's models need pydantic, which enabling the extension must not import.
    from ..core.requests.build import check

    fields = _with_part_names(info, fields)
    title = _title(info, fields)
    images = {field.name: fields[field.name] for field in info.fields if field.takes_image and field.name in fields}
    files = image_files.write_images(images, image_files.folder_in(staged))
    wanted = choices or result_choices()
    call = OperationCall(context, info, {**fields, **files}, settings, staged, wanted, snapshots, model)
    if not is_checked:
        check(info.name, call.fields, region=settings.region, skip_folder=settings.data_dir)
    own = {field.name for field in info.own_fields}
    source_fields = {name: value for name, value in call.fields.items() if name not in own}
    if source_fields:
        return _on_named_source(call, source_fields)
    if info.takes in sources.WITHOUT_SELECTION:
        return _from_fields(call, title)
    return _ON_SELECTION.get(info.takes, _on_earlier_result)(call)


def seems_to_upload(context: bpy.types.Context, info: CapabilityInfo, service_id: str) -> bool:
    """Whether an operation on the selection will have to upload it, as far as that can be told at once."""
    if info.takes not in _ON_SELECTION:
        return False
    try:
        objects = selected_meshes(context).objects
    except Refused:
        return False
    return info.takes != "model_task" or provenance.probable_task(objects, service_id) is None


def images_to_copy(
    context: bpy.types.Context, info: CapabilityInfo, fields: Mapping[str, Any], *, uploads: bool
) -> list[bpy.types.Image]:
    """The images whose pixels an operation will copy: those of its fields and, where it may upload the selection, what
    is painted on that.
    """
    found = image_files.images_to_copy(fields)
    if uploads and info.takes in _ON_SELECTION:
        found += [image for image in painted_images(context) if image not in found]
    return found


def painted_images(context: bpy.types.Context) -> list[bpy.types.Image]:
    """The images that the selected meshes show and whose pixels are in memory only."""
    if not any(image.is_dirty for image in bpy.data.images):  # usually, and quicker told
        return []
    with contextlib.suppress(Refused):  # the operation itself will say so
        return unsaved_images.unsaved_of(unsaved_images.images_of_objects(selected_meshes(context).objects))
    return []


def _with_part_names(info: CapabilityInfo, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields with parts under the names that the service has for them, where those of their objects are given."""
    named = [field.name for field in info.fields if field.names_parts and fields.get(field.name)]
    if not named:
        return fields
    known = provenance.names_of_parts(bpy.data.objects)
    return {**fields, **{name: [known.get(str(part), part) for part in fields[name]] for name in named}}


def _on_named_source(call: OperationCall, source_fields: Mapping[str, Any]) -> JobPlan:
    """The caller named the task or the file to work on, so the selection does not matter."""
    from ..core.requests.build import files_of  # here for the same reason as in plan()

    info = call.info
    rest = {name: value for name, value in call.fields.items() if name not in source_fields}
    value = str(next(iter(source_fields.values())))
    if info.takes != "model_file":
        title = titles.task_title(value)
        source = Source(SourceKind.TASK, task_id=value, title=title)
    elif files_of(info.name, source_fields):
        path = Path(value).expanduser().absolute()
        source, title = Source(SourceKind.MODEL_FILE, path=str(path)), path.name
    else:
        source, title, rest = Source(SourceKind.NOTHING), "an uploaded file", dict(call.fields)
    placement = _at_cursor(call) if info.comes_into_scene else None
    return _plan(call, source, (StepPlan(info.name, rest),), placement, _name(call, title))


def _from_fields(call: OperationCall, title: str) -> JobPlan:
    """Nothing is worked on but what the fields say: words, images, or the views of an earlier task."""
    info = call.info
    if info.takes == "multiview_task":
        raise Refused(f"{info.label} works on the views of an earlier job: choose one, or run Image to Multiview first")
    source = Source(SourceKind.NOTHING, title=title)
    placement = _at_cursor(call) if info.comes_into_scene else None
    name = f"{info.label}: {title}" if title else info.label
    return _plan(call, source, (StepPlan(info.name, dict(call.fields)),), placement, name)


def _on_upload(call: OperationCall) -> JobPlan:
    context, info = call.context, call.info
    selection = call.selection()
    source = call.snapshots.take(context, selection, Locations(call.staged))
    placement = snapshot.placement(context, selection, transforms.from_numbers(source.snapshot.frame), exact=False)
    return _plan(call, source, (StepPlan(info.name, dict(call.fields)),), placement, _name(call, selection.title))


def _on_selection(call: OperationCall) -> JobPlan:
    """The selected meshes: the task that they are the unmodified result of, else an upload of them."""
    context, info, settings = call.context, call.info, call.settings
    selection = call.selection()
    task = provenance.unmodified_task(selection.objects, settings.service_id, in_true_size=info.needs_true_size)
    step = StepPlan(info.name, dict(call.fields))
    name = _name(call, selection.title)
    if task is not None:
        source = _earlier_task(call, selection, task.task_id, task.capability)
        parts = provenance.part_names(selection.objects)
        placement = snapshot.placement(context, selection, task.matrix, part_names=parts)
        return _plan(call, source, (step,), placement, name)
    rigged = takes_rig(settings, [info])
    source = call.snapshots.take(context, selection, Locations(call.staged), rigged=rigged)
    placement = snapshot.placement(context, selection, transforms.from_numbers(source.snapshot.frame), exact=False)
    return _plan(call, source, (StepPlan(UPLOAD), step), placement, name)


def takes_rig(settings: Settings, uses: Sequence[CapabilityInfo]) -> bool:
    """Whether an upload that is only for these capabilities has the rigs of what is selected with it.

    The extension's own engine tries both poses then. What another service sees in such a file nobody has said, so that
    gets what is seen.
    """
    return settings.is_local and bool(uses) and all(info.finds_body for info in uses)


def _on_earlier_result(call: OperationCall) -> JobPlan:
    """The result of a certain earlier task, whatever was done to it since: the service works on what it has itself."""
    info = call.info
    accepted = sources.accepted_source(call.context, info, call.settings.service_id, call.model)
    task = provenance.placed_task(accepted.selection.objects[0])
    assert task is not None  # or it would not have been accepted
    source = _earlier_task(call, accepted.selection, accepted.task_id, accepted.capability)
    parts = provenance.part_names(accepted.selection.objects)
    placement = snapshot.placement(call.context, accepted.selection, task.placed, fitted=False, part_names=parts)
    step = StepPlan(info.name, dict(call.fields))
    return _plan(call, source, (step,), placement, _name(call, accepted.selection.title))


def _earlier_task(call: OperationCall, selection: Selection, task_id: str, capability: str) -> Source:
    """A task whose model is worked on; beside it the objects, where what is painted on them goes over to the result."""
    source = Source(SourceKind.TASK, task_id=task_id)
    if call.info.keeps_surface and snapshot.has_layers(selection.objects):
        source = call.snapshots.take(call.context, selection, Locations(call.staged), task_id)
    return replace(source, capability=capability)


_ON_SELECTION: dict[str, Callable[[OperationCall], JobPlan]] = {"model_file": _on_upload, "model_task": _on_selection}


def _name(call: OperationCall, source: str) -> str:
    """The name of a job on a source, with what is done to it: ``Retarget Knight: walk``."""
    done = next((value for name in call.info.title_fields if (value := call.fields.get(name))), None)
    name = f"{call.info.label} {source}"
    return name if done is None else f"{name}: {titles.field_title(done)}"


def _title(info: CapabilityInfo, fields: Mapping[str, Any]) -> str:
    """The words that were given, else the name of the first file; empty when there is neither."""
    for field in info.own_fields:
        if field.kind == "text" and field.longest and fields.get(field.name):
            return titles.shorten(str(fields[field.name]))
    for field in info.own_fields:
        if field.takes_image and (value := fields.get(field.name)):
            return titles.file_title(str(value[0] if isinstance(value, list) else value))
    return ""


def _at_cursor(call: OperationCall) -> Placement:
    """At the 3D cursor, in the collection that Blender's own Add menu would take."""
    context = call.context
    at_cursor = Matrix.Translation(context.scene.cursor.location)
    chosen = context.view_layer.active_layer_collection.collection
    collection = "" if chosen == context.scene.collection or chosen.library is not None else chosen.name
    return Placement(transforms.to_numbers(at_cursor), (), collection, ())


def origin_of(context: bpy.types.Context) -> Origin:
    """The open scene, as a job that is started now remembers it."""
    scene = context.scene
    return Origin(
        scene=scene.name,
        blend_path=bpy.data.filepath,
        session=open_file.token,
        frame_rate=scene.render.fps / scene.render.fps_base,
    )


def _plan(
    call: OperationCall, source: Source, steps: tuple[StepPlan, ...], placement: Placement | None, name: str
) -> JobPlan:
    context = call.context
    if bpy.app.background and call.info.gives != "answer" and context.mode != "OBJECT":
        # The call returns when the result is in the scene, and there is nobody to leave the mode meanwhile.
        raise Refused(f"Leave {mode_name(context)} first: the result comes in in Object Mode")
    origin = origin_of(context)
    if placement is not None:
        placement = places.with_place(placement, call.choices.place, context)
        placement = placement._replace(
            hide_source=call.choices.source_after != KEEP,
            collects_source=call.choices.source_after == COLLECT,
            takes_name=call.choices.takes_name,
        )
    return JobPlan(name=name, source=source, steps=steps, delivery=Delivery(origin=origin, placement=placement))
