"""What results take on the disk: look, open, delete. Nothing is deleted that was not named in a question.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, IntProperty, StringProperty

from ..bridge import storage
from ..bridge.state import state
from ..text_layout import paragraph
from ..translation.interface import translated

if TYPE_CHECKING:
    from ..core.storage.report import StoredResult

_WIDTH = 460  # pixels at scale 1
_BUSY = "It is being looked at, or something is being deleted, right now"


class _Storage(bpy.types.Operator):
    """What these operators have in common."""

    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        if state.storage.busy:
            cls.poll_message_set(translated(_BUSY))
        return not state.storage.busy

    def end(self) -> set[str]:
        """Without a window the operator is the only one who could wait."""
        if not bpy.app.background:
            return {"FINISHED"}
        seen = storage.wait()
        if seen.sentence:
            self.report({"INFO"} if seen.ok else {"ERROR"}, translated(seen.sentence))
        return {"FINISHED"} if seen.ok else {"CANCELLED"}


class ASSETGEN_OT_storage_scan(_Storage):
    """Look at what snapshots, results and the local engine take on the disk."""

    bl_idname = "assetgen.storage_scan"
    bl_label = "Scan"
    bl_description = "Look at what results take on the disk, and which of them were never used"

    def execute(self, _context: bpy.types.Context) -> set[str]:
        storage.scan()
        return self.end()


class ASSETGEN_OT_storage_delete_older(_Storage):
    """Delete results that were used and are older than some days."""

    bl_idname = "assetgen.storage_delete_older"
    bl_label = "Delete Older Than..."
    bl_description = (
        "Delete the files of results that are older than some days. A question names them first. "
        "What was never in a scene or a folder stays, and so does what a job needs"
    )

    days: IntProperty(
        name="Older Than",
        description="Days since the job was started",
        default=30,
        min=1,
        soft_max=365,
        options={"SKIP_SAVE"},
    )

    _report: Any = None  # a StorageReport; Blender evaluates what stands here

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        self._report = storage.report()
        if self._report is None:
            self.report({"ERROR"}, "Press Scan first, so that you can see what would be deleted")
            return {"CANCELLED"}
        return _ask(self, context, "Delete Old Results")

    def draw(self, context: bpy.types.Context) -> None:
        from ..core.storage import report, words

        row = self.layout.row()
        row.use_property_split = True
        row.use_property_decorate = False
        row.prop(self, "days", text="Older Than (Days)")
        self.layout.separator()
        if self._report is not None:
            sentences = words.deletion_sentences(report.older_than(self._report, self.days), self.days)
            _draw_sentences(self.layout, sentences, context)

    def execute(self, _context: bpy.types.Context) -> set[str]:
        if self._report is None:  # a script, which asks nobody
            storage.delete_older(self.days)
            return self.end()
        from ..core.storage.report import older_than  # here: enabling the extension need not wait for it

        plan = older_than(self._report, self.days)
        if not plan.results:
            self.report({"INFO"}, "There was nothing to delete")
            return {"CANCELLED"}
        storage.delete(plan.results)
        return self.end()


class ASSETGEN_OT_storage_delete(_Storage):
    """Delete the files of one result, used or not."""

    bl_idname = "assetgen.storage_delete"
    bl_label = "Delete Result"
    bl_description = "Delete the files of this result. A question says first what would be lost"

    job_id: StringProperty(name="Job", description="The job's id", options={"HIDDEN", "SKIP_SAVE"})

    _result: Any = None

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        result = _find(properties.job_id)
        stays = result.stays if result is not None else ""
        return translated(f"It cannot be deleted now: {stays}" if stays else cls.bl_description)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        self._result = _find(self.job_id)
        if self._result is None:
            self.report({"ERROR"}, "This result is not there any more")
            return {"CANCELLED"}
        if self._result.stays:
            self.report({"ERROR"}, translated(f"{self._result.name} cannot be deleted now: {self._result.stays}"))
            return {"CANCELLED"}
        return _ask(self, context, "Delete This Result")

    def draw(self, context: bpy.types.Context) -> None:
        from ..core.storage import words

        if self._result is not None:
            icon = "ERROR" if self._result.never_used else "TRASH"
            _draw_sentences(self.layout, words.result_sentences(self._result), context, icon)

    def execute(self, _context: bpy.types.Context) -> set[str]:
        storage.delete_one(self.job_id)
        return self.end()


class ASSETGEN_OT_storage_put_back(_Storage):
    """Put the job of this result back on the list."""

    bl_idname = "assetgen.storage_put_back"
    bl_label = "Back to the List"
    bl_description = "Put the job of this result back on the list of jobs, from where it can be brought in"

    job_id: StringProperty(name="Job", description="The job's id", options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, _context: bpy.types.Context) -> set[str]:
        storage.put_back(self.job_id)
        return self.end()


class ASSETGEN_OT_storage_open(bpy.types.Operator):
    """Show the folder of all results, or of one."""

    bl_idname = "assetgen.storage_open"
    bl_label = "Open Folder"
    bl_description = "Show the folder with the files"
    bl_options = {"INTERNAL"}

    job_id: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, _context: bpy.types.Context) -> set[str]:
        folder = storage.results_dir() / self.job_id
        if not folder.is_dir():
            words = "These files are not on the disk any more" if self.job_id else "There are no results yet"
            self.report({"ERROR"}, translated(words))
            return {"CANCELLED"}
        return bpy.ops.wm.path_open(filepath=str(folder))


class ASSETGEN_OT_storage_show(bpy.types.Operator):
    """Choose which results the list shows."""

    bl_idname = "assetgen.storage_show"
    bl_label = "Show"
    bl_description = "Show other results in this list"
    bl_options = {"INTERNAL"}

    first: IntProperty(default=0, options={"HIDDEN", "SKIP_SAVE"})
    only_unused: BoolProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, _context: bpy.types.Context) -> set[str]:
        storage.view.first, storage.view.only_unused = max(0, self.first), self.only_unused
        return {"FINISHED"}


def _find(job_id: str) -> "StoredResult | None":
    report = storage.report()
    return next((item for item in report.results if item.id == job_id), None) if report is not None else None


def _ask(operator: bpy.types.Operator, context: bpy.types.Context, title: str) -> set[str]:
    named: dict[str, Any] = {"width": _WIDTH, "title": title, "confirm_text": "Delete", "cancel_default": True}
    return set(context.window_manager.invoke_props_dialog(operator, **named))


def _draw_sentences(
    layout: bpy.types.UILayout, sentences: list[str], context: bpy.types.Context, icon: str = "TRASH"
) -> None:
    for number, sentence in enumerate(sentences):
        paragraph(layout, sentence, context, icon=icon if number == 0 else "BLANK1", width=_WIDTH)


CLASSES = (
    ASSETGEN_OT_storage_scan,
    ASSETGEN_OT_storage_delete_older,
    ASSETGEN_OT_storage_delete,
    ASSETGEN_OT_storage_put_back,
    ASSETGEN_OT_storage_open,
    ASSETGEN_OT_storage_show,
)
