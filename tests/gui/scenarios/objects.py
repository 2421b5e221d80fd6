"""What an object is stays with its result: played in the window, judged by the tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy

from scenarios.jobs import finished

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]


def three_objects(stage: Stage) -> Steps:
    """A sphere, a torus and a monkey are decimated together; undo and redo."""
    yield from stage.open_side_bar()
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="SELECT")
    bpy.ops.object.delete("EXEC_DEFAULT", True)
    places = {"uv_sphere": (0, 0, 0), "torus": (3, 0, 0), "monkey": (0, 3, 0)}
    for kind, place in places.items():
        getattr(bpy.ops.mesh, f"primitive_{kind}_add")("EXEC_DEFAULT", True, location=place)
        item = bpy.context.view_layer.objects.active
        item.modifiers.new("Fine", "SUBSURF").levels = 1
        item.vertex_groups.new(name="Top").add([0, 1, 2, 3], 1.0, "REPLACE")
        item["rank"] = len(item.name)
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="SELECT")
    stage.choose("decimate")
    bpy.context.scene.asset_generation.decimate.face_limit = 1500
    show_origins(stage)
    stage.seen["before"] = facts()
    yield from stage.picture("1-before")
    yield from stage.press("bpy.ops.assetgen.decimate")
    yield from finished(stage, "decimate")
    stage.seen["after"] = facts()
    stage.seen["selected"] = selection()
    yield from stage.picture("2-after")
    yield from stage.key("Z", ctrl=True)
    stage.seen["undone"] = facts()
    yield from stage.picture("3-undone")
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["redone"] = facts()
    # The same with the other choices, on what is there now.
    yield from stage.key("Z", ctrl=True)
    names = [item.name for item in bpy.context.scene.objects]
    state = stage.bridge("state").state
    earlier = set(state.jobs)
    assert bpy.ops.assetgen.decimate(face_limit=1200, source_after="COLLECT", result_names="SAME") == {"FINISHED"}
    yield from stage.wait_for("the job is in the list", lambda: set(state.jobs) - earlier)
    yield from finished(stage, "decimate")
    stage.seen["collected"] = facts()
    stage.seen["collection"] = sorted(bpy.data.collections["Sources"].objects.keys())
    yield from stage.picture("4-collected")
    yield from stage.key("Z", ctrl=True)
    stage.seen["given_back"] = {
        "names": sorted(item.name for item in bpy.context.scene.objects),
        "wanted": sorted(names),
    }
    stage.seen["collections"] = list(bpy.data.collections.keys())


def show_origins(stage: Stage) -> None:
    stage.viewport.spaces.active.overlay.show_object_origins_all = True


def selection() -> dict[str, Any]:
    """What is selected, and which object is the active one."""
    layer = bpy.context.view_layer
    return {"selected": sorted(item.name for item in layer.objects.selected), "active": layer.objects.active.name}


def facts() -> dict[str, Any]:
    """Of each object that is seen: where its origin is, and what belongs to it."""
    bpy.context.view_layer.update()  # undo has Blender place everything anew, by the next redraw
    return {
        item.name: {
            "origin": [round(value, 4) for value in item.matrix_world.translation],
            "materials": [slot.material.name for slot in item.material_slots if slot.material],
            "groups": [group.name for group in item.vertex_groups],
            "rank": item.get("rank"),
        }
        for item in bpy.context.scene.objects
        if item.visible_get()
    }
