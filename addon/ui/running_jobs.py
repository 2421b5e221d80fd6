"""The jobs that run, above all others: they are in sight wherever the list is scrolled to, and whatever is searched."""

from __future__ import annotations

import time

import bpy

from ..core.jobs.job import Action, JobView
from ..core.status import job_words
from ..ops import job_rows
from ..text_layout import ICON, fitting, shortened
from . import job_icons

_BUTTON = -4  # a bar has no icon and less of a border than a line of words, so there is room for a button


def draw(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """A card for each of them, with its name, how far it is, and a way to stop it; of many, the first ones."""
    running = job_rows.running_jobs(context)
    chosen = job_rows.chosen_job(context)
    for job in running[: job_rows.PINNED]:
        _draw_card(layout, job, context, is_chosen=chosen is not None and chosen.id == job.id)
    if len(running) > job_rows.PINNED:
        layout.label(text=f"and {len(running) - job_rows.PINNED} more", icon=job_icons.RUNNING)


def _draw_card(layout: bpy.types.UILayout, job: JobView, context: bpy.types.Context, *, is_chosen: bool) -> None:
    column = layout.column(align=True)
    name = shortened(job_words.headline(job), context, taken=ICON)
    icon = job_icons.of_operation(job)
    column.operator("assetgen.choose_job", text=name, icon=icon, depress=is_chosen, translate=False).job_id = job.id
    row = column.row(align=True)
    said = fitting(job_words.progress_words(job, time.time()), context, _BUTTON)
    row.progress(factor=job.progress, type="BAR", text=said)
    if Action.STOP in job.actions:
        operator = row.operator("assetgen.job_action", text="", icon="CANCEL")
        operator.job_id, operator.action = job.id, Action.STOP.value
