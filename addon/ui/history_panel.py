"""The history: every job of the data folder, those included that were taken off the list, from whatever file."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import bpy

from ..bridge.session import session
from ..core.jobs.stage import Stage
from ..ops import again, job_rows
from ..props.job_list_settings import history_page
from ..text_layout import BOX, ICON, paragraph, shortened
from .job_panel import ASSETGEN_PT_jobs
from .main_panel import CATEGORY

if TYPE_CHECKING:
    from ..core.jobs.job import JobView


class ASSETGEN_PT_history(bpy.types.Panel):
    """All jobs there ever were."""

    bl_idname = "ASSETGEN_PT_history"
    bl_label = "History"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = CATEGORY
    bl_parent_id = ASSETGEN_PT_jobs.bl_idname
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        from ..bridge.records import PAGE, records  # here, as below: enabling the extension need not wait for it
        from . import page_buttons

        layout = self.layout
        if session.ready is None:
            paragraph(layout, session.failure or "Connecting...", context, quiet=True)
            return
        settings = job_rows.settings_of(context)
        records.look(settings.history_words, history_page(settings))
        layout.prop(settings, "history_words", text="", icon="VIEWZOOM")
        page = records.page
        if page is None:
            paragraph(layout, "Reading...", context, quiet=True)
            return
        if not page.total:
            words = "No job has these words." if settings.history_words else "No job was started yet."
            paragraph(layout, words, context, quiet=True)
        for job in page.jobs:
            _draw_job(layout, job, context, is_removed=job.id in page.removed)
        number, pages = history_page(settings), -(-page.total // PAGE)
        if pages > 1 or number:
            page_buttons.draw(layout, number, max(1, pages), of_history=True)


def _draw_job(layout: bpy.types.UILayout, job: JobView, context: bpy.types.Context, *, is_removed: bool) -> None:
    from . import job_icons

    column = layout.box().column(align=True)
    row = column.row(align=True)
    number = bool(job.result) + again.can_be_edited(job) + is_removed
    name = shortened(job_rows.headline(job), context, taken=BOX + ICON * (1 + number))
    row.label(text=name, icon=job_icons.of_operation(job), translate=False)
    buttons = row.row(align=True)
    buttons.emboss = "NONE"
    if job.result:
        buttons.operator("assetgen.open_folder", text="", icon="FILE_FOLDER").job_id = job.id
    if again.can_be_edited(job):
        buttons.operator("assetgen.edit_again", text="", icon="LOOP_BACK").job_id = job.id
    if is_removed:
        buttons.operator("assetgen.storage_put_back", text="", icon="RECOVER_LAST").job_id = job.id
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(job.created_at))
    how = {Stage.FAILED: "failed", Stage.STOPPED: "stopped", Stage.APPLIED: "done"}.get(job.stage, "on the list")
    if job.stage is Stage.READY:
        how = "not brought in"
    paragraph(column, f"{when}, {how}", context, indent=BOX, quiet=True)


CLASSES = (ASSETGEN_PT_history,)
