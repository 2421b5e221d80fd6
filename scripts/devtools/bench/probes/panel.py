"""Runs inside a windowed Blender: how long our panels take to draw with 500 jobs in the list.

Started as ``blender --python panel.py -- FOLDER``, with the extension installed. It writes ``FOLDER/figures.json``.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

import bpy

sys.path.insert(0, str(Path(__file__).parent))

from window_loop import Steps, play  # type: ignore[import-not-found, unused-ignore]

PACKAGE = "bl_ext.user_default.asset_generation"
FOLDER = Path(sys.argv[-1])
JOBS, DRAWS = 500, 100
LONGEST_SECONDS = 120.0

notes: dict[str, Any] = {"blender": bpy.app.version_string, "jobs": JOBS}
seconds: dict[str, list[float]] = defaultdict(list)
"""For each panel how long each of its drawings took; of this thread's own work, so that other programs do not count."""


def _addon(name: str) -> Any:
    return importlib.import_module(f"{PACKAGE}.addon.{name}")


def _time(cls: type[Any], name: str) -> None:
    draw = getattr(cls, name)

    def run(self: Any, context: Any) -> None:
        began = time.thread_time()
        try:
            draw(self, context)
        finally:
            seconds[cls.__name__].append(time.thread_time() - began)

    setattr(cls, name, run)


def _fill() -> None:
    job = _addon("core.jobs.job")
    messages = _addon("core.status.messages")
    state = _addon("bridge.state").state
    stages = list(job.Stage)
    for number in range(JOBS):
        view = job.JobView(
            id=f"job-{number}",
            name=f"Decimate A Thing With A Name {number}",
            stage=stages[number % len(stages)],
            progress=number % 100 / 100,
            text="Working",
            steps=(job.StepView("decimate", task_id=f"task-{number}", credits="5"),),
            created_at=float(number),
            service_id="local",
        )
        state.update(messages.JobChanged(view))


def _draw(region: Any) -> Steps:
    for _ in range(DRAWS):
        region.tag_redraw()
        yield 0.02


def _play() -> Steps:
    area = next(area for area in bpy.context.window.screen.areas if area.type == "VIEW_3D")
    area.spaces.active.show_object_viewport_mesh = False
    area.spaces.active.show_region_ui = True
    yield 0.5
    region = next(region for region in area.regions if region.type == "UI")
    region.active_panel_category = "View"
    yield 1.0
    shown = [cls for cls in bpy.types.Panel.__subclasses__() if getattr(cls, "bl_category", "") == "View"]
    for cls in shown:
        _time(cls, "draw")
    yield from _draw(region)
    notes["reference"] = _milliseconds()
    seconds.clear()
    region.active_panel_category = "Asset Gen"
    yield 6.0  # until all that a drawing asks for is there
    _fill()
    _addon("bridge.pump").start()  # which has the list follow
    yield 2.0
    for cls in bpy.types.Panel.__subclasses__():
        if cls.__name__.startswith("ASSETGEN_PT"):
            _time(cls, "draw")
    yield from _draw(region)
    notes["median"] = _milliseconds()
    notes["draws"] = max(map(len, seconds.values()))
    notes["worst"] = max(max(times) for times in seconds.values()) * 1000
    notes["by_panel"] = {name: median(times) * 1000 for name, times in seconds.items()}


def _milliseconds() -> float:
    """Of all panels together, the median of each."""
    return sum(median(times) for times in seconds.values()) * 1000


play(_play(), notes, FOLDER, LONGEST_SECONDS)
