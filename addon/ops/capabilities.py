"""One operator per capability: ``bpy.ops.assetgen.decimate(face_limit=5000)``.

With a window it returns at once and the job list takes over. In the background it blocks until the job has ended, with
its result in the scene, and raises RuntimeError with a sentence if it failed.

The operators' properties are the fields of the API's request; only those that a call is given are sent. (No postponed
annotations in this file: Blender reads the properties from them.)
"""

from typing import Any

import bpy
from bpy.props import BoolProperty

from ..bridge import pump, scripting
from ..bridge.session import session
from ..bridge.state import state
from ..core.errors import CoreError
from ..core.jobs.job import Action, JobPlan, JobView, Stage
from ..core.log import logger
from ..props import field_values, scene_settings
from ..props.field_info import CapabilityInfo
from ..props.task_properties import CAPABILITIES, FIELD_CLASSES
from . import planning, repeats, reports
from .file_browser import AsksForFile


class RunsCapability:
    """What the operators have in common."""

    info: CapabilityInfo
    properties: Any
    report: Any

    use_panel_settings: BoolProperty(
        name="Use Panel Settings",
        description="Take the fields from the panel instead of from this call",
        default=False,
        options={"HIDDEN", "SKIP_SAVE"},
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if state.rests(self.info.name):
            return {"CANCELLED"}  # the second click of a double click; the button shows what the first one did
        try:
            twin = repeats.running_twin(context, self.info, self._fields(context), session.settings)
        except CoreError as error:
            return reports.report_error(self, error)
        if twin is None:
            return self.execute(context)
        question = "The same is running already. Run it a second time?"
        if twin.stage is Stage.READY:
            question = "The same is done already, and its result waits to come in. Run it a second time?"
        return context.window_manager.invoke_confirm(
            self, event, title=twin.name, message=question, confirm_text="Run Again", icon="QUESTION"
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        try:
            job_id = self._start(context)
        except CoreError as error:
            return reports.report_error(self, error)
        except Exception as error:  # whatever it is: a sentence for the user, the rest for the log
            logger(__name__).exception("starting %s", self.info.name)
            return reports.report_unexpected(self, error)
        scripting.remember_job(job_id)
        if not bpy.app.background:
            state.press(self.info.name)
            pump.start()
            self.report({"INFO"}, f"{self.info.label} has started; its progress is in the job list")
            return {"FINISHED"}
        return self._finish(scripting.wait([job_id])[job_id])

    def _start(self, context: bpy.types.Context) -> str:
        fields = self._fields(context)
        runtime = session.runtime()
        staged = session.staging_folder()
        try:
            plan = planning.plan(context, self.info, fields, session.settings, staged)
            plan = self.delivered(plan, context)
            job_id = runtime.submit(plan, staged=staged, views=state.jobs.values())
        except Exception:
            session.remove_staged(staged)
            raise
        if bpy.app.background:
            try:
                scripting.result_of(runtime.entry(job_id))
            except Exception:  # the caller is told, so it need not be in the list as well
                scripting.result_of(runtime.act(job_id, Action.DISMISS))
                raise
        return job_id

    def _fields(self, context: bpy.types.Context) -> dict[str, Any]:
        if self.use_panel_settings:
            info = self.info.for_service(is_local=session.settings.is_local)
            return field_values.from_panel(getattr(scene_settings.settings_of(context), info.name), info)
        return field_values.from_call(self.properties, self.info)

    def delivered(self, plan: JobPlan, _context: bpy.types.Context) -> JobPlan:
        """The plan with all that the operator knows of where its result goes."""
        return plan

    def _finish(self, job: JobView) -> set[str]:
        if job.stage is Stage.APPLIED:
            if job.answer:
                self.report({"INFO"}, reports.job_answer(job))
            elif job.delivered:
                self.report({"INFO"}, job.text)
            if job.understood:
                self.report({"INFO"}, reports.prompt_reading(job))
            return {"FINISHED"}
        self.report({"ERROR"}, reports.job_failure(job))
        return {"CANCELLED"}


def _operator(info: CapabilityInfo) -> type[bpy.types.Operator]:
    members = {
        "__doc__": info.summary,
        "__module__": __name__,
        "info": info,
        "bl_idname": f"assetgen.{info.name}",
        "bl_label": info.label,
        "bl_description": info.summary,
        # No UNDO: starting a job changes nothing in the scene. Its result is applied in a step of undo of its own.
        "bl_options": {"REGISTER"},
    }
    asks = (AsksForFile,) if info.file_kinds else ()
    bases = (*asks, RunsCapability, FIELD_CLASSES[info.name], bpy.types.Operator)
    return type(f"ASSETGEN_OT_{info.name}", bases, members)


CLASSES = tuple(_operator(info) for info in CAPABILITIES.values())
