"""Reports of what happens by itself, where Blender shows its reports: in the status bar and in the Info editor.

An operator that Python calls reports to Python alone. One that Blender calls reports to the user; what it is called by
here is a timer's event and an entry for it in the keymap, both for that moment only. Unlike a modal operator, at whose
end Blender lets go of the mouse, this takes nothing from a tool, a slider or a text field that is being used.
"""

import bpy

from ..bridge.callbacks import callbacks
from ..translation.interface import translated

_SECONDS = 0.05


class _State:
    """The lines that wait, and what has Blender call the operator."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, bool]] = []
        self.timer: bpy.types.Timer | None = None
        self.item: bpy.types.KeyMapItem | None = None


_state = _State()


class ASSETGEN_OT_report(bpy.types.Operator):
    """Say what has come of jobs."""

    bl_idname = "assetgen.report"
    bl_label = "Report"
    bl_description = "Say what has come of jobs"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        return bool(_state.lines)

    def execute(self, _context: bpy.types.Context) -> set[str]:
        lines, _state.lines = _state.lines, []
        for line, ok in lines:
            # Not as an error: Blender would open a popup for it, under the mouse of somebody who does something else.
            self.report({"INFO" if ok else "WARNING"}, translated(line))
        _disarm()
        return {"FINISHED", "PASS_THROUGH"}


def say(line: str, ok: bool) -> None:
    """Reports a line with the next turn of Blender's main loop, as a warning unless all is well."""
    _state.lines.append((line, ok))
    _disarm()  # the timer may have gone with its window
    _arm()


def _arm() -> None:
    manager = bpy.context.window_manager
    if manager.keyconfigs.addon is None or not manager.windows:
        return
    keymap = manager.keyconfigs.addon.keymaps.new(name="Window", space_type="EMPTY")
    _state.item = keymap.keymap_items.new(ASSETGEN_OT_report.bl_idname, "TIMER", "ANY")
    _state.timer = manager.event_timer_add(_SECONDS, window=manager.windows[0])


def _disarm() -> None:
    manager = bpy.context.window_manager
    if _state.timer is not None:
        manager.event_timer_remove(_state.timer)
    if _state.item is not None:
        keymap = manager.keyconfigs.addon.keymaps.new(name="Window", space_type="EMPTY")
        keymap.keymap_items.remove(_state.item)
    _state.timer = _state.item = None


def register() -> None:
    """Has the ends of jobs reported."""
    callbacks.report_end = say


def unregister() -> None:
    """Takes that back."""
    callbacks.report_end = None
    _state.lines.clear()
    _disarm()


CLASSES = (ASSETGEN_OT_report,)
