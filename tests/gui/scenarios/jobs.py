"""Jobs from the press to the scene: played in the window, judged by the tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy

from scenarios.scene import add_body, add_canvas, add_source, ended, scene_facts, select_only, timer_runs, world_box

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]


def main_job(stage: Stage) -> Steps:
    """Select, press Run, wait for the result, undo, redo."""
    yield from stage.wait_until_loaded()  # before anything of the extension is seen
    source = add_source("Suzanne")
    yield from stage.open_side_bar()
    stage.choose("decimate")
    bpy.context.scene.asset_generation.decimate.face_limit = 900
    yield from stage.picture("1-before")
    stage.seen["source_box"] = world_box(source)
    yield from stage.press("bpy.ops.assetgen.decimate")
    state = stage.bridge("state").state
    yield from stage.wait_for("the job is in the list", lambda: state.jobs)
    yield from stage.picture("2-running")
    job_id = next(iter(state.jobs))
    yield from stage.wait_for_job("the job ends", lambda: ended(state.jobs[job_id]))
    job = state.jobs[job_id]
    stage.seen["job"] = {"stage": str(job.stage), "error": job.error, "advice": job.advice, "seconds": job.seconds}
    yield from stage.picture("3-done")
    stage.seen["after"] = scene_facts()
    result = stage.bridge("results.open_file").open_file.objects_of(job_id)
    stage.seen["result_box"] = world_box(result[0]) if result else []
    yield from stage.key("Z", ctrl=True)
    stage.seen["after_undo"] = scene_facts()
    yield from stage.picture("4-undone")
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["after_redo"] = scene_facts()
    # A step of the user's own before and after the result: undo must tell them apart.
    yield from stage.key("Z", ctrl=True)
    yield from stage.key("Z", ctrl=True)
    stage.seen["after_two_undos"] = scene_facts()
    yield from stage.key("Z", ctrl=True, shift=True)
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["after_two_redos"] = scene_facts()
    yield from stage.wait_for("the timer is gone", lambda: not timer_runs(stage))
    stage.seen["timer_runs"] = timer_runs(stage)


def create_and_animate(stage: Stage) -> Steps:
    """Words become a model at the cursor; a body gets bones and a motion; each is one step of undo."""
    yield from stage.open_side_bar()
    empty_scene()
    settings = bpy.context.scene.asset_generation
    stage.choose("text_to_model")
    settings.text_to_model.prompt = "a red wooden chair"
    bpy.context.scene.cursor.location = (1.0, 1.0, 0.0)
    yield from stage.press("bpy.ops.assetgen.text_to_model")
    yield from finished(stage, "text_to_model")
    stage.seen["made"] = scene_facts()
    yield from stage.picture("made")
    yield from closer(stage)
    stage.viewport.spaces.active.shading.type = "SOLID"
    yield from stage.key("Z", ctrl=True)
    stage.seen["made_undone"] = scene_facts()["objects"]
    empty_scene()
    add_body("Hero")
    bpy.ops.assetgen.rig()
    yield from finished(stage, "rig")
    stage.seen["rigged"] = scene_facts()
    rig = next(item for item in bpy.context.scene.objects if item.type == "ARMATURE")
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="DESELECT")
    rig.select_set(True)
    bpy.context.view_layer.objects.active = rig
    stage.choose("retarget")  # undo has made another one of it
    yield from stage.picture("rigged")
    yield from stage.press("bpy.ops.assetgen.retarget")
    yield from finished(stage, "retarget")
    stage.seen["moving"] = scene_facts()
    stage.seen["motions"] = motions()
    yield from stage.picture("moving")
    yield from stage.key("Z", ctrl=True)
    stage.seen["moving_undone"] = scene_facts()
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["moving_redone"] = scene_facts()
    stage.seen["motions_redone"] = motions()


def images(stage: Stage) -> Steps:
    """Words become an image, in an editor that is open for images and nowhere else; one step of undo."""
    yield from stage.open_side_bar()
    areas = [area for area in stage.window.screen.areas if area.type in {"OUTLINER", "DOPESHEET_EDITOR"}]
    for area, kind in zip(areas, ("IMAGE_EDITOR", "UV"), strict=True):
        area.ui_type = kind
    stage.choose("text_to_image")
    bpy.context.scene.asset_generation.text_to_image.prompt = "a red lighthouse on a rock"
    bpy.ops.ed.undo_push(message="Prompt")
    yield from stage.press("bpy.ops.assetgen.text_to_image")
    yield from finished(stage, "text_to_image")
    stage.seen["made"] = image_facts(stage)
    yield from stage.picture("image")
    yield from stage.press("bpy.ops.assetgen.use_result")
    settings = bpy.context.scene.asset_generation
    stage.seen["next"] = [stage.chosen, settings.image_to_model.file]
    yield from stage.picture("next")
    yield from stage.key("Z", ctrl=True)
    yield from stage.key("Z", ctrl=True)
    stage.seen["undone"] = image_facts(stage)
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["redone"] = image_facts(stage)


def local_view(stage: Stage) -> Steps:
    """A job on what Local View shows alone: its result is seen there too, also after undo and redo."""
    yield from stage.open_side_bar()
    source = add_source("Suzanne")
    bpy.ops.mesh.primitive_cube_add("EXEC_DEFAULT", True, location=(5, 0, 0))
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="DESELECT")
    source.select_set(True)
    bpy.context.view_layer.objects.active = source
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("WINDOW")):
        bpy.ops.view3d.localview("EXEC_DEFAULT", True)
    yield 0.5
    stage.choose("decimate")
    stage.seen["before"] = seen_in_viewport(stage)
    yield from stage.press("bpy.ops.assetgen.decimate")
    yield from finished(stage, "decimate")
    stage.seen["after"] = seen_in_viewport(stage)
    yield from stage.picture("local-view")
    yield from stage.key("Z", ctrl=True)
    yield 1.0  # what Local View shows is known again with the next redraw
    stage.seen["undone"] = seen_in_viewport(stage)
    yield from stage.key("Z", ctrl=True, shift=True)
    yield 1.0
    stage.seen["redone"] = seen_in_viewport(stage)
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("WINDOW")):
        bpy.ops.view3d.localview("EXEC_DEFAULT", True)
    yield 0.5
    stage.seen["left"] = seen_in_viewport(stage)


def seen_in_viewport(stage: Stage) -> list[str]:
    """The objects that the viewport shows."""
    space = stage.viewport.spaces.active
    return sorted(item.name for item in bpy.context.scene.objects if item.visible_in_viewport_get(space))


def baking(stage: Stage) -> Steps:
    """A result is ready when a bake begins: it waits for the end of that."""
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    scene = bpy.context.scene
    try:
        scene.render.engine = "CYCLES"
    except TypeError:
        stage.seen["no_cycles"] = True
        return
    source = add_source("Suzanne")
    canvas = add_canvas()
    select_only(source)
    bpy.ops.assetgen.decimate(face_limit=900)
    select_only(canvas)
    bpy.ops.object.mode_set(mode="EDIT")  # or the result would be in before the bake begins
    state = stage.bridge("state").state
    yield from stage.wait_for_job("the result is ready", state.ready)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.object.bake("INVOKE_DEFAULT", type="AO")
    yield 2.0  # several ticks of the pump
    stage.seen["while_baking"] = {
        "bakes": bpy.app.is_job_running("OBJECT_BAKE"),
        "words": stage.bridge("idle").busy_reason(),
        "objects": sorted(item.name for item in scene.objects),
        "waiting": len(state.ready()),
    }
    yield from stage.picture("baking")
    yield from stage.key("ESC")
    yield from stage.wait_for("the bake ends", lambda: not bpy.app.is_job_running("OBJECT_BAKE"))
    yield from finished(stage, "decimate")
    stage.seen["after"] = sorted(item.name for item in scene.objects)


def closer(stage: Stage) -> Steps:
    """Shows what is selected, large and in its own colours."""
    stage.viewport.spaces.active.shading.type = "MATERIAL"
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("WINDOW")):
        bpy.ops.view3d.view_selected()
    yield 2.0


def image_facts(stage: Stage) -> dict[str, Any]:
    """The images of the file, and what is seen where."""
    areas = [area for area in stage.window.screen.areas if area.type == "IMAGE_EDITOR"]
    shown = {area.ui_type: area.spaces.active.image.name for area in areas if area.spaces.active.image}
    packed = [image.name for image in bpy.data.images if image.packed_file]
    return {"packed": packed, "shown": shown, "areas": sorted(area.type for area in stage.window.screen.areas)}


def finished(stage: Stage, capability: str) -> Steps:
    """Waits for the latest job to be in the scene."""
    state = stage.bridge("state").state

    def latest() -> Any:
        jobs = state.newest_first()
        return jobs[0] if jobs and jobs[0].steps[-1].capability == capability else None

    yield from stage.wait_for_job(f"{capability} ends", lambda: latest() is not None and ended(latest()))
    job = latest()
    stage.seen.setdefault("jobs", []).append([job.name, str(job.stage), job.error])
    assert str(job.stage) == "applied", job.error
    yield 0.3


def empty_scene() -> None:
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="SELECT")
    bpy.ops.object.delete("EXEC_DEFAULT", True)


def motions() -> list[str]:
    """What the armatures that are seen are moved by."""
    found = []
    for item in bpy.context.scene.objects:
        if item.type == "ARMATURE" and item.animation_data is not None and not item.hide_get():
            action = item.animation_data.action
            found += [action.name] if action else []
            found += [strip.name for track in item.animation_data.nla_tracks for strip in track.strips]
    return found
