"""What a script gets that waits for a job which does not come to a good end, or not in time."""

from __future__ import annotations

from ..errors import CoreError
from .job import JobView


class JobFailed(CoreError):
    """A job that a script waits for did not come to a good end: it failed, was stopped, needs a decision, or its result
    could not be brought in.

    Attributes:
        job: The job as it is now, with its steps and what can be done about it.
        exit_code: As the command line has it.
    """

    def __init__(self, job: JobView) -> None:
        super().__init__(job.error or f"{job.name}: {job.text}", job.advice)
        self.job = job
        self.exit_code = job.exit_code or 1


class StillRunning(CoreError):
    """A job was not done in the time that a script gave it; it goes on.

    Attributes:
        job_ids: Those that are not done.
    """

    def __init__(self, job_ids: list[str], seconds: float) -> None:
        super().__init__(f"After {seconds:g} seconds the work is not done", "Wait for the same jobs again")
        self.job_ids = job_ids
