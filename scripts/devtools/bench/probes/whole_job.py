"""Runs inside a windowed Blender: whole jobs on one kind of thing, while a timer notes how long Blender stands.

Started as ``blender --python whole_job.py -- FOLDER``, with the extension installed. It plays ``FOLDER/ask-0.json``
({kind, triangles}), writes ``FOLDER/answer-0.json`` and goes on with the next number; ``FOLDER/end`` ends it. The first
press of the session is one without a look at the panel; after it the tab is open.

Meshes are not drawn: without a graphics card one drawing of a million triangles takes longer than all that is measured.
"""

from __future__ import annotations

import importlib
import itertools
import json
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from small_window import make_small, open_tab  # type: ignore[import-not-found, unused-ignore]
from subjects import PROMPT, SUBJECTS, Subject  # type: ignore[import-not-found, unused-ignore]
from window_loop import Steps, Watch, play, redraw, wait_for  # type: ignore[import-not-found, unused-ignore]

PACKAGE = "bl_ext.user_default.asset_generation"
FOLDER = Path(sys.argv[-1])
UNCHANGED = {"face_limit": 2_000_000, "model_version": "v1.0", "bake": False}
"""Fields with which a result has as many triangles as its source."""
SETTLED_SECONDS = 5.0  # after the start: the extension has loaded what a press needs
START_SECONDS = 60.0  # within which a press starts its job
AFTER_SECONDS = 1.0  # a press or an arrival has effects in the ticks and drawings that follow it
COLD_SECONDS = 8.0
"""After which memory that was given back is new again: a virtual machine lends it to others within that time, and a
copy of painted pixels takes as much new memory (docs/platform.md)."""
LAST_SECONDS = 0.05  # before a result comes in; what follows belongs to its arrival
LONGEST_SECONDS = 900.0
SESSION_SECONDS = 7200.0
TAB = "Asset Gen"
ENDED = {"applied", "failed", "stopped", "uncertain"}

watch = Watch()
phases: dict[str, dict[str, float]] = {}
calls: dict[str, dict[str, float]] = {}
"""Beside the phases: how long the call itself took, which is a part of its phase."""
arrived: list[tuple[float, float]] = []
"""When results came in: beginning and end of each."""
notes: dict[str, Any] = {}


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


def _pressed(name: str, press: Callable[[], Any]) -> Steps:
    """The same with a press; the call counts until its job has started, for which it may wait while Blender goes on."""
    before = _last_id()
    began, worked = time.perf_counter(), time.thread_time()
    press()
    if _last_id() == before:
        yield from wait_for("the start of the job", lambda: _last_id() != before, START_SECONDS)
    started = time.perf_counter()
    calls[name] = {"longest": (started - began) * 1000, "own": (time.thread_time() - worked) * 1000}
    yield AFTER_SECONDS
    phases[name] = watch.between(began, started + AFTER_SECONDS / 2)


def _job(job_id: str) -> Any:
    return _addon("bridge.state").state.jobs.get(job_id)


def _stage(job_id: str) -> str:
    return str(getattr(_job(job_id), "stage", ""))


def _last_id() -> str:
    return str(_addon("bridge.scripting")._state.last_job)


def _watch_arrivals() -> None:
    callbacks = _addon("bridge.callbacks").callbacks
    apply = callbacks.apply_result

    def bring_in(*arguments: Any) -> None:
        began = time.perf_counter()
        try:
            apply(*arguments)
        finally:
            arrived.append((began, time.perf_counter()))

    callbacks.apply_result = bring_in


def _whole_job(name: str, press: Callable[[], Any]) -> Steps:
    """A job from its press until its result is in the scene."""
    arrived.clear()
    yield from _pressed(name, press)
    pressed, job_id = time.perf_counter(), _last_id()
    yield from wait_for(
        "the end of the job", lambda: _stage(job_id) in ENDED, LONGEST_SECONDS, lambda: (_stage(job_id), _job(job_id))
    )
    job = _job(job_id)
    if str(job.stage) != "applied" or not arrived:
        raise AssertionError(f"{job.name} ended as {job.stage}: {job.text} {job.error} {job.advice}")
    began, done = arrived[-1]
    yield AFTER_SECONDS
    phases["work"] = watch.between(pressed, began - LAST_SECONDS)
    phases["arrival"] = watch.between(began, done + AFTER_SECONDS / 2)
    calls["arrival"] = {"longest": (done - began) * 1000}
    if job.blend:
        yield from _timed("wm.append", _append_alone(job.blend))


def _stop_all() -> Steps:
    """Stops what was started last; a job that is stopped before it is in the journal leaves the list at once."""
    for job in _addon("bridge.state").state.newest_first():
        if str(job.stage) not in ENDED:
            bpy.ops.assetgen.job_action("EXEC_DEFAULT", job_id=job.id, action="stop")
    yield from wait_for("the end of stopped jobs", lambda: not _running(), 120.0, _running)


def _running() -> list[str]:
    return [f"{job.name}: {job.stage}" for job in _addon("bridge.state").state.newest_first() if job.stage not in ENDED]


def _run_on_selection(each: bool) -> Callable[[], Any]:
    return lambda: bpy.ops.assetgen.decimate("INVOKE_DEFAULT", each=each, **UNCHANGED)


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


def _append_alone(blend: str) -> Callable[[], Any]:
    """Blender's own operator, with its step of undo, for the file that a result comes from."""
    with bpy.data.libraries.load(blend) as (there, _):
        (name,) = there.collections
    inner = f"{blend}/Collection/"
    return lambda: bpy.ops.wm.append("EXEC_DEFAULT", True, filepath=f"{inner}{name}", directory=inner, filename=name)


def _bare_arrival(subject: Subject) -> Callable[[], Any]:
    """What no arrival goes without, by Blender's calls alone: copies that are ready are linked, shown instead of
    their sources where they take their place, and selected, with a step of undo.
    """
    sources = [bpy.data.objects[name] for name in (*subject.names, *subject.exported)]
    bpy.data.batch_remove([item for item in bpy.data.objects if item not in sources])
    hidden = [] if subject.comes_from_file else sources
    came = {item: item.copy() for item in sources}
    for item in came.values():
        item.data = item.data.copy()
        item.parent = came.get(item.parent)
        for modifier in item.modifiers:
            modifier.object = came.get(modifier.object)
    collection, layer = sources[0].users_collection[0], bpy.context.view_layer
    _select(subject.names)

    def arrive() -> None:
        for item in sources:
            item.select_set(False)
        for item in came.values():
            collection.objects.link(item)
        for item in hidden:
            item.hide_set(True)
            item.hide_render = True
        for item in came.values():
            item.select_set(True)
        layer.objects.active = next(iter(came.values()))
        bpy.ops.ed.undo_push(message="By a script")

    return arrive


def _copy_alone(painted: list[bpy.types.Image]) -> Callable[[], Any]:
    """Into memory that is there."""
    arrays = [np.ones(len(image.pixels), dtype=np.float32) for image in painted]

    def copy() -> None:
        for image, values in zip(painted, arrays, strict=True):
            image.pixels.foreach_get(values)

    return copy


def _take_memory(painted: list[bpy.types.Image]) -> None:
    """Takes as much new memory as a copy of the pixels, and touches each of its pages."""
    for image in painted:
        np.empty(len(image.pixels), dtype=np.float32)[:: 4096 // 4] = 0.0


def _painted() -> list[bpy.types.Image]:
    return [image for image in bpy.data.images if image.is_dirty]


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


def _session() -> Steps:
    yield from make_small()
    watch.begin()
    _watch_arrivals()
    yield SETTLED_SECONDS
    for number in itertools.count():
        ask = FOLDER / f"ask-{number}.json"
        while not ask.exists():
            if (FOLDER / "end").exists():
                return
            yield 0.1
        notes.clear()
        phases.clear()
        calls.clear()
        try:
            yield from _play(**json.loads(ask.read_text()), first="first press" if number == 0 else "press")
        except Exception:  # what is asked for next may work all the same
            notes["error"] = traceback.format_exc()
        answer = {"blender": bpy.app.version_string, "phases": phases, "calls": calls, **notes}
        part = FOLDER / f"answer-{number}.part"
        part.write_text(json.dumps(answer, default=str))
        part.rename(FOLDER / f"answer-{number}.json")


def _play(kind: str, triangles: int, first: str) -> Steps:
    yield from _stop_all()
    bpy.ops.assetgen.clear_jobs()
    bpy.data.batch_remove(list(bpy.data.objects))
    bpy.ops.outliner.orphans_purge(do_recursive=True)
    subject = SUBJECTS[kind](triangles)
    bpy.ops.ed.undo_push(message="A scene")
    yield 2.0
    yield from _rest("idle", 2.0)
    yield from _timed("redraw", redraw)
    if _painted():
        yield COLD_SECONDS
    notes["triangles"] = sum(
        len(bpy.data.objects[name].data.loops) - 2 * len(bpy.data.objects[name].data.polygons) for name in subject.names
    )
    if subject.names:
        yield from _play_meshes(subject, first)
    else:
        capability, fields = subject.asked
        yield from _whole_job(first, lambda: getattr(bpy.ops.assetgen, capability)("INVOKE_DEFAULT", **fields))
        open_tab(TAB)
        yield 1.0
        fields = {**fields, **({"prompt": f"{PROMPT}, blue"} if "prompt" in fields else {})}
        yield from _pressed("later press", lambda: getattr(bpy.ops.assetgen, capability)("INVOKE_DEFAULT", **fields))
        yield from _stop_all()


def _rest(name: str, seconds: float) -> Steps:
    began = time.perf_counter()
    yield seconds
    phases[name] = watch.between(began, time.perf_counter())


def _play_meshes(subject: Subject, first: str) -> Steps:
    names, exported = subject.names, FOLDER / "exported.glb"
    _select(names)
    if subject.comes_from_file or subject.each:
        yield from _pressed(first, _run_on_selection(subject.each))
        yield from _stop_all()
    else:
        yield from _whole_job(first, _run_on_selection(False))
    open_tab(TAB)
    _edit(names)
    _select(names)
    yield COLD_SECONDS if _painted() else 1.0  # until what an edit has evaluated and drawn is over
    yield from _pressed("later press", _run_on_selection(subject.each))
    yield from _stop_all()
    _select(names)
    yield from _timed("libraries.write", _write_alone(names))
    if painted := _painted():
        copy = _copy_alone(painted)
        yield AFTER_SECONDS
        yield from _timed("Image.pixels", copy)
        yield COLD_SECONDS
        yield from _timed("new memory", lambda: _take_memory(painted))
    if subject.each:
        return
    _select([*names, *subject.exported])
    yield from _timed("export_scene.gltf", _reference_export(exported))
    if subject.comes_from_file:  # what is uploaded of a selection is its shape; a file keeps bones, motions, shape keys
        bpy.ops.assetgen.import_model("EXEC_DEFAULT", file=str(exported))
        job_id = _last_id()
        yield from wait_for("the import of the file", lambda: _stage(job_id) in ENDED, LONGEST_SECONDS)
        task_id = _job(job_id).steps[-1].task_id
        yield from _whole_job("file", lambda: bpy.ops.assetgen.decimate("INVOKE_DEFAULT", input=task_id, **UNCHANGED))
    yield from _timed("import_scene.gltf", _reference_import(exported))
    arrive = _bare_arrival(subject)
    yield AFTER_SECONDS
    yield from _timed("script", arrive)


def _end() -> dict[str, Any]:
    watch.end()
    return {}


play(_session(), {}, FOLDER, SESSION_SECONDS, _end)
