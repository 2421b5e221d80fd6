"""Notes on a result, and on what was uploaded for it, which task knows it: the next job need not upload it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import bpy
from mathutils import Matrix

from ...core.jobs.job import JobPlan, JobView, SourceKind, StepView
from ...headless import mesh_notes
from ...headless.mesh_notes import MeshFacts
from ..objects import companions, provenance, transforms
from ..objects.fingerprint import MaterialReader, fingerprint
from ..objects.provenance import TaskProvenance
from ..objects.unsaved_images import images_of_objects


def task_of(job: JobView, sources: Sequence[bpy.types.Object]) -> TaskProvenance:
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


def record(
    notes_of_meshes: Mapping[bpy.types.Object, MeshFacts | None],
    objects: Sequence[bpy.types.Object],
    task: TaskProvenance,
    placed: Matrix,
) -> None:
    """Notes on a result the task that gave it; to be done while it stands as it came, moved as a whole.

    Args:
        notes_of_meshes: Its meshes, with what the background Blender found out about them.
        objects: All of it.
        task: From :func:`task_of`.
        placed: The world matrix of the whole.
    """
    packed = mesh_notes.pop_image_notes(images_of_objects(objects))
    if notes_of_meshes and task.task_id:
        materials = MaterialReader()
        prints = [
            fingerprint(item, notes.checksum if notes else "", packed, materials)
            for item, notes in notes_of_meshes.items()
        ]
        names = [notes.name if notes else "" for notes in notes_of_meshes.values()]
        provenance.write(list(notes_of_meshes), task, placed, prints, names, are_new=True)
    companions.write(objects, task.task_id)


def record_on_sources(sources: Sequence[bpy.types.Object], job: JobView, plan: JobPlan) -> None:
    """Notes on what was uploaded the task that took it, if it still stands as it did."""
    uploaded = plan.source.snapshot
    if uploaded is None or plan.source.kind is not SourceKind.SELECTION or not job.steps or not job.steps[0].task_id:
        return
    fingerprints = uploaded.fingerprints
    if not len(sources) == len(uploaded.objects) == len(fingerprints) or not all(fingerprints):
        return
    if any(item.type != "MESH" for item in sources):
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
