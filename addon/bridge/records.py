"""What was asked for earlier, as the panel shows it: pages of the history, prompts, and what was spent.

A worker reads it; drawing only looks at what is there and has it asked for anew when it is old.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.log import logger
from . import pump
from .redraw import redraw
from .session import session
from .state import state

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ..core.jobs.job import JobView
    from ..core.status.history import HistoryPage

PAGE = 6
"""Jobs on a page of the history."""

_LATEST = 200
_AGAIN_SECONDS = 2.0


class _Asked(NamedTuple):
    key: object
    at: float


class Records:
    """What workers have read last.

    Attributes:
        page: Of the history; None as long as none was read.
        favourites: The favourite prompts.
        asked: The fields of the latest jobs, the latest first.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forgets everything: the data folder is another one."""
        self.page: HistoryPage | None = None
        self.favourites: list[str] = []
        self.asked: list[dict[str, Any]] = []
        self._asked: dict[str, _Asked] = {}

    def look(self, words: str, page: int) -> None:
        """Has a page of the history read, unless it is the one that is there."""
        runtime = session.ready
        if runtime is not None and self._is_due("page", (words, page)):
            self._read(lambda: runtime.history(words, page * PAGE, PAGE), "page")

    def look_for_prompts(self) -> None:
        """Has prompts and favourites read, unless they are there."""
        runtime = session.ready
        if runtime is None or not self._is_due("asked", None):
            return
        data_dir = session.settings.data_dir

        def read() -> list[str]:
            from ..core.status.prompts import read_favourites

            return read_favourites(data_dir)

        self._read(lambda: runtime.asked_fields(_LATEST), "asked")
        self._read(lambda: runtime.run(read), "favourites")

    def change_favourite(self, text: str, *, add: bool) -> Future[Any] | None:
        """Has a favourite added or taken away; None while there is no data folder yet."""
        runtime = session.ready
        if runtime is None:
            return None
        data_dir = session.settings.data_dir

        def change() -> list[str]:
            from ..core.status.prompts import change_favourites

            return change_favourites(data_dir, text, add=add)

        return self._read(lambda: runtime.run(change), "favourites")

    def _is_due(self, name: str, wanted: object) -> bool:
        key = (str(session.settings.data_dir), wanted, state.revision)
        before = self._asked.get(name)
        now = time.monotonic()
        if before is not None and before.key == key:
            return False
        is_same = before is not None and isinstance(before.key, tuple) and before.key[:2] == key[:2]
        if is_same and before is not None and now - before.at < _AGAIN_SECONDS:  # a job that runs changes all the time
            return False
        self._asked[name] = _Asked(key, now)
        return True

    def _read(self, ask: Callable[[], Future[Any]], name: str) -> Future[Any]:
        def take(answer: Future[Any]) -> None:
            if (error := answer.exception()) is not None:
                logger(__name__).info("%s could not be read: %s", name, error)
            else:
                setattr(self, name, answer.result())
                redraw()

        future = ask()
        pump.when_done(future, take)
        return future


records = Records()


def known_job(job_id: str) -> JobView | None:
    """A job on the list, or on the page of the history that was read last; None where there is none."""
    if job_id in state.jobs:
        return state.jobs[job_id]
    page = records.page
    return next((job for job in page.jobs if job.id == job_id), None) if page is not None else None
