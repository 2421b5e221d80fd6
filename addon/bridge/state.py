"""What the workers last said, as the main thread sees it: read by panels, written by the pump and nobody else.

It lives in Python and not in the Scene or the WindowManager: undo must not turn it back, and it must not be saved with
the user's file.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ..core.jobs.stage import RESTING, Stage
from ..core.status.messages import JobChanged, JobRemoved, Message, ServiceChecked, StorageChanged

if TYPE_CHECKING:
    from ..core.jobs.job import JobView
    from ..core.storage.report import StorageReport


REST_SECONDS = 1.0
"""For so long a button that has started a job is dead: the second click of a double click is no second job."""


class State:
    """What is known.

    Attributes:
        jobs: By id, in the order in which they were first heard of.
        notices: Why what the user asked of a job was not done, or not yet, by the job's id.
        service: The last test of the service.
        testing: Whether its answer is awaited.
        trouble: What went wrong with the preferences, as a sentence.
        storage: What goes on in the data folder.
        storage_report: What was last seen of it.
        filled: What is to be said of fields that were filled in from an earlier job, by capability.
        waiting_presses: Presses that wait as modal operators, by any number: until they go on, what they are about has
            to stay as it was, so that no result comes in.
        revision: Grows with every change.
    """

    def __init__(self) -> None:
        self.jobs: dict[str, JobView] = {}
        self.notices: dict[str, str] = {}
        self.service: ServiceChecked | None = None
        self.testing = False
        self.trouble = ""
        self.storage = StorageChanged()
        self.storage_report: StorageReport | None = None
        self.filled: dict[str, str] = {}
        self.waiting_presses: set[int] = set()
        self.revision = 0
        self._pressed, self._rests_until = "", 0.0

    def press(self, name: str) -> None:
        """A person has started a capability: its button rests for a moment."""
        self.filled.pop(name, None)
        self._pressed, self._rests_until = name, time.monotonic() + REST_SECONDS

    def rests(self, name: str) -> bool:
        """Whether the button of a capability rests after a press."""
        return self._pressed == name and time.monotonic() < self._rests_until

    @property
    def rests_any(self) -> bool:
        """Whether a button was pressed, and its rest was not ended by :meth:`end_rest`."""
        return bool(self._pressed)

    def end_rest(self) -> bool:
        """Ends the rest of a button when its time has come; True once, when it has to be drawn as alive again."""
        if not self._pressed or time.monotonic() < self._rests_until:
            return False
        self._pressed = ""
        return True

    def update(self, message: Message) -> None:
        """Stores one piece of news."""
        self.revision += 1
        if isinstance(message, JobChanged):
            self.jobs[message.job.id] = message.job
            self.notices.pop(message.job.id, None)
        elif isinstance(message, JobRemoved):
            self.jobs.pop(message.job_id, None)
            self.notices.pop(message.job_id, None)
        elif isinstance(message, ServiceChecked):
            if message.asked:
                self.service, self.testing = message, False
            elif message.ok:  # a balance that nobody asked for is no test, and that there is none is no news
                self.service = message
        elif isinstance(message, StorageChanged):
            self.storage = message
            self.storage_report = message.report or self.storage_report

    def newest_first(self) -> list[JobView]:
        """All jobs, the latest at the top."""
        return sorted(self.jobs.values(), key=lambda job: job.created_at, reverse=True)

    def running(self) -> list[JobView]:
        """The jobs that go on by themselves."""
        return [job for job in self.jobs.values() if job.stage not in RESTING]

    def ready(self) -> list[JobView]:
        """The jobs whose result waits for the scene, oldest first."""
        return sorted((job for job in self.jobs.values() if job.stage is Stage.READY), key=lambda job: job.created_at)

    def clear(self) -> None:
        """Forgets everything: the runtime that told it is gone."""
        self.revision += 1
        self.jobs.clear()
        self.notices.clear()
        self.service, self.testing, self.trouble = None, False, ""
        self.storage, self.storage_report = StorageChanged(), None


state = State()
