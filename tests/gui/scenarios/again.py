"""An earlier job again: its fields, variants, words, presets, and the history from another file."""

from __future__ import annotations

import importlib
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Vector

from scenarios.jobs import empty_scene, finished
from scenarios.scene import ended
from scenarios.ways_in import press, write

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"
PROMPT = "a red wooden chair"
MENU_ROWS = (24, 52)
"""How far below its button the first entry of a menu is, and the second one after a line. Keys do not work in 4.3."""


def run_again(stage: Stage) -> Steps:
    """A chair; its fields again with another number of faces; four more of it, side by side."""
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    empty_scene()
    group = bpy.context.scene.asset_generation.text_to_model
    group.prompt, group.face_limit = PROMPT, 3000
    group.texture = group.pbr = False  # which takes the engine longest
    stage.choose("text_to_model")
    yield from stage.press("bpy.ops.assetgen.text_to_model")
    yield from finished(stage, "text_to_model")
    state = stage.bridge("state").state
    group = bpy.context.scene.asset_generation.text_to_model
    group.prompt, group.face_limit, group.quad = "something else", 900, True
    stage.choose("decimate")
    yield from stage.press("bpy.ops.assetgen.edit_again", across=-60)
    group = bpy.context.scene.asset_generation.text_to_model
    stage.seen["filled"] = [stage.chosen, group.prompt, group.face_limit, group.quad, len(state.jobs)]
    yield from stage.picture("1-filled", side_bar_only=True)
    group.face_limit = 2000
    yield from stage.press("bpy.ops.assetgen.text_to_model")
    yield from stage.wait_for("a second job", lambda: len(state.jobs) == 2)
    yield from finished(stage, "text_to_model")
    latest = state.newest_first()[0]
    stage.seen["again"] = dict(latest.plan.steps[-1].fields)
    yield from stage.press("bpy.ops.assetgen.vary", across=70)
    yield from stage.picture("2-vary")
    yield from press(stage, "ESC")
    stage.seen["after_escape"] = len(state.jobs)
    yield from stage.press("bpy.ops.assetgen.vary", across=70)
    yield 0.5
    yield from press(stage, "RET")
    yield from stage.wait_for("four variants", lambda: len(state.jobs) == 6)
    yield from stage.wait_for_job("they end", lambda: all(ended(job) for job in state.jobs.values()))
    yield 0.5
    stage.seen["variants"] = [[job.name, str(job.stage), job.error] for job in state.newest_first()[:4]]
    stage.seen["seeds"] = [job.plan.steps[-1].fields["model_seed"] for job in state.newest_first()[:4]]
    stage.seen["spans"] = sorted(span(stage, job.id) for job in state.jobs.values())
    with bpy.context.temp_override(window=stage.window, area=stage.viewport, region=stage.region("WINDOW")):
        bpy.ops.view3d.view_all("EXEC_DEFAULT")
    yield from stage.picture("3-side-by-side")


def kept_words(stage: Stage) -> Steps:
    """A favourite and a word of the last time; a preset; a job that is off the list."""
    opened(module("ui.history_panel").ASSETGEN_PT_history)
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    empty_scene()
    stage.choose("text_to_model")
    settings = bpy.context.scene.asset_generation.text_to_model
    settings.prompt, settings.face_limit, settings.texture, settings.pbr = PROMPT, 3000, False, False
    yield from stage.press("bpy.ops.assetgen.text_to_model")
    yield from finished(stage, "text_to_model")
    yield from words(stage)
    yield from presets(stage)
    yield from history(stage)


def words(stage: Stage) -> Steps:
    """The menu beside the prompt: what it holds becomes a favourite, then both are chosen from it."""
    records = stage.bridge("records").records
    fields().prompt = "a blue door"
    spot = yield from prompt_menu(stage)
    yield from stage.picture("1-words")
    yield from stage.click(spot[0] + 60, spot[1] - MENU_ROWS[0])
    yield from stage.wait_for("the favourite is kept", lambda: records.favourites)
    stage.seen["favourites"] = list(records.favourites)
    fields().prompt = ""
    stage.seen["chosen_words"] = []
    for number, below in enumerate(MENU_ROWS, start=1):
        spot = yield from prompt_menu(stage)
        yield from stage.picture(f"2-words-{number}")
        yield from stage.click(spot[0] + 60, spot[1] - below)
        yield 0.5
        stage.seen["chosen_words"].append(fields().prompt)
        fields().prompt = ""


def presets(stage: Stage) -> Steps:
    """A preset is named and kept in its menu, and chosen there after the fields were changed."""
    fields().face_limit, fields().quad = 1234, True
    spot = yield from preset_menu(stage)
    yield from stage.picture("3-no-presets")
    yield from stage.click(spot[0] - 40, spot[1] - 81)  # the name
    yield from write(stage, "mine")
    yield from stage.picture("3-typed")
    yield from press(stage, "RET")
    yield from stage.click(spot[0] + 92, spot[1] - 81)  # the plus beside the name
    yield 0.5
    yield from stage.picture("3-kept")
    yield from press(stage, "ESC")
    folders = bpy.utils.preset_paths("asset_generation/text_to_model")
    stage.seen["presets"] = [path.name for folder in folders for path in Path(folder).iterdir()]
    fields().face_limit, fields().quad, fields().prompt = 77, False, "a green door"
    spot = yield from preset_menu(stage)
    yield from stage.picture("3-presets")
    yield from stage.click(spot[0] - 20, spot[1] - 41)  # the first of the list
    yield 0.5
    yield from stage.picture("3-chosen")
    stage.seen["chosen_preset"] = [fields().face_limit, fields().quad, fields().prompt]
    yield from press(stage, "ESC")


def history(stage: Stage) -> Steps:
    """A job is taken off the list; the history has it, also in another file."""
    state, records = stage.bridge("state").state, stage.bridge("records").records
    job = state.newest_first()[0]
    bpy.ops.wm.save_as_mainfile(filepath=str(stage.folder / "first.blend"))
    yield from at_edge(stage, f"bpy.ops.assetgen.job_action(job_id=\"{job.id}\", action='dismiss')")
    yield from stage.wait_for("it is off the list", lambda: not state.jobs)
    yield from stage.wait_for("the history has it", lambda: records.page and records.page.removed)
    stage.seen["history"] = [[item.name for item in records.page.jobs], records.page.removed == {job.id}]
    yield from stage.picture("4-history", side_bar_only=True)
    bpy.app.timers.register(lambda: bpy.ops.wm.read_homefile() and None)
    yield from stage.wait_for("another file", lambda: not bpy.data.filepath)
    yield 1.0
    yield from stage.open_side_bar()
    yield from stage.picture("5-another-file", side_bar_only=True)


def prompt_menu(stage: Stage) -> Generator[float, None, tuple[int, int]]:
    """Opens the menu that is to the left of the button for a wide field."""
    return (yield from at_edge(stage, "bpy.ops.assetgen.edit_text", shift=20, distance=50))


def preset_menu(stage: Stage) -> Generator[float, None, tuple[int, int]]:
    """Opens the presets, which are to the left of the button for the preferences."""
    return (yield from at_edge(stage, "bpy.ops.preferences.addon_show", shift=32))


def at_edge(stage: Stage, command: str, shift: int = 0, distance: int = 62) -> Generator[float, None, tuple[int, int]]:
    """Clicks a button near the right edge of the side bar, or what is so many pixels to the left of it; says where.

    It is first looked for at a distance from the edge, then at others.
    """
    yield from stage.scroll_side_bar(to_top=True)  # after a search it is at its end
    middle = stage.region("UI").width // 2
    for item in stage.find_button(command, across=[middle - pixels for pixels in (distance, 62, 50, 40, 78)]):
        if isinstance(item, tuple):
            spot = item[0] - shift, item[1]
            yield from stage.click(*spot)
            yield 0.3
            return spot
        yield item
    raise AssertionError(f"no button at the edge runs {command}")


def fields() -> bpy.types.PropertyGroup:
    """The fields of Text to Model; those of before are gone after undo and in another file."""
    return bpy.context.scene.asset_generation.text_to_model


def span(stage: Stage, job_id: str) -> list[float]:
    """From where to where a result reaches along X."""
    objects = stage.bridge("results.open_file").open_file.objects_of(job_id)
    corners = [(item.matrix_world @ Vector(corner)).x for item in objects for corner in item.bound_box]
    return [min(corners), max(corners)]


def opened(panel: Any) -> None:
    """Has a panel begin open."""
    bpy.utils.unregister_class(panel)
    panel.bl_options = set()
    bpy.utils.register_class(panel)


def module(name: str) -> Any:
    return importlib.import_module(f"{PACKAGE}.addon.{name}")
