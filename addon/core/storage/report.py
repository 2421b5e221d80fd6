"""What the data folder takes, as frozen data that any thread may make and read. Light: panels read it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

DAY = 86400.0
"""Seconds."""

AGES = (("Last Day", 1.0), ("Last 7 Days", 7.0), ("Last 30 Days", 30.0), ("Older", float("inf")))
"""By what results are grouped: a label, and the most days since they were made."""


class StoredResult(NamedTuple):
    """The folder of one job.

    Attributes:
        id: The job's id, which is the folder's name.
        name: The job's name, or its id where nothing is known of it.
        bytes: What it takes.
        made_at: When the job was started, in seconds since 1970; of an unknown one when its folder last changed.
        used_at: When the result first was in a scene or a folder; 0 for never.
        is_known: Whether the journal has the job.
        is_listed: Whether the job is on the list.
        is_empty: Whether there is nothing in it but what was made on the way, such as an upload.
        stays: Why it cannot be deleted now, as in "it is still running"; empty where it can.
        service_id: The service that made it; empty where nothing is known of it.
        task_id: The task that it can be fetched from again; empty where there is none.
        credits: What its tasks cost, as a text; empty for nothing.
    """

    id: str
    name: str
    bytes: int
    made_at: float
    used_at: float = 0.0
    is_known: bool = False
    is_listed: bool = False
    is_empty: bool = False
    stays: str = ""
    service_id: str = ""
    task_id: str = ""
    credits: str = ""

    @property
    def can_be_put_back(self) -> bool:
        """Whether its job is off the list and can be put back, to be brought in."""
        return self.is_known and not self.is_listed and not self.is_empty

    @property
    def never_used(self) -> bool:
        """Whether it is a result that was never in a scene or a folder, as far as is known."""
        return not self.used_at and not self.is_empty


class StorageReport(NamedTuple):
    """What a data folder takes, in bytes, and every result in it.

    Attributes:
        data_dir: The data folder.
        scanned_at: When it was looked at, in seconds since 1970.
        results: The folders of jobs, the largest first.
        snapshots: What snapshots of selections take, which go with their jobs.
        local_engine: What the local engine keeps: uploads, results of its own, its logs.
        set_aside: Damaged results that were set aside; a part of the results.
        set_aside_files: How many these are.
    """

    data_dir: str
    scanned_at: float
    results: tuple[StoredResult, ...] = ()
    snapshots: int = 0
    local_engine: int = 0
    set_aside: int = 0
    set_aside_files: int = 0


class AgeGroup(NamedTuple):
    """Results of one age. Sizes in bytes."""

    label: str
    number: int
    bytes: int
    never_used: int
    never_used_bytes: int


class DeletionPlan(NamedTuple):
    """What a deletion would take, and what it would leave though it is old enough.

    Attributes:
        results: What would be deleted, the largest first.
        never_used: What stays because it was never in a scene or a folder.
        needed: What stays for another reason, which its ``stays`` tells.
    """

    results: tuple[StoredResult, ...]
    never_used: tuple[StoredResult, ...] = ()
    needed: tuple[StoredResult, ...] = ()


def total(results: Iterable[StoredResult]) -> int:
    """What results take, in bytes."""
    return sum(result.bytes for result in results)


def by_age(report: StorageReport) -> list[AgeGroup]:
    """The results in groups of :data:`AGES`."""
    groups = []
    youngest = float("-inf")
    for label, days in AGES:
        group = [item for item in report.results if youngest < report.scanned_at - item.made_at <= days * DAY]
        groups.append(_group(label, group))
        youngest = days * DAY
    return groups


def all_results(report: StorageReport) -> AgeGroup:
    """All results as one group."""
    return _group("Total", list(report.results))


def older_than(report: StorageReport, days: float) -> DeletionPlan:
    """What is to be deleted of the results that are older than ``days``: no unused one, and none that is needed."""
    old = [item for item in report.results if report.scanned_at - item.made_at > days * DAY]
    return DeletionPlan(
        tuple(item for item in old if not item.stays and not item.never_used),
        tuple(item for item in old if not item.stays and item.never_used),
        tuple(item for item in old if item.stays),
    )


def _group(label: str, results: list[StoredResult]) -> AgeGroup:
    unused = [item for item in results if item.never_used]
    return AgeGroup(label, len(results), total(results), len(unused), total(unused))
