"""The rig that a model came with and the poses it gives; an armature from a skeleton, and meshes bound to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..array_types import Array
from ..mesh.build import in_scene
from ..mesh.measure import corner_normals, world_triangles
from ..mesh.operators import select
from .skeleton import Bone, name_of

NAME = "Armature"
_SAME = 1e-3  # of the size: a pose in which nothing has moved farther is the one at rest
_TURNED = 0.4  # of a pose, seen from above: a turn explains so much of it where it is one
_STEPS = 1024  # weights are multiples of this part, so that their sum is exactly 1 and they are set in few calls


def poses_of(objects: Sequence[Any]) -> list[Array]:
    """All triangles of the objects in world space, (m, 3, 3): at rest, and as one sees them where that is different."""
    rest = np.concatenate([world_triangles(scene_object) for scene_object in objects])
    if not bpy.data.armatures:
        return [rest]
    set_pose("POSE")
    depsgraph = bpy.context.evaluated_depsgraph_get()
    posed = np.concatenate([world_triangles(scene_object.evaluated_get(depsgraph)) for scene_object in objects])
    set_pose("REST")
    same = len(posed) == len(rest) and np.abs(posed - rest).max() < _SAME * np.ptp(rest)
    return [rest] if same else [rest, posed]


def set_pose(position: str) -> None:
    """Shows all rigs in ``REST`` or ``POSE`` position."""
    for armature in bpy.data.armatures:
        armature.pose_position = position
    bpy.context.view_layer.update()


def build_armature(bones: Sequence[Bone], spec: str, front: Array) -> Any:
    """An armature object without a transform.

    Args:
        bones: Its bones in world space, parents before children.
        spec: A key of :data:`.skeleton.SPECS`.
        front: Unit vector to where the body faces; the bones' z axes point there, or up where they lie along it.
    """
    armature = bpy.data.armatures.new(NAME)
    rig = in_scene(NAME, armature)
    select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in bones:
        edit = armature.edit_bones.new(name_of(bone.role, spec))
        edit.head, edit.tail = Vector(bone.head), Vector(bone.tail)
        along = (edit.tail - edit.head).normalized()
        edit.align_roll(Vector(front) if abs(along.dot(Vector(front))) < 0.8 else Vector((0.0, 0.0, 1.0)))
        if bone.parent:
            edit.parent = armature.edit_bones[name_of(bone.parent, spec)]
            edit.use_connect = (edit.parent.tail - edit.head).length < 1e-6
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def keep_pose(objects: Sequence[Any]) -> None:
    """Makes the pose that one sees the shape of the meshes; their morph targets are lost."""
    set_pose("POSE")
    depsgraph = bpy.context.evaluated_depsgraph_get()
    meshes = [bpy.data.meshes.new_from_object(scene_object.evaluated_get(depsgraph)) for scene_object in objects]
    for scene_object, mesh in zip(objects, meshes, strict=True):
        scene_object.data = mesh


def release(objects: Sequence[Any]) -> None:
    """Frees meshes of any rig, parent and animation that they came with; they stay where they are, in world space."""
    bpy.context.view_layer.update()
    placed = [scene_object.matrix_world.copy() for scene_object in objects]
    for scene_object, matrix in zip(objects, placed, strict=True):
        for modifier in list(scene_object.modifiers):
            scene_object.modifiers.remove(modifier)
        scene_object.vertex_groups.clear()
        scene_object.animation_data_clear()
        if scene_object.data.shape_keys is not None:
            scene_object.data.shape_keys.animation_data_clear()
        scene_object.parent = None
        normals = corner_normals(scene_object.data)
        scene_object.data.transform(matrix, shape_keys=True)
        if matrix.is_negative:
            scene_object.data.flip_normals()
        else:
            turn = np.array(matrix.to_3x3().inverted_safe().transposed())
            normals = normals @ turn.T
            normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
            scene_object.data.normals_split_custom_set(normals)
        scene_object.matrix_world.identity()
    bpy.data.batch_remove(bpy.data.actions)
    bpy.context.view_layer.update()


def stand_as_seen(rig: Any, objects: Sequence[Any], rest: Array, seen: Array) -> None:
    """Moves a rigged model to where one sees it, turned by quarter turns, if it faces another side there than at rest.

    Args:
        rig: The armature object.
        objects: Its meshes, without a transform like the armature.
        rest: Their triangles at rest, (m, 3, 3).
        seen: Those in the pose that one sees.
    """
    if rest.shape != seen.shape:
        return
    ends = [np.stack((pose.min(axis=(0, 1)), pose.max(axis=(0, 1)))) for pose in (rest, seen)]
    start, end = places = [(*low_high.mean(axis=0)[:2], low_high[0, 2]) for low_high in ends]
    before, after = ((pose - place) @ (1, 1j, 0) for pose, place in zip((rest, seen), places, strict=True))
    common = np.vdot(before, after)
    quarters = round(np.angle(common) / (np.pi / 2))
    if quarters and abs(common) > _TURNED * np.linalg.norm(before) * np.linalg.norm(after):
        turn = Matrix.Rotation(quarters * np.pi / 2, 4, "Z")
        move = Matrix.Translation(end) @ turn @ Matrix.Translation(start).inverted()
        rig.data.transform(move)
        for scene_object in objects:
            scene_object.data.transform(move, shape_keys=True)


def bind(rig: Any, scene_object: Any, bones: Sequence[Bone], spec: str, weights: Array) -> None:
    """Gives a mesh its weights and puts it under the armature.

    Args:
        rig: The armature object.
        scene_object: The mesh, without a transform.
        bones: The skeleton that the weights are for.
        spec: What its bones are named for.
        weights: Shape (vertices, bones), 1 in sum.
    """
    parts = np.floor(weights * _STEPS).astype(int)
    parts[np.arange(len(parts)), weights.argmax(axis=1)] += _STEPS - parts.sum(axis=1)
    for index, bone in enumerate(bones):
        used = np.flatnonzero(parts[:, index])
        if not len(used):
            continue
        group = scene_object.vertex_groups.new(name=name_of(bone.role, spec))
        order = used[np.argsort(parts[used, index], kind="stable")]
        values, starts = np.unique(parts[order, index], return_index=True)
        for value, members in zip(values.tolist(), np.split(order, starts[1:]), strict=True):
            group.add(members.tolist(), value / _STEPS, "REPLACE")
    scene_object.modifiers.new(NAME, "ARMATURE").object = rig
    scene_object.parent = rig
