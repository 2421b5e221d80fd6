"""Runs inside a windowed Blender: whole jobs on one kind of thing, while a timer notes how long Blender stands.

Started as ``blender --python whole_job.py -- FOLDER KIND TRIANGLES``, with the extension installed. The first press of
the session is one without a look at the panel. It writes ``FOLDER/figures.json``.

Meshes are not drawn: without a graphics card one drawing of a million triangles takes longer than all that is measured.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import bpy

sys.path.insert(0, str(Path(__file__).parent))

from subjects import PROMPT, SUBJECTS

PACKAGE = "bl_ext.user_default.asset_generation"
FOLDER, KIND, TRIANGLES = Path(sys.argv[-3]), sys.argv[-2], int(sys.argv[-1])
UNCHANGED = {"face_limit": 2_000_000, "model_version": "v1.0", "bake": False}
"""Fields with which a result has as many triangles as its source."""
INTERVAL = 0.001
SETTLED_SECONDS = 5.0  # after the start: the extension has loaded what a press needs
AFTER_SECONDS = 1.0  # a press or an arrival has effects in the ticks and drawings that follow it
LAST_SECONDS = 0.05  # before a result comes in; what follows belongs to its arrival
LONGEST_SECONDS = 900.0

Steps = Iterator[float]


class Tick(NamedTuple):
    """A call of the timer: when, how long after the one before, and how much of that this thread worked (seconds)."""

    at: float
    gap: float
    own: float


class Watch:
    """The timer that runs through everything."""

    def __init__(self) -> None:
        self.ticks: list[Tick] = []
        self._last = (time.perf_counter(), time.thread_time())
        self.begin = self.tick  # a bound method is a new one each time it is asked for

    def tick(self) -> float:
        """Notes the time since the last call."""
        now, own = time.perf_counter(), time.thread_time()
        self.ticks.append(Tick(now, now - self._last[0], own - self._last[1]))
        self._last = (now, own)
        return INTERVAL

    def between(self, since: float, until: float) -> dict[str, float]:
        """What a phase was like, in ms: longest gap, the work of this thread in the busiest one, and the percentile."""
        ticks = [tick for tick in self.ticks if tick.at >= since and tick.at - tick.gap < until]
        gaps = sorted(tick.gap for tick in ticks)
        if not gaps:
            return {}
        return {
            "longest": gaps[-1] * 1000,
            "own": max(tick.own for tick in ticks) * 1000,
            "p999": gaps[min(len(gaps) - 1, int(len(gaps) * 0.999))] * 1000,
            "ticks": len(gaps),
            "seconds": until - since,
        }


watch = Watch()
phases: dict[str, dict[str, float]] = {}
calls: dict[str, dict[str, float]] = {}
"""Beside the phases: how long the call itself took, which is a part of its phase."""
notes: dict[str, Any] = {"blender": bpy.app.version_string, "phases": phases, "calls": calls}


def _addon(name: str) -> Any:
    return importlib.import_module(f"{PACKAGE}.addon.{name}")


def _timed(name: str, call: Callable[[], Any]) -> Steps:
    """Does something and waits for its effects; the phase is what Blender did meanwhile."""
    began, worked = time.perf_counter(), time.thread_time()
    call()
    ended = time.perf_counter()
    calls[name] = {"longest": (ended - began) * 1000, "own": (time.thread_time() - worked) * 1000}
    yield AFTER_SECONDS
    phases[name] = watch.between(began, ended + AFTER_SECONDS / 2)


def _wait_for(words: str, condition: Callable[[], Any], seconds: float = LONGEST_SECONDS) -> Steps:
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(f"waited in vain: {words}")
        yield 0.05


def _job(job_id: str) -> Any:
    return _addon("bridge.state").state.jobs.get(job_id)


def _last_id() -> str:
    return str(_addon("bridge.scripting")._state.last_job)


def _watch_arrivals() -> list[tuple[float, float]]:
    """When results came in: beginning and end of each."""
    found: list[tuple[float, float]] = []
    arrivals = _addon("bridge.arrivals").arrivals
    apply = arrivals.apply

    def bring_in(*arguments: Any) -> None:
        began = time.perf_counter()
        try:
            apply(*arguments)
        finally:
            found.append((began, time.perf_counter()))

    arrivals.apply = bring_in
    return found


def _whole_job(name: str, press: Callable[[], Any], arrived: list[tuple[float, float]]) -> Steps:
    """A job from its press until its result is in the scene."""
    arrived.clear()
    yield from _timed(name, press)
    pressed, job_id = time.perf_counter(), _last_id()
    ended = {"applied", "failed", "stopped", "uncertain"}
    yield from _wait_for("the end of the job", lambda: _job(job_id) is not None and str(_job(job_id).stage) in ended)
    job = _job(job_id)
    if str(job.stage) != "applied" or not arrived:
        raise AssertionError(f"{job.name} ended as {job.stage}: {job.text} {job.error} {job.advice}")
    began, done = arrived[-1]
    yield AFTER_SECONDS
    phases["work" if name == "press" else f"{name} work"] = watch.between(pressed, began - LAST_SECONDS)
    phases["arrival"] = watch.between(began, done + AFTER_SECONDS / 2)
    calls["arrival"] = {"longest": (done - began) * 1000}


def _stop_last() -> Steps:
    job_id = _last_id()
    runtime = _addon("bridge.session").session._runtime
    yield from _wait_for("the job's entry", lambda: runtime.entry(job_id).done(), 60.0)
    bpy.ops.assetgen.job_action("EXEC_DEFAULT", job_id=job_id, action="stop")
    yield from _wait_for("the job's end", lambda: str(_job(job_id).stage) in ("stopped", "failed", "applied"), 120.0)


def _run_on_selection() -> Any:
    return bpy.ops.assetgen.decimate("EXEC_DEFAULT", **UNCHANGED)


def _reference_export(path: Path) -> Callable[[], Any]:
    return lambda: bpy.ops.export_scene.gltf(filepath=str(path), use_selection=True, export_format="GLB")


def _reference_import(path: Path) -> Callable[[], Any]:
    return lambda: bpy.ops.import_scene.gltf("EXEC_DEFAULT", True, filepath=str(path))


def _write_alone(names: list[str]) -> Callable[[], Any]:
    objects = {bpy.data.objects[name] for name in names}
    path = str(FOLDER / "alone.blend")
    return lambda: bpy.data.libraries.write(path, objects, path_remap="ABSOLUTE", fake_user=False)


def _select(names: list[str]) -> None:
    bpy.ops.object.select_all(action="DESELECT")
    for name in names:
        item = bpy.data.objects[name]
        item.hide_set(False)
        item.select_set(True)
        bpy.context.view_layer.objects.active = item


def _play() -> Steps:
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    for area in bpy.context.window.screen.areas:
        if area.type == "VIEW_3D":
            area.spaces.active.show_object_viewport_mesh = False
    subject = SUBJECTS[KIND](TRIANGLES)
    bpy.ops.ed.undo_push(message="A scene")
    bpy.app.timers.register(watch.begin)
    began = time.perf_counter()
    yield SETTLED_SECONDS
    phases["start"] = watch.between(began, time.perf_counter())
    began = time.perf_counter()
    yield 2.0
    phases["idle"] = watch.between(began, time.perf_counter())
    notes["triangles"] = sum(
        len(bpy.data.objects[name].data.loops) - 2 * len(bpy.data.objects[name].data.polygons) for name in subject.names
    )
    arrived = _watch_arrivals()
    if subject.names:
        yield from _play_mesh(subject.names, subject.comes_from_file, arrived)
    else:
        capability, fields = subject.asked
        yield from _whole_job("press", lambda: getattr(bpy.ops.assetgen, capability)("EXEC_DEFAULT", **fields), arrived)
        fields = {**fields, **({"prompt": f"{PROMPT}, blue"} if "prompt" in fields else {})}
        yield from _timed("later press", lambda: getattr(bpy.ops.assetgen, capability)("EXEC_DEFAULT", **fields))


def _play_mesh(names: list[str], comes_from_file: bool, arrived: list[tuple[float, float]]) -> Steps:
    _select(names)
    yield from _whole_job("press", _run_on_selection, arrived)
    _select(names)
    yield from _timed("later press", _run_on_selection)
    yield from _stop_last()
    _select(names)
    yield from _timed("libraries.write", _write_alone(names))
    exported = FOLDER / "exported.glb"
    yield from _timed("export_scene.gltf", _reference_export(exported))
    if comes_from_file:  # what is uploaded of a selection is its shape; a file keeps bones, motions and shape keys
        bpy.ops.assetgen.import_model("EXEC_DEFAULT", file=str(exported))
        job_id = _last_id()
        yield from _wait_for("the import of the file", lambda: str(getattr(_job(job_id), "stage", "")) == "applied")
        task_id = _job(job_id).steps[-1].task_id
        yield from _whole_job(
            "file", lambda: bpy.ops.assetgen.decimate("EXEC_DEFAULT", input=task_id, **UNCHANGED), arrived
        )
    yield from _timed("import_scene.gltf", _reference_import(exported))


def _begin() -> None:
    steps = _play()
    until = time.monotonic() + LONGEST_SECONDS

    def go_on() -> float | None:
        try:
            if time.monotonic() > until:
                raise AssertionError("it took too long")
            with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
                return next(steps)
        except StopIteration:
            notes["ended"] = True
        except BaseException:
            notes["error"] = traceback.format_exc()
        if bpy.app.timers.is_registered(watch.begin):
            bpy.app.timers.unregister(watch.begin)
        (FOLDER / "figures.json").write_text(json.dumps(notes, indent=1, default=str))
        bpy.app.timers.register(lambda: bpy.ops.wm.quit_blender() and None, first_interval=0.1)
        return None

    bpy.app.timers.register(go_on, first_interval=0.5)


_begin()
