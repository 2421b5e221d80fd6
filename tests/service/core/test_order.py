"""Many jobs through narrow places: each comes to its end before younger ones, and the places in line are in order."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.jobs.job import Delivery, Stage, StepPlan
from asset_generation.addon.core.stages.context import CONVERSIONS
from asset_generation.vendor.assetgen.contract import Texture, TexturePrompt
from support.core import InstantConverter, rested, runtime_on, selection_plan, settings_for
from support.services.local_engine import instant_runner, local_engine

JOBS = 14
TASK_SECONDS = 0.2


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


@pytest.mark.parametrize("pools", [{}, None], ids=["narrow pools", "wide pools"])
def test_the_first_of_many_is_done_long_before_the_last_one(tmp_path: Path, pools: dict[Any, int] | None) -> None:
    began: list[str] = []

    def runner(request: Mapping[str, Any], **named: Any) -> dict[str, Any]:
        began.append(request["type"])
        time.sleep(TASK_SECONDS)
        return instant_runner(request, **named)

    options = {} if pools is None else {"pools": pools}
    converter = SlowConverter()
    with (
        local_engine(tmp_path, runner=runner, workers=1, **options) as service,
        runtime_on(settings_for(service, tmp_path / "data"), converter=converter) as runtime,
    ):
        start = time.monotonic()
        ids = [runtime.submit(texture_plan(tmp_path, number)) for number in range(JOBS)]
        ends: dict[str, float] = {}
        while len(ends) < JOBS and time.monotonic() < start + 90:
            for job_id in ids:
                if job_id not in ends and runtime.job(job_id).stage is Stage.APPLIED:
                    ends[job_id] = time.monotonic() - start
            time.sleep(0.005)
        assert all(rested(runtime, job_id).stage is Stage.APPLIED for job_id in ids)
        seconds = [ends[job_id] for job_id in ids]
        kinds = "".join(kind[0] for kind in began)
        print("ends after", [round(second, 1) for second in seconds], "tasks", kinds)
        # Each texture is begun soon after its import: three at most are left when the last import has been begun. In
        # the order of their creation they were eight and more.
        assert len(kinds) - 1 - kinds.rindex("i") <= 4, kinds
        assert seconds[0] < seconds[-1] / 2
        assert [ids.index(job_id) for job_id in ends] == pytest.approx(range(JOBS), abs=4), "they end in their order"
        # What waits for a background Blender is taken in the order of the presses.
        places = [int(name) for name in converter.order]
        assert all(abs(place - number) <= CONVERSIONS for number, place in enumerate(places)), places
