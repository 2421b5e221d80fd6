"""Tells the poller what webhooks told: `assetgen webhooks listen` writes it down, in this process or another."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from ..jobs.webhook_inbox import WebhookNews, WebhookReader
from ..log import logger

log = logger(__name__)

_EARLIER_SECONDS = 60.0
"""Events from so long before the start are looked at too: those of jobs that are just being taken over."""


class WebhookWatcher:
    """Looks at the events of one data folder whenever it is asked to, on whichever one thread that is.

    Args:
        path: Where a listener writes; nothing is there where there never was one.
        tell: Gets what is new.
        clock: The time of day in Unix seconds.
    """

    def __init__(self, path: Path, tell: Callable[[WebhookNews], None], clock: Callable[[], float] = time.time) -> None:
        self._reader = WebhookReader(path, since=clock() - _EARLIER_SECONDS)
        self._tell = tell
        self._clock = clock
        self._delivering: frozenset[str] = frozenset()
        self._trouble = ""

    def check(self) -> None:
        """Tells what is new, if anything is. What cannot be read has no part in the jobs: they are polled."""
        try:
            news = self._reader.news(self._clock())
            self._trouble = ""
        except sqlite3.Error as error:
            self._log_once(str(error))
            news = WebhookNews((), frozenset())
        if news.tasks or news.delivering != self._delivering:
            self._delivering = news.delivering
            self._tell(news)

    def close(self) -> None:
        """Closes what it reads. Nothing is checked afterwards."""
        self._reader.close()

    def _log_once(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            log.warning("what webhooks told cannot be read: %s", trouble)
