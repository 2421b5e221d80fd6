"""The side of a :class:`.runtime_proxy.RuntimeProxy` that may wait: one thread that opens the journal, enters jobs and
does what else was asked for, in the order in which it was.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from ..jobs.job import Action, JobPlan
from ..log import logger
from ..paths import Locations
from ..settings import Settings
from ..status.messages import Message
from .command_thread import CommandThread

if TYPE_CHECKING:  # what it needs to be imported is what the thread imports first
    from ..jobs.staged_files import Copies
    from ..stages.converter import BackgroundConverter
    from .pending_jobs import PendingJobs
    from .runtime import Runtime

log = logger(__name__)

Result = TypeVar("Result")

HELD = "Waiting for the list of jobs: another program holds it"
_AGAIN_SECONDS = 0.5
_NOTES_SECONDS = 1.0


class JournalThread:
    """What a proxy is made of: the thread, the runtime once it is open, and the jobs that wait to be entered.

    Args:
        settings: The connection and the data folder.
        news: Where messages go; only the pump reads it.
        options: What :class:`.runtime.Runtime` is made with beside them.
    """

    def __init__(self, settings: Settings, news: SimpleQueue[Message], **options: Any) -> None:
        self._settings = settings
        self._news = news
        self._options = options
        self._followed = settings  # what the thread has come to
        self._runtime: Runtime | None = None
        self._pending: PendingJobs | None = None
        self._converter: BackgroundConverter | None = None
        self._making = threading.Lock()
        self._asked: list[Future[Any]] = []
        self._copies: Copies | None = None  # of staged files, for the thread
        self._failure: Exception | None = None
        self._missing: Exception | None = None
        self._imported = threading.Event()
        self._ending = threading.Event()
        self._thread = CommandThread("assetgen-journal-writer", self._retry_notes, self._pause)
        self._connection: Future[Any] = self._thread.post(self._begin)

    @property
    def is_open(self) -> bool:
        """Whether the journal has been opened."""
        return self._runtime is not None

    @property
    def has_notes(self) -> bool:
        """Whether what became of a result could not be recorded yet."""
        return self._runtime is not None and self._runtime.has_notes

    def _begin(self) -> None:
        try:
            from ..jobs.staged_files import remove_left_behind
            from ..requests import field_troubles  # noqa: F401  (panels ask for it)
            from .pending_jobs import PendingJobs
            from .runtime import Runtime  # noqa: F401  (for all that it imports)

            self._pending = PendingJobs(self._news)
            remove_left_behind()
        except Exception as error:
            log.exception("the runtime cannot be imported")
            self._missing = error
            return
        finally:
            self._imported.set()
        try:
            self._patiently(self._open)
        except Exception:
            log.exception("the runtime did not start")

    def _open(self) -> Runtime:
        """The runtime. What keeps it from being had is raised, and tried anew the next time."""
        from .runtime import Runtime

        if self._runtime is None:
            options = dict(self._options)
            if "converter" not in options:
                options["converter"] = self._conversions()
            runtime = Runtime(self._followed, news=self._news, **options)
            try:
                runtime.start()
            except Exception as error:
                self._failure = error
                raise
            self._runtime, self._failure = runtime, None
        return self._runtime

    def _conversions(self) -> BackgroundConverter:
        """What the runtime converts with; it is here before the runtime is."""
        from ..stages.converter import BackgroundConverter

        with self._making:
            self._converter = self._converter or BackgroundConverter(lambda: self._settings.blender)
            return self._converter

    def _enter(self, job_id: str) -> None:
        from ..jobs.late_files import late_files
        from ..jobs.snapshot_files import remove_unused_images
        from ..jobs.staged_files import Copies, bring_in, remove_files, with_moved_files

        self._copies = self._copies or Copies()
        pending = self._pending_jobs()
        try:
            job = pending.begin(job_id, self._followed.service_id)
            if job is None:
                return
            plan = job.record.plan
            moves: dict[Path, Path] = {}
            if job.staged is not None:
                renamed = late_files.wait_for(job.staged)
                plan, moves = with_moved_files(plan, job.staged, self._followed.data_dir, renamed)
            runtime = self._patiently(self._open)
            added = bring_in(moves, self._copies)
            try:
                self._patiently(lambda: runtime.submit(plan, job_id=job_id))
            except BaseException:
                remove_files(added)
                raise
        except Exception as error:
            if not self._ending.is_set():
                pending.failed(job_id, error)
            raise
        remove_unused_images(Locations(self._followed.data_dir).images, _plans(runtime))
        if pending.entered(job_id):
            self._patiently(lambda: runtime.act(job_id, Action.STOP))

    def _patiently(self, command: Callable[[], Result]) -> Result:
        """Does something with the journal, again and again as long as another process holds it."""
        from ..jobs.database import is_locked

        while True:
            try:
                return command()
            except Exception as error:
                if not is_locked(error):
                    raise
                self._pending_jobs().say(HELD)
                if self._ending.wait(_AGAIN_SECONDS):
                    raise

    def _retry_notes(self) -> None:
        if self._runtime is not None:
            self._runtime.retry_notes()

    def _pause(self) -> float | None:
        return _NOTES_SECONDS if self.has_notes else None

    def _end(self) -> None:
        runtime, self._runtime = self._runtime, None
        if runtime is not None:
            runtime.shutdown()
        with self._making:
            if self._converter is not None:
                self._converter.close()
        if self._pending is not None:
            self._pending.clear()

    # On the thread that asks

    def _post(self, command: Callable[[], Result]) -> Future[Result]:
        future = self._thread.post(command)
        self._asked.append(future)
        return future

    def _pending_jobs(self) -> PendingJobs:
        assert self._pending is not None, "asked for before the imports were waited for"
        return self._pending


def _plans(runtime: Runtime) -> list[JobPlan]:
    return [job.plan for job in runtime.jobs() if job.plan is not None]
