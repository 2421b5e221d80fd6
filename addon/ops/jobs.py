"""What a user can do with a job.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty, StringProperty

from ..bridge import pump, redraw
from ..bridge.session import session
from ..bridge.state import state
from ..core.errors import CoreError
from ..core.jobs.stage import ENDED, Action, Stage
from ..props.task_properties import CAPABILITIES
from ..translation.interface import translated
from . import reports, results
from .waiting_press import WaitsForLoading

if TYPE_CHECKING:
    from ..core.jobs.job import JobView

ACTION_LABELS: dict[Action, tuple[str, str, str]] = {
    Action.STOP: ("Stop", "CANCEL", "Stop this job. A task that the service has begun goes on there and is charged"),
    Action.RETRY: ("Retry", "FILE_REFRESH", "Go on where it failed. What is paid already is not paid again"),
    Action.ADOPT: ("Adopt", "CHECKMARK", "Take the task that the service lists as the one of this job"),
    Action.LOOK_AGAIN: ("Look Again", "VIEWZOOM", "Look at the service now whether the task exists. Nothing is sent"),
    Action.RESEND: ("Resend Now", "EXPORT", "Ask for the task again. If the first request arrived, both are charged"),
    Action.FORGET: (
        "Forget",
        "UNLINKED",
        "Give this job up. A task that the service may have begun is charged all the same",
    ),
    Action.DISMISS: ("Remove", "TRASH", "Remove this job from the list. Its result stays in the results folder"),
    Action.APPLY: ("Bring In", "IMPORT", "Bring the result into the scene"),
}
"""Label, icon and tooltip of each action."""

_NO_FILES = "The files of this job are not on the disk any more"


class ASSETGEN_OT_job_action(WaitsForLoading, bpy.types.Operator):
    """Act on a job."""

    bl_idname = "assetgen.job_action"
    bl_label = "Job"
    bl_description = "Act on a job"
    bl_options = {"INTERNAL"}

    job_id: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    action: EnumProperty(
        items=[(action.value, words[0], words[2]) for action, words in ACTION_LABELS.items()],
        options={"HIDDEN", "SKIP_SAVE"},
    )

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        action = Action(properties.action)
        job = state.jobs.get(properties.job_id)
        if action is Action.APPLY and job is not None and job.stage is Stage.APPLIED:
            return translated("Bring the result into the scene, also when it is there already")
        if action is Action.STOP and job is not None and job.stage is Stage.WAIT:
            return translated("Stop watching this job. The service goes on with the task and charges it")
        if action is Action.DISMISS and job is not None and job.stage is Stage.READY:
            words = "Remove this job from the list. Its result, not brought in yet, stays in the results folder"
            return translated(words)
        return translated(ACTION_LABELS[action][2])

    def press(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Asks before something cannot be taken back."""
        question = self._question()
        if not question:
            return self.execute(context)
        if self.has_waited:
            return self.press_anew()
        return context.window_manager.invoke_confirm(
            self, event, title=ACTION_LABELS[Action(self.action)][0], message=translated(question), icon="WARNING"
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..bridge.arrivals import arrivals  # here, as below: enabling the extension need not wait for it

        action = Action(self.action)
        state.notices.pop(self.job_id, None)
        try:
            if action is Action.APPLY:
                future = results.bring_in(self.job_id, context)
            else:
                future = session.runtime().act(self.job_id, action)
            if action is Action.RETRY:
                arrivals.try_again(self.job_id)
            if bpy.app.background:
                pump.result_of(future)
            else:
                pump.show_refusal(future, [self.job_id])
        except CoreError as error:
            return reports.report_error(self, error)
        except LookupError:
            self.report({"ERROR"}, "This job is not there any more")
            return {"CANCELLED"}
        return {"FINISHED"}

    def _question(self) -> str:
        """What to ask before something cannot be taken back; empty when it can."""
        action, job = Action(self.action), state.jobs.get(self.job_id)
        if job is None:
            return ""
        if action is Action.DISMISS and job.stage is Stage.READY:
            return "The result has not been brought in yet. It stays in the results folder."
        if action is Action.STOP and job.stage is Stage.WAIT and job.service_id != "local":
            return "The service goes on with the task and charges it."
        if action in (Action.RESEND, Action.FORGET):
            return ACTION_LABELS[action][2] + "."
        return ""


class ASSETGEN_OT_clear_jobs(bpy.types.Operator):
    """Remove all jobs that have ended from the list, but for those whose result waits. All results stay on the disk."""

    bl_idname = "assetgen.clear_jobs"
    bl_label = "Clear Ended Jobs"
    bl_description = (
        "Remove all jobs that have ended from the list, but for those whose result waits to be brought in. "
        "Their results stay in the results folder"
    )
    bl_options = {"INTERNAL"}

    def execute(self, _context: bpy.types.Context) -> set[str]:
        try:
            ended = [job.id for job in state.newest_first() if job.stage in ENDED and Action.DISMISS in job.actions]
            future = session.runtime().dismiss(ended)
            if bpy.app.background:
                pump.result_of(future)
            else:
                pump.show_refusal(future, ended)
        except CoreError as error:
            return reports.report_error(self, error)
        return {"FINISHED"}


class ASSETGEN_OT_open_folder(bpy.types.Operator):
    """Show the folder with the files of this job."""

    bl_idname = "assetgen.open_folder"
    bl_label = "Open Folder"
    bl_description = "Show the folder with the files of this job"
    bl_options = {"INTERNAL"}

    job_id: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        from ..bridge.records import known_job

        job = known_job(properties.job_id)
        if job is None:
            return translated(cls.bl_description)
        folder = _folder_of(job) if job.delivered else None
        words = f"Show the folder that the file was written to: {folder}" if folder is not None else cls.bl_description
        return "\n".join([translated(words), *_asked_for(job)])

    def execute(self, _context: bpy.types.Context) -> set[str]:
        from ..bridge.records import known_job

        job = known_job(self.job_id)
        folder = _folder_of(job) if job is not None else None
        if folder is None:
            self.report({"ERROR"}, translated(_NO_FILES))
            return {"CANCELLED"}
        job_id = self.job_id  # the operator is gone when the answer comes
        from ..core.runtime.command_thread import run_in_thread  # here: it need not be read at the start

        # A drive that does not answer is waited for by a thread, and this is done when it has answered.
        there = run_in_thread(folder.is_dir, "assetgen-folder")
        if not bpy.app.background:
            pump.when_done(there, lambda answer: _show_folder(folder, job_id, is_there=answer.result()))
            return {"FINISHED"}
        if not pump.result_of(there):
            self.report({"ERROR"}, translated(_NO_FILES))
            return {"CANCELLED"}
        return bpy.ops.wm.path_open(filepath=str(folder))


def _folder_of(job: "JobView") -> Path | None:
    """Where the files of a job are: where the user wanted them, else its own folder."""
    path = job.delivered[0][1] if job.delivered else job.result
    return Path(path).parent if path else None


def _show_folder(folder: Path, job_id: str, *, is_there: bool) -> None:
    if is_there:
        bpy.ops.wm.path_open(filepath=str(folder))
    else:
        state.notices[job_id] = _NO_FILES
        redraw.redraw()


def _asked_for(job: "JobView") -> Iterator[str]:
    """What the user asked for, a line for each step and field."""
    for step in job.plan.steps if job.plan is not None else ():
        yield f"\n{CAPABILITIES[step.capability].label if step.capability in CAPABILITIES else step.capability}"
        yield from (f"{name}: {value}" for name, value in step.fields.items())


class ASSETGEN_OT_copy_details(bpy.types.Operator):
    """Copies all about a job."""

    bl_idname = "assetgen.copy_details"
    bl_label = "Copy Details"
    bl_description = "Copy all about this job, with the numbers that the service's support asks for"
    bl_options = {"INTERNAL"}

    job_id: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        job = state.jobs.get(self.job_id)
        if job is None:
            return {"CANCELLED"}
        from ..core.status.job_details import details_text  # here: it need not be read at the start

        context.window_manager.clipboard = details_text(job)
        self.report({"INFO"}, "Copied")
        return {"FINISHED"}


class ASSETGEN_OT_forget_task(bpy.types.Operator):
    """Forget which task the selected objects came from, so that the next operation uploads them."""

    bl_idname = "assetgen.forget_task"
    bl_label = "Upload Again"
    bl_description = "Forget which task the selected objects came from, so that the next operation uploads them"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..bridge.objects import provenance

        provenance.remove(list(context.view_layer.objects.selected))
        return {"FINISHED"}


CLASSES = (
    ASSETGEN_OT_job_action,
    ASSETGEN_OT_clear_jobs,
    ASSETGEN_OT_open_folder,
    ASSETGEN_OT_copy_details,
    ASSETGEN_OT_forget_task,
)
