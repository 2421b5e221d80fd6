"""The objects of a snapshot as they were seen when it was taken: loaded, and their modifiers applied.

Shared by the scripts that run in a background Blender. What a snapshot is asked with: ``blend``, ``objects`` ({name,
title, matrix} each; matrices are world, row-major, 16 numbers), ``frame`` (the world matrix that the meshes are wanted
in), ``scene_frame`` and ``images`` (name → file with the pixels that the .blend lacks).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import bpy
from mathutils import Matrix


def load(request: Mapping[str, Any]) -> list[bpy.types.Object]:
    """Takes the objects of a snapshot into the scene, in its order."""
    objects = load_objects(request["blend"], [entry["name"] for entry in request["objects"]])
    restore_pixels(request.get("images", {}))
    _realise_instances(objects)
    return objects


def load_objects(blend: str, names: list[str]) -> list[bpy.types.Object]:
    """Takes the objects of a snapshot into the scene as they are, in this order, none of them hidden."""
    with bpy.data.libraries.load(blend, link=False) as (there, here):
        missing = [name for name in names if name not in there.objects]
        if missing:
            raise LookupError(f"the snapshot has no object named {missing[0]!r}")
        here.objects = list(names)
    objects = list(here.objects)
    for item in objects:
        # Hidden objects are not evaluated, and the snapshot keeps how the objects were shown.
        item.hide_viewport = False
        bpy.context.scene.collection.objects.link(item)
        item.hide_set(False)
    return objects


def restore_pixels(images: Mapping[str, str]) -> None:
    """Gives images that were painted on and not saved the pixels that came beside the snapshot."""
    for name, path in images.items():
        image = bpy.data.images.get(name)
        if image is not None:
            if image.packed_file is not None:
                image.unpack(method="REMOVE")
            image.source = "FILE"
            image.filepath = path
            image.reload()


def _realise_instances(objects: Iterable[bpy.types.Object]) -> None:
    """Has what Geometry Nodes only place, without making it part of the mesh, become part of it."""
    group = None
    for item in objects:
        if any(modifier.type == "NODES" for modifier in item.modifiers):
            group = group or _realising_group()
            item.modifiers.new("Realise", "NODES").node_group = group


def _realising_group() -> bpy.types.NodeTree:
    group = bpy.data.node_groups.new("Realise", "GeometryNodeTree")
    for direction in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=direction, socket_type="NodeSocketGeometry")
    given, made = group.nodes.new("NodeGroupInput"), group.nodes.new("NodeGroupOutput")
    realise = group.nodes.new("GeometryNodeRealizeInstances")
    group.links.new(given.outputs[0], realise.inputs[0])
    group.links.new(realise.outputs[0], made.inputs[0])
    return group


def evaluated(objects: Sequence[bpy.types.Object], request: Mapping[str, Any]) -> list[tuple[str, bpy.types.Mesh]]:
    """The final mesh of every object, in the coordinates of the frame."""
    bpy.context.scene.frame_set(int(request["scene_frame"]))
    names = [entry.get("title") or item.name for item, entry in zip(objects, request["objects"], strict=True)]
    return list(zip(names, final_meshes(objects, matrices_in_frame(request)), strict=True))


def matrices_in_frame(request: Mapping[str, Any]) -> list[Matrix]:
    """Where the objects stand in the frame; one for each."""
    to_frame = _matrix(request["frame"]).inverted()
    return [to_frame @ _matrix(entry["matrix"]) for entry in request["objects"]]


def final_meshes(objects: Iterable[bpy.types.Object], matrices: Iterable[Matrix]) -> list[bpy.types.Mesh]:
    """The mesh of every object with all that changes it, put where its matrix says."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    meshes = []
    for item, matrix in zip(objects, matrices, strict=True):
        seen = item.evaluated_get(depsgraph)
        mesh = bpy.data.meshes.new_from_object(seen, preserve_all_data_layers=True, depsgraph=depsgraph)
        _take_materials(mesh, seen)
        mesh.transform(matrix)
        if matrix.determinant() < 0:
            mesh.flip_normals()
        meshes.append(mesh)
    return meshes


def _take_materials(mesh: bpy.types.Mesh, evaluated: bpy.types.Object) -> None:
    """Materials can hang on the object instead of on its mesh; what is seen counts."""
    materials = [slot.material.original if slot.material else None for slot in evaluated.material_slots]
    if materials and list(mesh.materials) != materials:
        # Clearing the slots would reset the faces' material indices.
        while len(mesh.materials) < len(materials):
            mesh.materials.append(None)
        for index, material in enumerate(materials):
            mesh.materials[index] = material


def _matrix(numbers: list[float]) -> Matrix:
    return Matrix([numbers[row * 4 : row * 4 + 4] for row in range(4)])
