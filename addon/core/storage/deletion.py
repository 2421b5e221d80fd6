"""Deletes results: each is renamed into a trash folder in one transaction with the journal, and removed after it.

No process can run, claim or retry a job while that transaction is open. One that is killed in the middle leaves a
folder in the trash; what the journal still has files of is put back then, and everything else is removed.
"""

from __future__ import annotations

import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from ..jobs.job import ENDED, FILES_DELETED, Stage
from ..jobs.journal import Journal
from ..jobs.result_table import ResultRow, ResultTable
from ..log import logger
from ..paths import Locations, make_private
from .folders import TRASH, is_link
from .report import StoredResult

log = logger(__name__)

_MARK = "~"
"""Between a job's id and what makes its name in the trash unique."""

_WAITS = {Stage.READY: "it waits to be brought in", Stage.UNCERTAIN: "it waits for your decision"}


class Kept(Exception):
    """A result is not deleted. The message is the reason, as in "it is still running"."""


class Outcome(NamedTuple):
    """What a deletion has done. Each of ``kept`` says in its ``stays`` why it is there still."""

    deleted: tuple[StoredResult, ...]
    kept: tuple[StoredResult, ...]


def delete(
    locations: Locations,
    results: Iterable[StoredResult],
    *,
    even_unused: bool = False,
    on_progress: Callable[[int, int], None] = lambda done, whole: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Deletes the folders of results, as far as nothing needs them now.

    Args:
        locations: The data folder.
        results: As a scan has found them; what has become of them since then counts.
        even_unused: Whether also those go that were never in a scene or a folder.
        on_progress: Told how many are done, and of how many.
        stopped: Asked before each; when it says True the rest stays.

    Raises:
        JournalTrouble: The journal cannot be used.
    """
    wanted = list(results)
    deleted: list[StoredResult] = []
    kept: list[StoredResult] = []
    with closing(Journal(locations.journal, owner="")) as journal:
        for done, result in enumerate(wanted):
            on_progress(done, len(wanted))
            if stopped():
                break
            try:
                trashed = _to_trash(locations, journal.results, result, even_unused)
            except Kept as reason:
                kept.append(result._replace(stays=str(reason)))
                continue
            except (OSError, sqlite3.Error) as error:
                log.info("the result of job %s stays: %s", result.id, error)
                kept.append(result._replace(stays=_words(error)))
                continue
            _remove(trashed)
            deleted.append(result)
            log.info("job %s: deleted its files, as the user asked", result.id)
        on_progress(len(wanted), len(wanted))
    return Outcome(tuple(deleted), tuple(kept))


def finish_deletions(locations: Locations, table: ResultTable) -> None:
    """Puts right what was in the trash when a process ended."""
    trash = locations.all_results / TRASH
    if is_link(locations.all_results) or is_link(trash) or not trash.is_dir():
        return
    for path in list(trash.iterdir()):
        # Inside a transaction: another process that is deleting this very folder has ended its own by then.
        with table.changing() as execute:
            row = table.row(execute, path.name.rpartition(_MARK)[0])
            home = locations.results(row.job_id) if row is not None and row.has_files else None
            if home is not None and not home.exists():
                with suppress(OSError):
                    path.rename(home)
                continue
        _remove(path)


def reason_to_stay(folder: Path, row: ResultRow | None) -> str:
    """Why a result cannot be deleted now, as in "it is still running"; empty when it can."""
    if is_link(folder) or is_link(folder.parent):
        return "its folder is a link to another place"
    if row is None:
        return ""
    if row.is_run:
        return "it is still running"
    if row.is_wanted:
        return "another job works with it"
    if row.removed_at or row.stage in ENDED:
        return ""
    return _WAITS.get(row.stage, "it is still running")


def _to_trash(locations: Locations, table: ResultTable, result: StoredResult, even_unused: bool) -> Path:
    """Takes a result from its place, in the journal and on the disk: both, or neither."""
    folder = locations.results(result.id)
    if folder.parent != locations.all_results or not folder.name or folder.name.startswith("."):
        raise Kept("it is not in the folder of results")
    trash = make_private(locations.all_results / TRASH)
    if is_link(trash):
        raise Kept("its folder is a link to another place")
    target = trash / f"{result.id}{_MARK}{secrets.token_hex(4)}"
    try:
        with table.changing() as execute:
            row = table.row(execute, result.id)
            if not folder.is_dir():
                raise Kept("it is not there any more")
            if reason := reason_to_stay(folder, row):
                raise Kept(reason)
            if not even_unused and _is_unused(result, row):
                raise Kept("it was never in a scene or a folder")
            folder.rename(target)
            if row is not None:
                table.forget_files(execute, row, _changes(row))
    except BaseException:
        if target.exists():  # the journal could not be written, so it has the files still
            target.rename(folder)
        raise
    return target


def _is_unused(result: StoredResult, row: ResultRow | None) -> bool:
    """What the scan found empty may have got its result since then."""
    if row is None:
        return not result.is_empty
    return not row.used_at and (row.has_files or not result.is_empty)


def _changes(row: ResultRow) -> Mapping[str, Any]:
    """What a job on the list says when its files are gone, and where Retry goes on."""
    can_fetch = bool(row.task_id)
    if not row.has_files:
        return {}
    return {
        "text": FILES_DELETED,
        "resume": Stage.DOWNLOAD if can_fetch else None,
        "advice": (
            "Retry fetches the result again, without paying, as long as the service keeps it" if can_fetch else ""
        ),
    }


def _remove(trashed: Path) -> None:
    """What cannot be removed now, such as a file that a virus scanner holds, goes when storage is looked at next."""
    shutil.rmtree(trashed, ignore_errors=True)


def _words(error: Exception) -> str:
    if isinstance(error, sqlite3.Error):
        return f"the list of jobs could not be written ({error})"
    if isinstance(error, PermissionError):
        return "another program uses it"
    return f"it could not be moved ({getattr(error, 'strerror', None) or error})"
