"""Waits for jobs, and says how they ended."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any

from ..core.errors import Refused, sentences
from ..core.jobs.job import RESTING, Action, JobView, Stage
from ..core.runtime.runtime import Runtime
from ..core.settings import LOCAL, Settings
from ..core.status.error_messages import ExitCode
from ..core.status.messages import Message
from .progress import Reporter

_LOOK_SECONDS = 0.25
_END_SECONDS = 10.0
_OFFER_SECONDS = 5.0

_DECISIONS = (Action.RETRY, Action.ADOPT, Action.LOOK_AGAIN, Action.RESEND, Action.FORGET)
"""What a person can do about a job that did not end well."""


class FollowedRuntime:
    """A runtime and its news."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._news: SimpleQueue[Message] = SimpleQueue()
        self.runtime = Runtime(settings, news=self._news)

    def follow(self, job_ids: Sequence[str], show: Reporter) -> list[JobView]:
        """Shows jobs until nothing more happens to them by themselves; returns them in the given order.

        Raises:
            LookupError: One is not there, or was dismissed meanwhile.
        """
        while True:
            jobs = [self.runtime.job(job_id) for job_id in job_ids]
            for job in jobs:
                show.job(job)
            if all(job.stage in RESTING for job in jobs):
                return jobs
            self.pause()

    def await_action(self, job_id: str, action: Action) -> JobView:
        """The job, as soon as it offers an action, or its request is no longer open.

        One that was just taken over must first see where it stands.
        """
        deadline = time.monotonic() + _OFFER_SECONDS
        while True:
            job = self.runtime.job(job_id)
            if action in job.actions or job.stage is not Stage.CREATE or time.monotonic() > deadline:
                return job
            self.pause()

    def pause(self) -> None:
        """Until there is news; then all of it is taken at once."""
        with contextlib.suppress(Empty):
            self._news.get(timeout=_LOOK_SECONDS)
            while True:
                self._news.get_nowait()


@contextmanager
def followed_runtime(settings: Settings) -> Iterator[FollowedRuntime]:
    """A started runtime. At the end it gives back what is unfinished; that goes on at the next start.

    Raises:
        CoreError: The data folder cannot be used.
    """
    followed = FollowedRuntime(settings)
    followed.runtime.start()
    try:
        yield followed
    finally:
        followed.runtime.shutdown(_END_SECONDS)


def report(job: JobView, show: Reporter) -> int:
    """Says how a job ended and what it gave; returns the exit code."""
    show.close()
    tasks = [step.task_id for step in job.steps if step.task_id]
    facts: dict[str, Any] = {
        "job": job.id,
        "name": job.name,
        "stage": str(job.stage),
        "tasks": tasks,
        "credits": job.credits,
        "seconds": round(job.seconds, 3),
    }
    if job.stage in (Stage.APPLIED, Stage.READY):
        files = files_of(job)
        # What the local engine counts is no money.
        charged = f", {job.credits} credits" if job.credits and job.service_id != LOCAL else ""
        words = f"{job.name}: {job.text} ({job.seconds:.1f} s{charged})"
        # A job that gives nothing to read or to open was there for its task.
        lines = [job.answer] * bool(job.answer) + list(files.values()) or tasks[-1:]
        told = {"answer": job.answer, "note": job.note, "understood": job.understood}
        show.result("done", sentences(words, job.note, job.understood), lines, **facts, files=files, **told)
        return ExitCode.DONE
    code = job.exit_code or ExitCode.FAILED
    words = sentences(job.error or job.text, job.note, job.advice, _choices(job))
    show.event("error", f"{job.name}: {words}.", **facts, note=job.note, request_id=job.request_id, exit_code=int(code))
    return int(code)


def command_of(action: Action) -> str:
    """What an action is called on the command line."""
    return str(action).replace("_", "-")


def kept_files(job: JobView) -> dict[str, str]:
    """Every file that a job gave, by what it is, in the folder of results that is our own."""
    return dict(job.files) or ({"model": job.result} if job.result else {})


def files_of(job: JobView) -> dict[str, str]:
    """Every file that a job gave, by what it is: in the folder where it was delivered to one, else in our own."""
    return kept_files(job) | dict(job.delivered)


def job_of(runtime: Runtime, job_id: str) -> JobView:
    """A job.

    Raises:
        Refused: There is none with this id.
    """
    try:
        return runtime.job(job_id)
    except LookupError:
        raise Refused(f"There is no job {job_id}", "assetgen jobs list shows those there are") from None


def _choices(job: JobView) -> str:
    """The commands for what the advice, which is written for a panel, calls by the names of its buttons."""
    commands = [f"assetgen jobs {command_of(action)} {job.id}" for action in _DECISIONS if action in job.actions]
    return f"On the command line: {', '.join(commands)}" if commands else ""
