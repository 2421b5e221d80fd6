"""The only place where the workers' news meets Blender.

With a window a timer calls :func:`tick` while something is going on; without one, whoever waits calls it in a loop.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import bpy

from ..core.jobs.job import JobView, Stage
from ..core.log import logger
from ..core.status.messages import JobChanged, ServiceChecked, StorageChanged
from . import idle
from .redraw import redraw
from .results import apply_result
from .results.open_file import open_file
from .session import session
from .state import state

DRAIN_SECONDS = 0.004  # a quarter of a frame at 60 Hz; what is left is taken at the next tick
BUSY_INTERVAL = 0.1
WAITING_INTERVAL = 0.5  # a result waits for Object Mode
OTHERS_INTERVAL = 3.0  # nothing goes on here, but a job of another Blender may be taken over from it
OTHERS_FIRST_SECONDS = 3.0
TEST_SECONDS = 90.0  # longer than a test of the service can take, retries included


@dataclass(slots=True)
class _State:
    """What the pump remembers between ticks."""

    tried: set[str] = field(default_factory=set)
    first_seen: dict[str, float] = field(default_factory=dict)
    testing_until: float = 0.0
    apply: Callable[[JobView], None] | None = None
    applying: bool = False
    resting: bool = False


_state = _State()


def set_applier(apply: Callable[[JobView], None] | None) -> None:
    """Says what applies the result of a job to the open file; without it results wait."""
    _state.apply = apply


def start() -> None:
    """Has the timer run, where timers run at all; and soon, when its next call is far away."""
    if bpy.app.background:
        return
    registered = bpy.app.timers.is_registered(_on_timer)
    if registered and _state.resting:
        bpy.app.timers.unregister(_on_timer)
    if not registered or _state.resting:
        _state.resting = False
        bpy.app.timers.register(_on_timer, first_interval=0.02, persistent=True)


def stop() -> None:
    """Ends the timer: one that is left at exit hangs Blender 4.5 and crashes 4.2."""
    if bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.unregister(_on_timer)
    _state.tried.clear()
    _state.testing_until = 0.0


def new_file() -> None:
    """Results may belong to the file that is open now."""
    _state.tried.clear()
    _state.first_seen.clear()
    start()


def expect_test() -> None:
    """The service is being tested: keep listening for the answer."""
    _state.testing_until = time.monotonic() + TEST_SECONDS
    state.testing = True
    start()


def will_apply(job: JobView) -> bool:
    """Whether a result that is ready is applied by itself, now or when Blender is idle."""
    # An answer changes no file, so it does not matter which one is open.
    return job.id not in _state.tried and (open_file.is_origin_of(job) or bool(job.answer))


def try_again(job_id: str) -> None:
    """A result that could not be applied gets another chance."""
    _state.tried.discard(job_id)


def _is_due(job: JobView) -> bool:
    """A result that another Blender with the same file waits for is left to it for a moment."""
    if open_file.has_started(job):
        return True
    now = time.monotonic()
    return now - _state.first_seen.setdefault(job.id, now) > OTHERS_FIRST_SECONDS


def tick() -> float | None:
    """Takes news in, and applies one result if one waits and Blender is idle.

    Returns:
        Seconds until it wants to be called again; None when nothing is going on.
    """
    session.follow_settings()
    if session.ready is not None:
        session.ready.retry_notes()
    _drain()
    waiting = [job for job in state.ready() if will_apply(job)]
    due = [job for job in waiting if _is_due(job)]
    busy = idle.busy_reason() if due else ""
    able = [job for job in due if job.answer or not busy]
    if able and _state.apply is not None and not _state.applying:
        _apply(able[0], _state.apply)
        _drain()  # whoever waits for the job must see at once what has become of it
        return BUSY_INTERVAL
    if state.testing and time.monotonic() > _state.testing_until:
        state.update(ServiceChecked(False, "The service did not answer the test"))
        redraw("PREFERENCES")
    runtime = session.ready
    asked = state.testing or bool(state.storage.busy)
    busy_now = session.loading or asked or (runtime is not None and runtime.busy)
    if busy_now or not session.news.empty():  # asked in this order: the last message comes before the end of "busy"
        return BUSY_INTERVAL
    if waiting or (runtime is not None and runtime.has_notes):
        return WAITING_INTERVAL
    return OTHERS_INTERVAL if runtime is not None and runtime.has_others else None


def _on_timer() -> float | None:
    _state.resting = False
    try:
        interval = tick()
        _state.resting = interval == OTHERS_INTERVAL
        return interval
    except Exception:  # an exception that leaves a timer ends it in silence, with jobs left hanging
        logger(__name__).exception("the pump")
        return WAITING_INTERVAL


def _drain() -> None:
    until = time.monotonic() + DRAIN_SECONDS
    changed = False
    while True:
        try:
            message = session.news.get_nowait()
        except queue.Empty:
            break
        changed = True
        state.update(message)
        if isinstance(message, JobChanged) and message.job.stage is Stage.APPLIED:
            apply_result.record_source_provenance(message.job)
        if isinstance(message, ServiceChecked | StorageChanged):
            redraw("PREFERENCES")
        if time.monotonic() > until:
            break
    if changed:
        redraw()


def _apply(job: JobView, apply: Callable[[JobView], None]) -> None:
    _state.tried.add(job.id)
    _state.applying = True
    try:
        apply(job)
    finally:
        _state.applying = False
