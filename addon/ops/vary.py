"""An earlier job several times more, each with a seed of its own, and the results side by side.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, IntProperty, StringProperty
from mathutils import Matrix

from ..bridge import pump
from ..bridge.results.open_file import open_file
from ..bridge.session import session
from ..bridge.state import state
from ..core.errors import CoreError
from ..core.jobs.place import Place
from ..core.jobs.stage import Stage
from ..core.settings import LOCAL
from ..props.field_info import CapabilityInfo, FieldInfo
from ..props.task_properties import CAPABILITIES
from ..text_layout import inside, paragraph
from ..translation.interface import translated
from . import reports
from .waiting_press import WaitsForLoading

if TYPE_CHECKING:
    from ..core.jobs.job import JobView, Placement

_WIDTH = 300
_FEWEST, _MOST = 2, 8
_ALL_THE_SAME = "The local engine makes the same with every seed here, so variants would be equal"


def has_seeds(job: "JobView") -> bool:
    """Whether the operation of a job that is done takes a seed, whatever becomes of it."""
    return job.stage in (Stage.APPLIED, Stage.READY) and bool(_seeds(job))


def seed_fields(job: "JobView") -> tuple[str, ...]:
    """The fields of a job's operation in which another number gives another result, as its model version and its
    service take them.
    """
    fields = _fields(job)
    is_local = job.service_id == LOCAL
    return tuple(
        field.name
        for field in _seeds(job)
        if not is_local or (field.local and (not field.local_with or fields.get(field.local_with)))
    )


def can_vary(job: "JobView") -> bool:
    """Whether variants of a job can be asked for."""
    return has_seeds(job) and bool(seed_fields(job))


class ASSETGEN_OT_vary(WaitsForLoading, bpy.types.Operator):
    """Run a job several times more, each with another seed."""

    bl_idname = "assetgen.vary"
    bl_label = "Vary"
    bl_description = "Run this job several times more, each time with another seed. The results stand side by side"
    bl_options = {"INTERNAL"}

    job_id: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    count: IntProperty(
        name="Variants", description="How many more are made", default=4, min=_FEWEST, max=_MOST, options={"SKIP_SAVE"}
    )
    any_seed: BoolProperty(
        name="Any Seeds", description="Let chance choose the seeds", default=True, options={"SKIP_SAVE"}
    )
    seed: IntProperty(
        name="First Seed",
        description="The seed of the first variant; the others take those that follow. Any when left out",
        default=1,
        min=0,
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        from ..bridge.records import known_job  # here, as below: enabling the extension need not wait for it

        job = known_job(properties.job_id)
        return _ALL_THE_SAME + "." if job is not None and not seed_fields(job) else cls.bl_description

    def press(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Asks how many."""
        if self.has_waited:
            return self.press_anew()
        return set(context.window_manager.invoke_props_dialog(self, width=_WIDTH, confirm_text="Run"))

    def draw(self, context: bpy.types.Context) -> None:
        from ..bridge.records import known_job
        from . import costs

        job = known_job(self.job_id)
        if job is None:
            return
        layout = self.layout
        with inside(_WIDTH):
            paragraph(layout, job.name, context)
            layout.prop(self, "count", slider=True)
            layout.prop(self, "any_seed")
            if not self.any_seed:
                layout.prop(self, "seed")
            if words := _price(job, self.count):
                paragraph(layout, words, context, quiet=True)
                costs.draw_budget(layout, context, CAPABILITIES[job.steps[-1].capability], _fields(job), self.count)

    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..bridge import scripting
        from ..bridge.records import known_job
        from ..core.jobs.job import Delivery  # here, as below: enabling the extension need not wait for it
        from ..core.jobs.variants import variants  # here, and below: it need not be read at the start
        from . import planning

        job = known_job(self.job_id)
        names = seed_fields(job) if job is not None else ()
        if job is None or not names:
            words = _ALL_THE_SAME if job is not None and _seeds(job) else "This job has no seed that could be varied"
            self.report({"ERROR"}, translated(words))
            return {"CANCELLED"}
        given = self.properties.is_property_set
        is_any = self.any_seed if given("any_seed") else not given("seed")
        first = None if is_any else self.seed
        try:
            runtime = session.runtime()
            delivery = Delivery(origin=planning.origin_of(context), placement=_placement(job, context))
            plans = variants(job, session.settings.service_id, names, self.count, delivery, first=first)
            job_ids = runtime.submit_all([(plan, None) for plan in plans], views=state.jobs.values())
            if bpy.app.background:
                for job_id in job_ids:
                    pump.result_of(runtime.entry(job_id))
        except CoreError as error:
            return reports.report_error(self, error)
        scripting.remember_jobs(job_ids)
        if not bpy.app.background:
            pump.start()
            self.report({"INFO"}, translated(f"{len(job_ids)} jobs have started; their progress is in the job list"))
            return {"FINISHED"}
        ended = scripting.follow(job_ids)
        failed = [ended[job_id] for job_id in job_ids if ended[job_id].stage is not Stage.APPLIED]
        if failed:
            words = f"{reports.job_failure(failed[0])} ({len(failed)} of {len(job_ids)} jobs failed)"
            self.report({"ERROR"}, translated(words))
            return {"CANCELLED"}
        return {"FINISHED"}


def _seeds(job: "JobView") -> tuple[FieldInfo, ...]:
    """The fields of a job's operation that take a seed, as its model version has them."""
    info = _info(job)
    if info is None:
        return ()
    version = _fields(job).get(info.version_field, "") if info.version_field else ""
    return tuple(field for field in info.fields if field.seed and version not in field.forbidden_by)


def _info(job: "JobView") -> CapabilityInfo | None:
    return CAPABILITIES.get(job.plan.steps[-1].capability) if job.plan is not None and job.plan.steps else None


def _price(job: "JobView", count: int) -> str:
    from . import costs

    info = _info(job)
    if info is None or job.plan is None or job.service_id == LOCAL:
        return ""
    return costs.price_words(info, _fields(job), jobs=count)


def _fields(job: "JobView") -> dict[str, Any]:
    return job.plan.steps[-1].fields if job.plan is not None else {}


def _placement(job: "JobView", context: bpy.types.Context) -> "Placement":
    """Beside what the job has brought in or worked on, else at the 3D cursor; nothing is replaced or hidden."""
    from ..bridge.objects import places, transforms
    from ..core.jobs.job import Placement

    before = job.plan.delivery.placement if job.plan is not None else None
    at_cursor = transforms.to_numbers(Matrix.Translation(context.scene.cursor.location))
    placement = Placement(at_cursor, (), before.collection if before is not None else "", ())
    if before is not None and before.sources and open_file.is_origin_of(job):
        placement = Placement(before.frame, before.bounds, before.collection, (), hide_source=False)
    results = [item for item in open_file.objects_of(job.id) if item.visible_get()]
    if not results:
        return placement
    names = tuple((item.name, item.session_uid) for item in results)
    shown = before is not None and before.placeholder
    return placement._replace(place=Place.BESIDE, anchor=places.box_around(results), anchors=names, placeholder=shown)


CLASSES = (ASSETGEN_OT_vary,)
