"""Pressing Run before what a press needs is loaded."""

from __future__ import annotations

import importlib.abc
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import bpy

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

DECIMATE, CONVERT = "ASSETGEN_OT_decimate", "ASSETGEN_OT_convert"


class MainThreadImports(importlib.abc.MetaPathFinder):
    """Finds nothing, and writes down what the main thread looks for."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        """What is loaded already is not looked for."""
        if threading.current_thread() is threading.main_thread():
            self.names.append(name)


def early_presses(stage: Stage) -> Steps:
    """Holds the thread that loads ahead before it begins, until the presses have been seen to wait."""
    preload = stage.bridge("preload")
    may_load = threading.Event()
    load = preload._load_for_press

    def load_later() -> None:
        may_load.wait()
        load()

    preload._load_for_press = load_later
    return _early_presses(stage, may_load)


def _early_presses(stage: Stage, may_load: threading.Event) -> Steps:
    state, preload = stage.bridge("state").state, stage.bridge("preload")
    imports = MainThreadImports()
    sys.meta_path.insert(0, imports)
    stage.seen["answer"] = press(stage, "decimate", face_limit=600)
    stage.seen["after a press"] = waiting(stage)
    yield from stage.key("ESC")
    stage.seen["after Escape"] = waiting(stage)
    press(stage, "decimate", face_limit=600)
    press(stage, "decimate", face_limit=600)
    yield from stage.key("A", alt=True)  # Deselect All
    stage.seen["after two presses"] = waiting(stage)
    stage.seen["jobs while loading"] = len(state.jobs)
    may_load.set()
    yield from stage.wait_for("the job", lambda: state.jobs)
    yield 0.3
    stage.seen["jobs"] = [job.name for job in state.jobs.values()]
    stage.seen["after loading"] = waiting(stage)
    stage.seen["selected"] = [item.name for item in bpy.context.selected_objects]
    sys.meta_path.remove(imports)
    stage.seen["imports"] = imports.names

    preload._state.ended = False
    press(stage, "convert", format="STL")
    bpy.context.scene.asset_generation.text_to_image.prompt = "a lighthouse"
    press(stage, "text_to_image")
    stage.seen["questions while loading"] = (waiting(stage), browsers(stage))
    preload._state.ended = True
    yield from stage.wait_for("the file browser", lambda: browsers(stage))
    yield 0.5
    stage.seen["after the questions"] = (waiting(stage), browsers(stage))
    yield from stage.picture("questions")
    with bpy.context.temp_override(window=stage.window_manager.windows[-1]):
        bpy.ops.wm.window_close()
    yield 0.3
    yield from stage.key("RET")  # the dialog's Run
    yield from stage.wait_for("the job of the dialog", lambda: len(state.jobs) > 1)
    stage.seen["jobs in the end"] = sorted(job.name for job in state.jobs.values())

    yield from _other_presses(stage)

    before = len(state.jobs)
    preload._state.ended = False
    press(stage, "texture", text="oak")
    stage.seen["before another file"] = waiting(stage)
    bpy.app.timers.register(lambda: bpy.ops.wm.read_homefile() and None)
    yield 1.0
    preload._state.ended = True
    yield 0.5
    stage.seen["after another file"] = (waiting(stage), len(state.jobs) - before)


def _other_presses(stage: Stage) -> Steps:
    """What a row of the job list has, and dropped files."""
    state, preload = stage.bridge("state").state, stage.bridge("preload")
    job = next(job for job in state.jobs.values() if job.name == "Decimate Cube")
    yield from stage.wait_for_job("the result", lambda: str(state.jobs[job.id].stage) == "applied")
    asked: list[list[Any]] = []
    _note_drawing(bpy.types.ASSETGEN_OT_vary, lambda dialog: asked.append([dialog.job_id, dialog.count]))
    _note_drawing(bpy.types.ASSETGEN_OT_drop_images, lambda dialog: asked.append(dialog.paths()))
    chair = stage.folder / "chair.png"
    image = bpy.data.images.new("chair", 8, 8)
    image.save(filepath=str(chair))
    seen = stage.seen["others"] = {"id": job.id, "chair": str(chair), "asked": []}
    for name, given in (
        ("job_action", {"job_id": job.id, "action": "dismiss"}),
        ("vary", {"job_id": job.id, "count": 3}),
        ("drop_images", {"directory": str(stage.folder), "files": [{"name": "chair.png"}]}),
    ):
        preload._state.ended = False
        answer = press(stage, name, **given)
        yield 0.3
        seen[name] = (answer, waiting(stage), list(asked), job.id in state.jobs)
        preload._state.ended = True
        yield from stage.wait_for(f"{name} goes on", lambda: asked or job.id not in state.jobs)
        yield 0.5
        seen["asked"] += asked[:1]
        yield from stage.key("ESC")
        asked.clear()
        if name == "job_action":
            seen["is removed"] = job.id not in state.jobs
            state.jobs[job.id] = job


def _note_drawing(dialog: Any, note: Callable[[Any], None]) -> None:
    """Has a dialog tell when it is drawn."""
    draw = dialog.draw

    def drawn(self: Any, context: bpy.types.Context) -> None:
        note(self)
        draw(self, context)

    dialog.draw = drawn


def press(stage: Stage, name: str, **fields: Any) -> list[str]:
    """What a shortcut does over the viewport."""
    with bpy.context.temp_override(window=stage.window, area=stage.viewport, region=stage.region("WINDOW")):
        return sorted(getattr(bpy.ops.assetgen, name)("INVOKE_DEFAULT", **fields))


def waiting(stage: Stage) -> list[str]:
    """The presses that wait."""
    return sorted(operator.bl_idname for operator in stage.window.modal_operators)


def browsers(stage: Stage) -> int:
    """How many file browsers are open."""
    windows = stage.window_manager.windows
    return sum(area.type == "FILE_BROWSER" for window in windows for area in window.screen.areas)
