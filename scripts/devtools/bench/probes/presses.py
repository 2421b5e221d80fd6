"""Runs inside a windowed Blender: presses everything there is to press and notes how long the main thread was in it.

Started as ``blender --python presses.py -- FOLDER``, with the extension installed. It makes a few jobs first, writes
``FOLDER/ready``, waits for ``FOLDER/on`` (the trouble has begun), presses, and writes ``FOLDER/figures.json``.
"""

from __future__ import annotations

import functools
import importlib
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy

sys.path.insert(0, str(Path(__file__).parent))

from window_loop import Steps, play, redraw, wait_for  # type: ignore[import-not-found, unused-ignore]

PACKAGE = "bl_ext.user_default.asset_generation"
FOLDER = Path(sys.argv[sys.argv.index("--") + 1])
TEXT = {"prompt": "a red chair", "model_version": "v3.1-20260211"}
REMOTE = "http://127.0.0.1:9"
LONGEST_SECONDS = 500.0
AFTER_SECONDS = 0.5  # after each press, for some ticks and drawings that follow it; each one counts, whose ever it is

_FIRST = "the very first press"
_BRINGS_IN = "timer that brings a result in"
_OURS = {("VIEW_3D", "UI"), ("PREFERENCES", "WINDOW")}

figures: dict[str, list[tuple[float, float]]] = defaultdict(list)
"""For each thing how long it took, in ms: by the clock, and without waiting for a processor."""
notes: dict[str, Any] = {"blender": bpy.app.version_string}


def _bridge(name: str) -> Any:
    return importlib.import_module(f"{PACKAGE}.addon.bridge.{name}")


def _seconds_in_line() -> float:
    """For how long this thread has waited until now because other programs had the processors; 0 where not known."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


def _brought_in() -> bool:
    """Whether a result has come in since this was asked last."""
    happened, notes["brought_in"] = notes.get("brought_in", False), False
    return bool(happened)


def _timed(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def run(*arguments: Any, **options: Any) -> Any:
        begun, waited = time.perf_counter(), _seconds_in_line()
        try:
            return call(*arguments, **options)
        finally:
            in_line = _seconds_in_line() - waited  # before the clock, so that all of it is within the time
            seconds = time.perf_counter() - begun
            measured = (seconds * 1000, (seconds - in_line) * 1000)
            figures[_BRINGS_IN if name == "timer" and _brought_in() else name].append(measured)

    return run


def _timed_drawing(name: str, draw: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    # Blender looks at how many arguments a drawing function takes, and gives it no more.
    def run(self: Any, context: Any) -> None:
        _timed(name, draw)(self, context)

    return run


def _watch() -> None:
    """Times every tick of our timers and every drawing of ours from now on."""
    pump = _bridge("pump")
    pump.tick = _timed("timer", pump.tick)
    callbacks = _bridge("callbacks").callbacks
    apply = callbacks.apply_result

    def bring_in(*arguments: Any) -> None:
        notes["brought_in"] = True
        apply(*arguments)

    callbacks.apply_result = bring_in
    for module, name, kind in (
        ("ui.main_panel", "ASSETGEN_PT_main", "draw of the panel"),
        ("ui.job_panel", "ASSETGEN_PT_jobs", "draw of the jobs"),
        ("preferences", "ASSETGEN_AP_preferences", "draw of the preferences"),
    ):
        cls = getattr(importlib.import_module(f"{PACKAGE}.addon.{module}"), name)
        cls.draw = _timed_drawing(kind, cls.draw)


def _press(name: str, call: Callable[[], Any], seconds: float = AFTER_SECONDS) -> Steps:
    try:
        _timed(name, call)()
    except RuntimeError as error:
        notes.setdefault("refused", {})[name] = str(error).strip()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        _redraw_ours()
        yield 0.05


def _redraw_ours() -> None:
    """Has the sidebar and the preferences be drawn anew, and not the scene: without a graphics card that would take all
    processors from the jobs that are waited for.
    """
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            for region in area.regions:
                if (area.type, region.type) in _OURS:
                    region.tag_redraw()


def _wait_for(words: str, condition: Callable[[], Any], seconds: float = 240.0) -> Steps:
    return wait_for(words, condition, seconds, lambda: [(job.name, job.stage, job.text, job.error) for job in _jobs()])


def _jobs() -> list[Any]:
    return _bridge("state").state.newest_first()


def _stage_of(job_id: str) -> str:
    job = _bridge("state").state.jobs.get(job_id)
    return str(job.stage) if job is not None else ""


def _last_id() -> str:
    return str(_bridge("scripting")._state.last_job)


def _decimate(context: str = "EXEC_DEFAULT") -> Any:
    _select_source()
    return bpy.ops.assetgen.decimate(context, face_limit=600)


def _very_first_press() -> Steps:
    """A person's press, a second after the window has opened: also what comes after it has waited for what is loaded
    ahead.
    """
    operator: Any = bpy.types.ASSETGEN_OT_decimate  # type: ignore[attr-defined, unused-ignore]
    goes_on = operator.modal

    def modal(self: Any, context: Any, event: Any) -> Any:  # Blender looks at how many arguments it takes
        return _timed(_FIRST, goes_on)(self, context, event)

    operator.modal = modal
    began = time.monotonic()
    yield from _press(_FIRST, lambda: _decimate("INVOKE_DEFAULT"), 0.0)
    yield from _wait_for("the first job", _jobs)
    notes["first_press_waited"] = time.monotonic() - began
    operator.modal = goes_on


def _select_source() -> None:
    source = bpy.data.objects["Source"]
    source.hide_set(False)
    bpy.ops.object.select_all(action="DESELECT")
    source.select_set(True)
    bpy.context.view_layer.objects.active = source


def _act(job_id: str, action: str) -> Callable[[], Any]:
    return lambda: bpy.ops.assetgen.job_action("EXEC_DEFAULT", job_id=job_id, action=action)


def _play() -> Steps:
    values = bpy.context.preferences.addons[PACKAGE].preferences
    values.data_folder = str(FOLDER / "drive" / "data")
    bpy.ops.mesh.primitive_monkey_add()
    bpy.context.object.name = "Source"
    yield from _very_first_press()
    applied = _last_id()
    yield from _wait_for("the first job", lambda: _stage_of(applied) == "applied")
    area = next(area for area in bpy.context.window.screen.areas if area.type == "VIEW_3D")
    area.spaces.active.show_region_ui = True
    yield 0.5
    next(region for region in area.regions if region.type == "UI").active_panel_category = "Asset Gen"
    bpy.ops.screen.userpref_show("INVOKE_DEFAULT", section="ADDONS")
    yield 1.0
    bpy.context.window_manager.addon_search = "Asset Gen"
    bpy.ops.preferences.addon_expand(module=PACKAGE)
    yield 1.0
    stopped = []
    for _ in range(2):
        _decimate()
        stopped.append(_last_id())
        # In the journal, and not sent yet: there is no need for an engine to work on it.
        yield from _wait_for("its entry", _bridge("session").session._runtime.entry(stopped[-1]).done)
        _act(stopped[-1], "stop")()
        yield from _wait_for("a stopped job", lambda: _stage_of(stopped[-1]) == "stopped")
    _decimate()
    waiting = _last_id()
    _select_source()
    bpy.ops.object.mode_set(mode="EDIT")
    yield from _wait_for("a result that waits", lambda: _stage_of(waiting) == "ready")
    bpy.ops.assetgen.text_to_model(**TEXT)
    running = _last_id()
    yield from _wait_for("a job that runs", lambda: _stage_of(running) in ("wait", "download"))
    _watch()
    (FOLDER / "ready").write_text("")
    yield from _wait_for("the trouble", (FOLDER / "on").exists)
    bpy.ops.object.mode_set(mode="OBJECT")
    yield from _press("Stop", _act(running, "stop"), 0.2)
    yield from _press("Run on a mesh", _decimate)
    pending = _last_id()
    yield from _press("Run with words", lambda: bpy.ops.assetgen.text_to_model(**TEXT))
    yield from _press("Stop of a new job", _act(pending, "stop"))
    yield from _press("Retry of a new job", _act(pending, "retry"))
    yield from _press("Retry", _act(stopped[0], "retry"))
    yield from _press("Dismiss", _act(stopped[1], "dismiss"))
    yield from _press("Bring In", _act(waiting, "apply"))
    yield from _press("Bring In again", _act(applied, "apply"))
    yield from _press("Open Folder", lambda: bpy.ops.assetgen.open_folder(job_id=applied))
    yield from _press("Clear Ended Jobs", lambda: bpy.ops.assetgen.clear_jobs())
    yield from _press("Test Connection", lambda: bpy.ops.assetgen.test_service())
    notes["jobs"] = [f"{job.name}: {job.stage}, {job.text} {job.error}" for job in _jobs()]
    notes["notices"] = list(_bridge("state").state.notices.values())
    yield from _picture("in-trouble")
    yield from _press("change of the service", lambda: setattr(values, "service", "REMOTE"))
    yield from _press("change of the address", lambda: setattr(values, "base_url", REMOTE))
    yield from _press("a key", lambda: setattr(values, "key", "some-key"))
    yield from _picture("key")
    yield from _press("back to the local engine", lambda: setattr(values, "service", "LOCAL"))
    yield from _press(
        "change of the data folder", lambda: setattr(values, "data_folder", str(FOLDER / "drive" / "other"))
    )
    yield from _picture("other-folder")
    yield from _press("back to the data folder", lambda: setattr(values, "data_folder", str(FOLDER / "drive" / "data")))
    yield from _picture("connecting")


def _picture(name: str) -> Steps:
    """Saves what the screen shows, where ImageMagick is there to do it."""
    import subprocess

    redraw()
    yield 0.5
    try:
        subprocess.run(["import", "-window", "root", str(FOLDER / f"{name}.png")], check=True, timeout=30)
    except (OSError, subprocess.SubprocessError) as error:
        notes["no_pictures"] = str(error)


play(_play(), notes, FOLDER, LONGEST_SECONDS, lambda: {"figures": figures})
