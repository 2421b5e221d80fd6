"""Results as assets: asked for once where to, then saved with a click, and seen in an Asset Browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy

from scenarios.jobs import empty_scene, finished

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]


def save_assets(stage: Stage) -> Steps:
    """Two results are saved, the second one while an Asset Browser is open."""
    yield from stage.open_side_bar()
    empty_scene()
    listed = bpy.context.preferences.filepaths.asset_libraries
    stage.seen["libraries"] = [[item.name for item in listed]]
    bpy.context.scene.asset_generation.text_to_model.prompt = "a red wooden chair"
    bpy.ops.assetgen.text_to_model(use_panel_settings=True)
    yield from finished(stage, "text_to_model")
    yield from stage.picture("1-before")
    yield from press_save(stage)
    yield from stage.picture("2-where-to")
    yield from stage.key("ESC")
    stage.seen["libraries"].append([item.name for item in listed])
    folder = stage.folder / "library"
    job = stage.bridge("state").state.newest_first()[0]
    bpy.ops.assetgen.make_library(directory=str(folder), job_id=job.id)
    yield from saved(stage)
    yield from stage.picture("3-saved")
    stage.seen["libraries"].append([item.name for item in listed])
    area = next(area for area in stage.window.screen.areas if area.type == "DOPESHEET_EDITOR")
    area.ui_type = "ASSETS"
    yield from taller(stage, area)
    yield 1.0
    area.spaces.active.show_region_tool_props = True
    area.spaces.active.params.asset_library_reference = "Generated"
    yield 2.0
    stage.seen["shown"] = [shown(stage, area)]
    chair = bpy.data.objects["a red wooden chair"]
    chair.select_set(True)
    bpy.context.view_layer.objects.active = chair
    bpy.ops.assetgen.texture(text="rusty iron")
    yield from finished(stage, "texture")
    yield from press_save(stage)
    yield from saved(stage)
    yield 2.0
    stage.seen["shown"].append(shown(stage, area))
    region = next(region for region in area.regions if region.type == "WINDOW")
    yield from stage.click(region.x + 50, region.y + region.height - 50)
    yield from stage.picture("4-asset-browser")
    stage.seen["files"] = sorted(item.name for item in folder.iterdir())
    with bpy.context.temp_override(window=stage.window, area=stage.viewport, region=stage.region("WINDOW")):
        bpy.ops.wm.call_menu(name="ASSETGEN_MT_object")
    yield from stage.picture("5-object-menu")
    yield from stage.key("ESC")


def taller(stage: Stage, area: bpy.types.Area) -> Steps:
    """Drags the edge of the area at the bottom up, so that its previews and tags can be looked at."""
    x, edge = area.x + area.width // 2, area.y + area.height
    yield from stage.move(x, edge)
    stage.window.event_simulate(type="LEFTMOUSE", value="PRESS", x=x, y=edge)
    for y in (edge + 40, edge + 150, edge + 320):
        yield 0.1
        stage.window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    yield 0.1
    stage.window.event_simulate(type="LEFTMOUSE", value="RELEASE", x=x, y=edge + 320)
    yield 0.5


def press_save(stage: Stage) -> Steps:
    """Scrolls to the end of the details of the job, and presses the button there."""
    region = stage.region("UI")
    x, y = region.x + region.width // 2, region.y + 30
    yield from stage.move(x, y)
    for _ in range(30):
        stage.window.event_simulate(type="WHEELDOWNMOUSE", value="PRESS", x=x, y=y)
        yield 0.05
    yield 0.5
    yield from stage.press("bpy.ops.assetgen.save_as_asset")


def saved(stage: Stage) -> Steps:
    """Waits until the notice of the latest job says that it was saved."""
    state = stage.bridge("state").state

    def notice() -> str:
        return str(state.notices.get(state.newest_first()[0].id, ""))

    yield from stage.wait_for("the asset is saved", lambda: notice().startswith("Saved in"))
    stage.seen.setdefault("notices", []).append(notice())


def shown(stage: Stage, area: bpy.types.Area) -> list[Any]:
    """The names of the assets in an Asset Browser, each with its tags."""
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=stage.window, area=area, region=region):
        bpy.ops.file.select_all(action="SELECT")
        found = sorted((asset.name, [tag.name for tag in asset.metadata.tags]) for asset in bpy.context.selected_assets)
        bpy.ops.file.select_all(action="DESELECT")
    return [list(item) for item in found]
