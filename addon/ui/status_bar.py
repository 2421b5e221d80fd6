"""Running jobs in the status bar: how many, how far they are, and a menu to stop them."""

from __future__ import annotations

import bpy

from ..bridge.callbacks import callbacks
from ..bridge.state import state
from ..core.jobs.stage import Action
from ..ops.stop_jobs import stoppable
from ..translation.interface import translated

_MOST = 10
"""Jobs in the menu; Stop All stops more of them."""

_WIDTH = 11.0  # of the bar, in Blender's interface units


class ASSETGEN_MT_running_jobs(bpy.types.Menu):
    """Stop one of the running jobs, or all of them."""

    bl_idname = "ASSETGEN_MT_running_jobs"
    bl_label = "Running Jobs"
    bl_description = "Stop a running job"

    def draw(self, _context: bpy.types.Context) -> None:
        layout = self.layout
        layout.operator_context = "INVOKE_DEFAULT"
        jobs = stoppable()
        for job in jobs[:_MOST]:
            words = translated(f"Stop {job.name}")
            operator = layout.operator("assetgen.job_action", text=words, icon="CANCEL", translate=False)
            operator.job_id, operator.action = job.id, Action.STOP.value
        if len(jobs) > 1:
            layout.separator()
            words = translated(f"Stop All {len(jobs)}")
            layout.operator("assetgen.stop_jobs", text=words, icon="CANCEL", translate=False)


def _draw(header: bpy.types.Header, _context: bpy.types.Context) -> None:
    from ..bridge.status_line import status_bar  # here: enabling the extension need not wait for it

    line = status_bar.line
    row = header.layout.row(align=True)
    if line.fraction < 0:
        row.label(text=translated(line.words), icon="SORTTIME", translate=False)
        return
    bar = row.row(align=True)
    bar.ui_units_x = _WIDTH
    bar.progress(factor=line.fraction, type="BAR", text=translated(line.words), translate=False)
    if any(Action.STOP in job.actions for job in state.jobs.values()):
        row.menu(ASSETGEN_MT_running_jobs.bl_idname, text="", icon="CANCEL")


def register() -> None:
    """Has the status bar show running jobs, as soon as there are some."""
    callbacks.draw_status = _draw


def unregister() -> None:
    """Takes that back."""
    callbacks.draw_status = None


CLASSES = (ASSETGEN_MT_running_jobs,)
