"""Makes and removes the empties that stand for results of running jobs, as a step of undo of its own."""

from __future__ import annotations

import bpy

from ..bridge.callbacks import callbacks


class ASSETGEN_OT_update_placeholders(bpy.types.Operator):
    """Show running jobs where their results will be."""

    bl_idname = "assetgen.update_placeholders"
    bl_label = "Update Placeholders"
    bl_description = "Have an object stand where the result of each running job will be, if that was wanted"
    # No UNDO among the options: the step is to be named after the job, so execute pushes it.
    bl_options = {"INTERNAL"}

    def execute(self, _context: bpy.types.Context) -> set[str]:
        from ..bridge.placeholders import placeholders  # here, as below: enabling the extension need not wait for it

        words = placeholders.update()
        if words and not bpy.app.background:
            bpy.ops.ed.undo_push(message=words)
        return {"FINISHED"} if words else {"CANCELLED"}


def _update() -> None:
    from ..bridge import idle

    window = None if bpy.app.background else idle.window_for()
    if window is None:
        bpy.ops.assetgen.update_placeholders("EXEC_DEFAULT")
    else:
        with bpy.context.temp_override(window=window):
            bpy.ops.assetgen.update_placeholders("EXEC_DEFAULT", True)


def register() -> None:
    """Has them made with the operator."""
    callbacks.change_placeholders = _update


def unregister() -> None:
    """Takes that back."""
    callbacks.change_placeholders = None


CLASSES = (ASSETGEN_OT_update_placeholders,)
