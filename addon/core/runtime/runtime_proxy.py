"""The runtime as the main thread has it: every call returns at once, whatever the journal or its drive is doing.

What needs the journal is done by one thread, in the order in which it was asked for; its answer is a future, and what
becomes of the jobs is told by messages. A job can be seen at once and is entered by that thread.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import CoreError, Refused
from ..jobs.job import Action, JobPlan, JobView
from ..settings import Settings
from ..status.messages import Message, ServiceChecked
from .field_check_thread import FieldCheckThread
from .journal_thread import JournalThread

if TYPE_CHECKING:  # what it needs to be imported is what the thread imports first
    from ..requests.field_troubles import FieldTrouble
    from ..requests.prices import Price
    from ..status.history import HistoryPage
    from ..status.spending import Spending
    from .runtime import Runtime

Result = TypeVar("Result")

CONNECTING = "Waiting for the data folder"
SLOW = "Waiting for the list of jobs"
_SLOW_SECONDS = 1.0
_STUCK_SECONDS = 2.0
_STUCK_TIMEOUT = 0.5
_CHUNK = 1 << 20


class RuntimeProxy(JournalThread):
    """One data folder's jobs. Belongs to one thread, which is Blender's main one.

    Args:
        settings: The connection and the data folder.
        news: Where messages go; only the pump reads it.
        options: What :class:`.runtime.Runtime` is made with beside them.
    """

    def __init__(self, settings: Settings, news: SimpleQueue[Message], **options: Any) -> None:
        super().__init__(settings, news, **options)
        self._entries: dict[str, Future[None]] = {}
        self._checks = FieldCheckThread()

    def start(self) -> None:
        """Begins to import what is needed, to open the journal and to go on with its jobs."""
        self._thread.start()

    def prepare_conversion(self) -> None:
        """Has a background Blender start for a job that is about to be asked for, while the rest is imported."""

        def prepare() -> None:
            if not self._ending.is_set():
                self._conversions().prepare()

        if "converter" not in self._options:
            threading.Thread(target=prepare, daemon=True, name="assetgen-prepare").start()

    def close(self) -> None:
        """Has everything end; unfinished jobs go on at the next start, here or in another process. Does not wait."""
        self._ending.set()
        self._thread.post(self._end)
        self._thread.stop()
        self._checks.stop()

    def join(self, timeout: float) -> bool:
        """Waits until all has ended; True when it has in time. A drive that does not answer is not waited for."""
        return self._thread.join(_STUCK_TIMEOUT if self._thread.stuck_for > _STUCK_SECONDS else timeout)

    @property
    def ended(self) -> bool:
        """Whether all has ended after :meth:`close`."""
        return self._thread.join(0.0)

    def wait_for_imports(self) -> None:
        """Waits until everything is imported, which the data folder has no part in.

        Raises:
            ImportError: Something is missing.
        """
        self._imported.wait()
        if self._missing is not None:
            raise self._missing

    # What is known without asking

    @property
    def connecting(self) -> bool:
        """Whether it has yet to come to the settings that were given last."""
        return not self._connection.done()

    @property
    def failure(self) -> Exception | None:
        """Why the journal could not be opened; the next thing that needs it tries again."""
        return self._missing or self._failure

    @property
    def busy(self) -> bool:
        """Whether news may come."""
        self._asked = [future for future in self._asked if not future.done()]
        runtime, pending = self._runtime, self._pending
        waiting = bool(self._asked) or (pending is not None and pending.busy)
        return waiting or (runtime is not None and runtime.busy)

    @property
    def has_others(self) -> bool:
        """Whether other processes work on the same journal, whose jobs may be taken over."""
        return self._runtime is not None and self._runtime.has_others

    def show_waiting(self) -> None:
        """Says on jobs that have been waiting for a while what they wait for."""
        if self._pending is not None:
            self._pending.say(SLOW if self.is_open else CONNECTING, after=_SLOW_SECONDS)

    def price_of(self, capability: str, fields: Mapping[str, Any]) -> Price | None:
        """See :meth:`.runtime.Runtime.price_of`; None also as long as the journal is not open."""
        return self._runtime.price_of(capability, fields) if self._runtime is not None else None

    def spending(self) -> Spending | None:
        """See :meth:`.runtime.Runtime.spending`; None as long as the journal is not open."""
        return self._runtime.spending() if self._runtime is not None else None

    @property
    def is_imported(self) -> bool:
        """Whether everything is imported."""
        return self._imported.is_set() and self._missing is None

    # What is asked for

    def check_fields(self, capability: str, fields: Mapping[str, Any]) -> Future[tuple[FieldTrouble, ...]]:
        """What is wrong with fields that are being filled in; see :func:`.field_troubles.field_troubles`.

        On a thread of its own: the files that they name may lie on a drive that does not answer. Everything has to be
        imported.
        """
        return self._checks.check(capability, fields, self._settings)

    def submit(self, plan: JobPlan, *, staged: Path | None = None, views: Iterable[JobView] = ()) -> str:
        """Shows a job and has it entered; returns its id. See :meth:`submit_all`."""
        (job_id,) = self.submit_all([(plan, staged)], views=views)
        return job_id

    def submit_all(self, plans: Sequence[tuple[JobPlan, Path | None]], *, views: Iterable[JobView] = ()) -> list[str]:
        """Shows jobs and has them entered, in their order; returns their ids. Nothing is sent for a job before it is in
        the journal, and none is shown before all have been checked.

        Args:
            plans: What is asked for, each with the folder of the files that were written for it, in the order of the
                data folder; it is taken over.
            views: The jobs that are known; their tasks are not asked for in the journal.

        Raises:
            Refused: A plan cannot be carried out, as far as that can be told without the data folder.
        """
        from ..jobs.job_ids import new_job_id
        from ..requests.plan_checks import check_plans
        from ..service.connection import check_service

        made_by = {step.task_id: step.capability for job in views for step in job.steps if step.task_id}
        settings = self._settings
        check_plans(
            [plan for plan, _ in plans],
            lambda task_id: made_by.get(task_id, ""),
            settings.region,
            skip_folder=settings.data_dir,
        )
        try:
            check_service(self._settings)
        except CoreError as error:
            raise Refused(str(error), error.advice) from error
        self._entries = {other: entry for other, entry in self._entries.items() if not entry.done()}
        job_ids = []
        for plan, staged in plans:
            job_id = new_job_id()
            job_ids.append(job_id)
            self._pending_jobs().add(job_id, plan, self._settings.service_id, staged)
            self._entries[job_id] = self._post(partial(self._enter, job_id))
        return job_ids

    def entry(self, job_id: str) -> Future[None]:
        """The end of entering a job: an error when it could not be done."""
        return self._entries[job_id]

    def act(self, job_id: str, action: Action) -> Future[None]:
        """See :meth:`.runtime.Runtime.act`; what that raises is what the future gets."""
        if self._pending is not None and job_id in self._pending:
            with contextlib.suppress(LookupError):  # it was entered at this moment
                if self._pending.act(job_id, action):
                    self._entries[job_id] = self._post(lambda: self._enter(job_id))
                return _done()
        return self._post(lambda: self._patiently(lambda: self._open().act(job_id, action)))

    def dismiss(self, job_ids: Iterable[str]) -> Future[None]:
        """See :meth:`.runtime.Runtime.dismiss`."""
        others = []
        for job_id in job_ids:
            if self._pending is not None and job_id in self._pending:
                self.act(job_id, Action.DISMISS)
            else:
                others.append(job_id)
        return self._post(lambda: self._patiently(lambda: self._open().dismiss(others)))

    def claim_apply(self, job_id: str, files: Iterable[str], *, again: bool = False) -> Future[bool]:
        """See :meth:`.runtime.Runtime.claim_apply`; the files of the result have been read then.

        Args:
            job_id: The job.
            files: What will be read when the result is brought in.
            again: It has been brought in before, so that nothing is claimed.
        """
        paths = [Path(path) for path in files if path]

        def claim() -> bool:
            claimed = again or self._patiently(lambda: self._open().claim_apply(job_id))
            if claimed:
                _read(paths)
            return claimed

        return self._post(claim)

    def applied(self, job_id: str, note: str = "") -> Future[None]:
        """See :meth:`.runtime.Runtime.applied`."""
        return self._post(lambda: self._open().applied(job_id, note))

    def apply_failed(self, job_id: str, sentence: str) -> Future[None]:
        """See :meth:`.runtime.Runtime.apply_failed`."""
        return self._post(lambda: self._open().apply_failed(job_id, sentence))

    def history(self, words: str, first: int, count: int) -> Future[HistoryPage]:
        """See :meth:`.runtime.Runtime.history`."""
        return self._post(lambda: self._patiently(lambda: self._open().history(words, first, count)))

    def asked_fields(self, count: int) -> Future[list[dict[str, Any]]]:
        """See :meth:`.runtime.Runtime.asked_fields`."""
        return self._post(lambda: self._patiently(lambda: self._open().asked_fields(count)))

    def with_runtime(self, command: Callable[[Runtime], Result]) -> Future[Result]:
        """Does something with the runtime itself, after all that was asked for before. Any thread may ask for it."""
        return self._thread.post(lambda: self._patiently(lambda: command(self._open())))

    def run(self, command: Callable[[], Result]) -> Future[Result]:
        """Does something with small files of the data folder, after all that was asked for before."""
        return self._post(command)

    def check_service(self, *, asked: bool = True) -> None:
        """See :meth:`.runtime.Runtime.check_service`."""

        def check() -> None:
            try:
                self._open().check_service(asked=asked)
            except Exception as error:
                self._news.put(ServiceChecked(ok=False, sentence=str(error), asked=asked))

        self._post(check)

    def reconfigure(self, settings: Settings) -> None:
        """Follows other settings with the same data folder from now on."""
        self._settings = settings

        def follow() -> None:
            self._followed = settings
            if self._runtime is not None:
                self._runtime.reconfigure(settings)

        self._connection = self._post(follow)


def _read(paths: Iterable[Path]) -> None:
    """Reads files from end to end, so that reading them again waits for no drive. What is missing is told later."""
    for path in paths:
        with contextlib.suppress(OSError), path.open("rb", buffering=0) as file:
            while file.read(_CHUNK):
                pass


def _done() -> Future[None]:
    future: Future[None] = Future()
    future.set_result(None)
    return future
