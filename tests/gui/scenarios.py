"""What is played in the window. Each scenario writes what it saw into ``stage.seen``; the tests judge it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Vector

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]


def main_job(stage: Stage) -> Steps:
    """Install, select, press Run, wait for the result, undo, redo."""
    from driver import install

    install()
    source = add_source("Suzanne")
    yield from stage.open_side_bar()
    bpy.context.scene.asset_generation.operation = "decimate"
    bpy.context.scene.asset_generation.decimate.face_limit = 900
    yield from stage.picture("1-before")
    stage.seen["source_box"] = world_box(source)
    yield from stage.press("bpy.ops.assetgen.decimate")
    mirror = stage.bridge("mirror").mirror
    yield from stage.wait_for("the job is in the list", lambda: mirror.jobs)
    yield from stage.picture("2-running")
    job_id = next(iter(mirror.jobs))
    yield from stage.wait_for("the job ends", lambda: ended(mirror.jobs[job_id]), 150)
    job = mirror.jobs[job_id]
    stage.seen["job"] = {"stage": str(job.stage), "error": job.error, "advice": job.advice, "seconds": job.seconds}
    yield from stage.picture("3-done")
    stage.seen["after"] = scene_facts()
    arrived = stage.bridge("arrival").arrivals.of(job_id)
    stage.seen["result_box"] = world_box(arrived[0]) if arrived else []
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


def ended(job: Any) -> bool:
    return str(job.stage) in {"applied", "failed", "stopped", "uncertain"}


def timer_runs(stage: Stage) -> bool:
    return bool(bpy.app.timers.is_registered(stage.bridge("pump")._on_timer))


def add_source(name: str, kind: str = "monkey") -> bpy.types.Object:
    """A mesh that is moved, turned and scaled, as the user's last undoable step before Run is a move."""
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="SELECT")
    bpy.ops.object.delete("EXEC_DEFAULT", True)
    getattr(bpy.ops.mesh, f"primitive_{kind}_add")("EXEC_DEFAULT", True, location=(0.5, -0.4, 0.3))
    item = bpy.context.view_layer.objects.active
    item.name = name
    item.rotation_euler = (0.3, 0.2, math.radians(40))
    item.scale = (1.4, 1.4, 1.4)
    modifier = item.modifiers.new("Subdivision", "SUBSURF")
    modifier.levels = 2
    bpy.ops.transform.translate("EXEC_DEFAULT", True, value=(0.25, 0, 0))
    return item


def world_box(item: bpy.types.Object) -> list[float]:
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = [item.matrix_world @ vertex.co for vertex in mesh.vertices]
    evaluated.to_mesh_clear()
    return [*Vector(map(min, zip(*points, strict=True))), *Vector(map(max, zip(*points, strict=True)))]


def scene_facts() -> dict[str, Any]:
    layer = bpy.context.view_layer
    return {
        "objects": sorted(item.name for item in bpy.context.scene.objects),
        "hidden": sorted(item.name for item in bpy.context.scene.objects if item.hide_get()),
        "selected": sorted(item.name for item in layer.objects.selected),
        "active": layer.objects.active.name if layer.objects.active else "",
        "x": {item.name: round(item.location.x, 3) for item in bpy.context.scene.objects},
    }
