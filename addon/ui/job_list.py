"""The jobs as rows with a picture, what there is to know in a line, and the one thing that is wanted of each most."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import bpy

from ..bridge.state import state
from ..core.jobs.stage import RESTING, Action, Stage
from ..ops import job_rows, show
from ..ops.jobs import ACTION_LABELS
from ..text_layout import ICON, fitting, is_narrow, shortened

if TYPE_CHECKING:
    from ..core.jobs.job import JobView

_LINES = 2.0
"""The height of a row, in lines of text: the list is drawn twice as tall as usual, and what is in it half as tall."""

_PICTURE, _BUTTON, _FRAME = 40, 20, 28
"""What a row takes away beside its words, in pixels at scale 1; the frame of the list has a scroll bar."""

ROWS, MOST_ROWS = 2, 5
"""So many rows the list has at least, and at most when it is not dragged taller."""


class _State:
    """Which rows are seen and in which order, as Blender asks for it at every drawing, and what that was made of."""

    def __init__(self) -> None:
        self.listed: tuple[JobView, ...] | None = None
        self.ids: tuple[str, ...] = ()
        self.answer: tuple[list[int], list[int]] = ([], [])


_state = _State()


class ASSETGEN_UL_jobs(bpy.types.UIList):
    """The list of jobs."""

    bl_idname = "ASSETGEN_UL_jobs"

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        _data: Any,
        item: Any,
        _icon: int,
        _active_data: Any,
        _active_property: str,
        index: int = 0,
        _flag: int = 0,
    ) -> None:
        job = state.jobs.get(item.name)
        if job is not None:
            draw_row(layout, job, context, is_chosen=index == job_rows.settings_of(context).index)

    def filter_items(self, context: bpy.types.Context, _data: Any, _property: str) -> tuple[list[int], list[int]]:
        listed, ids = job_rows.listed_jobs(context), job_rows.row_ids()
        if listed is _state.listed and ids is _state.ids:
            return _state.answer
        rows = set(ids)
        # Of those that have rows by now: a place beyond the last row has Blender write where it must not.
        places = {job_id: place for place, job_id in enumerate(job.id for job in listed if job.id in rows)}
        flags = [self.bitflag_filter_item if job_id in places else 0 for job_id in ids]
        hidden = iter(range(len(places), len(ids)))
        order = [places[job_id] if job_id in places else next(hidden) for job_id in ids]
        if list(places.values()) == [place for place, flag in zip(order, flags, strict=True) if flag]:
            order = []  # as they are: with an order, Blender takes a hundred times as long
        else:
            job_rows.arrange_soon()
        _state.listed, _state.ids, _state.answer = listed, ids, (flags, order)
        return _state.answer

    def draw_filter(self, context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
        draw_filter(layout, context)


def draw_filter(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The line with what is searched for, which jobs are shown, and how they are sorted."""
    settings = job_rows.settings_of(context)
    row = layout.row(align=True)
    row.prop(settings, "words", text="", icon="VIEWZOOM")
    row.prop(settings, "kind", text="", icon_only=True)
    row.prop(settings, "order", text="", icon_only=True)


def draw(layout: bpy.types.UILayout, context: bpy.types.Context, count: int) -> None:
    """The list of ``count`` jobs."""
    settings = job_rows.settings_of(context)
    rows = min(MOST_ROWS, max(ROWS, count))
    column = layout.column()
    column.scale_y = _LINES
    column.template_list(
        ASSETGEN_UL_jobs.bl_idname,
        "",
        settings,
        "rows",
        settings,
        "index",
        item_dyntip_propname="tooltip",
        rows=rows,
        maxrows=rows,
        sort_lock=True,
    )


def waits_for(job: JobView) -> str:
    """Why a result that is ready does not come in now; empty when nothing keeps it."""
    from ..bridge import idle  # here, as below: enabling the extension need not wait for it
    from ..bridge.arrivals import arrivals

    if not arrivals.will_apply(job):
        return "Ready to be brought in"
    return idle.busy_reason()


def draw_row(layout: bpy.types.UILayout, job: JobView, context: bpy.types.Context, *, is_chosen: bool = False) -> None:
    """A job as a row of the list. What is red elsewhere is not in the chosen row: it would be red on blue."""
    from ..core.status import job_words
    from . import job_icons

    row = layout.row(align=True)
    has_pictures = not is_narrow(context)  # of two lines
    has_button = has_pictures or job.stage not in RESTING  # the details of the chosen job have the others as well
    taken = _FRAME + _PICTURE * has_pictures + _BUTTON * has_button
    picture = job_icons.picture(job)
    has_picture = bool(job_words.picture_of(job))
    if has_pictures:
        left = row.column()
        left.scale_y = 1 / _LINES
        left.template_icon(icon_value=picture, scale=_LINES)
    words = row.column(align=True)
    words.scale_y = 1 / _LINES
    if has_pictures and not has_picture:
        words.label(text=shortened(job_rows.headline(job), context, taken=taken), translate=False)
    else:
        shown = {"icon": job_icons.of_operation(job)} if has_pictures else {"icon_value": picture}
        name = shortened(job_rows.headline(job), context, taken=taken + ICON)
        words.label(text=name, translate=False, **shown)
    line = words.row(align=True)
    if job.stage not in RESTING:
        said = fitting(job_words.progress_words(job, time.time()), context, taken)
        line.progress(factor=job.progress, type="BAR", text=said, translate=False)
    else:
        line.alert = job.stage in (Stage.FAILED, Stage.UNCERTAIN) and not is_chosen
        reason = waits_for(job) if job.stage is Stage.READY else ""
        said = fitting(job_words.state_words(job, waits_for=reason), context, taken + ICON)
        line.label(text=said, icon=job_icons.STATES[job.stage], translate=False)
    if has_button:
        _draw_first_action(row, job)


def _draw_first_action(row: bpy.types.UILayout, job: JobView) -> None:
    """The button at the end of a row. None of them removes anything, whatever the job becomes under the mouse."""
    if Action.STOP in job.actions:
        operator = row.operator("assetgen.job_action", text="", icon="CANCEL", emboss=False)
        operator.job_id, operator.action = job.id, Action.STOP.value
    elif show.can_show(job):
        row.operator("assetgen.show_result", text="", icon="HIDE_OFF", emboss=False).job_id = job.id
    elif job.stage is not Stage.APPLIED and (action := _next_action(job)):
        operator = row.operator("assetgen.job_action", text="", icon=ACTION_LABELS[action][1], emboss=False)
        operator.job_id, operator.action = job.id, action.value
    else:
        row.label(text="", icon="BLANK1")


def _next_action(job: JobView) -> Action | None:
    return next((action for action in (Action.APPLY, Action.RETRY) if action in job.actions), None)


CLASSES = (ASSETGEN_UL_jobs,)
