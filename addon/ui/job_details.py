"""What there is to know of the chosen job, and what can be done with it."""

from __future__ import annotations

import time

import bpy

from ..bridge import library
from ..bridge.results.open_file import open_file
from ..bridge.state import state
from ..core.jobs.job import RESTING, Action, JobView, Stage
from ..core.status import job_words
from ..core.status.job_details import details_of
from ..ops import again, assets, clean_up, frame_range, job_rows, show, use_result, vary
from ..ops.jobs import ACTION_LABELS
from ..props.task_properties import CAPABILITIES
from ..text_layout import BOX, ICON, fitting, is_narrow, paragraph
from ..translation.interface import translated
from . import job_icons, job_list

_ACTIONS = (Action.APPLY, Action.RETRY, Action.ADOPT, Action.LOOK_AGAIN, Action.RESEND, Action.FORGET)
"""Those with a button among what can be done, in this order. Stop stands beside the progress, Remove at the end."""

_PICTURE = 7.0  # lines
_BAR = 0.68  # of the width, as this one: a bar beside a button, and the longer of two buttons
_LONGER = 0.62
_STOP = 50  # pixels at scale 1 that the button beside the bar takes


def draw(layout: bpy.types.UILayout, job: JobView, context: bpy.types.Context) -> None:
    """The details of a job."""
    box = layout.box()
    column = box.column(align=True)
    name = job_rows.shown_name(job)
    paragraph(column, name, context, icon=job_icons.of_operation(job), indent=BOX, translate=False)
    if job.stage in RESTING:
        _draw_state(column, job, context)
    else:
        _draw_progress(column, job, context)
    if job.understood:
        paragraph(column, job.understood + ".", context, icon="INFO", indent=BOX)
    if job.note:
        paragraph(column, job.note + ".", context, icon="ERROR", indent=BOX)
    if notice := state.notices.get(job.id, ""):
        paragraph(column, notice + ".", context, icon="INFO", indent=BOX)
    _draw_actions(box, job, context)
    if job_words.picture_of(job) and job.stage in RESTING:  # below the buttons, which would be far away otherwise
        box.template_icon(icon_value=job_icons.picture(job), scale=_PICTURE)
    _draw_facts(box, job, context)


def _draw_progress(column: bpy.types.UILayout, job: JobView, context: bpy.types.Context) -> None:
    row = column.row(align=True)
    words = job_words.progress_words(job, time.time())
    said = fitting(words, context, BOX + _STOP)
    bar = row if is_narrow(context) else row.split(factor=_BAR, align=True)
    bar.progress(factor=job.progress, type="BAR", text=said, translate=False)
    if Action.STOP in job.actions:
        _action(bar, job, Action.STOP, "" if bar is not row else None)
    says_more = said != translated(words[0]) or Action.LOOK_AGAIN in job.actions
    if says_more or (job.stage is Stage.WAIT and len(job.steps) > 1):  # which of the steps it is at
        paragraph(column, job.text.rstrip(".") + ".", context, indent=BOX, quiet=True)


def _draw_state(column: bpy.types.UILayout, job: JobView, context: bpy.types.Context) -> None:
    def say(words: str, *, icon: str = "BLANK1", quiet: bool = False) -> None:
        if words:
            paragraph(column, words.rstrip(".") + ".", context, icon=icon, indent=BOX, quiet=quiet)

    icon = job_icons.STATES[job.stage]
    if job.stage in (Stage.FAILED, Stage.UNCERTAIN, Stage.STOPPED):
        words = job.error if job.stage is Stage.FAILED else ""
        say(words or job.error or job.text, icon=icon)
        say(job.advice, quiet=True)
        return
    if job.answer:
        say(job.answer, icon=icon)
        say(f"{job_words.effort(job)}", quiet=True)
        return
    waits_for = job_list.waits_for(job) if job.stage is Stage.READY else ""
    if job.stage is Stage.READY and not open_file.is_origin_of(job):
        waits_for = "Ready. It was started from another file"
    say(job_words.state_words(job, waits_for=waits_for)[0], icon=icon)
    say(job.advice, quiet=True)


def _draw_actions(box: bpy.types.UILayout, job: JobView, context: bpy.types.Context) -> None:
    column = box.column(align=True)
    if show.can_show(job):
        icon = "ZOOM_SELECTED" if job.blend else "INFO" if job.answer else "IMAGE_DATA"
        row = _beside(column, context)
        row.operator("assetgen.show_result", icon=icon).job_id = job.id
        if job.id in open_file.objects:
            row.operator("assetgen.select_result", text="Select", icon="RESTRICT_SELECT_OFF").job_id = job.id
    available = [action for action in _ACTIONS if action in job.actions]
    if job.stage is Stage.APPLIED and Action.APPLY in available:
        # It is in the scene; after an undo, or in another scene, it may be wanted again.
        _action(column, job, Action.APPLY, "Bring In Again" if _is_here(job) else "")
        available.remove(Action.APPLY)
    for name in use_result.next_capabilities(job):
        info = CAPABILITIES[name]
        words = fitting((use_result.NEXT_LABELS[name][0], info.label), context, BOX + ICON)
        operator = column.operator("assetgen.use_result", text=words, icon=info.icon, translate=False)
        operator.job_id, operator.capability = job.id, name
    _draw_follow_up(column, job, context)
    if job.stage in RESTING and again.can_be_edited(job):
        varies = vary.has_seeds(job)
        row = column.split(factor=_LONGER, align=True) if varies and not is_narrow(context) else column
        row.operator("assetgen.edit_again", icon="LOOP_BACK").job_id = job.id
        if varies:
            side = row.row(align=True)
            side.enabled = vary.can_vary(job)  # its tooltip says why not
            side.operator("assetgen.vary", icon="DUPLICATE").job_id = job.id
    if assets.can_save(job):
        row = column.row(align=True)
        row.enabled = not library.is_saving(job.id)
        row.operator_context = "INVOKE_DEFAULT"
        row.operator("assetgen.save_as_asset", icon="ASSET_MANAGER").job_id = job.id
    if job.result and is_narrow(context):  # else it is beside the word Details, where there is no room for it now
        column.operator("assetgen.open_folder", icon="FILE_FOLDER").job_id = job.id
    if available:
        # Three words do not fit side by side into a side bar of the usual width.
        row = _beside(column, context) if len(available) < 3 else column
        for action in available:
            _action(row, job, action)


def _draw_follow_up(column: bpy.types.UILayout, job: JobView, context: bpy.types.Context) -> None:
    """What a result in the scene leaves to be done there."""
    motion = frame_range.range_of_job(job.id) if job.gives_motion else None
    if motion is not None and not frame_range.is_set(motion, context.scene):
        first, last = motion.frames
        words = fitting((f"Use Frame Range {first} to {last}", "Use Frame Range"), context, BOX + ICON)
        column.operator("assetgen.use_frame_range", text=words, icon="PREVIEW_RANGE", translate=False).job_id = job.id
    if clean_up.is_offered(job):
        column.operator("assetgen.clean_up", icon="BRUSH_DATA").job_id = job.id


def _draw_facts(box: bpy.types.UILayout, job: JobView, context: bpy.types.Context) -> None:
    header, body = box.panel_prop(job_rows.settings_of(context), "show_details")
    header.label(text="Details")
    buttons = header.row(align=True)
    if job.result and not is_narrow(context):
        buttons.operator("assetgen.open_folder", text="", icon="FILE_FOLDER", emboss=False).job_id = job.id
    buttons.operator("assetgen.copy_details", text="", icon="COPYDOWN", emboss=False).job_id = job.id
    if Action.DISMISS in job.actions:
        _action(buttons, job, Action.DISMISS, text=None)
    if body is None:
        return
    column = body.column(align=True)
    for detail in details_of(job):
        label = translated(f"{detail.label}:")
        value = translated(detail.value) if detail.ours else detail.value
        space = " " if label.isascii() else ""  # other languages have one in their sign
        paragraph(column, f"{label}{space}{value}", context, indent=BOX, translate=False)


def _beside(column: bpy.types.UILayout, context: bpy.types.Context) -> bpy.types.UILayout:
    """Where two buttons with words go: side by side, where there is room for that."""
    return column if is_narrow(context) else column.row(align=True)


def _is_here(job: JobView) -> bool:
    return bool(open_file.objects_of(job.id) or open_file.images_of(job.id))


def _action(layout: bpy.types.UILayout, job: JobView, action: Action, text: str | None = "") -> None:
    """A button of an action; with its own words, with others, or (None) with its pictogram alone."""
    label, icon, _ = ACTION_LABELS[action]
    words = "" if text is None else translated(text or label)
    operator = layout.operator("assetgen.job_action", text=words, icon=icon, emboss=text is not None, translate=False)
    operator.job_id, operator.action = job.id, action.value
