"""Looks at what the data folder keeps and deletes from it, on a thread of its own; the news are messages.

Each of these ends with one message that is not ``busy`` any more. It opens the journal for itself: it works before the
runtime has been loaded, and holds nobody up who works with the runtime's.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue

from ..errors import CoreError
from ..jobs.journal import Journal
from ..log import logger
from ..paths import Locations
from ..status.error_messages import present
from ..status.messages import Message, StorageChanged
from ..storage.deletion import delete
from ..storage.report import StorageReport, StoredResult, older_than
from ..storage.scan import scan
from ..storage.words import outcome_text

log = logger(__name__)


class StorageWork:
    """One piece of work; each method is for a thread that may wait.

    Args:
        data_dir: The data folder.
        news: Where messages go.
        stopped: Asked between two results; when it says True the rest stays.
    """

    def __init__(self, data_dir: Path, news: SimpleQueue[Message], stopped: Callable[[], bool] = lambda: False) -> None:
        self._locations = Locations(data_dir)
        self._news = news
        self._stopped = stopped

    def scan(self) -> None:
        """Looks at everything."""
        self._end(lambda: StorageChanged(report=self._look()))

    def delete(self, results: Iterable[StoredResult], *, even_unused: bool = False) -> None:
        """Deletes these results, as far as nothing needs them now, and looks at the rest."""
        self._end(lambda: self._delete(results, even_unused))

    def delete_older(self, days: float) -> None:
        """Deletes what a look of this moment finds to be older than ``days``: no unused result, and none needed."""
        self._end(lambda: self._delete(older_than(self._look(), days).results, even_unused=False))

    def delete_one(self, job_id: str) -> None:
        """Deletes the result of one job, used or not, unless it is needed."""

        def work() -> StorageChanged:
            report = self._look()
            found = [item for item in report.results if item.id == job_id]
            if not found:
                return StorageChanged(sentence="There is no such result", ok=False, report=report)
            return self._delete(found, even_unused=True)

        self._end(work)

    def put_back(self, job_id: str) -> None:
        """Puts the job of a result back on the list."""

        def work() -> StorageChanged:
            with closing(Journal(self._locations.journal, owner="")) as journal:
                done = journal.results.put_back(job_id)
            words = "The job is back on the list" if done else "There is no such job off the list"
            return StorageChanged(sentence=words, ok=done, report=self._look())

        self._end(work)

    def _look(self) -> StorageReport:
        self._news.put(StorageChanged(busy="Looking at the folders"))
        return scan(self._locations)

    def _delete(self, results: Iterable[StoredResult], even_unused: bool) -> StorageChanged:
        def on_progress(done: int, whole: int) -> None:
            fraction = done / whole if whole else 1.0
            self._news.put(StorageChanged(busy=f"Deleting {done} of {whole}", fraction=fraction))

        outcome = delete(
            self._locations, results, even_unused=even_unused, on_progress=on_progress, stopped=self._stopped
        )
        sentence = outcome_text(outcome.deleted, outcome.kept)
        log.info("storage: %s", sentence)
        return StorageChanged(sentence=sentence, ok=not outcome.kept, report=self._look())

    def _end(self, work: Callable[[], StorageChanged]) -> None:
        try:
            message = work()
        except (CoreError, OSError, sqlite3.Error) as error:
            message = StorageChanged(sentence=str(present(error)).rstrip("."), ok=False)
        except Exception as error:  # whoever waits for the end must see one
            log.exception("looking at the data folder")
            message = StorageChanged(sentence=str(present(error)).rstrip("."), ok=False)
        self._news.put(message)
