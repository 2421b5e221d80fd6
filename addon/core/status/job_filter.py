"""Which jobs a list shows, and in which order. Running ones are always there, on top."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from ..jobs.job import RESTING, JobView, Stage
from .job_words import charged

_ASKING = frozenset({Stage.READY, Stage.UNCERTAIN, Stage.FAILED})


class JobFilter(NamedTuple):
    """What is wanted: words that the name has to have, a key of :data:`KINDS`, one of :data:`ORDERS`."""

    words: str = ""
    kind: str = "ALL"
    order: str = "NEWEST"


KINDS: Mapping[str, Callable[[JobView], bool]] = {
    "ALL": lambda job: True,
    "RUNNING": lambda job: job.stage not in RESTING,
    "ASKING": lambda job: job.stage in _ASKING,
    "DONE": lambda job: job.stage is Stage.APPLIED,
    "MODELS": lambda job: bool(job.blend),
    "IMAGES": lambda job: not job.blend and bool(job.files),
}
"""Kinds of jobs, and whether a job is of one."""

ORDERS: Mapping[str, tuple[Callable[[JobView], object], bool]] = {
    "NEWEST": (lambda job: job.created_at, True),
    "OLDEST": (lambda job: job.created_at, False),
    "NAME": (lambda job: (job.title or job.name).casefold(), False),
    "OPERATION": (lambda job: job.name.casefold(), False),
    "CREDITS": (lambda job: float(charged(job) or 0), True),
}
"""Orders, by what they compare, and whether they begin with the largest."""


def arranged(jobs: Iterable[JobView], wanted: JobFilter, shown: Callable[[str], str] = str) -> list[JobView]:
    """The jobs that are wanted, in the wanted order below those that run.

    Args:
        jobs: All of them.
        wanted: Which ones, and their order.
        shown: A name as the interface shows it. Words are looked for there as well.
    """
    is_of_kind = KINDS[wanted.kind]
    words = wanted.words.casefold().split()
    key, is_reversed = ORDERS[wanted.order]
    running: list[JobView] = []
    others: list[JobView] = []
    for job in jobs:
        if job.stage not in RESTING:
            running.append(job)
        elif is_of_kind(job) and (not words or _has(job, words, shown)):
            others.append(job)
    running.sort(key=lambda job: job.created_at)  # in the order in which they are worked off
    others.sort(key=lambda job: job.created_at, reverse=True)
    others.sort(key=key, reverse=is_reversed)  # type: ignore[arg-type]
    return running + others


def _has(job: JobView, words: list[str], shown: Callable[[str], str]) -> bool:
    name = f"{job.name} {shown(job.name)}".casefold()
    return all(word in name for word in words)
