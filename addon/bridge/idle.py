"""Is this a moment in which the scene may change under the user's hands?"""

from __future__ import annotations

import bpy

from .state import state

_BUSY_OPTIONS = {"BLOCKING", "GRAB_CURSOR", "GRAB_CURSOR_X", "GRAB_CURSOR_Y", "UNDO", "UNDO_GROUPED"}
"""A modal operator with one of these works on something. Others, such as those of screencast add-ons, run for hours."""

_TOOL = "Waits until the running tool ends"
_BAKES = "Waits until the bake is done"


def _bakes(command: str) -> bool:
    """Whether a modal operator is a bake that Blender tells in no other way.

    These end with the next event after their work, such as a movement of the mouse.
    """
    return "bake" in command.lower() and command != "OBJECT_OT_bake"


def _is_ours(command: str) -> bool:
    """Whether a modal operator may be a press that waits: one that Blender took away without a word waits no more."""
    return command.startswith("ASSETGEN_OT_")


def window_for(scene: bpy.types.Scene | None = None) -> bpy.types.Window | None:
    """A window that shows ``scene``, else the first one; None where there is no screen (the bpy module, background)."""
    windows = list(bpy.context.window_manager.windows)
    return next((window for window in windows if window.scene == scene), windows[0] if windows else None)


def busy_reason() -> str:
    """What a result has to wait for, as words for the job list; empty when it can be applied now."""
    if bpy.app.is_job_running("RENDER"):
        return "Waits until the render is done"
    if bpy.app.is_job_running("OBJECT_BAKE"):
        return _BAKES
    if bpy.app.background:
        return "" if bpy.context.mode == "OBJECT" else "Waits for Object Mode"
    for window in bpy.context.window_manager.windows:
        if any(_bakes(operator.bl_idname) for operator in window.modal_operators):
            return _BAKES
        if state.waiting_presses and any(_is_ours(operator.bl_idname) for operator in window.modal_operators):
            return _TOOL
        if any(operator.bl_options & _BUSY_OPTIONS for operator in window.modal_operators):
            return _TOOL
        item = window.view_layer.objects.active
        if item is not None and item.mode != "OBJECT":
            return "Waits for Object Mode"
    return ""
