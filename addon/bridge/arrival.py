"""The result comes into the scene: appended, placed, shown instead of its source, and marked with its task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import bpy
from mathutils import Matrix

from ..core.errors import BrokenResult, CoreError
from ..core.job import JobPlan, JobView, Placement, SourceKind
from ..core.log import logger
from ..headless import mesh_facts
from ..headless.mesh_facts import MeshFacts
from . import frames, marks
from .append import all_or_nothing, append
from .fingerprint import fingerprint
from .session import session

_KEEPS_SHAPE = frozenset({"texture", "decimate", "import_model"})
"""What these give is meant to stand exactly where the source stands. What others give may differ on purpose."""


@dataclass(slots=True)
class Arrivals:
    """Which objects each job brought, by session id, for as long as this file is open."""

    objects: dict[str, list[int]] = field(default_factory=dict)

    def of(self, job_id: str) -> list[bpy.types.Object]:
        """The objects of a job that still exist."""
        wanted = self.objects.get(job_id, [])
        found = {item.session_uid: item for item in bpy.data.objects if item.session_uid in wanted}
        return [found[uid] for uid in wanted if uid in found]


arrivals = Arrivals()


def started_here(job: JobView) -> bool:
    """Whether the job was started from the open file since it was opened."""
    origin = job.plan.delivery.origin if job.plan else None
    return origin is not None and origin.session == session.file_token


def belongs_here(job: JobView) -> bool:
    """Whether the open file is the one that the job was started from, perhaps before it was opened again."""
    origin = job.plan.delivery.origin if job.plan else None
    if origin is None:
        return False
    return started_here(job) or bool(origin.blend_path and origin.blend_path == bpy.data.filepath)


def bring_in(job: JobView, context: bpy.types.Context) -> list[bpy.types.Object]:
    """Puts the result of a claimed job into the scene. On any error the file is as it was before.

    Raises:
        CoreError: It could not be done; the message says why.
    """
    plan = job.plan
    if plan is None or not job.blend:
        raise BrokenResult("The result is a file that Blender cannot bring in", "Open its folder instead")
    scene = _scene(job, context)
    place = plan.delivery.placement
    try:
        with all_or_nothing():
            objects = append(Path(job.blend), _collection(scene, place))
            facts = _facts(objects)
            placed = _place(objects, plan, place, context, facts)
            _rename(objects, plan, place)
            _mark_result(facts, job, placed)
            sources = sources_of(job) if belongs_here(job) else []
            _mark_sources(sources, job)
            _select(objects, scene, context)
            # Last, because it changes what is the user's own.
            _hide(sources if place and place.hide_source else [], scene, context)
    except CoreError:
        raise
    except Exception as error:  # whatever a strange file makes bpy raise: the user gets a sentence, the log the rest
        logger(__name__).exception("bringing in %s", job.id)
        raise BrokenResult(f"The result could not be brought in ({type(error).__name__})") from error
    arrivals.objects[job.id] = [item.session_uid for item in objects]
    return objects


def sources_of(job: JobView) -> list[bpy.types.Object]:
    """The objects that the job was started on, as far as they are still there: by session id, in a file that was opened
    again by name.
    """
    plan = job.plan
    place = plan.delivery.placement if plan else None
    if plan is None or place is None:
        return []
    if started_here(job):
        found = {item.session_uid: item for item in bpy.data.objects}
        return [found[uid] for _, uid in place.sources if uid in found]
    return [bpy.data.objects[name] for name, _ in place.sources if name in bpy.data.objects]


def note_upload(job: JobView) -> None:
    """Marks the sources of a job when they are still what it uploaded, so that the next one needs no upload."""
    if started_here(job) and job.id not in arrivals.objects:
        _mark_sources(sources_of(job), job)


def _scene(job: JobView, context: bpy.types.Context) -> bpy.types.Scene:
    origin = job.plan.delivery.origin if job.plan else None
    if origin is not None and belongs_here(job):
        found = bpy.data.scenes.get(origin.scene)
        if found is not None:
            return found
    return context.scene


def _collection(scene: bpy.types.Scene, place: Placement | None) -> bpy.types.Collection:
    if place is not None and place.collection:
        found = bpy.data.collections.get(place.collection)
        if found is not None and found in set(scene.collection.children_recursive):
            return found
    return scene.collection


def _facts(objects: Sequence[bpy.types.Object]) -> dict[bpy.types.Object, MeshFacts | None]:
    """The meshes among the objects, with what the background Blender found out about them."""
    return {item: mesh_facts.take(item) for item in objects if item.type == "MESH"}


def _bounds(facts: Mapping[bpy.types.Object, MeshFacts | None]) -> mesh_facts.Bounds:
    """The box around the result as it came."""
    return mesh_facts.joined(
        known.bounds if known else mesh_facts.bounds_of([(item.data, frames.world_of(item))])
        for item, known in facts.items()
    )


def _place(
    objects: Sequence[bpy.types.Object],
    plan: JobPlan,
    place: Placement | None,
    context: bpy.types.Context,
    facts: Mapping[bpy.types.Object, MeshFacts | None],
) -> Matrix:
    """Moves the objects to the placement's frame and returns the world matrix that the result's model got."""
    if place is None:
        placed = Matrix.Translation(context.scene.cursor.location)
    else:
        placed = frames.from_numbers(place.frame)
        if all(step.capability in _KEEPS_SHAPE for step in plan.steps):
            placed = placed @ frames.fit(_bounds(facts), place.bounds)
    roots = [item for item in objects if item.parent is None]
    for item in roots:
        placed_there = placed @ frames.world_of(item)
        if item.animation_data is None:  # importers leave quaternions, which nobody likes to edit by hand
            item.rotation_mode = "XYZ"
        item.matrix_basis = placed_there
    return placed


def _rename(objects: Sequence[bpy.types.Object], plan: JobPlan, place: Placement | None) -> None:
    """A single result takes the name of its single source; Blender adds the number."""
    meshes = [item for item in objects if item.type == "MESH"]
    if len(meshes) == 1 and place is not None and len(place.sources) == 1:
        name = place.sources[0][0]
        meshes[0].name = name
        meshes[0].data.name = name


def _mark_result(facts: Mapping[bpy.types.Object, MeshFacts | None], job: JobView, placed: Matrix) -> None:
    task_id = next((step.task_id for step in reversed(job.steps) if step.task_id), "")
    if facts and task_id:
        prints = [fingerprint(item, known.checksum if known else "") for item, known in facts.items()]
        marks.mark(list(facts), task_id, job.service_id, placed, prints)


def _mark_sources(sources: Sequence[bpy.types.Object], job: JobView) -> None:
    plan = job.plan
    if plan is None or plan.source.kind is not SourceKind.SELECTION or not job.steps or not job.steps[0].task_id:
        return
    details = plan.source.details
    before = list(details.get("fingerprints", []))
    if len(sources) != len(details["objects"]) or not all(before):
        return
    uploaded_at = [frames.from_numbers(entry["matrix"]) for entry in details["objects"]]
    moves = [item.matrix_world @ then.inverted_safe() for item, then in zip(sources, uploaded_at, strict=True)]
    together = all(frames.nearly_equal(moves[0], move) for move in moves)
    if together:
        # Where the uploaded model stands now: its frame, moved as the objects were moved since. The fingerprints are
        # those of the upload: if the objects were edited since, theirs differ, and the next job uploads them again.
        placed = moves[0] @ frames.from_numbers(details["frame"])
        marks.mark(sources, job.steps[0].task_id, job.service_id, placed, before)


def _layer(scene: bpy.types.Scene, context: bpy.types.Context) -> bpy.types.ViewLayer:
    return context.view_layer if context.scene == scene else scene.view_layers[0]


def _select(objects: Sequence[bpy.types.Object], scene: bpy.types.Scene, context: bpy.types.Context) -> None:
    """Makes the result the selection, as far as its collection is part of the view layer."""
    layer = _layer(scene, context)
    for item in list(layer.objects.selected):
        item.select_set(False, view_layer=layer)
    shown = [item for item in objects if item.name in layer.objects]
    for item in shown:
        item.select_set(True, view_layer=layer)
    meshes = [item for item in shown if item.type == "MESH"]
    if shown:
        layer.objects.active = (meshes or shown)[0]


def _hide(sources: Sequence[bpy.types.Object], scene: bpy.types.Scene, context: bpy.types.Context) -> None:
    layer = _layer(scene, context)
    for item in sources:
        item.hide_render = True
        if item.name in layer.objects:
            item.hide_set(True, view_layer=layer)
