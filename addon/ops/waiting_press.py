"""A press that waits: for what it needs to be loaded, or for copies of painted pixels. Blender goes on meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import bpy

from ..bridge import preload
from ..bridge.state import state
from ..translation.interface import translated
from ..translation.operator_errors import words_of

_LOOK_SECONDS = 0.02

GoOn = Callable[[bpy.types.Context, bpy.types.Event], set[str]]


class WaitingPress:
    """Before an operator's own methods: it waits as a modal one and goes on by itself.

    A script that calls ``execute`` gets its answer at once, so only a press waits. As long as it does, further keys and
    clicks come to nothing and results stay outside, so that what it is about is still what was selected; Escape takes
    it back. Where another file is opened meanwhile, Blender ends it.

    Attributes:
        has_waited: Whether it is in Blender's list of running operators, which a dialog must not be: what asks calls
            :meth:`press_anew`.
    """

    bl_idname: str
    properties: Any
    report: Any
    has_waited = False
    _timer: bpy.types.Timer | None = None
    _is_over: Callable[[], bool]
    _go_on: GoOn

    def wait(self, context: bpy.types.Context, words: str, is_over: Callable[[], bool], go_on: GoOn) -> set[str]:
        """Begins to wait, or goes on waiting for something else.

        Args:
            context: That of the press.
            words: What the status bar says of it.
            is_over: Asked again and again, for a moment each time; whether there is nothing more to wait for.
            go_on: What is done then; its answer is the operator's.

        Returns:
            The answer of ``invoke`` or ``modal``.
        """
        self._is_over, self._go_on = is_over, go_on
        state.waiting_presses.add(id(self))
        self._timer = context.window_manager.event_timer_add(_LOOK_SECONDS, window=context.window)
        if not self.has_waited:
            self.has_waited = True
            context.window_manager.modal_handler_add(self)  # type: ignore[arg-type]
        context.window.cursor_modal_set("WAIT")
        context.workspace.status_text_set(translated(words))
        return {"RUNNING_MODAL"}

    def with_copies(
        self,
        context: bpy.types.Context,
        images: Iterable[bpy.types.Image],
        run: Callable[[bpy.types.Context], set[str]],
    ) -> set[str]:
        """Does something that copies the pixels of some images; where that takes long, once it has been done while
        Blender goes on.
        """
        from ..bridge.objects.pixel_copies import PixelCopies  # here: enabling the extension need not wait for it

        copies = PixelCopies.of(images) if context.window is not None else None
        if copies is None:
            return run(context)

        def go_on(context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
            with copies.used():
                return run(context)

        return self.wait(context, "Copies painted textures, then starts. Esc: do not start", copies.step, go_on)

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Goes on when there is nothing more to wait for."""
        if event.type == "ESC" and event.value == "PRESS":
            self.cancel(context)
            return {"CANCELLED"}
        if not event.type.startswith("TIMER"):
            return {"RUNNING_MODAL"}
        try:
            is_over = self._is_over()
        except Exception:  # Blender ends the operator then, and calls nothing of it any more
            self.cancel(context)
            raise
        if not is_over:
            return {"PASS_THROUGH"}  # there are others who wait for timers
        go_on = self._go_on
        self.cancel(context)
        return go_on(context, event)

    def cancel(self, context: bpy.types.Context) -> None:
        """Takes back what shows that it waits. Blender calls it, too: when a file is opened, and for a dialog."""
        if self._timer is None:
            return
        state.waiting_presses.discard(id(self))
        context.window_manager.event_timer_remove(self._timer)
        self._timer = None
        del self._is_over, self._go_on  # and with them what they hold
        if context.window is not None:
            context.window.cursor_modal_restore()
        if context.workspace is not None:
            context.workspace.status_text_set(None)

    def press_anew(self) -> set[str]:
        """Has another operator of this kind do what this one would."""
        operator = getattr(bpy.ops.assetgen, type(self).bl_idname.partition(".")[2])
        try:
            operator("INVOKE_DEFAULT", **_given(self.properties))
        except RuntimeError as error:
            self.report({"ERROR"}, translated(words_of(error)))
        return {"CANCELLED"}


class WaitsForLoading(WaitingPress):
    """Before an operator's own ``invoke``, or its ``execute`` where it has none; one that has no other base which
    invokes it says in :meth:`press` what it asks.
    """

    execute: Any

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Goes on at once where all is loaded; else when the thread that loads it has ended, whatever came of it: what
        is missing is said by what needs it.
        """
        if preload.is_ready() or context.window is None:
            return self.press(context, event)
        words = "Starts as soon as the extension is loaded. Esc: do not start"
        return self.wait(context, words, preload.is_ready, self.press)

    def press(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """What is done when all is loaded."""
        invoke = getattr(super(), "invoke", None)
        return set(invoke(context, event) if invoke is not None else self.execute(context))


def _given(properties: Any) -> dict[str, Any]:
    """The properties that were set, as a call of an operator takes them: lists, such as that of dropped files, too."""
    found = {}
    for item in properties.bl_rna.properties:
        if item.identifier != "rna_type" and properties.is_property_set(item.identifier):
            value = getattr(properties, item.identifier)
            found[item.identifier] = list(map(_given, value)) if item.type == "COLLECTION" else value
    return found
