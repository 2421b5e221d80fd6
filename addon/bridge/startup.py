"""The beginning and the end: what goes on by itself when Blender starts, and what must be gone before it ends."""

from __future__ import annotations

import atexit

import bpy

from ..core.paths import Locations
from . import prefs, pump, storage
from .session import session

_SOON_SECONDS = 1.0  # Blender has drawn its first picture by then


def register() -> None:
    """Has unfinished jobs of an earlier Blender go on, a moment after the start."""
    atexit.register(shut_down)
    if not bpy.app.background:
        bpy.app.timers.register(_go_on, first_interval=_SOON_SECONDS, persistent=True)


def unregister() -> None:
    """Ends all that runs."""
    atexit.unregister(shut_down)
    shut_down()


def shut_down() -> None:
    """Stops the timers and the runtime. Also when Blender ends without disabling the extension."""
    if bpy.app.timers.is_registered(_go_on):
        bpy.app.timers.unregister(_go_on)
    pump.stop()
    storage.stop()
    session.shutdown()


def _go_on() -> None:
    """Loads the runtime when a job of an earlier Blender waits for it; costs nothing for everybody else."""
    from ..core.jobs.unfinished import (
        has_unfinished,  # here: it needs sqlite3, which starting Blender need not wait for
    )

    if has_unfinished(Locations(prefs.settings().data_dir).journal):
        session.warm_up()
        pump.start()
