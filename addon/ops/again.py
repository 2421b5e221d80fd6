"""An earlier job once more: its fields in the panel, to be changed and run again.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import StringProperty

from ..bridge import pump, redraw
from ..bridge.objects import image_files
from ..bridge.results.open_file import open_file
from ..bridge.state import state
from ..core import text_values
from ..props import field_values, scene_settings
from ..props.field_info import PATHS_BETWEEN, CapabilityInfo, FieldInfo
from ..props.task_properties import CAPABILITIES
from ..translation.interface import translated

if TYPE_CHECKING:
    from ..core.jobs.job import JobPlan, JobView

_PATHS = frozenset({"file", "files"})


def can_be_edited(job: "JobView") -> bool:
    """Whether the panel has the fields that a job was asked with."""
    return job.plan is not None and bool(job.plan.steps) and job.plan.steps[-1].capability in CAPABILITIES


class ASSETGEN_OT_edit_again(bpy.types.Operator):
    """Fill the panel with the fields of an earlier job."""

    bl_idname = "assetgen.edit_again"
    bl_label = "Edit & Run Again"
    bl_description = (
        "Fill the panel with all that this job was asked with, to change it and run it again. Nothing is sent"
    )
    bl_options = {"INTERNAL", "UNDO"}

    job_id: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..bridge.records import known_job  # here, as below: enabling the extension need not wait for it
        from . import place_choice

        job = known_job(self.job_id)
        if job is None or job.plan is None or not can_be_edited(job):
            self.report({"ERROR"}, "What this job was asked with is not known here")
            return {"CANCELLED"}
        info = CAPABILITIES[job.plan.steps[-1].capability]
        settings = scene_settings.settings_of(context)
        scene_settings.choose_capability(settings, info.name)
        unheld = _fill(getattr(settings, info.name), info, job.plan)
        place_choice.fill_panel(settings, info, job.plan.delivery.placement)
        said = [f"From {job.name}"]
        said += [f"The panel has no {name.replace('_', ' ')}" for name in unheld]
        said += _select_sources(job, info, context)
        self._look_for_files(info, said)
        redraw.redraw()
        return {"FINISHED"}

    def _look_for_files(self, info: CapabilityInfo, said: list[str]) -> None:
        """Takes those files out of the panel that are gone; their drive is waited for by a thread."""
        from ..core.runtime.command_thread import run_in_thread  # here: it need not be read at the start

        scene = bpy.context.scene.name
        group = getattr(scene_settings.settings_of(bpy.context), info.name)
        paths = [path for field in info.fields if field.kind in _PATHS for path in _paths(group, field)]
        state.filled[info.name] = ". ".join(said)
        missing = run_in_thread(lambda: _missing(paths), "assetgen-files")
        if bpy.app.background:
            gone = pump.result_of(missing)
            _take_out(scene, info, gone, said)
            if gone:
                self.report({"WARNING"}, translated(_words_of(gone)))
            return
        pump.when_done(missing, lambda answer: _take_out(scene, info, answer.result(), said))


def _fill(group: Any, info: CapabilityInfo, plan: "JobPlan") -> list[str]:
    from ..core.jobs.job import SourceKind  # here: enabling the extension need not wait for it

    fields = dict(plan.steps[-1].fields)
    views = info.source_field or info.task_field
    if plan.source.kind is SourceKind.TASK and info.takes == field_values.VIEWS_TASK and views:
        fields.setdefault(views, plan.source.task_id)
    return field_values.fill_panel(group, info, fields)


def _select_sources(job: "JobView", info: CapabilityInfo, context: bpy.types.Context) -> list[str]:
    """Selects what the job worked on, as far as that is here; what there is to say of it."""
    from ..bridge.results import result_selection, source_fate
    from . import sources

    if job.plan is None or info.takes in sources.WITHOUT_SELECTION:
        return []
    objects = open_file.sources_of(job) if open_file.is_origin_of(job) else []
    layer, placement = context.view_layer, job.plan.delivery.placement
    here = [item for item in objects if item.name in layer.objects]
    if here and context.mode == "OBJECT":
        source_fate.take_back(here, placement.collection if placement is not None else "", context.scene)
        for item in here:  # its result may have hidden it
            item.hide_viewport = False
            item.hide_set(False, view_layer=layer)
        selected = result_selection.select(here, layer)
        if len(selected) == len(objects):
            return []
        if hidden := [item.name for item in here if item not in selected]:
            return [f"Select what it shall work on: {', '.join(hidden)} cannot be seen or selected now"]
    return ["Select what it shall work on"]


def _values(group: Any, field: FieldInfo) -> list[str]:
    value = getattr(group, field.name)
    return text_values.split(value, PATHS_BETWEEN) if field.kind == "files" else [value]


def _paths(group: Any, field: FieldInfo) -> list[str]:
    """The files in a field; images of the open file are none."""
    return [
        path for path in _values(group, field) if not path.startswith(image_files.PREFIX) and Path(path).is_absolute()
    ]


def _missing(paths: Iterable[str]) -> list[str]:
    return [path for path in paths if not Path(path).is_file()]


def _take_out(scene: str, info: CapabilityInfo, missing: list[str], said: list[str]) -> None:
    owner = bpy.data.scenes.get(scene)
    if owner is None or not missing:
        return
    group = getattr(getattr(owner, scene_settings.ATTRIBUTE), info.name)
    for field in info.fields:
        if field.kind not in _PATHS or not set(_paths(group, field)) & set(missing):
            continue
        kept = [path for path in _values(group, field) if path not in missing]
        setattr(group, field.name, field.write(kept) if field.kind == "files" else "")
    if info.name in state.filled:
        state.filled[info.name] = ". ".join([*said, _words_of(missing)])
    redraw.redraw()


def _words_of(missing: Iterable[str]) -> str:
    names = ", ".join(Path(path).name for path in missing)
    return f"Not there any more: {names}"


CLASSES = (ASSETGEN_OT_edit_again,)
