"""The connection: is it there, and what does the account hold?"""

from __future__ import annotations

import time

import bpy

from ..bridge import prefs, pump
from ..bridge.session import session
from ..bridge.state import state
from ..core.errors import CoreError, Refused
from ..translation.interface import translated
from . import reports

_LOOK_SECONDS = 0.05


class ASSETGEN_OT_test_service(bpy.types.Operator):
    """Ask the service for the balance of the account. Costs nothing."""

    bl_idname = "assetgen.test_service"
    bl_label = "Test"
    bl_description = "Ask the service for the balance of the account. Costs nothing"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        from ..bridge import preflight  # here, as below: enabling the extension need not wait for it

        words = preflight.obstacle(prefs.settings())
        if words:
            cls.poll_message_set(translated(words + "."))
        return not words and not state.testing

    def execute(self, _context: bpy.types.Context) -> set[str]:
        from ..bridge import preflight

        try:
            runtime = session.runtime()
            if words := preflight.obstacle(session.settings):
                raise Refused(words)
        except CoreError as error:
            return reports.report_error(self, error)
        state.service = None
        pump.expect_test()
        runtime.check_service()
        if not bpy.app.background:
            return {"FINISHED"}
        while state.testing:
            pump.tick()
            time.sleep(_LOOK_SECONDS)
        answer = state.service
        if answer is None or not answer.ok:
            self.report({"ERROR"}, translated(answer.sentence if answer else "There was no answer"))
            return {"CANCELLED"}
        self.report({"INFO"}, translated(answer.sentence))
        return {"FINISHED"}


CLASSES = (ASSETGEN_OT_test_service,)
