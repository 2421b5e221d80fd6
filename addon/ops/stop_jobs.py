"""Stopping all jobs at once."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

import bpy

from ..bridge import pump
from ..bridge.session import session
from ..bridge.state import state
from ..core.errors import CoreError
from ..core.jobs.stage import Action, Stage
from ..core.settings import LOCAL
from ..translation.interface import translated
from . import reports

if TYPE_CHECKING:
    from ..core.jobs.job import JobView


class _State:
    """The last answer, and the revision of the jobs that it was for: drawing asks again and again."""

    def __init__(self) -> None:
        self.revision = -1
        self.stoppable: tuple[JobView, ...] = ()


_state = _State()


def stoppable() -> tuple[JobView, ...]:
    """The jobs that go on by themselves and can be stopped, the latest first."""
    if _state.revision != state.revision:
        jobs = [job for job in state.jobs.values() if Action.STOP in job.actions]
        _state.stoppable = tuple(sorted(jobs, key=attrgetter("created_at"), reverse=True))
        _state.revision = state.revision
    return _state.stoppable


class ASSETGEN_OT_stop_jobs(bpy.types.Operator):
    """Stop every job that is running or waiting."""

    bl_idname = "assetgen.stop_jobs"
    bl_label = "Stop All"
    bl_description = "Stop every job that is running or waiting. Tasks that the service has begun go on there"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        if not stoppable():
            cls.poll_message_set("No job is running.")
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        jobs = stoppable()
        begun = [job for job in jobs if job.stage is Stage.WAIT and job.service_id != LOCAL]
        words = translated(f"{len(jobs)} jobs stop." if len(jobs) > 1 else f"{jobs[0].name} stops.")
        if begun:
            tasks = "A task that the service has begun goes on there and is charged."
            many = f"The service goes on with {len(begun)} tasks and charges them."
            words += " " + translated(tasks if len(begun) == 1 else many)
        return context.window_manager.invoke_confirm(
            self, event, title="Stop All", message=words, icon="WARNING", confirm_text="Stop All"
        )

    def execute(self, _context: bpy.types.Context) -> set[str]:
        try:
            runtime = session.runtime()
            for job in stoppable():
                future = runtime.act(job.id, Action.STOP)
                if bpy.app.background:
                    pump.result_of(future)
                else:
                    pump.show_refusal(future, [job.id])
        except CoreError as error:
            return reports.report_error(self, error)
        return {"FINISHED"}


CLASSES = (ASSETGEN_OT_stop_jobs,)
