"""The files behind a finished task: their links are signed and end, and reading the task again gives fresh ones."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from pathlib import Path

from ....vendor.assetgen import AssetGenError, StoppedError, TaskFailedError
from ....vendor.assetgen.contract import TaskDetail, TaskStatus
from ..errors import CoreError, NoResult
from ..jobs.records import JobRecord
from ..log import logger
from ..paths import file_name, make_private
from ..status.job_words import PICTURE
from .context import JobContext

log = logger(__name__)

_MAX_PREVIEW_BYTES = 64 * 1024 * 1024
_MAX_EXTRA_BYTES = 512 * 1024 * 1024
_MOST_EXTRAS = 32

_TAKEN = frozenset({"model", "preview", "result", "upload", "part"})
"""Names of a job's own files."""


def file_names(keys: Iterable[str]) -> dict[str, str]:
    """A file name without extension for each key. The service may have made keys up, so none is trusted to be a good
    name, nor to be another one than ours or than that of another key.
    """
    names: dict[str, str] = {}
    taken = set(_TAKEN)
    for key in keys:
        name = file_name(key)
        while name.lower() in taken:
            name += "_"
        taken.add(name.lower())
        names[key] = name
    return names


class TaskFiles:
    """What the last task of a job gave. Used by one thread; nothing is read before it is needed.

    Args:
        context: What all jobs of the runtime are run with.
        record: The job; its current step's task is the finished one.
    """

    def __init__(self, context: JobContext, record: JobRecord) -> None:
        self._context = context
        self._job_id = record.id
        self._task_id = record.step.task_id
        self._stopped = context.cancel_flags.stopped(record.id)
        self._client = context.connection.client(record.service_id, self._stopped)
        self._detail = context.finished_tasks.take(self._task_id)

    @property
    def detail(self) -> TaskDetail:
        """The task.

        Raises:
            TaskFailedError: It was not successful.
            AssetGenError: It cannot be read.
        """
        detail = self._detail if self._detail is not None else self._read()
        if detail.outcome is not TaskStatus.SUCCESS:
            raise TaskFailedError(detail)
        return detail

    def links(self) -> dict[str, str]:
        """Every link by its key, see :meth:`TaskOutput.links`."""
        output = self.detail.output
        return output.links() if output is not None else {}

    def missing(self, what: str) -> NoResult:
        """The error of a task that gave no ``what``."""
        return NoResult(
            f"The service says that the task {self._task_id} succeeded, but gives no {what}",
            "Press Retry to ask again; if it stays so, tell the service's support the task's number",
        )

    def fetch(
        self, key: str, name: str, *, max_bytes: int, on_progress: Callable[[int, int], None] | None = None
    ) -> Path:
        """Fetches one file into the job's folder, with a fresh link where the one at hand has expired.

        Args:
            key: Of its link.
            name: Of the file, without an extension.
            max_bytes: The largest that is taken.
            on_progress: Takes the bytes fetched and the bytes in all.

        Raises:
            NoResult: The task has no such link (any more).
            AssetGenError: It could not be fetched.
            CoreError: The link must not be followed.
        """
        link = self._link(key)
        self._context.connection.check_online(link)
        return self._client.download(
            link,
            make_private(self._context.locations.results(self._job_id)),
            name=name,
            renew=lambda: self._renewed(key),
            on_progress=on_progress,
            stopped=self._stopped,
            max_bytes=max_bytes,
        )

    def fetch_extras(self, *, besides: Container[str]) -> list[tuple[str, str]]:
        """Fetches what the task gives beside its model, the preview first: key and path of each that could be had.

        One that fails is said in the log and left out: without it the job is as good. They are fetched together with
        the model and not again by themselves: that would cost a reading of the task at every retry.

        Args:
            besides: Keys of what is here already, or not wanted.

        Raises:
            StoppedError: The user wants to stop.
        """
        keys = sorted((key for key in self.links() if key not in besides), key=lambda key: key != PICTURE)
        files: list[tuple[str, str]] = []
        names = file_names(keys)
        for key in keys[:_MOST_EXTRAS]:
            name = "preview" if key == PICTURE else names[key]
            limit = _MAX_PREVIEW_BYTES if key == PICTURE else _MAX_EXTRA_BYTES
            try:
                files.append((key, str(self.fetch(key, name, max_bytes=limit))))
            except StoppedError:
                raise
            except (AssetGenError, CoreError) as error:
                log.warning("job %s: its %s could not be fetched: %s", self._job_id, key.replace("_", " "), error)
        return files

    def _read(self) -> TaskDetail:
        self._detail = self._client.tasks.retrieve(self._task_id)
        return self._detail

    def _link(self, key: str) -> str:
        try:
            return self.links()[key]
        except KeyError:
            raise self.missing(key.replace("_", " ")) from None

    def _renewed(self, key: str) -> str:
        self._read()  # all links of the task are fresh now, also those that are fetched next
        link = self._link(key)
        self._context.connection.check_online(link)
        return link
