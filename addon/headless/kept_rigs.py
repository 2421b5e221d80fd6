"""What rigs pose, at rest and under these rigs: who looks for a body in a GLB can try the rest pose and the seen one.

Runs in a background Blender, in which nothing but a snapshot is open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import mesh_notes  # type: ignore[import-not-found, unused-ignore]
import numpy as np
from background_blender.importers import READERS
from mathutils import Matrix
from snapshot_meshes import final_meshes  # type: ignore[import-not-found, unused-ignore]

_SAME = 1e-3
"""Share of the largest side by which points may lie elsewhere and count as in the same place."""


class RiggedObjects(NamedTuple):
    """New objects in the scene that are seen as those of a snapshot are.

    Attributes:
        meshes: Stored as they are at rest; in the order of the snapshot.
        rigs: The armature objects that pose them.
        box: Around all of it at rest, on the middle and the floor of what is seen.
    """

    meshes: list[bpy.types.Object]
    rigs: list[bpy.types.Object]
    box: mesh_notes.Bounds


class _Carrier(NamedTuple):
    """The armature object that moves an object; the bone that it hangs on, empty where its vertex groups say it."""

    rig: bpy.types.Object
    bone: str = ""


def rigged_objects(
    objects: Sequence[bpy.types.Object], seen: Sequence[bpy.types.Mesh], matrices: Sequence[Matrix]
) -> RiggedObjects | None:
    """The objects of a snapshot at rest under copies of their rigs; other modifiers and shape keys are applied.

    Args:
        objects: They, as they are seen.
        seen: Their final meshes.
        matrices: Where these have been put.

    Returns:
        None where nothing is elsewhere at rest, and where armatures alone would not show what is seen: another modifier
        may depend on the pose, a bone may bend.
    """
    carriers = {item: carrier for item in objects if (carrier := _carrier_of(item)) is not None}
    worlds = [item.matrix_world.copy() for item in objects]
    rigs: dict[bpy.types.Object, bpy.types.Object] = {}
    for item, world, matrix in zip(objects, worlds, matrices, strict=True):
        if item in carriers and (rig := carriers[item].rig) not in rigs:
            rigs[rig] = _frozen(rig, matrix @ world.inverted_safe())
    if not rigs or any(bone.bbone_segments > 1 for rig in rigs for bone in rig.data.bones):
        return None
    for rig in rigs:
        rig.data.pose_position = "REST"
    bpy.context.view_layer.update()
    at_rest = [
        matrix @ world.inverted_safe() @ item.matrix_world
        for item, world, matrix in zip(objects, worlds, matrices, strict=True)
    ]
    rest = final_meshes(objects, at_rest)
    if _lie_alike(rest, seen):
        return None
    made = [_bound(item, mesh, carriers.get(item), rigs) for item, mesh in zip(objects, rest, strict=True)]
    depsgraph = bpy.context.evaluated_depsgraph_get()
    if not _lie_alike([item.evaluated_get(depsgraph).data for item in made], seen):
        return None
    return RiggedObjects(made, list(rigs.values()), _put_where(_box(rest), _box(seen)))


def shows_boxes(glb: Path, boxes: Sequence[mesh_notes.Bounds]) -> bool:
    """Whether a GLB of rigged objects, once it is read, has something in each of these boxes as it is seen."""
    known = set(bpy.data.objects)
    READERS["glb"](glb)
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    seen = [item.evaluated_get(depsgraph) for item in bpy.data.objects if item not in known and item.type == "MESH"]
    found = [np.array(box) for item in seen if (box := mesh_notes.bounds_of([(item.data, item.matrix_world)]))]
    wanted = [np.array(box) for box in boxes if box]
    size = max(np.ptp(box.reshape(2, 3), axis=0).max() for box in wanted)
    return bool(found) and all(min(np.abs(box - other).max() for other in found) <= _SAME * size for box in wanted)


def _carrier_of(item: bpy.types.Object) -> _Carrier | None:
    if (rig := item.find_armature()) is not None:
        return _Carrier(rig)
    above = item
    while above.parent is not None:
        if above.parent_type == "BONE":
            return _Carrier(above.parent, above.parent_bone)
        above = above.parent
    return None


def _frozen(rig: bpy.types.Object, move: Matrix) -> bpy.types.Object:
    """A copy of an armature object that holds its pose by itself: nothing constrains, drives or carries it.

    Args:
        rig: The armature object.
        move: What takes it from its place in this scene to where the copy is wanted.
    """
    seen = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    world, posed = seen.matrix_world.copy(), {bone.name: bone.matrix.copy() for bone in seen.pose.bones}
    data = rig.data.copy()
    data.animation_data_clear()
    data.pose_position = "POSE"
    made = bpy.data.objects.new(rig.name, data)
    bpy.context.scene.collection.objects.link(made)
    made.matrix_world = move @ world
    _put_on_one_bone(made)
    for bone in made.pose.bones:
        if bone.name not in posed:
            continue
        above: Mapping[str, Any] = {}
        if bone.parent is not None:
            at_rest = bone.parent.bone.matrix_local
            above = {"parent_matrix": posed.get(bone.parent.name, at_rest), "parent_matrix_local": at_rest}
        local = bone.bone.matrix_local
        bone.matrix_basis = bone.bone.convert_local_to_pose(posed[bone.name], local, invert=True, **above)
    return made


def _put_on_one_bone(rig: bpy.types.Object) -> None:
    """Gives the bones without a parent one that nothing moves: what a first bone is turned by counts as its rest to
    Blender's importer, which knows the rest of the others only.
    """
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    first = [bone for bone in bones if bone.parent is None]
    ground = bones.new("Ground")
    ground.tail = (0, 0, 1)
    for bone in first:
        bone.parent = ground
    bpy.ops.object.mode_set(mode="OBJECT")


def _bound(
    item: bpy.types.Object,
    mesh: bpy.types.Mesh,
    carrier: _Carrier | None,
    rigs: Mapping[bpy.types.Object, bpy.types.Object],
) -> bpy.types.Object:
    """A new object of a mesh, under the copy of the rig that moves the object that the mesh is of."""
    made = bpy.data.objects.new(item.name, mesh)
    bpy.context.scene.collection.objects.link(made)
    if carrier is None:
        return made
    if carrier.bone:
        made.vertex_groups.clear()
        made.vertex_groups.new(name=carrier.bone).add(range(len(mesh.vertices)), 1.0, "REPLACE")
    bones = carrier.rig.data.bones
    for group in list(made.vertex_groups):
        # To an exporter every bone is a joint; to Blender those are not that do not deform.
        if group.name != carrier.bone and not (group.name in bones and bones[group.name].use_deform):
            made.vertex_groups.remove(group)
    rig = rigs[carrier.rig]
    made.modifiers.new("Armature", "ARMATURE").object = rig
    made.parent = rig
    made.matrix_parent_inverse = rig.matrix_world.inverted_safe()
    return made


def _lie_alike(meshes: Sequence[bpy.types.Mesh], others: Sequence[bpy.types.Mesh]) -> bool:
    """Whether meshes have the same points, as many as there are and in the same places."""
    if [len(mesh.vertices) for mesh in meshes] != [len(mesh.vertices) for mesh in others]:
        return False
    points, wanted = _points(meshes), _points(others)
    return not len(points) or bool(np.abs(points - wanted).max() <= _SAME * np.ptp(wanted, axis=0).max())


def _points(meshes: Sequence[bpy.types.Mesh]) -> Any:
    """All vertices, (n, 3)."""
    found = []
    for mesh in meshes:
        values = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", values)
        found.append(values.reshape(-1, 3))
    return np.concatenate(found)


def _box(meshes: Sequence[bpy.types.Mesh]) -> mesh_notes.Bounds:
    return mesh_notes.bounds_of([(mesh, Matrix.Identity(4)) for mesh in meshes])


def _put_where(box: mesh_notes.Bounds, other: mesh_notes.Bounds) -> mesh_notes.Bounds:
    """A box above the middle and on the floor of another."""
    move = [(other[axis] + other[axis + 3] - box[axis] - box[axis + 3]) / 2 for axis in (0, 1)]
    move.append(other[2] - box[2])
    return tuple(value + move[number % 3] for number, value in enumerate(box))
