"""What scenarios put into the scene, and what they write down of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Vector

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"


def select_only(item: bpy.types.Object) -> None:
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="DESELECT")
    item.select_set(True)
    bpy.context.view_layer.objects.active = item


def add_canvas() -> bpy.types.Object:
    """A cube with an image to bake onto, in a scene that takes minutes to bake."""
    bpy.context.scene.cycles.samples = 100_000
    bpy.context.scene.render.threads_mode, bpy.context.scene.render.threads = "FIXED", 1
    bpy.ops.mesh.primitive_cube_add("EXEC_DEFAULT", True, location=(5, 0, 0))
    canvas = bpy.context.view_layer.objects.active
    material = bpy.data.materials.new("Canvas")
    if not material.node_tree:
        material.use_nodes = True
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = bpy.data.images.new("Canvas", 512, 512)
    material.node_tree.nodes.active = node
    canvas.data.materials.append(material)
    return canvas


def add_body(name: str) -> bpy.types.Object:
    """A body of limbs: bones of edges with the Skin modifier around them."""
    points = [(0, 0, 0.95), (0, 0, 1.45), (0, 0, 1.75)]
    edges = [(0, 1), (1, 2)]
    for side in (-1, 1):
        for start, limb in ((0, ((0.12, 0.9), (0.14, 0.5), (0.15, 0.05))), (1, ((0.2, 1.4), (0.5, 1.4), (0.8, 1.4)))):
            for x, z in limb:
                points.append((side * x, 0, z))
                edges.append((start, len(points) - 1))
                start = len(points) - 1
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, edges, [])
    item = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(item)
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="DESELECT")
    item.select_set(True)
    bpy.context.view_layer.objects.active = item
    item.modifiers.new("Skin", "SKIN")
    for vertex in mesh.skin_vertices[0].data:
        vertex.radius = (0.08, 0.08)
    item.modifiers.new("Subdivision", "SUBSURF").levels = 2
    bpy.ops.ed.undo_push(message="Body")
    return item


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
