"""The jobs as large pictures, to choose a model or an image from."""

from __future__ import annotations

import bpy

from ..core.jobs.job import RESTING
from ..core.status import job_words
from ..ops import job_rows
from ..text_layout import region_width, shortened
from . import job_icons, page_buttons

_ON_PAGE = 12
"""More have to be turned to: a picture is drawn whether it is seen or not."""

_CELL = 88  # pixels at scale 1: a picture is about as wide
_AROUND = 60  # what the panel and the tabs take away
_LINE = 20
_BORDER = 10  # of a button, and what is between two


def draw(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The pictures of the jobs that are wanted and do not run any more."""
    jobs = [job for job in job_rows.shown_jobs(context) if job.stage in RESTING and job_words.picture_of(job)]
    if not jobs:
        layout.label(text="No pictures to show", icon="IMAGE_DATA")
        return
    settings = job_rows.settings_of(context)
    pages = (len(jobs) - 1) // _ON_PAGE + 1
    page = min(settings.page, pages - 1)
    width = region_width(context) - _AROUND
    columns = max(2, int(width // _CELL))
    grid = layout.grid_flow(row_major=True, columns=columns, even_columns=True, even_rows=True, align=False)
    chosen = job_rows.chosen_job(context)
    for job in jobs[page * _ON_PAGE : (page + 1) * _ON_PAGE]:
        cell = grid.column(align=True)
        cell.template_icon(icon_value=job_icons.picture(job), scale=max(2.0, width / columns / _LINE - 0.5))
        is_chosen = chosen is not None and chosen.id == job.id
        name = shortened(job_words.headline(job), context, place=width / columns - _BORDER)
        cell.operator("assetgen.choose_job", text=name, depress=is_chosen, translate=False).job_id = job.id
    if pages > 1:
        page_buttons.draw(layout, page, pages)
