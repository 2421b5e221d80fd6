"""The main script of the soak in a background Blender: ``python soak_in_blender.py JOBS FOLDER``.

The extension is enabled and its pump is called by hand, as timers do not run without a window. The environment names
the service and the data folder. The last line printed begins with SAMPLES.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import bpy  # before anything that Blender brings can be found
from load_extension import enable_extension

from devtools.campaign.footprint import sample
from devtools.campaign.plans import make_plan

_MOST_OPEN = 8
_PLANS = ("words", "selection, check", "words for an image", "file")
_LONGEST = 600.0


def main(jobs: int, folder: Path) -> list[dict[str, float]]:
    """Runs the jobs; the figures at the start, in the middle and at the end."""
    package = enable_extension().__name__
    bridge = {name: importlib.import_module(f"{package}.addon.bridge.{name}") for name in ("pump", "session", "state")}
    _convert_by_copying(package)
    session, pump, state = bridge["session"].session, bridge["pump"], bridge["state"].state
    runtime = session.runtime()
    submitted, samples = 0, []
    marks = [max(4, jobs // 10), jobs // 2, jobs]
    deadline = time.monotonic() + _LONGEST
    while marks and time.monotonic() < deadline:
        pump.tick()
        ended = [job for job in state.jobs.values() if str(job.stage) in ("applied", "failed", "stopped")]
        if submitted < jobs and submitted - len(ended) < _MOST_OPEN:
            runtime.submit(_plan(package, submitted, folder))
            submitted += 1
        if len(ended) >= marks[0]:
            if len(marks) == 1:
                time.sleep(6.0)  # kept connections end, and nothing goes on
            marks.pop(0)
            samples.append(_sample(folder, pump))
        time.sleep(0.02)
    failed = [job.error for job in state.jobs.values() if str(job.stage) != "applied"]
    if failed or marks:
        raise SystemExit(f"{len(failed)} jobs did not end well, the first because: {failed[:1]}; left {marks}")
    session.shutdown()
    pump.stop()
    samples[-1]["timers"] = float(_timers(pump))
    return samples


def _plan(package: str, number: int, folder: Path) -> Any:
    """A job whose result goes into a folder, or is an answer that the pump takes in."""
    job = importlib.import_module("asset_generation.addon.core.jobs.job")
    plan = make_plan(_PLANS[number % len(_PLANS)], f"job {number}", folder)
    if plan.steps[-1].capability == "rig_check":
        return plan
    del package
    return job.JobPlan(plan.name, plan.source, plan.steps, job.Delivery(folder=str(folder / "delivered")))


def _convert_by_copying(package: str) -> None:
    """A background Blender for each upload would make it a test of Blender."""
    from devtools.campaign.runtime_face import CopyingConverter

    stages: Any = importlib.import_module(f"{package}.addon.core.runtime.started_runtime")
    stages.BackgroundConverter = lambda command: CopyingConverter(time.sleep)


def _timers(pump: Any) -> bool:

    return bool(bpy.app.timers.is_registered(pump._on_timer))


def _sample(folder: Path, pump: Any) -> dict[str, float]:

    blocks = sum(len(getattr(bpy.data, name)) for name in ("objects", "meshes", "images", "collections", "libraries"))
    return {**sample(folder / "data"), "data blocks": float(blocks), "timers": float(_timers(pump))}


if __name__ == "__main__":
    print("SAMPLES " + json.dumps(main(int(sys.argv[1]), Path(sys.argv[2]))), flush=True)
