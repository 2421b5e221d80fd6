"""Jobs that were asked for and are not in the journal yet: they can be seen at once, and nothing is sent for them."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue

from ..errors import WrongService
from ..jobs.job import RESTING, Action, JobPlan, JobView, Stage
from ..jobs.records import JobRecord, StepRecord
from ..jobs.staged_files import remove_folder
from ..requests.plan_checks import first_stage
from ..status.error_messages import ExitCode, present
from ..status.job_view import LiveProgress, make_view
from ..status.messages import JobChanged, JobRemoved, Message

_STARTING = "Starting"
_STOPPING = "Stopping"
_STOPPED = "Stopped. No task was started and nothing is charged"


@dataclass(slots=True)
class PendingJob:
    """A job that is not in the journal. ``staged`` is the folder of its files, where it has any.

    ``begun`` says that a worker is about to enter it, ``asked_to_stop`` that the user wants it no more.
    """

    record: JobRecord
    staged: Path | None
    text: str
    asked_since: float
    begun: bool = False
    asked_to_stop: bool = False

    @property
    def view(self) -> JobView:
        """The job as people see it."""
        return make_view(self.record, LiveProgress(text=self.text), now=time.time())


class PendingJobs:
    """The jobs of one data folder that wait for its journal. Thread-safe; its lock is held for no more than memory.

    Args:
        news: Where messages go.
    """

    def __init__(self, news: SimpleQueue[Message]) -> None:
        self._news = news
        self._lock = threading.Lock()
        self._jobs: dict[str, PendingJob] = {}

    @property
    def busy(self) -> bool:
        """Whether one of them waits to be entered. Costs nothing."""
        return any(job.record.stage not in RESTING for job in list(self._jobs.values()))

    def __contains__(self, job_id: str) -> bool:
        return job_id in self._jobs

    def add(self, job_id: str, plan: JobPlan, service_id: str, staged: Path | None) -> None:
        """Shows a new job."""
        now = time.time()
        record = JobRecord(
            id=job_id,
            plan=plan,
            service_id=service_id,
            stage=first_stage(plan),
            resume=None,
            position=0,
            created_at=now,
            changed_at=now,
            revision=0,
            steps=tuple(StepRecord(position, step.capability) for position, step in enumerate(plan.steps)),
        )
        with self._lock:
            self._show(self._jobs.setdefault(job_id, PendingJob(record, staged, _STARTING, time.monotonic())))

    def begin(self, job_id: str, service_id: str) -> PendingJob | None:
        """The job, which is entered now; None when nobody wants it any more.

        Raises:
            WrongService: It was meant for another service than the one that is set by now.
        """
        with self._lock:
            job = self._jobs.get(job_id)
            if job is None or job.record.stage in RESTING:
                return None
            if job.record.service_id != service_id:
                raise WrongService(job.record.service_id)
            job.begun = True
            return job

    def entered(self, job_id: str) -> bool:
        """The job is in the journal, which shows it from now on; whether it was asked to stop meanwhile."""
        with self._lock:
            job = self._jobs.pop(job_id)
        if job.staged is not None:
            remove_folder(job.staged)
        return job.asked_to_stop

    def failed(self, job_id: str, error: BaseException) -> None:
        """The job could not be entered: nothing was sent for it."""
        with self._lock:
            job = self._jobs.get(job_id)
            if job is None or job.record.stage in RESTING:
                return
            if job.asked_to_stop:
                self._stop(job)
                return
            message = present(error)
            advice = message.advice or "Press Retry when that is mended"
            columns = {**message.columns(), "advice": f"Nothing was sent and nothing is charged. {advice}"}
            self._rest(job, Stage.FAILED, "", **columns)

    def act(self, job_id: str, action: Action) -> bool:
        """Does what the user asked for; whether the job has to be entered (again).

        Raises:
            LookupError: There is no such job here.
        """
        with self._lock:
            job = self._jobs[job_id]
            if action is Action.STOP and job.record.stage not in RESTING:
                job.asked_to_stop = True
                if job.begun:  # what is under way cannot be told; it is stopped as soon as it is entered
                    self._say(job, _STOPPING)
                else:
                    self._stop(job)
            elif action is Action.RETRY and job.record.stage in RESTING:
                stage = job.record.resume or first_stage(job.record.plan)
                job.record = replace(
                    job.record, stage=stage, resume=None, text="", error="", advice="", exit_code=0, error_code=0
                )
                job.asked_to_stop, job.asked_since = False, time.monotonic()
                self._say(job, _STARTING)
                return True
            elif action is Action.DISMISS and job.record.stage in RESTING:
                self._jobs.pop(job_id)
                self._news.put(JobRemoved(job_id))
                if job.staged is not None:
                    remove_folder(job.staged)
            return False

    def say(self, words: str, *, after: float = 0.0) -> None:
        """Says on those that wait, and have done so for ``after`` seconds, what they wait for."""
        with self._lock:
            now = time.monotonic()
            for job in self._jobs.values():
                waits = job.record.stage not in RESTING and not job.asked_to_stop
                if waits and now - job.asked_since >= after and (not after or job.text == _STARTING):
                    self._say(job, words)

    def clear(self) -> None:
        """Forgets all of them: they belong to a data folder that is left."""
        with self._lock:
            for job in self._jobs.values():
                if job.staged is not None:
                    remove_folder(job.staged)
            self._jobs.clear()

    # With the lock

    def _stop(self, job: PendingJob) -> None:
        self._rest(job, Stage.STOPPED, _STOPPED, exit_code=int(ExitCode.INTERRUPTED))

    def _rest(self, job: PendingJob, stage: Stage, text: str, **columns: object) -> None:
        job.record = replace(
            job.record,
            stage=stage,
            resume=job.record.stage,
            changed_at=time.time(),
            text=text,
            **columns,  # type: ignore[arg-type]
        )
        job.begun = False
        self._say(job, "")

    def _say(self, job: PendingJob, words: str) -> None:
        if job.text != words or job.record.stage in RESTING:
            job.text = words
            self._show(job)

    def _show(self, job: PendingJob) -> None:
        self._news.put(JobChanged(job.view))
