"""Makes and removes the empties that stand for results of running jobs, as a step of undo of its own."""

from __future__ import annotations

import bpy

from ..bridge import idle
from ..bridge.placeholders import placeholders


class ASSETGEN_OT_update_placeholders(bpy.types.Operator):
    """Show running jobs where their results will be."""

    bl_idname = "assetgen.update_placeholders"
    bl_label = "Update Placeholders"
    bl_description = "Have an object stand where the result of each running job will be, if that was wanted"
    # No UNDO among the options: the step is to be named after the job, so execute pushes it.
    bl_options = {"INTERNAL"}

    def execute(self, _context: bpy.types.Context) -> set[str]:
        words = placeholders.update()
        if words and not bpy.app.background:
            bpy.ops.ed.undo_push(message=words)
        return {"FINISHED"} if words else {"CANCELLED"}


def _update() -> None:
    window = None if bpy.app.background else idle.window_for()
    if window is None:
        bpy.ops.assetgen.update_placeholders("EXEC_DEFAULT")
    else:
        with bpy.context.temp_override(window=window):
            bpy.ops.assetgen.update_placeholders("EXEC_DEFAULT", True)


def register() -> None:
    """Has them made with the operator."""
    placeholders.change = _update


def unregister() -> None:
    """Takes that back."""
    placeholders.change = None


CLASSES = (ASSETGEN_OT_update_placeholders,)
