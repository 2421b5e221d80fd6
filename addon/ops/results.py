"""Applying a result to the open file, as one step of undo.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from typing import TYPE_CHECKING

import bpy
from bpy.props import StringProperty

from ..bridge.callbacks import callbacks
from ..bridge.session import session
from ..bridge.state import state
from ..core.errors import CoreError, Refused
from ..core.jobs.stage import FILES_DELETED, Stage
from . import reports

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ..core.jobs.job import JobView

_NOTHING_WAITS = "This job has no result that waits"


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
        from ..bridge.arrivals import arrivals  # here, as below: enabling the extension need not wait for it

        try:
            job, changed = self._apply(context)
        except CoreError as error:
            return reports.report_error(self, error)
        if changed and not bpy.app.background:  # first of all: whatever fails from here on, the file has changed
            bpy.ops.ed.undo_push(message=job.name)
        if job.stage is Stage.READY:
            note = "" if changed or job.answer else job.text
            # Who claimed it records it: to follow changed settings first takes a millisecond, and may lead elsewhere.
            runtime = session.ready or session.runtime()
            arrivals.expect_record(job, note, runtime.applied(job.id, note))
        return {"FINISHED"}

    def _apply(self, context: bpy.types.Context) -> "tuple[JobView, bool]":
        from ..bridge.arrivals import arrivals
        from ..bridge.results import apply_result

        job = state.jobs.get(self.job_id)
        if job is None or job.stage not in (Stage.READY, Stage.APPLIED):
            raise Refused(_NOTHING_WAITS)
        if job.stage is Stage.READY and not arrivals.is_claimed(job.id):
            raise Refused("This result has not been claimed", "Use the button Bring In")
        _refuse_while_busy(job)
        try:
            changed = apply_result.apply(job, context)
        except CoreError as error:
            if job.stage is Stage.READY:
                line = reports.error_line(str(error), error.advice)
                arrivals.expect_failure(job, session.runtime().apply_failed(job.id, line))
            raise
        return job, changed


def bring_in(job_id: str, context: bpy.types.Context) -> "Future[None]":
    """Has the result of a job brought in because the user wants it; the future is told how that ends.

    Raises:
        Refused: There is no result, or it cannot come in now.
    """
    from ..bridge.arrivals import arrivals

    job = state.jobs.get(job_id)
    if job is None or job.stage not in (Stage.READY, Stage.APPLIED):
        raise Refused(_NOTHING_WAITS)
    if job.stage is Stage.APPLIED and job.text == FILES_DELETED:
        raise Refused(f"The files of {job.name} were deleted", job.advice)
    _refuse_while_busy(job)
    return arrivals.bring_in(job, context.window)


def _refuse_while_busy(job: "JobView") -> None:
    from ..bridge import idle

    if not job.answer and (words := idle.busy_reason()):
        raise Refused(f"The result of {job.name} cannot come in now: {words[:1].lower()}{words[1:]}")


def apply(job: "JobView", pressed_in: bpy.types.Window | None = None) -> None:
    """Applies a claimed result: through the operator, and in the window where the user asked for it, else in one that
    shows the scene it is for.

    Raises:
        RuntimeError: It could not be applied; the job has been told.
    """
    from ..bridge import idle

    scene = bpy.data.scenes.get(job.plan.delivery.origin.scene) if job.plan and job.plan.delivery.origin else None
    window = None if bpy.app.background else idle.window_for(scene)
    if window is not None and pressed_in in list(bpy.context.window_manager.windows):  # it may be closed by now
        window = pressed_in
    if window is None:
        bpy.ops.assetgen.apply_result("EXEC_DEFAULT", job_id=job.id)
    else:
        with bpy.context.temp_override(window=window):
            bpy.ops.assetgen.apply_result("EXEC_DEFAULT", True, job_id=job.id)


def register() -> None:
    """Has results applied with the operator."""
    callbacks.apply_result = apply


def unregister() -> None:
    """Takes that back."""
    callbacks.apply_result = None


CLASSES = (ASSETGEN_OT_apply_result,)
