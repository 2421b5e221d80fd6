"""Jobs that come to their end while this Blender looks on: each is reported once, those that end together as one."""

from __future__ import annotations

import time

import bpy

from ..core.jobs.job import RESTING, JobView, Stage
from ..core.status.end_report import end_report
from .arrivals import arrivals
from .callbacks import callbacks
from .results.open_file import open_file
from .session import session
from .state import state

TOGETHER_SECONDS = 0.6
"""Jobs that end within this time are one report: reports take each other's place in the status bar."""


class Endings:
    """The jobs that were seen at work, and those whose end is to be reported. For the main thread only."""

    def __init__(self) -> None:
        self._followed: dict[str, None] = {}  # in the order in which they were first seen
        self._ended: list[JobView] = []
        self._due = 0.0

    @property
    def waits(self) -> bool:
        """Whether an end is about to be reported."""
        return bool(self._ended)

    def seen(self, job: JobView) -> None:
        """A job looks different."""
        if job.stage not in RESTING and not bpy.app.background and _is_ours(job):
            self._followed.setdefault(job.id)

    def step(self) -> None:
        """Reports what has ended, as soon as nothing more can be expected to end with it."""
        for job_id in list(self._followed):
            job = state.jobs.get(job_id)
            if job is None or _has_ended(job):
                self._followed.pop(job_id)
                if job is not None:
                    self._due = self._due if self._ended else time.monotonic() + TOGETHER_SECONDS
                    self._ended.append(job)
        if self._ended and time.monotonic() >= self._due:
            ended, self._ended = self._ended, []
            if callbacks.report_end is not None:
                callbacks.report_end(*end_report(ended))

    def clear(self) -> None:
        """Forgets everything: another list of jobs is shown."""
        self._followed.clear()
        self._ended.clear()


def _is_ours(job: JobView) -> bool:
    """Whether a running job is one of this Blender: those of another one are reported there."""
    return open_file.has_started(job) or session.ready is None or not session.ready.has_others


def _has_ended(job: JobView) -> bool:
    if job.stage is Stage.READY:  # one that comes in by itself ends when it has
        return not arrivals.will_apply(job) and not arrivals.is_coming(job.id)
    return job.stage in RESTING


endings = Endings()
