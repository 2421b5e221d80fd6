"""Looks at what a data folder takes. It reads every folder in it, so it is for worker threads."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from ..jobs.journal import Journal
from ..jobs.result_table import ResultRow
from ..paths import Locations
from ..requests.prices import credits_text
from .deletion import finish_deletions, reason_to_stay
from .folders import FolderSize, is_link, job_folders, size_of
from .report import StorageReport, StoredResult


def scan(locations: Locations, clock: Callable[[], float] = time.time) -> StorageReport:
    """What the data folder takes now; what an interrupted deletion left is put right first.

    Raises:
        JournalTrouble: The journal cannot be used, so that nobody knows which results were used.
        OSError: The data folder cannot be read.
    """
    report = StorageReport(str(locations.data_dir), clock())
    if not locations.data_dir.is_dir():
        return report
    with closing(Journal(locations.journal, owner="")) as journal:
        finish_deletions(locations, journal.results)
        rows = journal.results.all()
    sizes = {
        folder: FolderSize() if is_link(folder) else size_of(folder) for folder in job_folders(locations.all_results)
    }
    results = [_stored(folder, size, rows.get(folder.name)) for folder, size in sizes.items()]
    return report._replace(
        results=tuple(sorted(results, key=lambda result: (-result.bytes, result.id))),
        snapshots=size_of(locations.snapshots).bytes,
        local_engine=size_of(locations.local_engine).bytes,
        set_aside=sum(size.set_aside for size in sizes.values()),
        set_aside_files=sum(size.set_aside_files for size in sizes.values()),
    )


def _stored(folder: Path, size: FolderSize, row: ResultRow | None) -> StoredResult:
    result = StoredResult(
        id=folder.name,
        name=row.name if row is not None else folder.name,
        bytes=size.bytes,
        made_at=row.created_at if row is not None else folder.lstat().st_mtime,
        is_empty=size.is_empty,
        stays=reason_to_stay(folder, row),
    )
    if row is None:
        return result
    return result._replace(
        used_at=row.used_at,
        is_known=True,
        is_listed=not row.removed_at,
        service_id=row.service_id,
        task_id=row.task_id,
        credits=credits_text(row.credits) if row.credits else "",
    )
