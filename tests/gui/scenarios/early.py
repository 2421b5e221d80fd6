"""Pressing Run before what a press needs is loaded."""

from __future__ import annotations

import importlib.abc
import sys
import threading
from collections.abc import Iterator
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

    before = len(state.jobs)
    preload._state.ended = False
    press(stage, "texture", text="oak")
    stage.seen["before another file"] = waiting(stage)
    bpy.app.timers.register(lambda: bpy.ops.wm.read_homefile() and None)
    yield 1.0
    preload._state.ended = True
    yield 0.5
    stage.seen["after another file"] = (waiting(stage), len(state.jobs) - before)


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
