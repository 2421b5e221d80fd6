"""Where results come to stand, and what is left alone when they do."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import bpy

from scenarios.jobs import empty_scene, finished
from scenarios.scene import add_source, scene_facts, select_only, world_box

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

AREAS = (
    *("VIEW_3D", "IMAGE_EDITOR", "UV", "ShaderNodeTree", "SEQUENCE_EDITOR", "DOPESHEET", "FCURVES", "NLA_EDITOR"),
    *("TEXT_EDITOR", "CONSOLE", "INFO", "OUTLINER", "PROPERTIES", "FILES", "SPREADSHEET", "PREFERENCES"),
)


def chairs(stage: Stage) -> Steps:
    """The first two chairs of a new user, whose cube is still there and selected."""
    yield from stage.open_side_bar()
    empty_scene()
    bpy.context.scene.cursor.location = (0, 0, 0)
    bpy.ops.mesh.primitive_cube_add("EXEC_DEFAULT", True)
    cube = bpy.context.view_layer.objects.active
    look(stage, 12)
    yield from stage.picture("1-before")
    yield from make(stage, "a red wooden chair")
    yield from stage.picture("2-after")
    stage.seen["chair"] = scene_facts()
    (chair,) = results(stage)
    stage.seen["boxes"] = [world_box(cube), world_box(chair)]
    yield from stage.key("Z", ctrl=True)
    stage.seen["chair_undone"] = scene_facts()
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["chair_redone"] = scene_facts()
    yield from stage.press("bpy.ops.assetgen.select_result", across=60)
    stage.seen["chair_selected"] = scene_facts()
    yield from stage.picture("3-selected")
    yield from stage.key("Z", ctrl=True)
    stage.seen["select_undone"] = scene_facts()
    yield from make(stage, "a blue metal chair")
    stage.seen["boxes"].append(world_box(results(stage)[0]))
    yield from stage.picture("4-second")


def make(stage: Stage, prompt: str) -> Steps:
    """Has words become a model, as Run does."""
    stage.choose("text_to_model")
    bpy.context.scene.asset_generation.text_to_model.prompt = prompt
    bpy.ops.ed.undo_push(message="Prompt")
    state = stage.bridge("state").state
    known = len(state.jobs)
    bpy.ops.assetgen.text_to_model(use_panel_settings=True)
    yield from stage.wait_for("the job is in the list", lambda: len(state.jobs) > known)
    yield from finished(stage, "text_to_model")


def moved_source(stage: Stage) -> Steps:
    """A monkey on an empty is moved while it is decimated, and another object is worked on meanwhile; then all buttons
    of its job from everywhere.
    """
    yield from stage.open_side_bar()
    source = add_source("Suzanne")
    bpy.ops.object.empty_add("EXEC_DEFAULT", True, location=(0, 0, 1), rotation=(0, 0, 0.3))
    holder = bpy.context.view_layer.objects.active
    bpy.ops.mesh.primitive_cube_add("EXEC_DEFAULT", True, location=(-3, 0, 0))
    other = bpy.context.view_layer.objects.active
    shelf = bpy.data.collections.new("Shelf")
    bpy.context.scene.collection.children.link(shelf)
    source.parent = holder
    select_only(source)
    bpy.ops.ed.undo_push(message="Set-up")
    look(stage, 16)
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("WINDOW")):
        bpy.ops.wm.tool_set_by_id(name="builtin.rotate")
    yield from stage.picture("1-before")
    bpy.ops.assetgen.decimate(face_limit=900)
    bpy.ops.transform.translate("EXEC_DEFAULT", True, value=(4, 0, 0))
    shelf.objects.link(source)
    select_only(other)
    bpy.ops.ed.undo_push(message="Other")
    second = yield from other_window(stage)
    before = left_alone(stage, second)
    yield from finished(stage, "decimate")
    stage.seen["left_alone"] = [before, left_alone(stage, second)]
    with bpy.context.temp_override(window=second):
        bpy.ops.wm.window_close()
    yield 0.5
    yield from stage.picture("2-after")
    (result,) = results(stage)
    stage.seen["moved"] = scene_facts()
    stage.seen["moved_boxes"] = [world_box(source), world_box(result)]
    stage.seen["moved_parent"] = result.parent.name if result.parent else ""
    stage.seen["moved_collections"] = sorted(collection.name for collection in result.users_collection)
    yield from stage.key("Z", ctrl=True)
    stage.seen["moved_undone"] = scene_facts()
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["moved_redone"] = scene_facts()
    (result,) = results(stage)
    stage.seen["redone_box"] = world_box(result)
    stage.seen["redone_parent"] = result.parent.name if result.parent else ""
    yield from stage.press("bpy.ops.assetgen.select_result", across=60)
    yield from stage.picture("3-selected")
    stage.seen["moved_selected"] = scene_facts()
    yield from buttons_everywhere(stage)


def other_window(stage: Stage) -> Generator[float, None, bpy.types.Window]:
    """Opens a window with a scene of its own, in which something is selected."""
    before = set(stage.window_manager.windows)
    bpy.ops.wm.window_new()
    yield 0.5
    window = next(window for window in stage.window_manager.windows if window not in before)
    scene = bpy.data.scenes.new("Elsewhere")
    window.scene = scene
    yield 0.5
    for name in ("Left", "Right"):
        item = bpy.data.objects.new(name, bpy.data.meshes.new(name))
        scene.collection.objects.link(item)
        item.select_set(True, view_layer=scene.view_layers[0])
    scene.view_layers[0].objects.active = scene.objects["Left"]
    return window


def left_alone(stage: Stage, second: bpy.types.Window) -> dict[str, Any]:
    """All that an arrival must not touch."""
    space = stage.viewport.spaces.active
    layer = second.view_layer
    return {
        "mode": bpy.context.mode,
        "tool": bpy.context.workspace.tools.from_space_view3d_mode("OBJECT").idname,
        "view": [round(value, 5) for row in space.region_3d.view_matrix for value in row],
        "shading": space.shading.type,
        "scenes": [window.scene.name for window in stage.window_manager.windows],
        "workspaces": [window.workspace.name for window in stage.window_manager.windows],
        "elsewhere": [layer.objects.active.name, sorted(item.name for item in layer.objects.selected)],
        "selected": sorted(item.name for item in bpy.context.view_layer.objects.selected),
        "active": bpy.context.view_layer.objects.active.name,
    }


def buttons_everywhere(stage: Stage) -> Steps:
    """The buttons of a job from every kind of area, in every mode: each does its work or says why not."""
    job = stage.bridge("state").state.newest_first()[0]
    cube = next(item for item in bpy.context.scene.objects if item.type == "MESH" and item.visible_get())
    select_only(cube)
    said = stage.seen["said"] = {}
    area = next(area for area in stage.window.screen.areas if area.type in {"DOPESHEET_EDITOR", "TIMELINE"})
    kind = area.ui_type
    for mode in ("EDIT", "SCULPT", "VERTEX_PAINT", "WEIGHT_PAINT", "TEXTURE_PAINT"):
        bpy.ops.object.mode_set(mode=mode)
        for ui_type in AREAS:
            area.ui_type = ui_type
            yield 0.05
            region = next(region for region in area.regions if region.type == "WINDOW")
            with bpy.context.temp_override(window=stage.window, area=area, region=region):
                said[f"{mode} {ui_type}"] = [
                    press("job_action", job_id=job.id, action="apply"),
                    press("select_result", job_id=job.id),
                    press("show_result", job_id=job.id),
                    press("copy_details", job_id=job.id),
                    press("job_action", job_id=job.id, action="retry"),
                ]
        stage.seen.setdefault("modes", []).append(bpy.context.mode)
        bpy.ops.object.mode_set(mode="OBJECT")
    area.ui_type = kind
    yield 1.0


def press(name: str, **properties: Any) -> str:
    """Runs an operator as its button does; the sentence with which it refuses, if it does."""
    try:
        getattr(bpy.ops.assetgen, name)("INVOKE_DEFAULT", **properties)
    except RuntimeError as error:
        return str(error).strip()
    return ""


def look(stage: Stage, distance: float) -> None:
    """Shows the middle of the scene from so far away."""
    view = stage.viewport.spaces.active.region_3d
    view.view_location, view.view_distance = (1, 0, 0.5), distance


def results(stage: Stage) -> list[bpy.types.Object]:
    """The objects of the latest job."""
    job = stage.bridge("state").state.newest_first()[0]
    return list(stage.bridge("results.open_file").open_file.objects_of(job.id))
