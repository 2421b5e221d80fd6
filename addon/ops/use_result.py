"""From one job to the next: its images as the input of another operation, its views as what another one works on.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import EnumProperty, StringProperty

from ..bridge import redraw
from ..bridge.objects import image_files
from ..bridge.results.open_file import open_file
from ..bridge.session import session
from ..bridge.state import state
from ..core.jobs.stage import Stage
from ..props import scene_settings
from ..props.field_info import CapabilityInfo
from ..props.task_properties import CAPABILITIES
from ..translation.interface import translated

if TYPE_CHECKING:
    from ..core.jobs.job import JobView

NEXT_LABELS = {name: info.follow_up for name, info in CAPABILITIES.items() if info.follow_up}
"""Label and tooltip of each way to go on with images."""


def next_capabilities(job: "JobView") -> tuple[str, ...]:
    """The capabilities that can go on with what a finished job has made; none for one that made no images."""
    from ..bridge.results import apply_images  # here, as below: enabling the extension need not wait for it

    if job.stage not in (Stage.APPLIED, Stage.READY) or job.blend or not apply_images.fetched_images(job):
        return ()
    of_views = _gives_views(job.steps[-1].capability) if job.steps else False
    return tuple(name for name in NEXT_LABELS if takes_views(CAPABILITIES[name]) is of_views and _takes(name, job))


def takes_views(info: CapabilityInfo) -> bool:
    """Whether a capability works on views of an object from several sides, and can take them from an earlier task."""
    return bool(info.source_takes) and all(map(_gives_views, info.source_takes))


def views_of(capability: str) -> "list[JobView]":
    """The jobs of this service whose views a capability can take, the latest first."""
    takes = CAPABILITIES[capability].source_takes
    service_id = session.settings.service_id
    return [
        job
        for job in state.newest_first()
        if job.service_id == service_id
        and job.stage in (Stage.APPLIED, Stage.READY)
        and job.steps
        and job.steps[-1].capability in takes
        and job.steps[-1].task_id
    ]


def views_field(capability: str) -> str:
    """The field that names the task whose views are taken."""
    info = CAPABILITIES[capability]
    return info.source_field or info.task_field or ""


def _gives_views(capability: str) -> bool:
    return capability in CAPABILITIES and CAPABILITIES[capability].gives_views


def _takes(capability: str, job: "JobView") -> bool:
    """Whether a capability can go on with a job's images: as files, or because its service has the task still."""
    return CAPABILITIES[capability].takes == "images" or _is_known(job, capability)


def _is_known(job: "JobView", capability: str) -> bool:
    return any(job.id == other.id for other in views_of(capability))


class ASSETGEN_OT_use_result(bpy.types.Operator):
    """Go on with the images of a job."""

    bl_idname = "assetgen.use_result"
    bl_label = "Use Result"
    bl_description = "Go on with the images of this job"
    bl_options = {"INTERNAL", "UNDO"}

    job_id: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    capability: EnumProperty(
        items=[(name, *words) for name, words in NEXT_LABELS.items()], options={"HIDDEN", "SKIP_SAVE"}
    )

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        return translated(NEXT_LABELS[properties.capability][1])

    def execute(self, context: bpy.types.Context) -> set[str]:
        job = state.jobs.get(self.job_id)
        if job is None or self.capability not in next_capabilities(job):
            self.report({"ERROR"}, "The images of this job are not there any more")
            return {"CANCELLED"}
        settings = scene_settings.settings_of(context)
        scene_settings.choose_capability(settings, self.capability)
        _fill(getattr(settings, self.capability), job, self.capability)
        redraw.redraw()
        return {"FINISHED"}


def _fill(group: Any, job: "JobView", capability: str) -> None:
    from ..bridge.results import apply_images

    paths = _references(job)
    info = CAPABILITIES[capability]
    if not takes_views(info):
        image = next(field.name for field in info.fields if field.takes_image)
        setattr(group, image, next(iter(paths.values())))
        return
    is_known_here = _is_known(job, capability)
    setattr(group, views_field(capability), job.steps[-1].task_id if is_known_here else "")
    if not is_known_here:  # made at another service: the views themselves go there
        for key, path in paths.items():
            if key in apply_images.VIEWS:
                setattr(group, key.removesuffix("_view"), path)


def _references(job: "JobView") -> dict[str, str]:
    """The job's images as fields name them: those in this file where they are, else the files in the job's folder."""
    from ..bridge.results import apply_images

    fetched = apply_images.fetched_images(job)
    applied = open_file.images_of(job.id)
    if len(applied) == len(fetched):
        return {key: image_files.reference_to(image) for (key, _), image in zip(fetched, applied, strict=True)}
    return {key: str(Path(path)) for key, path in fetched}


class ASSETGEN_OT_choose_views(bpy.types.Operator):
    """Choose an earlier job whose views are taken."""

    bl_idname = "assetgen.choose_views"
    bl_label = "Views of"
    bl_description = "Take the views of this job. Nothing is uploaded then"
    bl_options = {"INTERNAL", "UNDO"}

    capability: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    task_id: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        group = getattr(scene_settings.settings_of(context), self.capability)
        setattr(group, views_field(self.capability), self.task_id)
        redraw.redraw()
        return {"FINISHED"}


class ASSETGEN_OT_forget_views(bpy.types.Operator):
    """Take files again instead of the views of an earlier job."""

    bl_idname = "assetgen.forget_views"
    bl_label = "Forget Views"
    bl_description = "Do not take the views of this job"
    bl_options = {"INTERNAL", "UNDO"}

    capability: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        group = getattr(scene_settings.settings_of(context), self.capability)
        group.property_unset(views_field(self.capability))
        return {"FINISHED"}


CLASSES = (ASSETGEN_OT_use_result, ASSETGEN_OT_choose_views, ASSETGEN_OT_forget_views)
