"""Turns a snapshot of selected objects into the GLB that is uploaded. Runs in a background Blender.

Request: ``blend``, ``objects`` ({name, matrix} each; matrices are world, row-major, 16 numbers), ``frame`` (the rigid
world matrix that the GLB is expressed in), ``scene_frame``, optionally ``images`` (name → file with the pixels that the
snapshot lacks), and ``out``. The GLB is all it gives: its answer is empty.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "vendor"))

import bpy
from background_blender.child import Report, main
from background_blender.operators import call
from mathutils import Matrix


def work(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Evaluates the objects as they were seen and writes them as one GLB."""
    report(0.05, "Opening the snapshot")
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    names = [entry["name"] for entry in request["objects"]]
    objects = _load(request["blend"], names)
    _restore_pixels(request.get("images", {}))
    _realise_instances(objects)
    report(0.3, "Applying modifiers")
    meshes = _evaluated(objects, request)
    if not any(len(mesh.polygons) for _, mesh in meshes):
        raise ValueError("The selected objects have no faces once their modifiers are applied.")
    _leave_only(meshes)
    report(0.5, "Writing the model")
    call(
        bpy.ops.export_scene.gltf,
        filepath=request["out"],
        export_format="GLB",
        export_yup=True,
        export_apply=False,  # done above, with the matrices as they were given
        export_normals=True,
        export_texcoords=True,
        export_materials="EXPORT",
        export_image_format="AUTO",
        export_vertex_color="MATERIAL",
        export_active_vertex_color_when_no_material=True,
        export_all_vertex_colors=False,
        export_animations=False,
        export_skins=False,
        export_morph=False,
        export_cameras=False,
        export_lights=False,
        export_extras=False,
        export_attributes=False,
        use_active_scene=True,
    )
    report(1.0, "Ready for upload")
    return {}


def _load(blend: str, names: list[str]) -> list[bpy.types.Object]:
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


def _restore_pixels(images: Mapping[str, str]) -> None:
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


def _evaluated(objects: Iterable[bpy.types.Object], request: Mapping[str, Any]) -> list[tuple[str, bpy.types.Mesh]]:
    """The final mesh of every object, in the coordinates of the frame."""
    scene = bpy.context.scene
    scene.frame_set(int(request["scene_frame"]))
    depsgraph = bpy.context.evaluated_depsgraph_get()
    to_frame = _matrix(request["frame"]).inverted()
    meshes = []
    for item, entry in zip(objects, request["objects"], strict=True):
        evaluated = item.evaluated_get(depsgraph)
        mesh = bpy.data.meshes.new_from_object(evaluated, preserve_all_data_layers=True, depsgraph=depsgraph)
        _take_materials(mesh, evaluated)
        matrix = to_frame @ _matrix(entry["matrix"])
        mesh.transform(matrix)
        if matrix.determinant() < 0:
            mesh.flip_normals()
        meshes.append((entry.get("title") or item.name, mesh))
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


def _leave_only(meshes: Iterable[tuple[str, bpy.types.Mesh]]) -> None:
    """Leaves nothing in the scene but these meshes, each as an object without a transform."""
    scene = bpy.context.scene
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    for name, mesh in meshes:
        scene.collection.objects.link(bpy.data.objects.new(name, mesh))
    bpy.context.view_layer.update()


def _matrix(numbers: list[float]) -> Matrix:
    return Matrix([numbers[row * 4 : row * 4 + 4] for row in range(4)])


if __name__ == "__main__":
    main(work)
