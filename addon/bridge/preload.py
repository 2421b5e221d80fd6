"""Has a thread import what drawing, the first press and the first result need, so that none of them waits for it.

Enabling the extension imports none of it. With a window it is loaded a moment after the start, and a press that comes
earlier waits for it (:mod:`..ops.waiting_press`); where something is missing, the press that needs it says so.

What is loaded stays, so Python's search for cycles is told to pass it over. Each time that this goes through all that
there is, every thread stands: 35 ms for what Blender itself has loaded, and twice that with ours.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable

import bpy

from ..core.log import logger

loaders: list[Callable[[], None]] = []
"""Import what others need to draw and for a press; called on the thread."""


class _State:
    """Whether it has begun, and whether it has ended."""

    def __init__(self) -> None:
        self.begun = False
        self.ended = False
        self.frozen = False


_state = _State()


def start() -> None:
    """Begins to import, once; without a window, where nobody is held up, nothing is loaded before it is needed."""
    if _state.begun or bpy.app.background:
        return
    _state.begun = True
    threading.Thread(target=_load, name="assetgen-load", daemon=True).start()


def is_ready() -> bool:
    """Whether a press has nothing to wait for. Where that is still to be loaded, it begins now at the latest."""
    start()
    return _state.ended or bpy.app.background


def stop() -> None:
    """Has Python look for cycles everywhere again; a later start loads what is missing then."""
    if _state.frozen:
        gc.unfreeze()
    _state.begun = _state.ended = _state.frozen = False


def _load() -> None:
    """Imports, the press first. None of Blender's data is touched."""
    _freeze()  # or the search would go through all that Blender has loaded while this goes on
    try:
        _load_for_press()
        for load in loaders:
            load()
        _load_for_results()
    except Exception:
        logger(__name__).exception("loading ahead")
    _freeze()
    _state.ended = True  # with what results need: two threads that have Python to themselves by turns would both wait


def _freeze() -> None:
    _state.frozen = True
    gc.freeze()


def _load_for_press() -> None:
    import numpy  # noqa: F401  (not every Blender has it loaded at the start)

    from ..core import view_names  # noqa: F401
    from ..core.jobs import job_ids, late_files, staged_files, variants  # noqa: F401
    from ..core.requests import build, field_troubles, plan_checks  # noqa: F401
    from ..core.runtime import pending_jobs, runtime, runtime_proxy  # noqa: F401
    from ..core.service import connection  # noqa: F401
    from .objects import fingerprint, pixel_copies, snapshot  # noqa: F401


def _load_for_results() -> None:
    from ..core.status import job_filter, result_names  # noqa: F401
    from .results import apply_model, parts, show  # noqa: F401
    from .results.motions import apply_motion  # noqa: F401
