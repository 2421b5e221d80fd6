"""Removing what a chain of jobs has left behind, after a question.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, StringProperty

from ..bridge.results.open_file import open_file
from ..bridge.state import state
from ..core.jobs.stage import Stage
from ..text_layout import paragraph
from ..translation.interface import translated

if TYPE_CHECKING:
    from ..bridge.results.clean_up import Leftovers
    from ..core.jobs.job import JobView

_NOTHING = "There is nothing to clean up: no hidden object is left that this was made from"
_MOST_LINES = 12
_WIDTH = 380  # pixels at scale 1
_KINDS = (
    (bpy.types.Mesh, "mesh", "meshes"),
    (bpy.types.Armature, "armature", "armatures"),
    (bpy.types.Material, "material", "materials"),
    (bpy.types.Image, "image", "images"),
    (bpy.types.Action, "action", "actions"),
)


def is_offered(job: "JobView") -> bool:
    """Whether a job may have left something behind: its result is here, and was made from objects."""
    placement = job.plan.delivery.placement if job.plan is not None else None
    is_here = job.stage is Stage.APPLIED and job.id in open_file.objects
    return is_here and placement is not None and bool(placement.sources)


class ASSETGEN_OT_clean_up(bpy.types.Operator):
    """Remove the hidden objects that a result was made from."""

    bl_idname = "assetgen.clean_up"
    bl_label = "Clean Up"
    bl_description = (
        "Remove the hidden objects that this result was made from, with rigs, materials and images that nothing else "
        "uses. What you have shown, edited or used elsewhere stays, and so do all files on the disk"
    )
    bl_options = {"REGISTER", "UNDO"}

    job_id: StringProperty(
        name="Job",
        description="The job whose result is kept; empty for the selected objects",
        options={"HIDDEN", "SKIP_SAVE"},
    )
    with_own: BoolProperty(
        name="My Own Model Too",
        description="Also remove the model of yours that the first step worked on",
        default=False,
        options={"SKIP_SAVE"},
    )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        # Found out once for each answer: drawing must not look through meshes.
        found = {with_own: self._find(context, with_own=with_own) for with_own in (False, True)}
        if not any(leftovers.blocks for leftovers in found.values()):
            return self._nothing(found[False])
        self._lines = {with_own: list(_question(leftovers)) for with_own, leftovers in found.items()}
        self._has_own = found[True].objects != found[False].objects
        self.with_own = self.with_own and self._has_own
        return context.window_manager.invoke_props_dialog(self, width=_WIDTH, title="Clean Up", confirm_text="Remove")

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        if not hasattr(self, "_lines"):  # Adjust Last Operation, after a call without a question
            layout.prop(self, "with_own")
            return
        column = layout.column(align=True)
        for words, icon in self._lines[self.with_own]:
            paragraph(column, words, context, icon=icon, width=_WIDTH, translate=False)
        if self._has_own:
            layout.prop(self, "with_own")

    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..bridge.results import clean_up  # here: enabling the extension need not wait for it

        leftovers = self._find(context, with_own=self.with_own)
        if not leftovers.blocks:
            return self._nothing(leftovers)
        count = len(leftovers.objects)
        rest = len(leftovers.blocks) - count
        clean_up.remove(leftovers)
        words = f"Removed {_number(count, 'object', 'objects')} and {rest} datablocks that nothing else used"
        self.report({"INFO"}, translated(words))
        return {"FINISHED"}

    def _nothing(self, leftovers: "Leftovers") -> set[str]:
        words = "; ".join(f'"{name}" stays ({why})' for name, why in leftovers.kept.items())
        self.report({"INFO"}, translated(f"{_NOTHING}{': ' if words else ''}{words}"))
        return {"CANCELLED"}

    def _find(self, context: bpy.types.Context, *, with_own: bool) -> "Leftovers":
        from ..bridge.results import clean_up
        from .sources import UPLOAD  # here, as below: enabling the extension need not wait for it

        targets = _results_of(self.job_id) if self.job_id else _selected_results(context)
        return clean_up.find(targets, UPLOAD, with_own=with_own)


def _results_of(job_id: str) -> list[bpy.types.Object]:
    """What a job has brought into this file, also before it was opened again."""
    from ..bridge.objects import provenance

    if objects := open_file.objects_of(job_id):
        return objects
    job = state.jobs.get(job_id)
    task_id = job.steps[-1].task_id if job is not None and job.steps else ""
    return provenance.made_by(task_id, bpy.data.objects)


def _selected_results(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The selected objects, and what the selected rigs move."""
    from ..bridge.objects.selection import moved_by

    selected = list(context.view_layer.objects.selected)
    rigs = [item for item in selected if item.type == "ARMATURE"]
    return [*selected, *(item for rig in rigs for item in moved_by(rig, context.view_layer))]


def _question(leftovers: "Leftovers") -> Iterator[tuple[str, str]]:
    """The lines of the question, in the interface's language, each with its icon."""
    objects = leftovers.objects
    if not objects:
        yield translated("Nothing is removed"), "INFO"
    else:
        yield translated(f"Remove {_number(len(objects), 'hidden object', 'hidden objects')}:"), "TRASH"
        for item in objects[:_MOST_LINES]:
            yield item.name, f"OUTLINER_OB_{item.type}"
        if len(objects) > _MOST_LINES:
            yield translated(f"and {len(objects) - _MOST_LINES} more"), "BLANK1"
        if parts := list(_counts(leftovers.blocks)):
            yield translated(f"and what nothing else uses: {', '.join(parts)}"), "BLANK1"
    for name, why in list(leftovers.kept.items())[:_MOST_LINES]:
        yield translated(f"{name} stays: {why}"), "CHECKMARK"
    yield translated("The files of the jobs stay on the disk"), "BLANK1"


def _counts(blocks: list[bpy.types.ID]) -> Iterator[str]:
    for kind, one, many in _KINDS:
        if count := sum(isinstance(block, kind) for block in blocks):
            yield _number(count, one, many)


def _number(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


CLASSES = (ASSETGEN_OT_clean_up,)
