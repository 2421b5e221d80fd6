"""All that there is to know of a job, as lines: for the details below the job list, and for copying."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ..jobs.job import EXTRA, JobView, StepView
from ..settings import LOCAL
from .job_words import charged, duration


class Detail(NamedTuple):
    """What something is called, and what it is; ``ours`` where that is said in words of ours, not a user's."""

    label: str
    value: str
    ours: bool = False

    def __str__(self) -> str:
        return f"{self.label}: {self.value}"


def details_of(job: JobView) -> list[Detail]:
    """What was asked for, which tasks came of it, what they took and gave. Reads no file."""
    details = list(_asked_for(job))
    details += [_task(step, place, len(job.steps)) for place, step in enumerate(job.steps) if step.task_id]
    if job.request_id:
        details.append(Detail("Request", job.request_id))
    details.append(Detail("Service", job.service_id, ours=job.service_id == LOCAL))
    if job.created_at:
        details.append(Detail("Started", time.strftime("%Y-%m-%d %H:%M", time.localtime(job.created_at))))
    details.append(Detail("Took", duration(job.seconds), ours=True))
    if credits := charged(job):
        details.append(Detail("Charged", f"{credits} credits", ours=True))
    details += _files(job)
    return details


def details_text(job: JobView) -> str:
    """A job as a text to be copied: what went wrong first, then all the rest."""
    lines = [job.name, job.answer, job.error or job.text, job.advice, job.note]
    return "\n".join([*(line for line in lines if line), *map(str, details_of(job))])


def _asked_for(job: JobView) -> Iterator[Detail]:
    for step in job.plan.steps if job.plan is not None else ():
        for name, value in step.fields.items():
            if name == EXTRA and isinstance(value, Mapping):
                yield from (Detail(str(key), _text(item)) for key, item in value.items())
            else:
                yield Detail(name.replace("_", " ").capitalize(), _text(value), ours=isinstance(value, bool))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value))
    return str(value)


def _task(step: StepView, place: int, count: int) -> Detail:
    label = "Task" if count == 1 else f"Task {place + 1} of {count}, {step.capability.replace('_', ' ')}"
    facts = [step.status, duration(step.seconds) if step.seconds else ""]
    return Detail(label, ", ".join([step.task_id, *(fact for fact in facts if fact)]), ours=True)


def _files(job: JobView) -> Iterator[Detail]:
    if job.result:
        yield Detail("Folder", str(Path(job.result).parent))
        yield Detail(
            "Files", ", ".join(dict.fromkeys(Path(path).name for _, path in job.files)) or Path(job.result).name
        )
    if job.delivered:
        yield Detail("Copies", ", ".join(path for _, path in job.delivered))
