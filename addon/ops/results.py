"""Applying a result to the open file, as one step of undo.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

import bpy
from bpy.props import StringProperty

from ..bridge import idle, pump
from ..bridge.results import apply_result
from ..bridge.session import session
from ..bridge.state import state
from ..core.errors import CoreError, Refused
from ..core.jobs.job import FILES_DELETED, JobView, Stage
from ..core.log import logger
from . import reports


class ASSETGEN_OT_apply_result(bpy.types.Operator):
    """Bring the result into the file: a model into the scene, where its source stands, images among the images."""

    bl_idname = "assetgen.apply_result"
    bl_label = "Bring In"
    bl_description = "Bring the result into the file: a model where its source stands, images among the images"
    # No UNDO among the options: its step would be named after the operator (4.3 and 5.2), so execute pushes one that is
    # named after the job.
    bl_options = {"INTERNAL"}

    job_id: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        try:
            job, changed = self._apply(context)
        except CoreError as error:
            return reports.report_error(self, error)
        if changed and not bpy.app.background:  # first of all: whatever fails from here on, the file has changed
            bpy.ops.ed.undo_push(message=job.name)
        try:
            if job.stage is Stage.READY:
                session.runtime().applied(job.id, "" if changed or job.answer else job.text)
        except CoreError as error:
            return reports.report_error(self, error)
        if job.answer and not bpy.app.background:  # there the operator that waits for the job says it
            self.report({"INFO"}, reports.job_answer(job))
        return {"FINISHED"}

    def _apply(self, context: bpy.types.Context) -> tuple[JobView, bool]:
        job = state.jobs.get(self.job_id)
        if job is None or job.stage not in (Stage.READY, Stage.APPLIED):
            raise Refused("This job has no result that waits")
        if job.stage is Stage.APPLIED and job.text == FILES_DELETED:
            raise Refused(f"The files of {job.name} were deleted", job.advice)
        if not job.answer and (words := idle.busy_reason()):
            raise Refused(f"The result of {job.name} cannot come in now: {words[:1].lower()}{words[1:]}")
        runtime = session.runtime()
        if job.stage is Stage.READY and not runtime.claim_apply(job.id):
            raise Refused("Another Blender has brought this result in")
        try:
            changed = apply_result.apply(job, context)
        except CoreError as error:
            if job.stage is Stage.READY:
                runtime.apply_failed(job.id, reports.error_line(str(error), error.advice))
            raise
        return job, changed


def apply(job: JobView) -> None:
    """Applies a result on the pump's behalf: through the operator, and in a window that shows the scene it is for."""
    scene = bpy.data.scenes.get(job.plan.delivery.origin.scene) if job.plan else None
    window = None if bpy.app.background else idle.window_for(scene)
    try:
        if window is None:
            bpy.ops.assetgen.apply_result("EXEC_DEFAULT", job_id=job.id)
        else:
            with bpy.context.temp_override(window=window):
                bpy.ops.assetgen.apply_result("EXEC_DEFAULT", True, job_id=job.id)
    except RuntimeError as error:
        # The operator has told the job; its report reaches nobody when a timer called it.
        logger(__name__).warning("job %s: the result was not applied: %s", job.id, error)


def register() -> None:
    """Has the pump apply results with the operator."""
    pump.set_applier(apply)


def unregister() -> None:
    """Takes that back."""
    pump.set_applier(None)


CLASSES = (ASSETGEN_OT_apply_result,)
