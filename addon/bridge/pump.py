"""The only place where the workers' news meets Blender.

With a window a timer calls :func:`tick` while something is going on; without one, whoever waits calls it in a loop.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import bpy

from ..core.errors import CoreError, sentences
from ..core.log import logger
from ..core.status.messages import ServiceChecked, StorageChanged
from .redraw import redraw
from .session import session
from .state import state

if TYPE_CHECKING:
    from concurrent.futures import Future

DRAIN_SECONDS = 0.004  # a quarter of a frame at 60 Hz; what is left is taken at the next tick
BUSY_INTERVAL = 0.1
QUICK_INTERVAL = 0.02  # a worker answers in a moment
WAITING_INTERVAL = 0.5  # a result waits for Object Mode
OTHERS_INTERVAL = 3.0  # nothing goes on here, but a job of another Blender may be taken over from it
TEST_SECONDS = 90.0  # longer than a test of the service can take, retries included


WATCHED_SECONDS = 1.0
COUNT_SECONDS = 1.0
SHORT_LOOK_SECONDS = 0.005
HELD = "Waiting for the list of jobs"

Result = TypeVar("Result")


class _Watched:
    """Something that a worker was asked for, who is told how it ended, and the jobs that it is about."""

    def __init__(self, future: Future[Any], done: Callable[[Future[Any]], None], job_ids: Sequence[str]) -> None:
        self.future = future
        self.done = done
        self.job_ids = job_ids
        self.since = time.monotonic()
        self.news = session.news


listeners: list[Callable[[], None]] = []
"""Called on the main thread when the jobs have changed, outside of drawing."""


class _State:
    """What the pump remembers between ticks."""

    def __init__(self) -> None:
        self.watched: list[_Watched] = []
        self.revision = -1
        self.counted_down_at = 0.0
        self.testing_until = 0.0
        self.has_ticked = False
        self.resting = False
        self.loading = False
        self.is_quick = False


_state = _State()


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
    if _state.has_ticked:
        from . import followers  # here, as below: enabling the extension need not wait for it

        followers.clear()
    _state.watched.clear()
    _state.testing_until = 0.0


def new_file() -> None:
    """Results may belong to the file that is open now."""
    if _state.has_ticked:
        from . import followers

        followers.new_file()
    if session.ready is not None:
        start()


def expect_test() -> None:
    """The service is being tested: keep listening for the answer."""
    _state.testing_until = time.monotonic() + TEST_SECONDS
    state.testing = True
    start()


def when_done(future: Future[Any], done: Callable[[Future[Any]], None], job_ids: Sequence[str] = ()) -> None:
    """Calls ``done`` on the main thread when a worker has answered; what takes long is said on the jobs meanwhile."""
    _state.watched.append(_Watched(future, done, job_ids))
    start()


def show_refusal(future: Future[Any], job_ids: Sequence[str]) -> None:
    """Shows with the jobs why what the user asked for was not done, if it was not."""

    def show(ended: Future[Any]) -> None:
        error = ended.exception()
        for job_id in job_ids:
            if error is None:
                state.notices.pop(job_id, None)
            elif isinstance(error, CoreError):
                state.notices[job_id] = sentences(str(error), error.advice)
            else:
                logger(__name__).error("job %s", job_id, exc_info=error)
                state.notices[job_id] = f"This could not be done: {error}"
        redraw()

    when_done(future, show, job_ids)


def result_of(future: Future[Result]) -> Result:
    """Ticks until a worker has done what it was asked for; returns that, or raises its error."""
    while not future.done():
        tick()
        time.sleep(SHORT_LOOK_SECONDS)
    tick()  # what has changed by it is known before the answer
    return future.result()


def tick() -> float | None:
    """Takes news in, and applies one result if one waits and Blender is idle.

    Returns:
        Seconds until it wants to be called again; None when nothing is going on.
    """
    from . import followers

    _state.has_ticked = True
    if not _state.is_quick:  # what comes in piece by piece gets all of the time
        session.follow_settings()
    _state.is_quick = False
    followers.before_news()
    _drain()
    _tell_waiting()
    if state.end_rest():
        redraw()
    if followers.step():
        _drain()  # whoever waits for the job must see at once what has become of it
        _tell_listeners()
        return BUSY_INTERVAL
    _tell_listeners()
    if state.testing and time.monotonic() > _state.testing_until:
        state.update(ServiceChecked(False, "The service did not answer the test"))
        redraw("PREFERENCES")
    _state.is_quick = followers.is_quick()
    if _state.is_quick:
        return QUICK_INTERVAL
    runtime = session.ready
    # Asked for before the messages: the last one comes before the end of what it is about.
    busy_now = session.busy or state.testing or bool(state.storage.busy) or bool(_state.watched)
    has_notes = runtime is not None and runtime.has_notes
    if busy_now or state.rests_any or followers.is_busy() or not session.news.empty():
        return BUSY_INTERVAL
    if followers.waits() or has_notes:
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
    import queue

    from . import followers

    until = time.monotonic() + DRAIN_SECONDS
    changed = False
    while True:
        try:
            message = session.news.get_nowait()
        except queue.Empty:
            break
        changed = True
        state.update(message)
        followers.take(message)
        if isinstance(message, ServiceChecked | StorageChanged):
            redraw("PREFERENCES")
        if time.monotonic() > until:
            break
    if changed:
        redraw()


def _tell_listeners() -> None:
    """Tells of jobs that have changed, and has the time that is left counted down."""
    if _state.revision != state.revision:
        _state.revision = state.revision
        for listener in listeners:
            listener()
    now = time.monotonic()
    if now - _state.counted_down_at > COUNT_SECONDS and any(job.ends_at for job in state.running()):
        _state.counted_down_at = now
        redraw()


def _tell_waiting() -> None:
    """Calls those whose answer is there, and says what those wait for whose answer is not."""
    from . import followers

    for watched in list(_state.watched):
        if watched.news is not session.news:  # of a list of jobs that is left
            _state.watched.remove(watched)
        elif watched.future.done():
            _state.watched.remove(watched)
            watched.done(watched.future)
        elif time.monotonic() - watched.since > WATCHED_SECONDS:
            new = {job_id: HELD for job_id in watched.job_ids if state.notices.get(job_id) != HELD}
            state.notices |= new
            if new:
                redraw()
    session.show_waiting()
    if followers.take_answers() or session.loading is not _state.loading:
        _state.loading = session.loading
        redraw("PREFERENCES")
        redraw()
