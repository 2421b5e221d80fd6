"""One operator per capability: ``bpy.ops.assetgen.decimate(face_limit=5000)``.

With a window it returns at once and the job list takes over. In the background it blocks until the job has ended, with
its result in the scene, and raises RuntimeError with a sentence if it failed.

The operators' properties are the fields of the API's request; only those that a call is given are sent. (No postponed
annotations in this file: Blender reads the properties from them.)
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ..bridge import prefs, preload, pump
from ..bridge.session import session
from ..bridge.state import state
from ..core.errors import CoreError
from ..core.jobs.place import FITS, OBJECT_AFTER, PLACES
from ..core.jobs.stage import Action, Stage
from ..core.log import logger
from ..props import field_values, scene_settings
from ..props.field_info import CapabilityInfo
from ..props.task_properties import CAPABILITIES, FIELD_CLASSES
from ..translation.interface import translated
from . import reports
from .dialogs import AsksForFields
from .file_browser import AsksForFile
from .waiting_press import WaitsForLoading

if TYPE_CHECKING:
    from ..bridge.objects.selection import Selection
    from ..core.jobs.job import JobPlan, JobView


class RunsCapability:
    """What the operators have in common.

    Attributes:
        was_asked: Whether a dialog, a question or the file browser calls ``execute``.
    """

    info: CapabilityInfo
    properties: Any
    report: Any
    has_waited: bool
    press_anew: Callable[[], set[str]]
    with_copies: Callable[..., set[str]]
    was_asked = False

    use_panel_settings: BoolProperty(
        name="Use Panel Settings",
        description="Take the fields from the panel instead of from this call",
        default=False,
        options={"HIDDEN", "SKIP_SAVE"},
    )

    source_after: EnumProperty(
        name="Source",
        description="What becomes of the source when the result arrives",
        items=scene_settings.SOURCE_AFTER,
        options={"HIDDEN", "SKIP_SAVE"},
    )
    placement: EnumProperty(
        name="Place", description="Where the result goes", items=PLACES, options={"HIDDEN", "SKIP_SAVE"}
    )
    placement_object: StringProperty(
        name="Placement Object",
        description="The name of the object that the result goes into",
        options={"HIDDEN", "SKIP_SAVE"},
    )
    placement_fit: EnumProperty(
        name="Fit", description="How the result is fitted into that object", items=FITS, options={"HIDDEN", "SKIP_SAVE"}
    )
    placement_object_after: EnumProperty(
        name="Afterwards",
        description="What becomes of that object when the result arrives",
        items=OBJECT_AFTER,
        options={"HIDDEN", "SKIP_SAVE"},
    )
    placeholder: BoolProperty(
        name="Placeholder",
        description="Show the name and the progress of the job in the viewport, where its result will be",
        default=False,
        options={"HIDDEN", "SKIP_SAVE"},
    )
    result_names: EnumProperty(
        name="Result Names",
        description="What the result is named",
        items=[("PREFERENCES", "As in the Preferences", "What the preferences say"), *prefs.RESULT_NAMES],
        options={"HIDDEN", "SKIP_SAVE"},
    )

    each: BoolProperty(
        name="One Job Each",
        description="A job of its own for every selected model, instead of one job for all of them together",
        default=False,
        options={"SKIP_SAVE"},
    )

    is_agreed: BoolProperty(
        name="Agreed",
        description="Ask nothing: what there is to ask was answered before",
        default=False,
        options={"HIDDEN", "SKIP_SAVE"},
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        from . import costs  # here, as below: enabling the extension need not wait for it

        if state.rests(self.info.name):
            return {"CANCELLED"}  # the second click of a double click; the button shows what the first one did
        if self.properties.is_agreed:
            return self.run(context)
        try:
            twins, count = self._running_twins(context)
            budget = costs.budget_question(self.info, self._fields(context), count)
        except CoreError as error:
            return reports.report_error(self, error)
        if not twins and not budget:
            return self.run(context)
        if self.has_waited:
            return self.press_anew()
        self.was_asked = True
        if not twins:
            title, message = translated(f"Run {self.info.label}"), translated(budget)
            return context.window_manager.invoke_confirm(
                self, event, title=title, message=message, confirm_text="Run", icon="QUESTION"
            )
        question = "The same is running already. Run it a second time?"
        if count > 1:
            question = f"The same is running already for {len(twins)} of {count}. Run all {count}?"
        elif twins[0].stage is Stage.READY:
            question = "The same is done already, and its result waits to come in. Run it a second time?"
        title, message = translated(twins[0].name), f"{translated(question)} {translated(budget)}".strip()
        return context.window_manager.invoke_confirm(
            self, event, title=title, message=message, confirm_text="Run Again", icon="QUESTION"
        )

    def run(self, context: bpy.types.Context) -> set[str]:
        """Starts the jobs of a press, once what takes long to copy has been copied while Blender went on."""
        return self.with_copies(context, self._images(context), self.execute)

    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..bridge import operator_call, scripting

        if self.was_asked and self._has_much_to_copy(context):
            # What a dialog calls cannot wait as a modal operator.
            self.properties.is_agreed = True
            return self.press_anew()
        try:
            job_ids = self._start(context)
        except CoreError as error:
            operator_call.refused(error)
            return reports.report_error(self, error)
        except Exception as error:  # whatever it is: a sentence for the user, the rest for the log
            operator_call.refused(error)
            logger(__name__).exception("starting %s", self.info.name)
            return reports.report_unexpected(self, error)
        scripting.remember_jobs(job_ids)
        returns_at_once = operator_call.started(job_ids)
        if not bpy.app.background:
            state.press(self.info.name)
            pump.start()
            started = (
                f"{len(job_ids)} jobs have started; their"
                if len(job_ids) > 1
                else f"{self.info.label} has started; its"
            )
            self.report({"INFO"}, translated(f"{started} progress is in the job list"))
            return {"FINISHED"}
        if returns_at_once:
            return {"FINISHED"}
        ended = scripting.follow(job_ids)
        return self._finish([ended[job_id] for job_id in job_ids])

    def _start(self, context: bpy.types.Context) -> list[str]:
        """Starts a job, or one for each of the selected models: all of them, or none."""
        from ..bridge.objects.snapshot import Snapshots  # here, both: enabling the extension need not wait for them
        from . import place_choice, planning

        fields = self._fields(context)
        if not self._names_source(context) and planning.seems_to_upload(
            context, self.info, session.settings.service_id
        ):
            session.prepare_conversion()
        runtime = session.runtime()
        folders: list[Path] = []
        try:
            plans: list[tuple[JobPlan, Path | None]] = []
            with Snapshots() as snapshots:
                for model in self._models(context):
                    folders.append(session.staging_folder())
                    plan = planning.plan(
                        context,
                        self.info,
                        fields,
                        session.settings,
                        folders[-1],
                        model,
                        place_choice.choices(self.properties, self.info, context),
                        is_checked=bool(plans),
                        snapshots=snapshots,
                    )
                    plans.append((self.delivered(plan, context, model), folders[-1]))
                snapshots.write()
            job_ids = runtime.submit_all(plans, views=state.jobs.values())
        except Exception:
            for folder in folders:
                session.remove_staged(folder)
            raise
        if bpy.app.background:
            for job_id in job_ids:
                try:
                    pump.result_of(runtime.entry(job_id))
                except Exception:  # the caller is told, so it need not be in the list as well
                    pump.result_of(runtime.act(job_id, Action.DISMISS))
                    raise
        return job_ids

    def _images(self, context: bpy.types.Context) -> list[bpy.types.Image]:
        """The images whose pixels a press will copy."""
        from . import planning  # here, as below: enabling the extension need not wait for it

        uploads = not self._names_source(context)
        return planning.images_to_copy(context, self.info, self._fields(context), uploads=uploads)

    def _has_much_to_copy(self, context: bpy.types.Context) -> bool:
        from ..bridge.objects.pixel_copies import PixelCopies

        return context.window is not None and PixelCopies.of(self._images(context)) is not None

    def _models(self, context: bpy.types.Context) -> "list[Selection | None]":
        """What gets a job each; None for what is selected as a whole."""
        from . import sources

        each = self.each
        if self.use_panel_settings:
            each = scene_settings.settings_of(context).several == scene_settings.EACH
        models = sources.models_in(context, self.info) if each and not self._names_source(context) else []
        return list(models) if len(models) > 1 else [None]

    def _names_source(self, context: bpy.types.Context) -> bool:
        """Whether the call names what is worked on, so that the selection does not matter."""
        fields = self._fields(context)
        return any(field.source and field.name in fields for field in self.info.fields)

    def is_running_already(self, context: bpy.types.Context) -> bool:
        """Whether a job is running that was asked for the same."""
        try:
            return bool(self._running_twins(context)[0])
        except CoreError:  # to run it will say so
            return False

    def _running_twins(self, context: bpy.types.Context) -> "tuple[list[JobView], int]":
        """The jobs that are running and were asked for the same, and how many would be started."""
        from . import repeats  # here: enabling the extension need not wait for it

        fields, models = self._fields(context), self._models(context)
        found = [repeats.running_twin(context, self.info, fields, session.settings, model) for model in models]
        return [twin for twin in found if twin is not None], len(models)

    def _fields(self, context: bpy.types.Context) -> dict[str, Any]:
        if self.use_panel_settings:
            info = self.info.for_service(is_local=session.settings.is_local)
            return field_values.from_panel(getattr(scene_settings.settings_of(context), info.name), info)
        return field_values.from_call(self.properties, self.info)

    def delivered(self, plan: "JobPlan", _context: bpy.types.Context, _model: "Selection | None") -> "JobPlan":
        """The plan with all that the operator knows of where its result goes; the model is what has its own job."""
        return plan

    def _finish(self, jobs: "list[JobView]") -> set[str]:
        failed = [job for job in jobs if job.stage is not Stage.APPLIED]
        if failed:
            others = f" ({len(failed)} of {len(jobs)} jobs failed)" if len(jobs) > 1 else ""
            self.report({"ERROR"}, translated(reports.job_failure(failed[0]) + others))
            return {"CANCELLED"}
        for job in jobs:
            if job.answer:
                self.report({"INFO"}, translated(reports.job_answer(job)))
            elif job.delivered:
                self.report({"INFO"}, translated(job.text))
            if job.understood:
                self.report({"INFO"}, translated(reports.prompt_reading(job)))
        return {"FINISHED"}


def _operator(info: CapabilityInfo) -> type[bpy.types.Operator]:
    members = {
        "__doc__": info.summary,
        "__module__": __name__,
        "info": info,
        "bl_idname": f"assetgen.{info.name}",
        "bl_label": info.label,
        "bl_description": info.summary,
        # No UNDO: starting a job changes nothing in the scene. Its result is applied in a step of undo of its own.
        "bl_options": {"REGISTER"},
    }
    asks = (AsksForFile,) if info.file_kinds else ()
    bases = (WaitsForLoading, *asks, AsksForFields, RunsCapability, FIELD_CLASSES[info.name], bpy.types.Operator)
    return type(f"ASSETGEN_OT_{info.name}", bases, members)


def _load_ahead() -> None:
    from ..bridge import operator_call, scripting  # noqa: F401
    from . import costs, planning, repeats  # noqa: F401


def register() -> None:
    """Has a thread load what a press needs."""
    preload.loaders.append(_load_ahead)


def unregister() -> None:
    """Takes that back."""
    preload.loaders.remove(_load_ahead)


CLASSES = tuple(_operator(info) for info in CAPABILITIES.values())
