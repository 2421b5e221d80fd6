"""Applies a result to the open file: a model to the scene, images to the images, an answer to the job list."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ...core.errors import BrokenResult, CoreError
from ...core.jobs.job import JobPlan, JobView
from ...core.log import logger
from . import apply_images
from .open_file import open_file


def apply(job: JobView, context: bpy.types.Context) -> bool:
    """Applies the result of a claimed job; whether that changed the file. After an error it is as before.

    Raises:
        CoreError: It could not be done; the message says why.
    """
    from .append import all_or_nothing  # here: enabling the extension need not wait for it

    if job.plan is None:
        raise BrokenResult("Nothing is known of what this job was for", "Open its folder instead")
    try:
        with all_or_nothing():
            changed = _apply(job, job.plan, context)
    except CoreError:
        raise
    except Exception as error:  # whatever a strange file makes bpy raise: the user gets a sentence, the log the rest
        logger(__name__).exception("job %s: applying the result", job.id)
        raise BrokenResult(f"The result could not be brought in ({type(error).__name__})") from error
    tasks = ", ".join(step.task_id for step in job.steps if step.task_id)
    logger(__name__).info("job %s: applied the result of %s", job.id, tasks or "no task")
    return changed


def record_source_provenance(job: JobView) -> None:
    """Notes the task on the sources of a job that are still what it uploaded, so that the next one needs no upload."""
    if job.plan is not None and open_file.has_started(job) and job.id not in open_file.objects:
        from . import task_records  # here: enabling the extension need not wait for it

        task_records.record_on_sources(open_file.sources_of(job), job, job.plan)


def _apply(job: JobView, plan: JobPlan, context: bpy.types.Context) -> bool:
    if job.blend:
        from . import (
            apply_model,
            assembly,
        )  # here: enabling need not wait for all that it brings; a thread has loaded it by now

        sources = open_file.sources_of(job) if open_file.is_origin_of(job) else []
        known = {action.session_uid for action in bpy.data.actions} - assembly.uids_of_current()
        objects = apply_model.apply(job, plan, sources, _scene(job, plan, sources, context), context)
        open_file.objects[job.id] = [item.session_uid for item in objects]
        open_file.actions[job.id] = [item.session_uid for item in bpy.data.actions if item.session_uid not in known]
        return True
    if images := apply_images.fetched_images(job):
        open_file.images[job.id] = [image.session_uid for image in apply_images.apply(job, images)]
        return True
    if not job.answer and not job.files:
        raise BrokenResult("The result is a file that Blender cannot bring in", "Open its folder instead")
    return False


def _scene(
    job: JobView, plan: JobPlan, sources: Sequence[bpy.types.Object], context: bpy.types.Context
) -> bpy.types.Scene:
    """The scene that the job was started from; another one where its sources are now in that one only."""
    origin = plan.delivery.origin
    scene = bpy.data.scenes.get(origin.scene) if origin is not None and open_file.is_origin_of(job) else None
    scene = scene or context.scene
    homes = [home for home in sources[0].users_scene if home.library is None] if sources else []
    return scene if scene in homes or not homes else homes[0]
