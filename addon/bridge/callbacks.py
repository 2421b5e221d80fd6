"""What only operators and drawing can do for the bridge: their modules say how when they are registered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from ..core.jobs.job import JobView

    ApplyResult = Callable[[JobView, bpy.types.Window | None], None]
    DrawHeader = Callable[[bpy.types.Header, bpy.types.Context], None]


class Callbacks:
    """Each is None where it cannot be done: before it is registered, and where there is no interface.

    Attributes:
        apply_result: Applies a claimed result, in the window where the user asked for it.
        change_placeholders: Makes and removes the empties that stand for results, in a step of undo.
        report_end: Reports a line; with it, whether all is well.
        draw_status: Draws our part of the status bar; a draw function of Blender's headers.
    """

    def __init__(self) -> None:
        self.apply_result: ApplyResult | None = None
        self.change_placeholders: Callable[[], None] | None = None
        self.report_end: Callable[[str, bool], None] | None = None
        self.draw_status: DrawHeader | None = None


callbacks = Callbacks()
