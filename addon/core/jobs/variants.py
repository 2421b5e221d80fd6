"""The same job again with other seeds, and with nothing uploaded a second time (plain data, no bpy, no network)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import replace

from ..errors import Refused
from .job import Delivery, JobPlan, JobView, Source, SourceKind, StepPlan

MOST = 8
"""So many at once."""

_LARGEST = 2**31 - 1
_SEED = re.compile(r", seed \d+$")
_EDIT = "Use Edit & Run Again"


def repeatable(job: JobView, service_id: str) -> tuple[Source, tuple[StepPlan, ...]]:
    """Source and steps that do a job once more.

    Raises:
        Refused: It cannot be done without the scene; the message says why.
    """
    plan = job.plan
    if plan is None or not plan.steps:
        raise Refused("What this job was asked with is not known here")
    if job.service_id != service_id:
        raise Refused(f"{job.name} was run at another service", f"{_EDIT} to run it at this one")
    if plan.source.kind in (SourceKind.SELECTION, SourceKind.MODEL_FILE):
        imported = job.steps[0] if job.steps else None
        if imported is None or imported.status != "success" or not imported.task_id or len(plan.steps) < 2:
            raise Refused(f"What {job.name} works on has not been uploaded", _EDIT)
        source = Source(SourceKind.TASK, task_id=imported.task_id, capability=imported.capability)
        return replace(source, title=_title(plan)), plan.steps[1:]
    return replace(plan.source, path="", snapshot=None, title=_title(plan)), plan.steps


def _title(plan: JobPlan) -> str:
    """What results are named after that do not stand in the place of their source."""
    placement = plan.delivery.placement
    return plan.source.title or (placement.sources[0][0] if placement is not None and placement.sources else "")


def variants(
    job: JobView,
    service_id: str,
    seed_fields: Iterable[str],
    count: int,
    delivery: Delivery,
    *,
    first: int | None = None,
) -> list[JobPlan]:
    """Plans of the same job with seeds of their own.

    Args:
        job: The job.
        service_id: The service that is asked now.
        seed_fields: The fields of its last step that take a seed.
        count: How many.
        delivery: Where their results go.
        first: The first seed, the others follow it; any where it is left out.

    Raises:
        Refused: It cannot be done; the message says why.
    """
    source, steps = repeatable(job, service_id)
    names = tuple(seed_fields)
    assert job.plan is not None
    used = {job.plan.steps[-1].fields.get(name) for name in names}
    if first is None:
        seeds = [seed for seed in random.sample(range(1, _LARGEST), count + len(used)) if seed not in used][:count]
    else:
        seeds = [(first + number) % (_LARGEST + 1) for number in range(count)]
    name = _SEED.sub("", job.plan.name)
    return [
        JobPlan(
            name=f"{name}, seed {seed}",
            source=source,
            steps=(*steps[:-1], replace(steps[-1], fields={**steps[-1].fields, **dict.fromkeys(names, seed)})),
            delivery=delivery,
        )
        for seed in seeds
    ]
