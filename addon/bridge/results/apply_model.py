"""Applies a model: it is appended, placed, shown instead of its source, and given its provenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import bpy
from mathutils import Matrix

from ...core.jobs.job import JobPlan, JobView, Placement, StepView
from ...headless import mesh_notes
from ...headless.mesh_notes import MeshFacts
from ..objects import companions, provenance, snapshot, transforms
from ..objects.fingerprint import fingerprint
from ..objects.provenance import TaskProvenance
from ..objects.unsaved_images import images_of_objects
from . import collection_links, local_view, parents, placing, result_selection, visibility
from .append import added_blocks, append, known_blocks
from .owners import owned
from .pairs import paired


def apply(
    job: JobView,
    plan: JobPlan,
    sources: Sequence[bpy.types.Object],
    scene: bpy.types.Scene,
    context: bpy.types.Context,
) -> list[bpy.types.Object]:
    """Puts the prepared model of a job into a scene and returns its objects.

    A motion for a rig that is there becomes an action of that rig; its objects are those that it moves.

    Args:
        job: The job; its ``blend`` is there.
        plan: What was asked for.
        sources: What the job worked on, as far as that is in this file.
        scene: Where to.
        context: Tells what is seen.
    """
    from . import parts  # here, both: enabling the extension need not wait for them
    from .motions import apply_motion

    placement = plan.delivery.placement
    if context.scene == scene:
        context.view_layer.update()  # a script may have moved the sources a moment ago
    collection = _collection(scene, placement, sources)
    model_name = parts.model_name(job, placement, sources)
    if job.gives_parts:
        collection = parts.new_collection(model_name, collection)
    task = _task(job, sources)
    known = known_blocks()
    objects = append(Path(job.blend), collection)
    if job.gives_motion and (given := apply_motion.onto_rig_in_file(objects, sources, task, scene)):
        bpy.data.batch_remove([block for block in added_blocks(known) if block not in given.actions])
        return given.objects
    pairs = paired(objects, sources, placement)
    notes_of_meshes = _notes_of_meshes(objects)
    moves = placing.moves_of(sources, placement, scene)
    common = placing.common_move(moves, placement)
    bounds = _bounds(notes_of_meshes)
    placed = common @ placing.model_matrix(placement, bounds if job.keeps_shape else (), context)
    if placement is None or not placement.sources:
        placed = placing.moved_to_free_place(placed, bounds, _layer(scene, context), objects)
    worlds = placing.place(objects, placed, collection)
    objects += [item for item in worlds if item not in objects]
    roots = owned(objects, pairs, sources, placement)
    collection_links.follow_collections(roots, scene, collection)
    _rename(objects, job, placement, sources)
    if job.gives_parts:
        parts.name_parts({item: notes.name if notes else "" for item, notes in notes_of_meshes.items()}, model_name)
    if job.gives_motion:
        apply_motion.dress_own(objects, next((item.name for item in objects if item.type == "MESH"), ""))
    _record_provenance(notes_of_meshes, mesh_notes.pop_image_notes(images_of_objects(objects)), task, placed)
    companions.write(objects, task.task_id)
    record_source_provenance(sources, job, plan)
    worlds = placing.follow_moves(roots, worlds, moves, common)
    parents.follow_parents(roots, pairs, objects, worlds)
    visibility.follow_visibility(roots, scene)
    taken_over = result_selection.layers_to_select_in(sources, scene, _layer(scene, context))
    local_view.show(objects, sources, scene, context)
    # Last, because it changes what is the user's own.
    if placement is not None and placement.hide_source:
        brings_rig = any(item.type == "ARMATURE" for item in objects)
        visibility.hide([*sources, *(_rigs_of(sources) if brings_rig else [])], scene)
    for layer in taken_over:
        result_selection.select(objects, layer)
    return objects


def record_source_provenance(sources: Sequence[bpy.types.Object], job: JobView, plan: JobPlan) -> None:
    """Notes on what was uploaded the task that took it, if it still stands as it did."""
    uploaded = plan.source.snapshot
    if uploaded is None or not job.steps or not job.steps[0].task_id:
        return
    fingerprints = uploaded.fingerprints
    if len(sources) != len(uploaded.objects) or not all(fingerprints) or any(item.type != "MESH" for item in sources):
        return
    uploaded_at = [transforms.from_numbers(item.matrix) for item in uploaded.objects]
    moves = [item.matrix_world @ then.inverted_safe() for item, then in zip(sources, uploaded_at, strict=True)]
    if all(transforms.nearly_equal(moves[0], move) for move in moves):
        # Where the uploaded model stands now: the upload's matrix, moved as the objects were moved since. The
        # fingerprints are those of the upload: if the objects were edited since, theirs differ, and the next job
        # uploads them again.
        placed = moves[0] @ transforms.from_numbers(uploaded.frame)
        first = job.steps[0]
        earlier = tuple(name for name in provenance.tasks_behind(sources) if name != first.task_id)
        task = TaskProvenance(first.task_id, job.service_id, first.capability, earlier=earlier)
        provenance.write(sources, task, placed, fingerprints, [item.title for item in uploaded.objects])


def _collection(
    scene: bpy.types.Scene, placement: Placement | None, sources: Sequence[bpy.types.Object]
) -> bpy.types.Collection:
    """Where the source is now; where it was when it is gone."""
    if sources and sources[0].name in scene.objects:
        name = snapshot.collection_of(scene, sources[0])
        return bpy.data.collections[name] if name else scene.collection
    if placement is not None and placement.collection:
        collection = bpy.data.collections.get(placement.collection)
        if collection is not None and collection in set(scene.collection.children_recursive):
            return collection
    return scene.collection


def _notes_of_meshes(objects: Sequence[bpy.types.Object]) -> dict[bpy.types.Object, MeshFacts | None]:
    """The meshes among the objects, with what the background Blender found out about them."""
    return {item: mesh_notes.pop_notes(item) for item in objects if item.type == "MESH"}


def _bounds(notes_of_meshes: Mapping[bpy.types.Object, MeshFacts | None]) -> mesh_notes.Bounds:
    """The box around the result as it came."""
    return mesh_notes.union(
        notes.bounds if notes else mesh_notes.bounds_of([(item.data, transforms.world_of(item))])
        for item, notes in notes_of_meshes.items()
    )


def _rename(
    objects: Sequence[bpy.types.Object],
    job: JobView,
    placement: Placement | None,
    sources: Sequence[bpy.types.Object],
) -> None:
    """A single result takes the name of its single source, or of its prompt; Blender adds the number."""
    meshes = [item for item in objects if item.type == "MESH"]
    names = [name for name, _ in placement.sources] if placement is not None else []
    if len(sources) == len(names) == 1:
        names = [sources[0].name]  # it may have another one by now
    name = names[0] if len(names) == 1 else "" if names else job.title
    if len(meshes) != 1 or not name:
        return
    meshes[0].name = name
    meshes[0].data.name = name
    rigs = [item for item in objects if item.type == "ARMATURE"]
    if len(rigs) == 1:
        rigs[0].name = f"{name} Rig"


def _record_provenance(
    notes_of_meshes: Mapping[bpy.types.Object, MeshFacts | None],
    packed: Mapping[bpy.types.Image, str],
    task: TaskProvenance,
    placed: Matrix,
) -> None:
    if not notes_of_meshes or not task.task_id:
        return
    prints = [fingerprint(item, notes.checksum if notes else "", packed) for item, notes in notes_of_meshes.items()]
    names = [notes.name if notes else "" for notes in notes_of_meshes.values()]
    provenance.write(list(notes_of_meshes), task, placed, prints, names)


def _task(job: JobView, sources: Sequence[bpy.types.Object]) -> TaskProvenance:
    """The task that gave the result of a job on some sources; without an id where none is known."""
    finished = [step for step in job.steps if step.task_id]
    source = job.plan.source if job.plan is not None else None
    if len(finished) > 1:
        source_task = (finished[-2].task_id, finished[-2].capability)
    else:
        source_task = (source.task_id, source.capability) if source is not None else ("", "")
    last = finished[-1] if finished else StepView("")
    before = (*provenance.tasks_behind(sources), source_task[0], *(step.task_id for step in finished[:-1]))
    earlier = tuple(name for name in dict.fromkeys(before) if name and name != last.task_id)
    return TaskProvenance(last.task_id, job.service_id, last.capability, *source_task, earlier)


def _rigs_of(sources: Sequence[bpy.types.Object]) -> list[bpy.types.Object]:
    """The armatures that move these meshes and nothing else."""
    rigs = {rig for item in sources if item.type == "MESH" and (rig := item.find_armature()) is not None}
    others = {item.find_armature() for item in bpy.data.objects if item.type == "MESH" and item not in sources}
    return [rig for rig in rigs if rig not in others]


def _layer(scene: bpy.types.Scene, context: bpy.types.Context) -> bpy.types.ViewLayer:
    return context.view_layer if context.scene == scene else scene.view_layers[0]
