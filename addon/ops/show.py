"""Showing what a job has made: its objects in a viewport, its images in an Image Editor, its answer in words.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from typing import TYPE_CHECKING

import bpy
from bpy.props import StringProperty

from ..bridge.results.open_file import open_file
from ..bridge.state import state
from ..core.errors import CoreError, Refused
from ..core.jobs.stage import Stage
from ..text_layout import paragraph
from ..translation.interface import translated
from . import reports

if TYPE_CHECKING:
    from ..core.jobs.job import JobView

_WIDTH = 320  # pixels at scale 1, of the pop-up with an answer


def can_show(job: "JobView") -> bool:
    """Whether a job has something that can be shown: an answer, or a result that came into a file."""
    from ..bridge.results import apply_images  # here, as below: enabling the extension need not wait for it

    if job.stage is not Stage.APPLIED or job.answer:
        return job.stage is Stage.APPLIED
    if job.id in open_file.objects or job.id in open_file.images:
        return True
    brings_in = job.plan is None or job.plan.delivery.brings_in
    return brings_in and bool(job.blend or apply_images.fetched_images(job))


class ASSETGEN_OT_show_result(bpy.types.Operator):
    """Show the result of a job."""

    bl_idname = "assetgen.show_result"
    bl_label = "Show"
    bl_description = (
        "Frame the result in the 3D viewport, shown again if it is hidden and in Material Preview if it has textures; "
        "an image opens in an Image Editor. The selection stays as it is"
    )
    bl_options = {"INTERNAL"}

    job_id: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        job = state.jobs.get(self.job_id)
        if job is not None and job.answer and not open_file.objects_of(job.id):
            return context.window_manager.invoke_popup(self, width=_WIDTH)
        return self.execute(context)

    def draw(self, context: bpy.types.Context) -> None:
        job = state.jobs.get(self.job_id)
        if job is not None:
            paragraph(self.layout, job.name, context, icon="INFO", width=_WIDTH)
            paragraph(self.layout, job.answer.rstrip(".") + ".", context, width=_WIDTH)

    def execute(self, context: bpy.types.Context) -> set[str]:
        try:
            line = self._show(context)
        except CoreError as error:
            return reports.report_error(self, error)
        self.report({"INFO"}, translated(line))
        return {"FINISHED"}

    def _show(self, context: bpy.types.Context) -> str:
        from ..bridge.results import show

        job = state.jobs.get(self.job_id)
        if job is None:
            raise Refused("This job is not there any more")
        if objects := _objects(job):
            shown = show.show_objects(objects, show.viewport(context.window, context.area))
            if shown.changed:
                bpy.ops.ed.undo_push(message=f"Show {job.name}")
            return f"{job.name}: {', '.join(('shown', *shown.words))}"
        if images := open_file.images_of(job.id):
            show.show_image(images[0], context.window)
            return f"{job.name}: shown"
        if job.answer:
            return reports.job_answer(job)
        raise Refused(f"The result of {job.name} is not in this file any more", "Bring In puts it in again")


def _objects(job: "JobView") -> list[bpy.types.Object]:
    """What a job's result is in this file, also after it was opened again; without what is in no scene."""
    from ..bridge.results import show

    objects = open_file.objects_of(job.id) or show.objects_of_tasks([step.task_id for step in job.steps])
    return [item for item in objects if item.users_scene]


CLASSES = (ASSETGEN_OT_show_result,)
