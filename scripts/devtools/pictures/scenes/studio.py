"""What the scenes set up: a tidy window, a side bar of the wanted width, a theme, a language, things to work on."""

from __future__ import annotations

import importlib
import math
import uuid
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Euler

if TYPE_CHECKING:
    from devtools.window.driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"
_VIEW = (math.radians(77), 0.0, math.radians(22))
"""Where things are looked at from: the front, from above and a little from their left side."""

_NEARLY = 8  # pixels
_BEGIN = datetime(2026, 11, 22, 10, 0)
_NUMBERS = 0x3F0C2F6E7A514F0E9D6A1C3F5A9B2D10
"""When the first job was started, and what the numbers of tasks begin with."""

_ENDS = {"applied", "failed", "stopped", "uncertain"}


def begin(stage: Stage) -> Steps:
    """An empty scene, the side bar open at our tab, and nothing on the screen that draws the eye away from it."""
    system, view = bpy.context.preferences.system, bpy.context.preferences.view
    system.use_region_overlap = False  # the side bar has a plain background
    view.smooth_view = 0
    bpy.context.scene.view_settings.view_transform = "Standard"  # colours as they are in the textures
    yield from close_other_areas(stage)
    space = stage.viewport.spaces.active
    space.show_region_toolbar = False
    space.overlay.show_text = space.overlay.show_cursor = False
    empty_scene()
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    yield 0.5


def close_other_areas(stage: Stage) -> Steps:
    """Leaves the window to the viewport: first the timeline, which lies below it, then those beside it."""
    for kind in ("DOPESHEET_EDITOR", "OUTLINER", "PROPERTIES"):
        for area in [area for area in stage.window.screen.areas if area.type == kind]:
            with bpy.context.temp_override(window=stage.window, area=area):
                bpy.ops.screen.area_close()
            yield 0.3


def module(name: str) -> Any:
    """A module of the extension that is installed."""
    return importlib.import_module(f"{PACKAGE}.addon.{name}")


def empty_scene() -> None:
    """Removes what Blender begins with."""
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="SELECT")
    bpy.ops.object.delete("EXEC_DEFAULT", True)


def add_monkey(name: str = "Suzanne") -> bpy.types.Object:
    """A smooth monkey on the floor, selected."""
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="DESELECT")
    bpy.ops.mesh.primitive_monkey_add("EXEC_DEFAULT", True, location=(0, 0, 0.98))
    item = bpy.context.view_layer.objects.active
    item.name = name
    item.modifiers.new("Subdivision", "SUBSURF").levels = 2
    bpy.ops.object.shade_smooth("EXEC_DEFAULT", True)
    clay = bpy.data.materials.new("Clay")
    clay.use_nodes = True
    clay.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.3, 0.28, 0.26, 1.0)
    item.data.materials.append(clay)
    return item


def deselect() -> None:
    """Nothing is selected, and nothing is active."""
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="DESELECT")
    bpy.context.view_layer.objects.active = None


def look_at_all(stage: Stage, *, in_color: bool = True, near: float = 1.0) -> Steps:
    """Shows all objects large, in their own colours; ``near`` above 1 goes nearer than Blender does."""
    space = stage.viewport.spaces.active
    space.shading.type = "MATERIAL" if in_color else "SOLID"
    space.region_3d.view_rotation = Euler(_VIEW).to_quaternion()
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("WINDOW")):
        bpy.ops.view3d.view_all()
    space.region_3d.view_distance /= near
    yield 3.0 if in_color else 0.5  # shaders are compiled


def finished(stage: Stage, count: int) -> Steps:
    """Waits until so many jobs are in the list, and none of them runs or waits for the scene any more."""
    state = stage.bridge("state").state
    yield from stage.wait_for("the jobs are in the list", lambda: len(state.jobs) >= count)
    yield from stage.wait_for("the jobs end", lambda: all(str(job.stage) in _ENDS for job in state.jobs.values()), 400)
    failed = [job.error for job in state.jobs.values() if str(job.stage) == "failed"]
    assert not failed, failed
    yield 0.5


def make_repeatable(stage: Stage) -> None:
    """Has all jobs tell the same times and numbers whenever and on whichever machine the pictures are taken."""
    state, changed = stage.bridge("state").state, module("core.status.messages").JobChanged
    for number, job in enumerate(sorted(state.jobs.values(), key=lambda item: item.created_at)):
        steps = tuple(
            step._replace(task_id=str(uuid.UUID(int=_NUMBERS * (1 + place) + number)), seconds=3.0)
            for place, step in enumerate(job.steps)
        )
        request = str(uuid.UUID(int=_NUMBERS * 4 + number)) if job.request_id else ""
        begun = _BEGIN.timestamp() + 60 * number
        state.update(changed(job._replace(seconds=6.0 + number, created_at=begun, steps=steps, request_id=request)))


def set_side_bar_width(stage: Stage, width: int) -> Steps:
    """Drags the border of the side bar until it has about this width, in pixels."""
    for offset in (0, 7, -3):  # Blender's versions do not agree where exactly the border is
        region = stage.region("UI")
        change = region.width - width
        if abs(change) < _NEARLY:
            return
        x, y = region.x + offset, region.y + 60
        yield from stage.move(x - 40, y)
        yield from stage.move(x, y)
        stage.window.event_simulate(type="LEFTMOUSE", value="PRESS", x=x, y=y)
        yield 0.1
        for step in range(1, 13):
            stage.window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x + change * step // 12, y=y)
            yield 0.05
        stage.window.event_simulate(type="LEFTMOUSE", value="RELEASE", x=x + change, y=y)
        yield 0.4
    found = stage.region("UI").width
    assert abs(found - width) < _NEARLY, f"the side bar has {found} pixels instead of {width}"


def set_theme(name: str) -> None:
    """One of Blender's own themes; it comes back to its dark one by ``Blender_Dark``."""
    folders = bpy.utils.preset_paths("interface_theme")
    paths = [path for folder in folders for path in Path(folder).glob("*.xml")]
    chosen = next((path for path in paths if path.stem.casefold() == name.casefold()), None)
    if chosen is None:  # dark is what Blender has without a preset of its own
        bpy.ops.preferences.reset_default_theme()
        return
    bpy.ops.script.execute_preset(filepath=str(chosen), menu_idname="USERPREF_MT_interface_theme_presets")


def speak(code: str) -> bool:
    """Has Blender speak another language; ``zh`` for simplified Chinese, by whichever name this Blender knows it.

    Returns:
        Whether it can.
    """
    view = bpy.context.preferences.view
    for name in ("zh_HANS", "zh_CN") if code == "zh" else (code,):
        try:
            view.language = name
        except TypeError:
            continue
        view.use_translate_interface = view.use_translate_tooltips = name != "en_US"
        view.use_translate_new_dataname = False
        return True
    return False
