"""Where results go: chosen in the panel with the mouse, shown in the viewport while jobs run, moved meanwhile."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import addon_utils
import bpy
from mathutils import Vector

from scenarios.jobs import empty_scene, finished
from scenarios.places import look, results
from scenarios.scene import ended, scene_facts, select_only, world_box

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"


def placeholders_of_chairs(stage: Stage) -> Steps:
    """Three chairs are asked for at once; what stands for the last one is moved, turned and made larger meanwhile."""
    yield from stage.open_side_bar()
    empty_scene()
    bpy.context.scene.cursor.location = (0, 0, 0)
    stage.choose("text_to_model")
    settings = bpy.context.scene.asset_generation
    settings.placeholder = True
    bpy.ops.ed.undo_push(message="Settings")
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    look(stage, 14)
    for prompt in ("a red wooden chair", "a blue metal chair", "a small oak table"):
        settings.text_to_model.prompt = prompt
        bpy.ops.assetgen.text_to_model(use_panel_settings=True)
    yield from stage.wait_for("all of them stand there", lambda: len(standing()) == 3)
    stage.seen["empties"] = [shown_box(item) for item in standing()]
    stage.seen["names"] = [item.name for item in standing()]
    last = standing()[-1]
    select_only(last)
    bpy.ops.transform.translate("EXEC_DEFAULT", True, value=(0, -4, 0))
    bpy.ops.transform.rotate("EXEC_DEFAULT", True, value=0.5, orient_axis="Z")
    bpy.ops.transform.resize("EXEC_DEFAULT", True, value=(1.5, 1.5, 1.5))
    yield 0.1
    stage.seen["moved"] = [round(value, 5) for row in last.matrix_world for value in row]
    stage.seen["moved_floor"] = shown_box(last)[2]
    yield from stage.picture("1-start")
    stage.seen["lines"] = [list(line[1:]) for line in overlay().lines()]
    stage.seen["drawn"] = overlay().is_drawn()
    state = stage.bridge("state").state
    yield from stage.wait_for_job("one of them is there", lambda: any(ended(job) for job in state.jobs.values()))
    yield 0.3
    stage.seen["left"] = len(standing())
    yield from stage.picture("2-half-way")
    yield from stage.wait_for("all are there", lambda: all(ended(job) for job in state.jobs.values()), 300)
    yield 0.5
    stage.seen["after"] = scene_facts()
    jobs = sorted(state.jobs.values(), key=lambda job: job.created_at)
    found = [stage.bridge("results.open_file").open_file.objects_of(job.id)[0] for job in jobs]
    stage.seen["boxes"] = [world_box(item) for item in found]
    stage.seen["turned"] = round(found[-1].matrix_world.to_euler().z, 4)
    stage.seen["scaled"] = round(found[-1].matrix_world.to_scale().x, 4)
    stage.seen["drawn_after"] = overlay().is_drawn()
    look(stage, 14)
    yield from stage.picture("3-arrival")
    yield from stage.key("Z", ctrl=True)
    stage.seen["undone"] = scene_facts()
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["redone"] = scene_facts()


def chosen_place(stage: Stage) -> Steps:
    """The place is chosen with the mouse, a result goes into a box, one is asked for in Edit Mode, and stopped."""
    yield from stage.open_side_bar()
    empty_scene()
    stage.choose("text_to_model")
    settings = bpy.context.scene.asset_generation
    settings.text_to_model.prompt = "a red wooden chair"
    look(stage, 12)
    yield from stage.picture("1-panel")
    spot = yield from find_property(stage, "placement_new")
    for _ in range(2):
        stage.window.event_simulate(type="WHEELDOWNMOUSE", value="PRESS", x=spot[0], y=spot[1], ctrl=True)
        yield 0.2
    stage.seen["chosen"] = settings.placement_new
    yield from stage.picture("2-no-object")
    bpy.ops.mesh.primitive_cube_add("EXEC_DEFAULT", True, location=(0, 0, 1), scale=(1, 2, 1))
    box = bpy.context.view_layer.objects.active
    box.name, box.display_type = "Stand-in", "WIRE"
    settings.placement_object, settings.placeholder = box, True
    select_only(box)
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="DESELECT")
    bpy.ops.ed.undo_push(message="Stand-in")
    yield from open_part(stage, "placement_new")
    yield from stage.picture("3-object")
    yield from stage.press("bpy.ops.assetgen.text_to_model")
    yield from stage.wait_for("it is shown there", lambda: overlay().lines())
    yield from stage.picture("4-running")
    stage.seen["only"] = scene_facts()["objects"]
    yield from finished(stage, "text_to_model")
    yield from stage.picture("5-in-the-box")
    stage.seen["into"] = [world_box(box), *(world_box(item) for item in results(stage))]
    stage.seen["into_facts"] = scene_facts()
    yield from stage.key("Z", ctrl=True)
    stage.seen["into_undone"] = scene_facts()
    # In Edit Mode
    settings = bpy.context.scene.asset_generation
    settings.placement_new = "CURSOR"
    bpy.context.scene.cursor.location = (4, 0, 0)
    select_only(bpy.context.scene.objects["Stand-in"])
    bpy.ops.object.mode_set(mode="EDIT")
    yield 0.3
    stage.seen["pressed_in"] = bpy.context.mode
    bpy.ops.assetgen.text_to_model(use_panel_settings=True)
    state = stage.bridge("state").state
    yield from stage.wait_for("it runs", lambda: any(not ended(job) for job in state.jobs.values()))
    yield 0.5
    stage.seen["in_edit_mode"] = [bpy.context.mode, len(standing())]
    bpy.ops.object.mode_set(mode="OBJECT")
    yield from stage.wait_for("it stands there", lambda: standing() or not state.running())
    stage.seen["after_edit_mode"] = len(standing())
    job = state.newest_first()[0]
    bpy.ops.assetgen.job_action(job_id=job.id, action="stop")
    yield from stage.wait_for("it is stopped", lambda: ended(state.jobs[job.id]))
    yield 0.5
    stage.seen["stopped"] = [str(state.jobs[job.id].stage), len(standing()), overlay().is_drawn()]
    yield from stage.key("Z", ctrl=True)
    stage.seen["stopped_undone"] = len(standing())
    yield 1.0
    stage.seen["left_alone"] = len(standing())
    # The extension is disabled while something is drawn
    bpy.ops.assetgen.text_to_model(use_panel_settings=True)
    yield from stage.wait_for("it is drawn", overlay().is_drawn)
    drawing = overlay()
    addon_utils.disable(PACKAGE)
    stage.seen["drawn_when_disabled"] = drawing.is_drawn()
    yield from stage.picture("6-disabled")


def overlay() -> Any:
    return importlib.import_module(f"{PACKAGE}.addon.ui.progress_overlay")


def standing() -> list[bpy.types.Object]:
    """What stands for results, from left to right."""
    items = [item for item in bpy.context.scene.objects if "asset_generation_placeholder" in item]
    return sorted(items, key=lambda item: item.location.x)


def shown_box(item: bpy.types.Object) -> list[float]:
    """The world box that an empty shows."""
    corners = [item.matrix_world @ Vector((x, y, z)) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    return [*map(min, zip(*corners, strict=True)), *map(max, zip(*corners, strict=True))]


def find_property(stage: Stage, name: str) -> Any:
    """Moves the mouse down the side bar until it is over a property; where that is."""
    region = stage.region("UI")
    for x in (region.x + region.width // 2 + 40, region.x + region.width // 2 - 40):
        for y in range(region.y + region.height - 30, region.y + 10, -9):
            yield from stage.move(x, y)
            stage.window_manager.clipboard = ""
            with bpy.context.temp_override(window=stage.window, area=stage.viewport, region=region):
                if bpy.ops.ui.copy_data_path_button.poll():
                    bpy.ops.ui.copy_data_path_button()
            if stage.window_manager.clipboard.endswith(name):
                return (x, y)
    raise AssertionError(f"{name} is not to be seen")


def open_part(stage: Stage, name: str) -> Steps:
    """Opens the part whose header has a property: a click on the label left of it."""
    _, y = yield from find_property(stage, name)
    yield from stage.click(stage.region("UI").x + 30, y)
    yield 0.4
