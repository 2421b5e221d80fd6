"""The balance that the panel shows: asked for anew whenever a task has ended, since it has cost something then."""

from __future__ import annotations

import time

from ..core.jobs.job import JobView, Stage
from .session import session

PAUSE_SECONDS = 5.0
"""Between two questions, however many tasks end."""

ANSWER_SECONDS = 60.0
"""How long an answer is waited for."""


class Balance:
    """When to ask for the balance. For the main thread, which never waits: a worker asks."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forgets everything: the list of jobs is another one."""
        self._charges: dict[str, tuple[str, ...]] = {}
        self._is_due = False
        self._next = 0.0
        self._until = 0.0

    @property
    def waits(self) -> bool:
        """Whether the balance is to be asked for, or its answer is awaited."""
        return self._is_due or time.monotonic() < self._until

    def job_changed(self, job: JobView) -> None:
        """Notes what the tasks of a job have cost so far: what is heard of first has been paid before."""
        charges = (*(step.credits for step in job.steps), "failed" if job.stage is Stage.FAILED else "")
        known = self._charges.get(job.id)
        self._charges[job.id] = charges
        if known is not None and known != charges and job.service_id == session.settings.service_id:
            self._is_due = not session.settings.is_local

    def answered(self) -> None:
        """The answer has come, or that there is none."""
        self._until = 0.0

    def step(self) -> None:
        """Asks when it is time to."""
        now = time.monotonic()
        runtime = session.ready
        if not self._is_due or now < max(self._next, self._until) or runtime is None:
            return
        self._is_due = False
        self._next, self._until = now + PAUSE_SECONDS, now + ANSWER_SECONDS
        runtime.check_service(asked=False)


balance = Balance()
