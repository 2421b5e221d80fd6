"""What is said of jobs that have come to their end, in one line: what became of them, after how long, for how much."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import sentences
from ..jobs.job import JobView, Stage
from .job_words import effort

_NAMED = 2
"""Of more jobs that ended together, the others are counted."""

_GOOD = frozenset({Stage.APPLIED, Stage.READY, Stage.STOPPED})


def end_report(jobs: Sequence[JobView]) -> tuple[str, bool]:
    """The line about jobs that ended together, and whether all is well with them."""
    fine = [job for job in jobs if job.stage in _GOOD and not job.note]
    troubled = [job for job in jobs if job not in fine]
    parts = [*_sentences(troubled, "need a look at the list of jobs"), *_sentences(fine, "have ended")]
    return "; ".join(parts), not troubled


def _sentences(jobs: Sequence[JobView], many: str) -> list[str]:
    """A sentence for each job; for many of them, one for all."""
    if len(jobs) <= _NAMED:
        return [_sentence(job) for job in jobs]
    names = ", ".join(job.name for job in jobs[:_NAMED])
    return [f"{names} and {len(jobs) - _NAMED} more {many}"]


def _sentence(job: JobView) -> str:
    match job.stage:
        case Stage.FAILED:
            words = sentences(f"{job.name} failed: {job.error or job.text}", job.advice)
        case Stage.STOPPED:
            words = f"{job.name} was stopped"
        case Stage.UNCERTAIN:
            words = f"{job.name} waits for a decision of yours in the list of jobs"
        case Stage.READY:
            words = f"{job.name} is ready; Bring In puts it into this file ({effort(job)})"
        case _:
            said = job.answer.rstrip(".") or (job.text.rstrip(".") if not job.text.startswith("Done") else "")
            words = f"{job.name}: {said} ({effort(job)})" if said else f"{job.name} is done ({effort(job)})"
    if job.understood and job.stage in (Stage.READY, Stage.APPLIED):
        words = sentences(words, job.understood).rstrip(".")
    return f"{words}. {job.note}" if job.note else words
