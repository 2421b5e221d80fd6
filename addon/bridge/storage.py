"""What the data folder keeps, as the preferences and scripts see it; the work is done on a thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.paths import Locations
from ..core.status.messages import StorageChanged
from . import prefs, pump
from .session import session
from .state import state

if TYPE_CHECKING:
    from ..core.runtime.storage_work import StorageWork
    from ..core.storage.report import StorageReport, StoredResult

_LOOK_SECONDS = 0.05


class _State:
    """What is shown of the list of results, and whether the work shall end."""

    def __init__(self) -> None:
        self.first = 0
        self.only_unused = False
        self.stopping = threading.Event()


view = _State()


def report() -> StorageReport | None:
    """What was last seen of the data folder that is set now; None when it was not looked at yet. Costs nothing."""
    seen = state.storage_report
    return seen if seen is not None and seen.data_dir == str(prefs.settings().data_dir) else None


def results_dir() -> Path:
    """The folder that has a folder for each job."""
    return Locations(prefs.settings().data_dir).all_results


def scan() -> None:
    """Begins to look at everything."""
    _begin(lambda work: work.scan())


def delete(results: Sequence[StoredResult]) -> None:
    """Begins to delete used results that a question has named."""
    _begin(lambda work: work.delete(results))


def delete_older(days: int) -> None:
    """Begins to delete what is older than ``days``; what was never used stays."""
    _begin(lambda work: work.delete_older(days))


def delete_one(job_id: str) -> None:
    """Begins to delete the result of one job, used or not."""
    _begin(lambda work: work.delete_one(job_id))


def put_back(job_id: str) -> None:
    """Begins to put a job back on the list."""
    _begin(lambda work: work.put_back(job_id))


def wait() -> StorageChanged:
    """Drives the pump until the work is over; for Blender without a window."""
    while state.storage.busy:
        pump.tick()
        time.sleep(_LOOK_SECONDS)
    return state.storage


def stop() -> None:
    """Has a deletion end after the result that it is at."""
    view.stopping.set()


def _begin(task: Callable[[StorageWork], None]) -> None:
    """Starts a piece of work. The caller has seen that none is going on."""
    state.storage = StorageChanged(busy="Looking at the folders")
    view.stopping = threading.Event()
    data_dir, news, stopped = prefs.settings().data_dir, session.news, view.stopping.is_set

    def run() -> None:
        from ..core.runtime.storage_work import StorageWork  # here: it needs sqlite3 and the client

        task(StorageWork(data_dir, news, stopped))

    threading.Thread(target=run, daemon=True, name="assetgen-storage").start()
    pump.start()
