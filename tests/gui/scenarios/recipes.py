"""The Recipes panel: pick one, see its steps and its price, run it on the selection, and run it again."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from scenarios.scene import add_source, select_only

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"


def recipe_on_selection(stage: Stage) -> Steps:
    """Three levels of detail of the selected head, as files and in the scene."""
    panel = importlib.import_module(f"{PACKAGE}.addon.ui.recipes_panel").ASSETGEN_PT_recipes
    bpy.utils.unregister_class(panel)
    panel.bl_options, panel.bl_order = set(), -1
    bpy.utils.register_class(panel)
    runs = stage.bridge("recipe_runs").recipe_runs
    yield from stage.wait_for("what a press needs is loaded", lambda: stage.bridge("session").session, 30)
    source = add_source("Suzanne")
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    yield from _drawn(stage, "a recipe is shown", lambda: runs.view)
    yield from _drawn(stage, "all recipes are known", lambda: runs.known)
    stage.seen["known"] = [name for _, name in runs.known]
    yield from stage.picture("1-game-asset", side_bar_only=True)
    bpy.ops.object.select_all(action="DESELECT")
    yield 0.6
    yield from stage.picture("2-nothing-selected", side_bar_only=True)
    select_only(source)
    bpy.ops.assetgen.choose_recipe(recipe="character")
    yield from _drawn(stage, "the character is shown", lambda: runs.view and runs.view.name == "Character")
    yield 0.6
    yield from stage.picture("3-character", side_bar_only=True)
    bpy.ops.assetgen.choose_recipe(recipe="level_of_detail")
    yield from _drawn(stage, "levels are shown", lambda: runs.view and runs.view.name == "Level of Detail")
    settings = bpy.context.scene.assetgen_recipe
    yield from stage.wait_for("there is a field for its variable", lambda: len(settings.values) == 1)
    settings.folder = str(stage.folder / "levels")
    settings.values[0].text = "5"
    yield from _drawn(stage, "what is wrong is shown", lambda: runs.view.troubles)
    stage.seen["troubles"] = list(runs.view.troubles)
    yield from stage.picture("4-wrong", side_bar_only=True)
    settings.values[0].text = "900,700,500"
    yield from _drawn(stage, "it is right", lambda: runs.view.steps and not runs.view.troubles)
    stage.seen["steps"] = [[step.label, step.times, list(step.files)] for step in runs.view.steps]
    stage.seen["price"] = runs.view.price
    yield 0.6
    yield from stage.picture("5-levels", side_bar_only=True)
    yield from stage.press("bpy.ops.assetgen.run_recipe")
    yield from stage.wait_for("it runs", lambda: runs.progress and runs.progress.total)
    yield from stage.picture("6-running")
    yield from stage.wait_for_job("it has ended", lambda: runs.end or runs.failure)
    meshes = lambda: [item for item in bpy.data.objects if item.type == "MESH"]  # noqa: E731
    yield from stage.wait_for("all are in the scene", lambda: len(meshes()) == 4, 60)
    yield 1.0
    stage.seen["end"] = _facts(runs)
    stage.seen["places"] = sorted(round(item.matrix_world.translation.x, 2) for item in meshes())
    stage.seen["tasks"] = len(stage.bridge("state").state.jobs)
    with bpy.context.temp_override(window=stage.window, area=stage.viewport, region=stage.region("WINDOW")):
        bpy.ops.view3d.view_all("EXEC_DEFAULT")
    yield from stage.picture("7-done")
    select_only(source)
    yield 0.6
    yield from stage.press("bpy.ops.assetgen.run_recipe")
    yield from stage.wait_for("it runs again", lambda: runs.end is None or runs.end.unchanged)
    yield from stage.wait_for_job("it has ended again", lambda: runs.end or runs.failure)
    yield 1.0
    stage.seen["again"] = _facts(runs)
    stage.seen["tasks_after"] = len(stage.bridge("state").state.jobs)
    yield from stage.picture("8-again", side_bar_only=True)


def _drawn(stage: Stage, words: str, condition: Callable[[], Any]) -> Steps:
    """Waits for something that the panel has looked at when it is drawn, as it is when a user types into it."""

    def look() -> Any:
        stage.region("UI").tag_redraw()
        return condition()

    yield from stage.wait_for(words, look, 30)


def _facts(runs: Any) -> dict[str, Any]:
    end = runs.end
    if end is None:
        return {"failure": runs.failure}
    return {
        "files": sorted(Path(path).name for path in end.files),
        "picture": Path(end.picture).is_file(),
        "errors": list(end.errors),
        "unchanged": end.unchanged,
        "total": end.total,
    }
