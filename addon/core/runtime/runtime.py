"""The face of the engine room, for bridge and command line. Never bpy, and never the network on the caller's thread."""

from __future__ import annotations

from collections.abc import Mapping
from queue import SimpleQueue
from typing import Any

from ..errors import Refused
from ..jobs.job import Action, JobPlan, JobView
from ..limits.timeouts import Timing
from ..requests.prices import Price
from ..settings import Settings
from ..stages.converter import Converter
from ..status.messages import JobRemoved, Message
from .started_runtime import StartedRuntime

_NOT_STARTED = "The engine room has not been started"


class Runtime:
    """All jobs of one data folder, run and shown by this process.

    Args:
        settings: The connection and the data folder.
        news: Where messages go; only the pump reads it.
        converter: The background conversions; a background Blender when left out.
        timing: How patient it is.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        news: SimpleQueue[Message],
        converter: Converter | None = None,
        timing: Timing | None = None,
    ) -> None:
        self._settings = settings
        self._news = news
        self._converter = converter
        self._timing = timing or Timing()
        self._started: StartedRuntime | None = None

    def start(self) -> None:
        """Opens the journal, shows every job in it and goes on with those that nobody else runs. No network.

        Raises:
            JournalTrouble: The data folder cannot be used.
        """
        if self._started is None:
            self._started = StartedRuntime(self._settings, self._news, self._converter, self._timing)

    def shutdown(self, timeout: float = 5.0) -> None:
        """Ends everything; unfinished jobs go on at the next start, here or in another process."""
        started, self._started = self._started, None
        if started is not None:
            started.close(timeout)

    @property
    def busy(self) -> bool:
        """Whether any job is not resting, so that news may come. Costs nothing."""
        return self._started is not None and self._started.context.board.busy

    def submit(self, plan: JobPlan) -> str:
        """Enters a job and returns its id; the work begins at once on other threads.

        Raises:
            Refused: The plan cannot be carried out; the sentence says why. Nothing was written or sent.
        """
        return self._running().submit(plan)

    def act(self, job_id: str, action: Action) -> None:
        """Does what the user asked for.

        Raises:
            LookupError: There is no such job.
            Refused: The action does not fit the job's stage (any more).
        """
        self._running().act(job_id, action)

    def claim_apply(self, job_id: str) -> bool:
        """Marks a READY job as being brought into the scene. True for exactly one caller among all processes."""
        return self._running().claim_apply(job_id)

    def applied(self, job_id: str, note: str = "") -> None:
        """The claimed job's result is in the scene."""
        self._running().applied(job_id, note)

    def apply_failed(self, job_id: str, sentence: str) -> None:
        """The claimed job's result could not be brought into the scene; Retry makes it READY again."""
        self._running().apply_failed(job_id, sentence)

    def jobs(self) -> list[JobView]:
        """All jobs as last shown, oldest first. No disk."""
        return self._started.context.board.views() if self._started is not None else []

    def job(self, job_id: str) -> JobView:
        """One job as last shown.

        Raises:
            LookupError: There is none with this id.
        """
        return self._running().context.board.view(job_id)

    def price_of(self, capability: str, fields: Mapping[str, Any]) -> Price | None:
        """What one task would cost at the service of the settings; None where nothing is known. No network.

        The documented price, else an estimate: what the last task with these settings cost, or the last of its kind.

        Args:
            capability: Its name.
            fields: What the user has set so far, flattened; it need not be complete or right.

        Raises:
            LookupError: There is no such capability.
        """
        if self._started is None:
            return None
        return self._started.context.prices.price_of(self._settings.service_id, capability, fields)

    def check_service(self) -> None:
        """Asks the service for the balance, on another thread; the answer is a ServiceChecked message."""
        self._running().check_service()

    def reconfigure(self, settings: Settings) -> None:
        """Follows other settings from now on. Another data folder means another journal: everything starts anew there.

        Raises:
            JournalTrouble: The new data folder cannot be used.
        """
        same_place = settings.data_dir == self._settings.data_dir and settings.blender == self._settings.blender
        self._settings = settings
        if self._started is None:
            return
        if same_place:
            self._started.reconfigure(settings)
        else:
            shown = [job.id for job in self.jobs()]
            self.shutdown()
            for job_id in shown:
                self._news.put(JobRemoved(job_id))
            self.start()

    def _running(self) -> StartedRuntime:
        if self._started is None:
            raise Refused(_NOT_STARTED)
        return self._started
