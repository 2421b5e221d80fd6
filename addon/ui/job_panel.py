"""The list of jobs: what each is doing, what went wrong, and what can be done about it."""

from __future__ import annotations

import bpy

from ..bridge import idle
from ..bridge.results.open_file import open_file
from ..bridge.session import session
from ..bridge.state import state
from ..core.jobs.job import RESTING, Action, JobView, Stage
from ..core.status.job_words import effort
from ..ops import frame_range, show, use_result
from ..ops.jobs import ACTION_LABELS
from ..props.task_properties import CAPABILITIES
from ..text_layout import BOX, paragraph
from .main_panel import CATEGORY

_SHOWN = 12
"""Older jobs are counted, not listed: a panel with hundreds of boxes is slow and no help."""

_ICONS = {
    Stage.READY: "IMPORT",
    Stage.APPLIED: "CHECKMARK",
    Stage.FAILED: "ERROR",
    Stage.STOPPED: "PAUSE",
    Stage.UNCERTAIN: "QUESTION",
}
_BUTTONS = (
    (Action.APPLY, "IMPORT"),
    (Action.RETRY, "FILE_REFRESH"),
    (Action.ADOPT, "CHECKMARK"),
    (Action.LOOK_AGAIN, "VIEWZOOM"),
    (Action.RESEND, "EXPORT"),
    (Action.FORGET, "TRASH"),
)
"""Actions with a labelled button, in this order. Stop and Dismiss are the cross at the end of the first line."""

_NEXT_ICONS = {"model": "MESH_MONKEY", "images": "BRUSH_DATA"}
"""By what the next capability gives."""


class ASSETGEN_PT_jobs(bpy.types.Panel):
    """What is going on, and what has come of it."""

    bl_idname = "ASSETGEN_PT_jobs"
    bl_label = "Jobs"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = CATEGORY
    bl_order = 1

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        if any(job.stage is Stage.APPLIED for job in state.jobs.values()):
            self.layout.operator("assetgen.clear_jobs", text="", icon="TRASH", emboss=False)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        jobs = state.listed()
        if not jobs:
            words = "Connecting..." if session.loading else "No jobs yet. Choose an operation and press Run."
            words = session.failure or words
            paragraph(layout, words, context, quiet=True)
            return
        for job in jobs[:_SHOWN]:
            _draw_job(layout.box(), job, context)
        if len(jobs) > _SHOWN:
            paragraph(layout, f"And {len(jobs) - _SHOWN} more.", context, quiet=True)


def _draw_job(box: bpy.types.UILayout, job: JobView, context: bpy.types.Context) -> None:
    column = box.column(align=True)
    row = column.row(align=True)
    title = job.title
    name = job.name.removesuffix(title).rstrip(": ") if title else job.name
    row.label(text=name, icon=_ICONS.get(job.stage, "SORTTIME"))
    if job.result:
        row.operator("assetgen.open_folder", text="", icon="FILE_FOLDER", emboss=False).job_id = job.id
    if job.error:
        row.operator("assetgen.copy_details", text="", icon="COPYDOWN", emboss=False).job_id = job.id
    if job.stage is Stage.APPLIED and Action.APPLY in job.actions and not _is_offered(job):
        # It is in the scene; after an undo, or in another scene, it may be wanted again.
        _button(row, job, Action.APPLY, "IMPORT", text="", emboss=False)
    for action in (Action.STOP, Action.DISMISS):
        if action in job.actions:
            _button(row, job, action, "X", text="", emboss=False)
    if title:  # a prompt is too long for the line with the buttons
        paragraph(column, title, context, icon="BLANK1", indent=BOX)
    notice = state.notices.get(job.id, "")
    if job.stage not in RESTING:
        is_lost = Action.LOOK_AGAIN in job.actions
        column.progress(factor=job.progress, type="BAR", text="Looking for the task" if is_lost else job.text)
        if is_lost:  # what it says is too long for the bar, and has to be read
            paragraph(column, job.text.rstrip(".") + ".", context, icon="BLANK1", indent=BOX)
        if job.note:
            paragraph(column, job.note + ".", context, icon="ERROR", indent=BOX)
        if notice:
            paragraph(column, notice + ".", context, icon="INFO", indent=BOX)
        _draw_buttons(box, job, context)
        return
    if notice:
        paragraph(column, notice + ".", context, icon="INFO", indent=BOX)
    _draw_words(column, job, context)
    _draw_buttons(box, job, context)


def _draw_words(column: bpy.types.UILayout, job: JobView, context: bpy.types.Context) -> None:
    def say(words: str, *, quiet: bool = False) -> None:
        paragraph(column, words, context, icon="BLANK1", indent=BOX, quiet=quiet)

    if job.answer:
        say(job.answer.rstrip(".") + ".")
    if job.stage in (Stage.APPLIED, Stage.READY):
        say(_summary(job), quiet=True)
    if job.understood:
        paragraph(column, job.understood + ".", context, icon="INFO", indent=BOX)
    if job.error:
        say(job.error.rstrip(".") + ".")
    elif job.stage in (Stage.STOPPED, Stage.UNCERTAIN):
        say(job.text.rstrip(".") + ".")
    if job.note:
        paragraph(column, job.note + ".", context, icon="ERROR", indent=BOX)
    if job.advice:
        say(job.advice.rstrip(".") + ".", quiet=True)


def _summary(job: JobView) -> str:
    """What there is to know of a job that went well, in one line."""
    if job.stage is Stage.READY:
        if not open_file.is_origin_of(job):
            return "Ready. It was started from another file."
        return (idle.busy_reason() or "Ready") + "."
    words = "Done" if job.answer and job.text == job.answer else job.text  # the answer stands above
    return f"{words.rstrip('.')}, {effort(job)}"


def _draw_buttons(box: bpy.types.UILayout, job: JobView, context: bpy.types.Context) -> None:
    if show.can_show(job):
        icon = "ZOOM_SELECTED" if job.blend else "INFO" if job.answer else "IMAGE_DATA"
        row = box.row(align=True)
        row.operator("assetgen.show_result", icon=icon).job_id = job.id
        if job.id in open_file.objects:
            row.operator("assetgen.select_result", text="Select", icon="RESTRICT_SELECT_OFF").job_id = job.id
    if next_capabilities := use_result.next_capabilities(job):
        column = box.column(align=True)
        for name in next_capabilities:
            icon = _NEXT_ICONS[CAPABILITIES[name].gives]
            operator = column.operator("assetgen.use_result", text=use_result.NEXT_LABELS[name][0], icon=icon)
            operator.job_id, operator.capability = job.id, name
    motion = frame_range.range_of_job(job.id) if job.gives_motion else None
    if motion is not None and not frame_range.is_set(motion, context.scene):
        first, last = motion.frames
        words = f"Use Frame Range {first} to {last}"
        box.operator("assetgen.use_frame_range", text=words, icon="PREVIEW_RANGE").job_id = job.id
    placement = job.plan.delivery.placement if job.plan else None
    if job.stage is Stage.APPLIED and job.id in open_file.objects and placement is not None and placement.sources:
        box.operator("assetgen.clean_up", icon="BRUSH_DATA").job_id = job.id
    available = [(action, icon) for action, icon in _BUTTONS if action in job.actions]
    if job.stage is Stage.APPLIED and not _is_offered(job):  # its Bring In is in the first line
        available = [(action, icon) for action, icon in available if action is not Action.APPLY]
    if available:
        # Three words do not fit side by side into a side bar of the usual width.
        row = box.row(align=True) if len(available) < 3 else box.column(align=True)
        for action, icon in available:
            _button(row, job, action, icon)


def _is_offered(job: JobView) -> bool:
    """Whether bringing it in is a choice that was not made yet: it was wanted as a file."""
    was_file = job.plan is not None and not job.plan.delivery.brings_in
    return was_file and bool(job.blend) and job.id not in open_file.objects


def _button(
    row: bpy.types.UILayout, job: JobView, action: Action, icon: str, *, text: str | None = None, emboss: bool = True
) -> None:
    words = ACTION_LABELS[action][0] if text is None else text
    operator = row.operator("assetgen.job_action", text=words, icon=icon, emboss=emboss)
    operator.job_id = job.id
    operator.action = action.value


CLASSES = (ASSETGEN_PT_jobs,)
