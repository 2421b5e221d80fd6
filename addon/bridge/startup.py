"""The beginning and the end: what goes on by itself when Blender starts, and what must be gone before it ends."""

from __future__ import annotations

import atexit
import threading
from pathlib import Path

import bpy

from ..core.paths import Locations
from . import prefs, preload, pump, storage
from .objects import triangle_counts
from .recipe_runs import recipe_runs
from .session import session

_SOON_SECONDS = 0.05  # between the first turn of Blender's loop, which ends with the first picture, and the next
_LOOK_SECONDS = 0.1
_LONGEST_SECONDS = 10.0


class _State:
    """The look for unfinished jobs, which a thread does: the data folder may be on a drive that does not answer."""

    def __init__(self) -> None:
        self.has_drawn = False
        self.thread: threading.Thread | None = None
        self.found = False
        self.waited = _LOOK_SECONDS


_state = _State()


def register() -> None:
    """Has unfinished jobs of an earlier Blender go on, a moment after the start."""
    atexit.register(shut_down)
    preload.loaders.append(_load_ahead)
    if not bpy.app.background:
        _state.has_drawn = False
        bpy.app.timers.register(_go_on, first_interval=0.0, persistent=True)


def unregister() -> None:
    """Ends all that runs."""
    preload.loaders.remove(_load_ahead)
    atexit.unregister(shut_down)
    shut_down()
    preload.stop()


def shut_down() -> None:
    """Stops the timers and the runtime. Also when Blender ends without disabling the extension."""
    if bpy.app.timers.is_registered(_go_on):
        bpy.app.timers.unregister(_go_on)
    recipe_runs.stop()
    pump.stop()
    triangle_counts.stop()
    storage.stop()
    session.shutdown()


def _go_on() -> float | None:
    """Loads what a press needs, on a thread; also the runtime when a job of an earlier Blender waits for it. Blender
    calls it before it draws for the first time, and that waits for nothing.
    """
    if not _state.has_drawn:
        _state.has_drawn = True
        return _SOON_SECONDS
    if _state.thread is None:
        preload.start()
        journal = Locations(prefs.settings().data_dir).journal
        _state.thread = threading.Thread(target=_look, args=(journal,), daemon=True, name="assetgen-unfinished")
        _state.thread.start()
        return _LOOK_SECONDS
    if _state.thread.is_alive():  # a drive that does not answer at once is asked less and less often
        _state.waited = min(_LONGEST_SECONDS, 2 * _state.waited)
        return _state.waited
    if _state.found:
        session.warm_up()
        pump.start()
    return None


def _load_ahead() -> None:
    from . import field_checks, followers  # noqa: F401


def _look(journal: Path) -> None:
    from ..core.jobs.unfinished import (
        has_unfinished,  # here: it needs sqlite3, which starting Blender need not wait for
    )

    _state.found = has_unfinished(journal)
