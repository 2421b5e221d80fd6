"""Applies a model: it is appended, placed, shown instead of its source, and given its provenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import bpy
from mathutils import Matrix

from ...core.jobs.job import JobPlan, JobView, Placement, SourceKind
from ...headless import mesh_notes
from ...headless.mesh_notes import MeshFacts
from ..objects import animated_transforms, provenance, snapshot, source_poses, transforms
from ..objects.fingerprint import fingerprint
from ..objects.provenance import TaskProvenance
from ..objects.unsaved_images import images_of_objects
from . import kept_properties, local_view, naming, source_fate
from .append import append
from .pairs import paired


def apply(
    job: JobView,
    plan: JobPlan,
    sources: Sequence[bpy.types.Object],
    scene: bpy.types.Scene,
    context: bpy.types.Context,
) -> list[bpy.types.Object]:
    """Puts the prepared model of a job into a scene and returns its objects.

    Args:
        job: The job; its ``blend`` is there.
        plan: What was asked for.
        sources: What the job worked on, as far as that is in this file.
        scene: Where to.
        context: Tells what is seen.
    """
    placement = plan.delivery.placement
    if context.scene == scene:
        context.view_layer.update()  # a script may have moved the sources a moment ago
    collection = _collection(scene, placement, sources)
    objects = append(Path(job.blend), collection)
    pairs = paired(objects, sources, placement)
    notes_of_meshes = _notes_of_meshes(objects)
    placed = _moved(placement, sources, scene) @ _placed(job, placement, context, notes_of_meshes)
    objects += _place(objects, placed, collection)
    kept_properties.carry_over(pairs)
    _record_provenance(notes_of_meshes, mesh_notes.pop_image_notes(images_of_objects(objects)), job, placed)
    record_source_provenance(sources, job, plan)
    _select(objects, scene, context)
    local_view.show(objects, sources, scene, context)
    # Last, because it changes what is the user's own.
    own_names = {item: notes.name for item, notes in notes_of_meshes.items() if notes}
    naming.name_result(objects, pairs, job, placement, own_names)
    if placement is not None:
        brings_rig = any(item.type == "ARMATURE" for item in objects)
        put_away = [*sources, *(_rigs_of(sources) if brings_rig else [])]
        source_fate.put_away(put_away, placement, scene, _layer(scene, context))
    return objects


def record_source_provenance(sources: Sequence[bpy.types.Object], job: JobView, plan: JobPlan) -> None:
    """Notes on what was uploaded the task that took it, if it still stands as it did."""
    uploaded = plan.source.snapshot
    if uploaded is None or plan.source.kind is not SourceKind.SELECTION or not job.steps or not job.steps[0].task_id:
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
        task = TaskProvenance(first.task_id, job.service_id, first.capability)
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


def _placed(
    job: JobView,
    placement: Placement | None,
    context: bpy.types.Context,
    notes_of_meshes: Mapping[bpy.types.Object, MeshFacts | None],
) -> Matrix:
    """The world matrix that the result's model gets."""
    if placement is None:
        return Matrix.Translation(context.scene.cursor.location)
    placed = transforms.from_numbers(placement.frame)
    if job.keeps_shape:
        placed = placed @ transforms.fit_matrix(_bounds(notes_of_meshes), placement.bounds)
    return placed


def _moved(placement: Placement | None, sources: Sequence[bpy.types.Object], scene: bpy.types.Scene) -> Matrix:
    """How the sources were moved while the job ran; identity where that is not clear."""
    move = source_poses.moved_since(sources, placement.poses, scene) if placement is not None else None
    return Matrix.Identity(4) if move is None or transforms.nearly_equal(move, Matrix.Identity(4)) else move


def _place(
    objects: Sequence[bpy.types.Object], placed: Matrix, collection: bpy.types.Collection
) -> list[bpy.types.Object]:
    """Moves the objects there; returns what had to be added for it."""
    added = []
    for item in [item for item in objects if item.parent is None]:
        if animated_transforms.has_animated_transform(item):
            # Its own motion would carry it back to where the file has it, so its place is that of a parent.
            holder = bpy.data.objects.new(f"{item.name} Place", None)
            collection.objects.link(holder)
            holder.matrix_basis = placed
            item.parent = holder
            added.append(holder)
            continue
        placed_there = placed @ transforms.world_of(item)
        if item.animation_data is None:  # importers leave quaternions, which nobody likes to edit by hand
            item.rotation_mode = "XYZ"
        item.matrix_basis = placed_there
    return added


def _record_provenance(
    notes_of_meshes: Mapping[bpy.types.Object, MeshFacts | None],
    packed: Mapping[bpy.types.Image, str],
    job: JobView,
    placed: Matrix,
) -> None:
    finished = [step for step in job.steps if step.task_id]
    if not notes_of_meshes or not finished:
        return
    source = job.plan.source if job.plan is not None else None
    if len(finished) > 1:
        source_task = (finished[-2].task_id, finished[-2].capability)
    else:
        source_task = (source.task_id, source.capability) if source is not None else ("", "")
    prints = [fingerprint(item, notes.checksum if notes else "", packed) for item, notes in notes_of_meshes.items()]
    task = TaskProvenance(finished[-1].task_id, job.service_id, finished[-1].capability, *source_task)
    names = [notes.name if notes else "" for notes in notes_of_meshes.values()]
    provenance.write(list(notes_of_meshes), task, placed, prints, names)


def _rigs_of(sources: Sequence[bpy.types.Object]) -> list[bpy.types.Object]:
    """The armatures that move these meshes and nothing else."""
    rigs = {rig for item in sources if item.type == "MESH" and (rig := item.find_armature()) is not None}
    others = {item.find_armature() for item in bpy.data.objects if item.type == "MESH" and item not in sources}
    return [rig for rig in rigs if rig not in others]


def _layer(scene: bpy.types.Scene, context: bpy.types.Context) -> bpy.types.ViewLayer:
    return context.view_layer if context.scene == scene else scene.view_layers[0]


def _select(objects: Sequence[bpy.types.Object], scene: bpy.types.Scene, context: bpy.types.Context) -> None:
    """Makes the result the selection, as far as its collection is part of the view layer."""
    layer = _layer(scene, context)
    _ = layer.objects.active  # only when asked for this one does Blender (4.2 to 5.2) notice what was just linked
    for item in list(layer.objects.selected):
        item.select_set(False, view_layer=layer)
    visible = [item for item in objects if item.name in layer.objects]
    for item in visible:
        item.select_set(True, view_layer=layer)
    meshes = [item for item in visible if item.type == "MESH"]
    if visible:
        layer.objects.active = (meshes or visible)[0]
