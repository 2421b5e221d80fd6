"""A job on objects of the open file whose result is there, without a service: what went out comes in again."""

from __future__ import annotations

import importlib
import itertools
from pathlib import Path
from typing import Any

import bpy
from mathutils import Matrix

_numbers = itertools.count(1)


def started(
    addon: Any, folder: Path, *sources: bpy.types.Object, capability: str = "decimate", choice: Any = None
) -> Any:
    """A job that was started on these meshes now; its result waits to be applied. ``choice`` is a chosen place."""
    snapshot = importlib.import_module(f"{addon.package}.addon.bridge.objects.snapshot")
    selection = importlib.import_module(f"{addon.package}.addon.bridge.objects.selection").Selection(sources)
    bpy.context.view_layer.update()
    frame = addon.transforms.upload_matrix(sources)
    placement = _placed(addon, snapshot.placement(bpy.context, selection, frame), choice)
    return _job(addon, _written(addon, folder, sources, frame), placement, capability, selection.title)


def made(
    addon: Any,
    folder: Path,
    mesh: bpy.types.Mesh,
    title: str = "a chair",
    collection: str = "",
    choice: Any = None,
) -> Any:
    """A job that made this mesh out of nothing, for the 3D cursor or for a chosen place."""
    job = _module(addon)
    item = bpy.data.objects.new(title, mesh)
    blend = _write(addon, folder, {item: title})
    at_cursor = Matrix.Translation(bpy.context.scene.cursor.location)
    placement = job.Placement(addon.transforms.to_numbers(at_cursor), (), collection, ())
    placement = _placed(addon, placement, choice)
    return _job(addon, blend, placement, "text_to_model", title)


def arrive(addon: Any, job: Any) -> list[bpy.types.Object]:
    """Brings the result of a job in and returns its objects."""
    assert addon.apply_result.apply(job, bpy.context)
    bpy.context.view_layer.update()
    return list(addon.open_file.objects_of(job.id))


def _placed(addon: Any, placement: Any, choice: Any) -> Any:
    """A placement with a chosen place, as an operator makes it."""
    if choice is None:
        return placement
    places = _bridge(addon, "objects.places")
    choices = _bridge(addon, "result_choices").result_choices("", "", choice)
    placement = places.with_place(placement, choice, bpy.context)
    return placement._replace(hide_source=choices.source_after != "KEEP")


def _bridge(addon: Any, name: str) -> Any:
    return importlib.import_module(f"{addon.package}.addon.bridge.{name}")


def _module(addon: Any) -> Any:
    return importlib.import_module(f"{addon.package}.addon.core.jobs.job")


def _job(addon: Any, blend: Path, placement: Any, capability: str, title: str) -> Any:
    job = _module(addon)
    origin = job.Origin(bpy.context.scene.name, "", addon.open_file.token)
    source = job.Source(job.SourceKind.NOTHING if not placement.sources else job.SourceKind.SELECTION, title=title)
    plan = job.JobPlan(
        f"{capability} {title}", source, (job.StepPlan(capability),), job.Delivery(origin=origin, placement=placement)
    )
    number = next(_numbers)
    view = job.JobView(
        *(f"job-{number}", plan.name, job.Stage.READY, 1.0, ""),
        steps=(job.StepView(capability, f"11111111-2222-3333-4444-{number:012}", "success"),),
        blend=str(blend),
        plan=plan,
        service_id="local",
        keeps_shape=True,
    )
    addon.state.jobs[view.id] = view
    return view


def _written(addon: Any, folder: Path, sources: tuple[bpy.types.Object, ...], frame: Matrix) -> Path:
    """What a service gives back that changes nothing: the meshes as they are seen, in the coordinates of the upload."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    copies = {}
    for source in sources:
        mesh = bpy.data.meshes.new_from_object(source.evaluated_get(depsgraph), depsgraph=depsgraph)
        mesh.transform(frame.inverted() @ source.matrix_world)
        copies[bpy.data.objects.new(source.name, mesh)] = source.name
    return _write(addon, folder, copies)


def _write(addon: Any, folder: Path, objects: dict[bpy.types.Object, str]) -> Path:
    """The .blend that a background Blender makes of objects with these names in the file that came."""
    mesh_notes = importlib.import_module(f"{addon.package}.addon.headless.mesh_notes")
    path = folder / f"result-{next(_numbers)}.blend"
    collection = bpy.data.collections.new("Result")
    bpy.context.scene.collection.children.link(collection)
    for item in objects:
        collection.objects.link(item)
        item.select_set(True)  # as importers leave it, and up to 4.x an appended object remembers that
    bpy.context.view_layer.update()
    mesh_notes.write_notes(list(objects))
    for item, name in objects.items():
        item[mesh_notes.NOTE]["name"] = name
    bpy.data.libraries.write(str(path), {collection})
    meshes = [item.data for item in objects]
    for item in objects:
        bpy.data.objects.remove(item)
    bpy.data.collections.remove(collection)
    bpy.data.batch_remove([mesh for mesh in meshes if not mesh.users])
    bpy.context.view_layer.update()
    return path
