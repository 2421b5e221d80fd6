"""The result comes into the file: a model into the scene, images among the images, an answer into the job list."""

from __future__ import annotations

from dataclasses import dataclass, field

import bpy

from ...core.errors import BrokenResult, CoreError
from ...core.jobs.job import JobView
from ...core.log import logger
from ..session import session
from . import apply_images, apply_model
from .append import all_or_nothing


@dataclass(slots=True)
class Arrivals:
    """Which objects and images each job brought, by session id, for as long as this file is open."""

    objects: dict[str, list[int]] = field(default_factory=dict)
    images: dict[str, list[int]] = field(default_factory=dict)

    def of(self, job_id: str) -> list[bpy.types.Object]:
        """The objects of a job that still exist."""
        wanted = self.objects.get(job_id, [])
        found = {item.session_uid: item for item in bpy.data.objects if item.session_uid in wanted}
        return [found[uid] for uid in wanted if uid in found]

    def images_of(self, job_id: str) -> list[bpy.types.Image]:
        """The images of a job that still exist."""
        wanted = self.images.get(job_id, [])
        found = {image.session_uid: image for image in bpy.data.images if image.session_uid in wanted}
        return [found[uid] for uid in wanted if uid in found]

    def clear(self) -> None:
        """Another file is open."""
        self.objects.clear()
        self.images.clear()


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


def bring_in(job: JobView, context: bpy.types.Context) -> bool:
    """Puts the result of a claimed job into the file; whether that changed the file. After an error it is as before.

    Raises:
        CoreError: It could not be done; the message says why.
    """
    if job.plan is None:
        raise BrokenResult("Nothing is known of what this job was for", "Open its folder instead")
    try:
        with all_or_nothing():
            if job.blend:
                sources = sources_of(job) if belongs_here(job) else []
                objects = apply_model.bring_in(job, job.plan, sources, _scene(job, context), context)
                arrivals.objects[job.id] = [item.session_uid for item in objects]
            elif pictures := apply_images.pictures(job):
                images = apply_images.bring_in(job, pictures)
                arrivals.images[job.id] = [image.session_uid for image in images]
            elif not job.answer and not job.files:
                raise BrokenResult("The result is a file that Blender cannot bring in", "Open its folder instead")
    except CoreError:
        raise
    except Exception as error:  # whatever a strange file makes bpy raise: the user gets a sentence, the log the rest
        logger(__name__).exception("bringing in %s", job.id)
        raise BrokenResult(f"The result could not be brought in ({type(error).__name__})") from error
    return bool(arrivals.objects.get(job.id) or arrivals.images.get(job.id))


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
    if job.plan is not None and started_here(job) and job.id not in arrivals.objects:
        apply_model.mark_sources(sources_of(job), job, job.plan)


def _scene(job: JobView, context: bpy.types.Context) -> bpy.types.Scene:
    origin = job.plan.delivery.origin if job.plan else None
    if origin is not None and belongs_here(job):
        found = bpy.data.scenes.get(origin.scene)
        if found is not None:
            return found
    return context.scene
