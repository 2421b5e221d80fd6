"""Runs inside a windowed Blender: whole jobs on one kind of thing, while a timer notes how long Blender stands.

Started as ``blender --python whole_job.py -- FOLDER KIND TRIANGLES``, with the extension installed. The first press of
the session is one without a look at the panel. It writes ``FOLDER/figures.json``.

Meshes are not drawn: without a graphics card one drawing of a million triangles takes longer than all that is measured.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy

sys.path.insert(0, str(Path(__file__).parent))

from subjects import PROMPT, SUBJECTS, Subject  # type: ignore[import-not-found, unused-ignore]
from window_loop import Steps, Watch, play, redraw, wait_for  # type: ignore[import-not-found, unused-ignore]

PACKAGE = "bl_ext.user_default.asset_generation"
FOLDER, KIND, TRIANGLES = Path(sys.argv[-3]), sys.argv[-2], int(sys.argv[-1])
UNCHANGED = {"face_limit": 2_000_000, "model_version": "v1.0", "bake": False}
"""Fields with which a result has as many triangles as its source."""
SETTLED_SECONDS = 5.0  # after the start: the extension has loaded what a press needs
AFTER_SECONDS = 1.0  # a press or an arrival has effects in the ticks and drawings that follow it
LAST_SECONDS = 0.05  # before a result comes in; what follows belongs to its arrival
LONGEST_SECONDS = 600.0
ENDED = {"applied", "failed", "stopped", "uncertain"}

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


def _job(job_id: str) -> Any:
    return _addon("bridge.state").state.jobs.get(job_id)


def _stage(job_id: str) -> str:
    return str(getattr(_job(job_id), "stage", ""))


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
    yield from wait_for(
        f"the end of {KIND}", lambda: _stage(job_id) in ENDED, LONGEST_SECONDS, lambda: (_stage(job_id), _job(job_id))
    )
    job = _job(job_id)
    if str(job.stage) != "applied" or not arrived:
        raise AssertionError(f"{job.name} ended as {job.stage}: {job.text} {job.error} {job.advice}")
    began, done = arrived[-1]
    yield AFTER_SECONDS
    phases["work"] = watch.between(pressed, began - LAST_SECONDS)
    phases["arrival"] = watch.between(began, done + AFTER_SECONDS / 2)
    calls["arrival"] = {"longest": (done - began) * 1000}


def _stop_all() -> Steps:
    """Stops what was started last; a job that is stopped before it is in the journal leaves the list at once."""
    for job in _addon("bridge.state").state.newest_first():
        if str(job.stage) not in ENDED:
            bpy.ops.assetgen.job_action("EXEC_DEFAULT", job_id=job.id, action="stop")
    yield from wait_for("the end of stopped jobs", lambda: not _running(), 120.0, _running)


def _running() -> list[str]:
    return [f"{job.name}: {job.stage}" for job in _addon("bridge.state").state.newest_first() if job.stage not in ENDED]


def _run_on_selection(each: bool) -> Callable[[], Any]:
    return lambda: bpy.ops.assetgen.decimate("EXEC_DEFAULT", each=each, **UNCHANGED)


def _edit(names: list[str]) -> None:
    """Changes every mesh a little, so that its next press is one with a snapshot and not one on a known task."""
    for name in names:
        mesh = bpy.data.objects[name].data
        mesh.vertices[0].co.z += 0.01
        mesh.update()


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
    watch.begin()
    yield from _rest("start", SETTLED_SECONDS)
    yield from _rest("idle", 2.0)
    yield from _timed("redraw", redraw)
    notes["triangles"] = sum(
        len(bpy.data.objects[name].data.loops) - 2 * len(bpy.data.objects[name].data.polygons) for name in subject.names
    )
    arrived = _watch_arrivals()
    if subject.names:
        yield from _play_meshes(subject, arrived)
    else:
        capability, fields = subject.asked
        yield from _whole_job("press", lambda: getattr(bpy.ops.assetgen, capability)("EXEC_DEFAULT", **fields), arrived)
        fields = {**fields, **({"prompt": f"{PROMPT}, blue"} if "prompt" in fields else {})}
        yield from _timed("later press", lambda: getattr(bpy.ops.assetgen, capability)("EXEC_DEFAULT", **fields))


def _rest(name: str, seconds: float) -> Steps:
    began = time.perf_counter()
    yield seconds
    phases[name] = watch.between(began, time.perf_counter())


def _play_meshes(subject: Subject, arrived: list[tuple[float, float]]) -> Steps:
    names, exported = subject.names, FOLDER / "exported.glb"
    _select(names)
    if subject.comes_from_file or subject.each:
        yield from _timed("press", _run_on_selection(subject.each))
        yield from _stop_all()
    else:
        yield from _whole_job("press", _run_on_selection(False), arrived)
    _edit(names)
    _select(names)
    yield 0.5  # until what an edit has evaluated and drawn is over
    yield from _timed("later press", _run_on_selection(subject.each))
    yield from _stop_all()
    _select(names)
    yield from _timed("libraries.write", _write_alone(names))
    if subject.each:
        return
    yield from _timed("export_scene.gltf", _reference_export(exported))
    if subject.comes_from_file:  # what is uploaded of a selection is its shape; a file keeps bones, motions, shape keys
        bpy.ops.assetgen.import_model("EXEC_DEFAULT", file=str(exported))
        job_id = _last_id()
        yield from wait_for("the import of the file", lambda: _stage(job_id) in ENDED, LONGEST_SECONDS)
        task_id = _job(job_id).steps[-1].task_id
        yield from _whole_job(
            "file", lambda: bpy.ops.assetgen.decimate("EXEC_DEFAULT", input=task_id, **UNCHANGED), arrived
        )
    yield from _timed("import_scene.gltf", _reference_import(exported))


def _end() -> dict[str, Any]:
    watch.end()
    return {}


play(_play(), notes, FOLDER, LONGEST_SECONDS, _end)
