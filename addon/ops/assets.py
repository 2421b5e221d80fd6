"""Saving results as assets, and the library that they are saved into. Nothing of it happens unasked.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, StringProperty

from ..bridge import pump
from ..bridge.redraw import redraw
from ..bridge.state import state
from ..core.errors import CoreError, Refused, sentences
from ..core.jobs.stage import Stage
from ..core.log import logger
from ..text_layout import paragraph
from ..translation.interface import translated
from . import reports, status_reports

if TYPE_CHECKING:
    from ..core.jobs.job import JobView

_WIDTH = 320  # pixels at scale 1


def can_save(job: "JobView") -> bool:
    """Whether a job has made a model that can be an asset."""
    return bool(job.blend) and job.stage in (Stage.READY, Stage.APPLIED)


class ASSETGEN_OT_save_as_asset(bpy.types.Operator):
    """Save the result of a job into an asset library."""

    bl_idname = "assetgen.save_as_asset"
    bl_label = "Save as Asset"
    bl_description = (
        "Save this result into an asset library, as a .blend of its own with picture, tags and catalog: as it is in "
        "the scene now, else as it arrived. Saved again it replaces its own file, unless that was changed meanwhile"
    )
    bl_options = {"INTERNAL"}

    job_id: StringProperty(
        name="Job",
        description="Which job; that of the active object, or the one that was started last, when left out",
        options={"HIDDEN", "SKIP_SAVE"},
    )
    library: StringProperty(
        name="Library",
        description="The name of an asset library of the preferences; the one that is chosen there when left out",
        options={"SKIP_SAVE"},
    )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        from ..bridge import library  # here, as below: enabling the extension need not wait for it

        if self.library or library.chosen_name():
            return self.execute(context)
        try:
            self.job_id = self._job(context).id
        except CoreError as error:
            return reports.report_error(self, error)
        named: dict[str, Any] = {"width": _WIDTH, "title": self.bl_label, "confirm_text": "Save"}
        return set(context.window_manager.invoke_props_dialog(self, **named))

    def draw(self, context: bpy.types.Context) -> None:
        from ..bridge import library

        layout = self.layout
        listed = library.libraries()
        words = "Choose the asset library that results are saved into." if listed else "There is no asset library yet."
        paragraph(layout, words, context, width=_WIDTH)
        if listed:
            layout.prop_search(self, "library", context.preferences.filepaths, "asset_libraries", icon="ASSET_MANAGER")
        operator = layout.operator("assetgen.make_library", icon="ADD")
        operator.job_id = self.job_id

    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..bridge import library

        name = self.library or library.chosen_name()
        try:
            job = self._job(context)
            future = library.save(job, name)
            if not library.chosen_name() and not bpy.app.background:
                library.choose(name)
            if bpy.app.background:
                path = pump.result_of(future)
                self.report({"INFO"}, translated(f"{job.name} is saved as {path}"))
                return {"FINISHED"}
        except CoreError as error:
            return reports.report_error(self, error)
        except Exception as error:  # whatever it is: a sentence for the user, the rest for the log
            logger(__name__).exception("saving an asset")
            return reports.report_unexpected(self, error)
        state.notices[job.id] = f"Saving it into the asset library {name}"
        redraw()
        pump.when_done(future, lambda ended: _tell(job, name, ended))
        return {"FINISHED"}

    def _job(self, context: bpy.types.Context) -> "JobView":
        from ..bridge import library, scripting

        job = state.jobs.get(self.job_id) if self.job_id else library.job_of(context.object) or scripting.last_job()
        if job is None:
            raise Refused("This is not the result of a job in the list")
        return job


def _tell(job: "JobView", name: str, ended: Any) -> None:
    """Says how the saving of a result has ended."""
    from ..bridge import library

    error = ended.exception()
    if error is None:
        words = f"Saved in the asset library {name}, as {ended.result().name}"
        library.refresh_browsers()
    elif isinstance(error, CoreError):
        words = sentences(str(error), error.advice)
    else:
        logger(__name__).error("saving an asset", exc_info=error)
        words = f"It could not be saved as an asset: {error}"
    if job.id in state.jobs:
        state.notices[job.id] = words
    status_reports.say(f"{job.name}: {words[:1].lower()}{words[1:]}" if error is None else words, error is None)
    redraw()


class ASSETGEN_OT_make_library(bpy.types.Operator):
    """Make a folder an asset library of Blender's, for results."""

    bl_idname = "assetgen.make_library"
    bl_label = "Make a Library..."
    bl_description = (
        "Choose a folder, and have Blender list it as an asset library. Results go there when you press Save as Asset"
    )
    bl_options = {"INTERNAL"}

    directory: StringProperty(name="Folder", description="The folder; made when it is not there", subtype="DIR_PATH")
    filter_folder: BoolProperty(default=True, options={"HIDDEN", "SKIP_SAVE"})
    job_id: StringProperty(
        name="Job", description="The job whose result is saved into it at once", options={"HIDDEN", "SKIP_SAVE"}
    )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, _context: bpy.types.Context) -> set[str]:
        from ..bridge import library

        if not self.directory:
            self.report({"ERROR"}, "Choose a folder")
            return {"CANCELLED"}
        try:
            name = library.make_library(Path(bpy.path.abspath(self.directory)).absolute())
        except CoreError as error:
            return reports.report_error(self, error)
        self.report({"INFO"}, translated(f"{self.directory} is the asset library {name} now"))
        redraw("PREFERENCES")
        if self.job_id:
            return set(bpy.ops.assetgen.save_as_asset(job_id=self.job_id, library=name))
        return {"FINISHED"}


def unregister() -> None:
    """Ends what is being saved."""
    from ..bridge import library

    library.stop()


CLASSES = (ASSETGEN_OT_save_as_asset, ASSETGEN_OT_make_library)
