"""Results on their way into the open file: claimed and read by a worker, applied when Blender is idle, recorded by a
worker. What stands in between is kept here, for the pump.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import bpy

from ..core.errors import Refused
from ..core.jobs.job import ENDED, Action, JobView, Stage
from ..core.log import logger
from ..core.status.messages import JobChanged
from ..translation.operator_errors import words_of
from . import idle, preload
from .callbacks import callbacks
from .results.open_file import open_file
from .session import session
from .state import state

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .results.assembly import Assembly

OTHERS_FIRST_SECONDS = 3.0
QUICK_SECONDS = 1.0  # a claim is almost always answered sooner


class Arrival:
    """One result on its way.

    Attributes:
        asked: Is told how it ends, where the user asked for it.
        window: Where they did. A result that is for no scene of this file comes into the one that is seen there.
        assembly: The result, where it is a model that is being read into the file.
        is_recorded: Whether what became of it is recorded, and was before the news were read.
    """

    def __init__(self, claim: Future[bool]) -> None:
        self.claim = claim
        self.asked: Future[None] | None = None
        self.window: bpy.types.Window | None = None
        self.record: Future[None] | None = None
        self.assembly: Assembly | None = None
        self.is_recorded = False
        self.begun_at = time.monotonic()


class Arrivals:
    """All results on their way. For the main thread only."""

    def __init__(self) -> None:
        self._coming: dict[str, Arrival] = {}
        self._tried: set[str] = set()
        self._claimed: set[str] = set()
        self._first_seen: dict[str, float] = {}
        self._applying = False
        self._news: object = None  # of the runtime that was asked

    # What is known

    def will_apply(self, job: JobView) -> bool:
        """Whether a result that is ready is applied by itself, now or when Blender is idle."""
        # An answer changes no file, so it does not matter which one is open.
        return job.id not in self._tried and (open_file.is_origin_of(job) or bool(job.answer))

    def is_coming(self, job_id: str) -> bool:
        """Whether a result is on its way, or what became of it is not recorded yet."""
        return job_id in self._coming

    def is_claimed(self, job_id: str) -> bool:
        """Whether the result may be applied by this process."""
        return job_id in self._claimed

    @property
    def waits(self) -> bool:
        """Whether a result waits for Blender to be idle."""
        return any(self.will_apply(job) for job in state.ready()) or bool(self._coming)

    @property
    def is_quick(self) -> bool:
        """Whether a worker is about to answer, or a result is being read into the file."""
        if any(item.assembly is not None and item.record is None for item in self._coming.values()):
            return not idle.busy_reason()
        now = time.monotonic()
        return any(_is_asked(item) and now - item.begun_at < QUICK_SECONDS for item in self._coming.values())

    @property
    def is_asked(self) -> bool:
        """Whether a worker is asked for something."""
        return any(map(_is_asked, self._coming.values()))

    # What is asked for

    def bring_in(self, job: JobView, window: bpy.types.Window | None) -> Future[None]:
        """Has a result brought in because the user wants it, in a window; the future is told how that ends."""
        from concurrent.futures import Future  # here: enabling the extension need not wait for it

        arrival = self._coming.get(job.id) or self._begin(job)
        arrival.window = window
        if arrival.asked is None:
            arrival.asked = Future()
        return arrival.asked

    def expect_record(self, job: JobView, note: str, record: Future[None]) -> None:
        """The result of a claimed job is in the file; what became of it is being recorded."""
        self._claimed.discard(job.id)
        if job.id in self._coming:
            self._coming[job.id].record = record
        # It is in the scene whatever the disk says, so it looks so at once.
        actions = frozenset({Action.APPLY, Action.DISMISS}) if job.blend or job.files else frozenset({Action.DISMISS})
        state.update(JobChanged(job._replace(stage=Stage.APPLIED, text=note or "Done", actions=actions)))

    def expect_failure(self, job: JobView, record: Future[None]) -> None:
        """The result of a claimed job could not be applied, which is being recorded."""
        self._claimed.discard(job.id)
        if job.id in self._coming:
            self._coming[job.id].record = record

    def try_again(self, job_id: str) -> None:
        """A result that could not be applied gets another chance."""
        self._tried.discard(job_id)

    def new_file(self) -> None:
        """Results may belong to the file that is open now, and those on their way to another one."""
        self._tried.clear()
        self._first_seen.clear()
        for job_id, arrival in list(self._coming.items()):
            _stop(arrival)
            if arrival.record is None and arrival.asked is None:
                self._coming.pop(job_id)

    def clear(self) -> None:
        """Forgets everything: the runtime that was asked is gone."""
        self._tried.clear()
        self._claimed.clear()
        for job_id in list(self._coming):
            self._end(job_id, Refused("The list of jobs is another one now"))

    # Step by step

    def note_records(self) -> None:
        """To be called before the news are read: the last word on a job comes before the end of what it is about."""
        for arrival in self._coming.values():
            arrival.is_recorded = arrival.record is not None and arrival.record.done()

    def step(self) -> bool:
        """Goes on with everything as far as that is possible now; whether a result was applied."""
        self._follow_runtime()
        for job_id, arrival in list(self._coming.items()):
            if arrival.is_recorded and arrival.record is not None:
                self._end(job_id, arrival.record.exception())
        if not preload.is_ready():  # right after the start: importing what applies them would hold Blender up
            return False
        if not any(arrival.record is None for arrival in self._coming.values()):
            self._claim_next()
        for job_id, arrival in list(self._coming.items()):
            if arrival.record is None and arrival.claim.done() and self._arrive(job_id, arrival):
                return True
        return False

    def _claim_next(self) -> None:
        due = [job for job in state.ready() if self.will_apply(job) and self._is_due(job)]
        busy = idle.busy_reason() if due else ""
        able = [job for job in due if job.answer or not busy]
        if able and callbacks.apply_result is not None and not self._applying and session.ready is not None:
            self._begin(able[0])

    def _is_due(self, job: JobView) -> bool:
        """A result that another Blender with the same file waits for is left to it for a moment."""
        if open_file.has_started(job):
            return True
        now = time.monotonic()
        return now - self._first_seen.setdefault(job.id, now) > OTHERS_FIRST_SECONDS

    def _begin(self, job: JobView) -> Arrival:
        self._tried.add(job.id)
        runtime = session.runtime()
        self._follow_runtime()
        files = [job.blend] if job.blend else [path for _, path in job.files]
        again = job.stage in ENDED or job.id in self._claimed
        claim = runtime.claim_apply(job.id, files, again=again)
        self._coming[job.id] = Arrival(claim)
        return self._coming[job.id]

    def _follow_runtime(self) -> None:
        if self._news is not session.news:
            self.clear()
            self._news = session.news

    def _arrive(self, job_id: str, arrival: Arrival) -> bool:
        """Applies a result whose claim is answered; False when it cannot be now, or not at all."""
        error = arrival.claim.exception()
        job = state.jobs.get(job_id)
        if error is None and job is not None and not arrival.claim.result():
            error = Refused("Another Blender has brought this result in")
        if error is not None or job is None or callbacks.apply_result is None:
            self._end(job_id, error)
            return False
        if job.stage is Stage.READY:
            self._claimed.add(job_id)
        if self._applying or (not job.answer and (idle.busy_reason() or not self._is_whole(job, arrival))):
            return False
        self._applying = True
        try:
            callbacks.apply_result(job, arrival.window)
        except RuntimeError as failure:
            # The operator has told the job; its report reaches nobody when a timer called it.
            logger(__name__).warning("job %s: the result was not applied: %s", job_id, failure)
            self._tell(job_id, arrival.asked, Refused(words_of(failure)))
        finally:
            self._applying = False
            _stop(arrival)
        if arrival.record is None:
            self._end(job_id, None)
        return True

    def _is_whole(self, job: JobView, arrival: Arrival) -> bool:
        """Whether a result can be placed. A model is read into the file before that, a large one piece by piece; the
        last piece and the placing are two steps, so that Blender is not held up for both at once.
        """
        from .results import apply_images, assembly, naming  # here: enabling the extension need not wait for it

        if not job.blend:
            return not apply_images.prepare(job)
        if arrival.assembly is None:
            if assembly.current() is not None:
                return False
            blend, version = Path(job.blend), bpy.app.version[:2]
            table = session.runtime().run(lambda: assembly.read_table(blend, version))
            arrival.assembly = assembly.begin(blend, table, naming.likely_titles(job))
        return not arrival.assembly.is_reading and not arrival.assembly.step()

    def _end(self, job_id: str, error: BaseException | None) -> None:
        arrival = self._coming.pop(job_id)
        _stop(arrival)
        if error is not None:
            logger(__name__).info("job %s: its result does not come in: %s", job_id, error)
        self._tell(job_id, arrival.asked, error)

    def _tell(self, job_id: str, asked: Future[None] | None, error: BaseException | None) -> None:
        if asked is None or asked.done():
            return
        if error is None:
            asked.set_result(None)
        else:
            asked.set_exception(error)


def _stop(arrival: Arrival) -> None:
    """Gives up the pieces of a result that have come; none are left where it was placed."""
    if arrival.assembly is not None:
        arrival.assembly.end()


def _is_asked(arrival: Arrival) -> bool:
    futures = (arrival.claim, arrival.record)
    return any(future is not None and not future.done() for future in futures)


arrivals = Arrivals()
