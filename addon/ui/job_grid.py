"""The jobs as large pictures, to choose a model or an image from."""

from __future__ import annotations

import bpy

from ..core.jobs.job import RESTING, Action, JobView
from ..core.status import job_words
from ..ops import job_rows
from . import job_icons, job_list, page_buttons

_ON_PAGE = 12
"""More have to be turned to: a picture is drawn whether it is seen or not."""

_CELL = 88  # pixels at scale 1: a picture is about as wide
_AROUND = 60  # what the panel and the tabs take away
_LINE = 20
_BUTTON = -4  # a bar has no icon and less of a border than a line of words, so there is room for a button


def draw(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The pictures of the jobs that are wanted; above them a line for each job that runs."""
    shown = job_rows.shown_jobs(context)
    for job in [job for job in shown if job.stage not in RESTING]:
        _draw_running(layout, job, context)
    jobs = [job for job in shown if job.stage in RESTING and job_words.picture_of(job)]
    if not jobs:
        layout.label(text="No pictures to show", icon="IMAGE_DATA")
        return
    settings = job_rows.settings_of(context)
    pages = (len(jobs) - 1) // _ON_PAGE + 1
    page = min(settings.page, pages - 1)
    width = context.region.width / context.preferences.system.ui_scale - _AROUND
    columns = max(2, int(width // _CELL))
    grid = layout.grid_flow(row_major=True, columns=columns, even_columns=True, even_rows=True, align=False)
    chosen = job_rows.chosen_job(context)
    for job in jobs[page * _ON_PAGE : (page + 1) * _ON_PAGE]:
        cell = grid.column(align=True)
        cell.template_icon(icon_value=job_icons.picture(job), scale=max(2.0, width / columns / _LINE - 0.5))
        is_chosen = chosen is not None and chosen.id == job.id
        cell.operator("assetgen.choose_job", text=job_words.headline(job), depress=is_chosen).job_id = job.id
    if pages > 1:
        page_buttons.draw(layout, page, pages)


def _draw_running(layout: bpy.types.UILayout, job: JobView, context: bpy.types.Context) -> None:
    row = layout.row(align=True)
    name = job_words.headline(job)
    percent = f"{job.progress:.0%}"
    row.progress(
        factor=job.progress, type="BAR", text=job_list.fitting((f"{name}, {percent}", name, percent), context, _BUTTON)
    )
    if Action.STOP in job.actions:
        operator = row.operator("assetgen.job_action", text="", icon="CANCEL")
        operator.job_id, operator.action = job.id, Action.STOP.value
