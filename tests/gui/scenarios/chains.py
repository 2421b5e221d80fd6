"""What several jobs on one model leave in the file: motions, parts, and the clutter that Clean Up takes away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy

from scenarios.jobs import empty_scene
from scenarios.scene import add_body, scene_facts, select_only

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]


def motions(stage: Stage) -> Steps:
    """A body gets bones, walks and runs, each with undo and redo; the scene is given the range of its motion."""
    yield from stage.open_side_bar()
    empty_scene()
    add_body("Hero")
    bpy.ops.assetgen.rig()
    yield from done(stage, 1)
    rig = next(item for item in bpy.context.scene.objects if item.type == "ARMATURE")
    stage.seen["bones"] = len(rig.data.bones)
    yield from look_at(stage, rig)
    yield from stage.picture("1-rigged")
    stage.seen["rigged"] = facts()
    for number, name in enumerate(("walk", "run"), 2):
        select_only(bpy.data.objects[rig.name])
        bpy.ops.ed.undo_push(message="Select")
        bpy.ops.assetgen.retarget(animation=f"preset:{name}")
        yield from done(stage, number)
        stage.seen[name] = facts()
        yield from stage.key("Z", ctrl=True)
        stage.seen[f"{name}_undone"] = facts()
        yield from stage.key("Z", ctrl=True, shift=True)
        stage.seen[f"{name}_redone"] = facts()
        bpy.context.scene.frame_set(40)  # both are over by then
        yield from stage.picture(f"{number}-{name}-frame-40")
        rig = next(item for item in bpy.context.scene.objects if item.type == "ARMATURE")
        stage.seen[f"{name}_later"] = [foot_at(rig, frame) for frame in (36, 40, 44)]
        bpy.context.scene.frame_set(1)
    bpy.ops.ed.undo_push(message="Frame")
    yield from stage.press("bpy.ops.assetgen.use_frame_range")
    stage.seen["range"] = frame_range()
    yield from stage.picture("4-frame-range")
    yield from stage.key("Z", ctrl=True)
    stage.seen["range_undone"] = frame_range()
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["range_redone"] = frame_range()


def clean_up(stage: Stage) -> Steps:
    """A body is decimated twice; what lies between it and the last result is cleaned up after a question."""
    yield from stage.open_side_bar()
    empty_scene()
    body = add_body("Hero")
    yield from look_at(stage, body)
    for number, most in enumerate((1200, 600), 1):
        bpy.ops.assetgen.decimate(face_limit=most, bake=False)
        yield from done(stage, number)
    stage.seen["before"] = facts()
    yield from stage.picture("1-before")
    yield from ask_to_clean_up(stage)
    yield from stage.picture("2-question")
    stage.seen["while_asked"] = facts()
    stage.window.event_simulate(type="RET", value="PRESS", x=stage.window.width // 3, y=stage.window.height // 2)
    stage.window.event_simulate(type="RET", value="RELEASE", x=stage.window.width // 3, y=stage.window.height // 2)
    yield 1.0
    yield from stage.picture("3-cleaned")
    stage.seen["cleaned"] = facts()
    yield from stage.key("Z", ctrl=True)
    stage.seen["cleaned_undone"] = facts()
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["cleaned_redone"] = facts()


def done(stage: Stage, count: int) -> Steps:
    """Waits until that many jobs of this file have brought their results in."""
    objects = stage.bridge("results.open_file").open_file.objects
    yield from stage.wait_for_job(f"{count} results", lambda: len(objects) == count)
    yield 0.5


def ask_to_clean_up(stage: Stage) -> Steps:
    """Has the question asked in the middle of the viewport: its button is beside another one, where nobody looks."""
    job = stage.bridge("state").state.newest_first()[0]
    region = stage.region("WINDOW")
    yield from stage.move(region.x + region.width // 3, region.y + region.height // 2)
    with bpy.context.temp_override(window=stage.window, area=stage.viewport, region=region):
        bpy.ops.assetgen.clean_up("INVOKE_DEFAULT", True, job_id=job.id)


def parts(stage: Stage) -> Steps:
    """A body is taken apart: its parts come in a collection of their own."""
    yield from stage.open_side_bar()
    empty_scene()
    body = add_body("Hero")
    yield from look_at(stage, body)
    yield from stage.picture("1-whole")
    stage.seen["whole"] = part_facts()
    bpy.ops.assetgen.segment()
    yield from done(stage, 1)
    yield from stage.picture("2-parts")
    stage.seen["parts"] = part_facts()
    yield from stage.key("Z", ctrl=True)
    stage.seen["undone"] = part_facts()
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["redone"] = part_facts()


def facts() -> dict[str, Any]:
    """Objects, what they consist of, and what the rigs are moved by."""
    tables = ("meshes", "armatures", "materials", "images", "actions")
    rigs = [item for item in bpy.context.scene.objects if item.type == "ARMATURE" and item.animation_data]
    return {
        **{key: scene_facts()[key] for key in ("objects", "hidden", "selected")},
        **{name: len([block for block in getattr(bpy.data, name) if block.users]) for name in tables},
        "moved_by": {rig.name: rig.animation_data.action.name for rig in rigs if rig.animation_data.action},
        "tracks": {rig.name: [(track.name, track.mute) for track in rig.animation_data.nla_tracks] for rig in rigs},
        "ranges": {
            action.name: (action.use_frame_range, action.frame_start, action.frame_end, action.use_cyclic)
            for action in bpy.data.actions
        },
    }


def foot_at(rig: bpy.types.Object, frame: int) -> list[float]:
    """Where a foot is in the rig's own space, from its hips."""
    bpy.context.scene.frame_set(frame)
    hips = next(bone for bone in rig.pose.bones if bone.parent is None)
    foot = next(bone for bone in rig.pose.bones if bone.name.endswith("L_Foot"))
    return [round(value, 4) for value in foot.head - hips.head]


def frame_range() -> list[int]:
    return [bpy.context.scene.frame_start, bpy.context.scene.frame_end]


def part_facts() -> dict[str, Any]:
    """The collections of the scene, with the names in them."""
    scene = bpy.context.scene
    found = {
        holder.name: sorted(item.name for item in holder.objects) for holder in scene.collection.children_recursive
    }
    return {"collections": found, "hidden": scene_facts()["hidden"], "objects": scene_facts()["objects"]}


def look_at(stage: Stage, item: bpy.types.Object) -> Steps:
    """Shows an object from the front side, large."""
    select_only(item)
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("WINDOW")):
        bpy.ops.view3d.view_selected()
    yield 1.0
