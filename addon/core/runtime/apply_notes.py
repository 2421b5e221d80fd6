"""What became of a result on its way into the scene, written into the journal; later, when that cannot be done now."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..errors import Refused
from ..jobs.job import Stage
from ..jobs.snapshot_files import remove_snapshot
from ..log import logger
from ..stages.context import JobContext
from ..status.error_messages import present

log = logger(__name__)


class ApplyNotes:
    """The notes of one runtime. The scene has changed already, so a note that fails is kept. For one thread.

    Args:
        context: What all jobs of the runtime are run with.
    """

    def __init__(self, context: JobContext) -> None:
        self._context = context
        self._kept: dict[str, Mapping[str, Any]] = {}
        self._next_try = 0.0

    @property
    def kept(self) -> frozenset[str]:
        """The jobs whose note could not be written yet."""
        return frozenset(self._kept)

    def add(self, job_id: str, changes: Mapping[str, Any]) -> None:
        """Changes a claimed job; when the journal cannot be written the job only looks as if, and says so.

        Raises:
            Refused: The job was not claimed by this process.
        """
        try:
            self._write(job_id, changes)
        except sqlite3.Error as error:
            log.warning("job %s: what became of its result cannot be written yet: %s", job_id, error)
            self._kept[job_id] = changes
            self._next_try = time.monotonic() + self._context.timing.journal
            text = f"{changes.get('text', '')}. This could not be recorded yet: {present(error).text}. Trying again"
            record = self._context.journal.job(job_id)
            # The next revision, as it will be: what the journal still says is older than this and is not shown again.
            looks = {**changes, "text": text.removeprefix(". "), "revision": record.revision + 1}
            self._context.board.changed(replace(record, **looks))

    def retry(self, *, at_once: bool = False) -> None:
        """Writes what could not be written before, every few seconds at most. Costs nothing when there is none."""
        if not self._kept or (not at_once and time.monotonic() < self._next_try):
            return
        self._next_try = time.monotonic() + self._context.timing.journal
        for job_id, changes in list(self._kept.items()):
            try:
                self._write(job_id, changes)
            except sqlite3.Error as error:
                log.warning("job %s: what became of its result cannot be written yet: %s", job_id, error)
                return
            except (Refused, LookupError):  # it was removed meanwhile
                self._kept.pop(job_id)

    def _write(self, job_id: str, changes: Mapping[str, Any]) -> None:
        context = self._context
        if not context.journal.end_apply(job_id, **changes):
            raise Refused("This result was not claimed by this process")
        record = context.journal.job(job_id)
        context.board.changed(record)
        self._kept.pop(job_id, None)  # after the message: nobody listens any more when nothing is kept
        if record.stage is Stage.APPLIED:
            remove_snapshot(record.plan.source, context.locations.data_dir)
