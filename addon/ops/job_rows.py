"""The rows of the job list: one for each job, kept in step with the jobs outside of drawing, and which one is chosen.

They are in the order in which they are shown. Where rows are sorted and some hidden while they are drawn, Blender
compares each with every other one, which takes it longer than all else with some hundred jobs.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from itertools import takewhile
from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.handlers import persistent
from bpy.props import BoolProperty, IntProperty, StringProperty

from ..bridge import pump, redraw
from ..bridge.results.open_file import open_file
from ..bridge.state import state
from ..core.jobs.stage import RESTING
from ..props import job_list_settings
from ..props.task_properties import CAPABILITIES
from ..translation.interface import translated

if TYPE_CHECKING:
    from ..core.jobs.job import JobView

PINNED = 4
"""So many running jobs stand above the list; the next ones are its first rows."""


class _State:
    """What the rows are, and the last answer to what is to be shown: all, those of them that run, and the rows."""

    def __init__(self) -> None:
        self.ids: tuple[str, ...] = ()
        self.chosen_before_saving = ""
        self.asked: tuple[int, str, str, str] | None = None
        self.shown: tuple[JobView, ...] = ()
        self.running: tuple[JobView, ...] = ()
        self.listed: tuple[JobView, ...] = ()


_state = _State()


def row_ids() -> tuple[str, ...]:
    """The jobs of the rows, in their order; another tuple only where they have changed."""
    return _state.ids


def settings_of(context: bpy.types.Context) -> Any:
    """What is searched for, and how jobs are shown."""
    return job_list_settings.job_list_of(context)


def chosen_job(context: bpy.types.Context) -> "JobView | None":
    """The job whose details are shown; None when there is none."""
    index = job_list_settings.job_list_of(context).index
    return state.jobs.get(_state.ids[index]) if 0 <= index < len(_state.ids) else None


def headline(job: "JobView") -> str:
    """What tells a job from others: the user's own words, else its name."""
    return job.title or shown_name(job)


def shown_name(job: "JobView") -> str:
    """A job's name in the interface's language, but for what is the user's in it."""
    info = CAPABILITIES.get(job.steps[-1].capability) if job.steps else None
    if info is None or not job.name.startswith(f"{info.label} "):
        return translated(job.name)
    source = job.name.removeprefix(f"{info.label} ")  # a name in the file, or how many
    return f"{translated(info.label)} {translated(source) if source[0].isdecimal() else source}"


def shown_jobs(context: bpy.types.Context) -> "tuple[JobView, ...]":
    """The jobs that are wanted, in the wanted order. Worked out again only where something has changed."""
    settings = job_list_settings.job_list_of(context)
    asked = (state.revision, settings.words, settings.kind, settings.order)
    if asked != _state.asked:
        from ..core.status.job_filter import JobFilter, arranged  # here: enabling the extension need not wait for it

        _state.shown = tuple(arranged(state.jobs.values(), JobFilter(*asked[1:]), translated))
        _state.running = tuple(takewhile(lambda job: job.stage not in RESTING, _state.shown))
        _state.listed = _state.shown[len(_state.running[:PINNED]) :]
        _state.asked = asked
    return _state.shown


def running_jobs(context: bpy.types.Context) -> "tuple[JobView, ...]":
    """Those of the shown jobs that run or wait. They are the first, however the others are sorted."""
    shown_jobs(context)
    return _state.running


def listed_jobs(context: bpy.types.Context) -> "tuple[JobView, ...]":
    """The shown jobs that are rows of the list: all but the running ones above it; another tuple only where something
    has changed.
    """
    shown_jobs(context)
    return _state.listed


def sync() -> None:
    """Has a row for every job, in the order in which they are shown, and the same one chosen as before; a job that was
    started just now is chosen.
    """
    settings = job_list_settings.job_list_of(bpy.context)
    rows, wanted = settings.rows, _arranged(bpy.context)
    if _state.ids == wanted and len(rows) == len(wanted):
        return
    chosen = _state.ids[settings.index] if 0 <= settings.index < len(_state.ids) else ""
    if len(rows) != len(_state.ids):  # of another file
        rows.clear()
        _state.ids = ()
    for place in reversed(range(len(_state.ids))):
        if _state.ids[place] not in state.jobs:
            rows.remove(place)
    ids = [job_id for job_id in _state.ids if job_id in state.jobs]
    known = set(ids)
    new = [job_id for job_id in state.jobs if job_id not in known]
    for place, job_id in enumerate(wanted):
        if job_id not in known:
            _fill(rows.add(), job_id)
            rows.move(len(ids), place)
            ids.insert(place, job_id)
    for place, job_id in enumerate(wanted):
        if ids[place] != job_id:
            _fill(rows[place], job_id)
    _state.ids = wanted
    begun = [job_id for job_id in new if _is_of_now(state.jobs[job_id])]
    if begun or chosen not in state.jobs:
        chosen = begun[-1] if begun else _nearest(settings.index)
    settings.index = _state.ids.index(chosen) if chosen else 0
    redraw.redraw()  # what is drawn still says which row is which


def arrange_soon() -> None:
    """Has the rows brought into the order that is wanted by now: for drawing, which must not do it."""
    if not bpy.app.background and not bpy.app.timers.is_registered(sync):
        bpy.app.timers.register(sync, first_interval=0.0)


def _arranged(context: bpy.types.Context) -> tuple[str, ...]:
    """All jobs in the order of their rows: the shown ones, and behind them the others."""
    shown = {job.id: None for job in shown_jobs(context)}
    return (*shown, *(job_id for job_id in state.jobs if job_id not in shown))


def _fill(row: Any, job_id: str) -> None:
    row.name, row.tooltip = job_id, translated(state.jobs[job_id].name)


def choose(context: bpy.types.Context, job_id: str) -> None:
    """Has the details of a job shown."""
    if job_id in _state.ids:
        job_list_settings.job_list_of(context).index = _state.ids.index(job_id)


def _is_of_now(job: "JobView") -> bool:
    return open_file.has_started(job)


def _nearest(index: int) -> str:
    """The row that takes the place of one that is gone, else the one above it; the first one where none was chosen."""
    return _state.ids[min(index, len(_state.ids) - 1)] if _state.ids else ""


class ASSETGEN_OT_choose_job(bpy.types.Operator):
    """Show the details of a job."""

    bl_idname = "assetgen.choose_job"
    bl_label = "Choose Job"
    bl_description = "Show the details of this job"
    bl_options = {"INTERNAL"}

    job_id: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        job = state.jobs.get(properties.job_id)
        return translated(f"{job.name}\n\nShow its details" if job is not None else cls.bl_description)

    def execute(self, context: bpy.types.Context) -> set[str]:
        choose(context, self.job_id)
        redraw.redraw()
        return {"FINISHED"}


class ASSETGEN_OT_turn_page(bpy.types.Operator):
    """Show other jobs in the grid or in the history."""

    bl_idname = "assetgen.turn_page"
    bl_label = "Turn Page"
    bl_description = "Show the next or the previous jobs"
    bl_options = {"INTERNAL"}

    page: IntProperty(options={"HIDDEN", "SKIP_SAVE"})
    of_history: BoolProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        settings, page = job_list_settings.job_list_of(context), max(0, self.page)
        if self.of_history:
            settings.history_page, settings.history_page_of = page, settings.history_words
        else:
            settings.page = page
        redraw.redraw()
        return {"FINISHED"}


@persistent
def _before_saving(_path: object = None, _unused: object = None) -> None:
    """Jobs are no part of the user's file."""
    job = chosen_job(bpy.context)
    _state.chosen_before_saving = job.id if job is not None else ""
    job_list_settings.job_list_of(bpy.context).rows.clear()


@persistent
def _after_saving(_path: object = None, _unused: object = None) -> None:
    _state.ids = ()
    sync()
    choose(bpy.context, _state.chosen_before_saving)


@persistent
def _after_loading(_path: object = None, _unused: object = None) -> None:
    _state.ids = ()
    job_list_settings.job_list_of(bpy.context).rows.clear()
    sync()


_HANDLERS = (
    ("save_pre", _before_saving),
    ("save_post", _after_saving),
    ("save_post_fail", _after_saving),
    ("load_post", _after_loading),
)


def register() -> None:
    """Keeps the rows in step with the jobs, and out of the user's files."""
    pump.listeners.append(sync)
    for name, handler in _HANDLERS:
        getattr(bpy.app.handlers, name).append(handler)


def unregister() -> None:
    """Takes that back."""
    for name, handler in _HANDLERS:
        getattr(bpy.app.handlers, name).remove(handler)
    pump.listeners.remove(sync)
    if bpy.app.timers.is_registered(sync):
        bpy.app.timers.unregister(sync)
    _state.ids = ()


CLASSES = (ASSETGEN_OT_choose_job, ASSETGEN_OT_turn_page)
