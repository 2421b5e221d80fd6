"""The panel with the jobs: as a list or as pictures, and below them all about the chosen one."""

from __future__ import annotations

import bpy

from ..bridge.session import session
from ..bridge.state import state
from ..core.jobs.stage import ENDED, Action
from ..ops import job_rows
from ..ops.stop_jobs import stoppable
from ..props.job_list_settings import GRID
from ..text_layout import measured_once, paragraph
from ..translation.interface import translated
from . import job_list
from .main_panel import CATEGORY

_FEW = 5
"""So many jobs are seen at a glance, and are not searched."""


class ASSETGEN_PT_jobs(bpy.types.Panel):
    """What is going on, and what has come of it."""

    bl_idname = "ASSETGEN_PT_jobs"
    bl_label = "Jobs"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = CATEGORY
    bl_order = 1

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        if not state.jobs:
            return
        row = self.layout.row(align=True)
        row.prop(job_rows.settings_of(context), "view", text="", expand=True, icon_only=True)
        if any(job.stage in ENDED and Action.DISMISS in job.actions for job in state.jobs.values()):
            self.layout.operator("assetgen.clear_jobs", text="", icon="TRASH", emboss=False)

    def draw(self, context: bpy.types.Context) -> None:
        with measured_once(context):
            _draw(self.layout, context)


def _draw(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    from . import first_steps  # here: enabling the extension need not wait for it

    if not state.jobs:
        if words := session.failure or ("Connecting..." if session.loading else ""):
            paragraph(layout, words, context, quiet=True)
        else:
            first_steps.draw(layout, context)
        return
    from . import job_details, job_grid, running_jobs  # here: enabling the extension need not wait for them

    settings = job_rows.settings_of(context)
    column = layout.column()
    if len(state.jobs) > _FEW:
        job_list.draw_filter(column, context)
    running_jobs.draw(column, context)
    listed = len(state.jobs) - len(job_rows.running_jobs(context)[: job_rows.PINNED])
    if listed and settings.view == GRID:
        job_grid.draw(column, context)
    elif listed:
        job_list.draw(column, context, listed)
    running = len(stoppable())
    if running > 1:
        words = translated(f"Stop All {running} Running")
        column.operator("assetgen.stop_jobs", text=words, icon="CANCEL", translate=False)
    if job := job_rows.chosen_job(context):
        job_details.draw(layout, job, context)


CLASSES = (ASSETGEN_PT_jobs,)
