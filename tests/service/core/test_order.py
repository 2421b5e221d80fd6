"""Many jobs through narrow places: each comes to its end before younger ones, and the places in line are in order."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.jobs.job import Delivery, JobView, Stage, StepPlan
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.addon.core.stages.context import CONVERSIONS
from asset_generation.vendor.assetgen.contract import Texture, TexturePrompt
from support.core import InstantConverter, runtime_on, selection_plan, settings_for, wait_until
from support.services.local_engine import instant_runner, local_engine

JOBS = 14


class SlowConverter(InstantConverter):
    """Takes a moment for each conversion, and writes down whose it was."""

    def __init__(self) -> None:
        super().__init__()
        self.order: list[str] = []
        self.lock = threading.Lock()

    def to_glb(self, blend: Path, snapshot: Any, out: Path, on_progress: Any, stopped: Any) -> Any:
        with self.lock:
            self.order.append(snapshot.objects[0].name)
        time.sleep(0.02)
        return super().to_glb(blend, snapshot, out, on_progress, stopped)


def texture_plan(folder: Path, number: int) -> Any:
    step = StepPlan(Texture.name, {next(iter(TexturePrompt.model_fields)): "oak"})
    return selection_plan(folder, step, delivery=Delivery(), name=f"{number:02}")


def has_gone_on(job: JobView, ended: Collection[str]) -> bool:
    """Whether a job has noticed which of its tasks have ended, and has done what comes next."""
    first, second = job.steps
    if second.task_id:
        return second.task_id not in ended or job.stage is not Stage.WAIT
    return first.task_id not in ended or "in line" in job.text


@pytest.mark.parametrize("pools", [{}, None], ids=["narrow pools", "wide pools"])
def test_the_first_of_many_is_done_long_before_the_last_one(tmp_path: Path, pools: dict[Any, int] | None) -> None:
    ids: list[str] = []
    began: list[str] = []
    ended: set[str] = set()

    def runner(request: Mapping[str, Any], **named: Any) -> dict[str, Any]:
        """Takes its time until all jobs have gone on, so that the order of the tasks is not a matter of seconds."""
        wait_until(lambda: len(ids) == JOBS and all(has_gone_on(runtime.job(job_id), ended) for job_id in ids))
        if len(began) == 10:  # of 28 tasks; by order of creation, the first texture is the twelfth
            wait_until(lambda: runtime.job(ids[0]).stage is Stage.APPLIED)
        began.append(request["type"])
        result = instant_runner(request, **named)
        ended.add(request["task_id"])
        return result

    options = {} if pools is None else {"pools": pools}
    converter = SlowConverter()
    with (
        local_engine(tmp_path, runner=runner, workers=1, **options) as service,
        runtime_on(settings_for(service, tmp_path / "data"), converter=converter) as runtime,
    ):
        ids += [runtime.submit(texture_plan(tmp_path, number)) for number in range(JOBS)]
        ends: list[str] = []
        wait_until(lambda: len(ends_of(runtime, ids, ends)) == JOBS, 90)
        kinds = "".join(kind[0] for kind in began)
        print("ends", [ids.index(job_id) for job_id in ends], "tasks", kinds)
        # Each texture is begun soon after its import: three at most are left when the last import has been begun. In
        # the order of their creation they were eight and more.
        assert len(kinds) - 1 - kinds.rindex("i") <= 4, kinds
        assert [ids.index(job_id) for job_id in ends] == pytest.approx(range(JOBS), abs=6), "they end in their order"
        # What waits for a background Blender is taken in the order of the presses.
        places = [int(name) for name in converter.order]
        assert all(abs(place - number) <= CONVERSIONS for number, place in enumerate(places)), places


def ends_of(runtime: Runtime, ids: list[str], ends: list[str]) -> list[str]:
    """Adds the jobs that have ended since the last look."""
    ends += [job_id for job_id in ids if job_id not in ends and runtime.job(job_id).stage is Stage.APPLIED]
    return ends
