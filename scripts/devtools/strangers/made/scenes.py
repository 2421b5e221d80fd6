"""Puts simple things into the open scene, and writes the scene as a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from background_blender.operators import call
from mathutils import Euler, Matrix, Vector

from .bodies import Line, Point, surface

_FINENESS = 0.022
"""Width of the cells in which a body becomes one surface."""

_CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
_SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
_COLORS = ((0.55, 0.35, 0.25), (0.2, 0.35, 0.6), (0.5, 0.5, 0.52), (0.35, 0.5, 0.25))


def clear() -> None:
    """Empties the scene."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


def add_body(name: str, lines: Sequence[Line], *, whole: bool = True, alpha: float = 1.0) -> Any:
    """Thick lines, ``whole`` as one closed surface, else as pieces that reach into each other."""
    body = _add(name, *surface(lines), alpha=alpha)
    if whole:
        modifier = body.modifiers.new("whole", "REMESH")
        modifier.mode, modifier.voxel_size = "VOXEL", _FINENESS
        graph = bpy.context.evaluated_depsgraph_get()
        mesh = bpy.data.meshes.new_from_object(body.evaluated_get(graph))
        body.modifiers.clear()
        body.data = mesh
    return body


def add_box(name: str, centre: Any, size: Sequence[float], tilt: float = 0.0) -> Any:
    """A box; ``tilt`` turns it about X."""
    turn = np.array(Euler((tilt, 0, 0)).to_matrix())
    return _add(name, (_CORNERS * size) @ turn.T + centre, np.array(_SIDES))


def add_loose_boxes(name: str, boxes: Sequence[tuple[Point, Sequence[float]]]) -> Any:
    """Boxes in one object, with points of their own for each side."""
    sides = np.array(_SIDES)
    points = np.concatenate([(_CORNERS * size + centre)[sides.ravel()] for centre, size in boxes])
    return _add(name, points, np.arange(len(points)).reshape(-1, 4))


def add_wheel(name: str, centre: Any, radius: float) -> Any:
    """A flat one that turns about X."""
    turns = np.arange(24) * np.pi / 12
    rim = np.stack((np.zeros(24), np.cos(turns), np.sin(turns)), axis=1) * radius
    points = np.concatenate([rim + centre + (x, 0, 0) for x in (-0.04, 0.04)])
    around = np.arange(24)
    beside = (around + 1) % 24
    tread = np.stack((around, beside, beside + 24, around + 24), axis=1).tolist()
    return _add(name, points, [*tread, around[::-1].tolist(), (around + 24).tolist()])


def add_coat(name: str, top: tuple[float, float], bottom: tuple[float, float]) -> Any:
    """A cone without ends, open in front; radius and height of its two rims."""
    turns = np.linspace(0.06, 0.94, 33) * 2 * np.pi - np.pi / 2
    heights = np.linspace(0, 1, 12)[:, None]
    radii = top[0] + (bottom[0] - top[0]) * heights
    grid = np.stack(
        (radii * np.cos(turns), radii * np.sin(turns) * 0.75, top[1] + (bottom[1] - top[1]) * heights + 0 * turns),
        axis=2,
    )
    here = (np.arange(11)[:, None] * 33 + np.arange(32)).ravel()
    return _add(name, grid.reshape(-1, 3), np.stack((here, here + 1, here + 34, here + 33), axis=1))


def turn_all(angles: Sequence[float]) -> None:
    """Turns the meshes themselves about the origin, and puts them back onto the floor."""
    meshes = [item for item in bpy.context.scene.objects if item.type == "MESH"]
    for item in meshes:
        item.data.transform(Euler(angles).to_matrix().to_4x4())
    low = min(vertex.co.z for item in meshes for vertex in item.data.vertices)
    for item in meshes:
        item.data.transform(Matrix.Translation((0, 0, -low)))


def add_rig(bones: Mapping[str, tuple[str, Point, Point]], objects: Sequence[Any]) -> Any:
    """A rig of bones (parent, head, tail); each vertex of the objects follows the bone whose middle is nearest."""
    rig = bpy.data.objects.new("Armature", bpy.data.armatures.new("Armature"))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (parent, head, tail) in bones.items():
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = head, tail
        bone.parent = rig.data.edit_bones.get(parent)
    bpy.ops.object.mode_set(mode="OBJECT")
    middles = {name: (Vector(head) + Vector(tail)) / 2 for name, (_, head, tail) in bones.items()}
    for item in objects:
        item.parent = rig
        item.modifiers.new("Armature", "ARMATURE").object = rig
        groups = {name: item.vertex_groups.new(name=name) for name in bones}
        for vertex in item.data.vertices:
            nearest = min(middles, key=lambda name: (middles[name] - vertex.co).length)
            groups[nearest].add([vertex.index], 1.0, "REPLACE")
    return rig


def hang_on(item: Any, rig: Any, bone: str) -> None:
    """Parents an object to a bone, where it is."""
    bpy.context.view_layer.update()
    item.parent, item.parent_type, item.parent_bone = rig, "BONE", bone
    bpy.context.view_layer.update()
    item.matrix_world = Matrix()


def pose(rig: Any, bone: str, angles: Sequence[float], about: Sequence[float] = (0, 0, 0)) -> None:
    """Has a clip hold a bone turned about a point, away from its rest."""
    bpy.context.view_layer.update()
    turn = Matrix.Translation(about) @ Euler(angles).to_matrix().to_4x4() @ Matrix.Translation(-Vector(about))
    rig.pose.bones[bone].matrix = turn @ rig.data.bones[bone].matrix_local
    rig.animation_data_create().action = bpy.data.actions.new("stand")
    for frame in (1, 10):
        for channel in ("location", "rotation_quaternion"):
            rig.pose.bones[bone].keyframe_insert(channel, frame=frame)
    bpy.context.view_layer.update()


def write(path: Path) -> None:
    """The scene as a GLB, or as an FBX."""
    if path.suffix == ".fbx":
        call(bpy.ops.export_scene.fbx, filepath=str(path))
    else:
        call(bpy.ops.export_scene.gltf, filepath=str(path))


def _add(name: str, points: Any, faces: Any, *, alpha: float = 1.0) -> Any:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(np.asarray(points).tolist(), [], faces.tolist() if isinstance(faces, np.ndarray) else faces)
    number = len(bpy.context.scene.objects)
    mesh.materials.append(_paint(_COLORS[number % len(_COLORS)], alpha))
    item = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(item)
    return item


def _paint(color: Sequence[float], alpha: float) -> Any:
    material = bpy.data.materials.new("paint")
    if material.node_tree is None:  # before Blender 5.0
        material.use_nodes = True
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (*color, 1.0)
    shader.inputs["Alpha"].default_value = alpha
    return material
