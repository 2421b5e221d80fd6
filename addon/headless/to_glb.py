"""Turns a snapshot of selected objects into the GLB that is uploaded. Runs in a background Blender.

Request: ``blend``, ``objects`` ({name, matrix} each; matrices are world, row-major, 16 numbers), ``frame`` (the rigid
world matrix that the GLB is expressed in), ``scene_frame``, optionally ``images`` (name → file with the pixels that the
snapshot lacks), ``looks`` (of each object, what its fingerprint begins with) and ``packed`` (the names of the packed
images that belong to it), ``rigged`` (whether what rigs pose is written at rest under these rigs), and ``out``. It
answers, in the order of the objects, with their ``fingerprints`` and with their ``boxes`` in the frame, and with the
``rest_box`` of all at rest, on the place of what is seen; that is empty where they were not written at rest.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "vendor")]

import bpy
import mesh_notes  # type: ignore[import-not-found, unused-ignore]
from background_blender.child import Report, main
from background_blender.exporters import write_glb
from kept_rigs import rigged_objects, shows_boxes  # type: ignore[import-not-found, unused-ignore]
from mathutils import Matrix
from snapshot_meshes import evaluated, load, matrices_in_frame  # type: ignore[import-not-found, unused-ignore]


def work(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Evaluates the objects as they were seen and writes them as one GLB."""
    report(0.05, "Opening the snapshot")
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    objects = load(request)
    looks = request.get("looks") or [""] * len(objects)
    packed = request.get("packed") or [[]] * len(objects)
    prints = [_print(*known) for known in zip(objects, looks, packed, strict=True)]
    report(0.3, "Applying modifiers")
    meshes = evaluated(objects, request)
    if not any(len(mesh.polygons) for _, mesh in meshes):
        raise ValueError("The selected objects have no faces once their modifiers are applied.")
    boxes = [mesh_notes.bounds_of([(mesh, Matrix.Identity(4))]) for _, mesh in meshes]
    names, shown = [name for name, _ in meshes], [mesh for _, mesh in meshes]
    out = Path(request["out"])
    report(0.5, "Writing the model")
    rigged = rigged_objects(objects, shown, matrices_in_frame(request)) if request.get("rigged") else None
    if rigged is not None:
        _leave_only(names, rigged.meshes, rigged.rigs)
        _write(out, skins=True)
        if not shows_boxes(out, boxes):  # not every pose can be told in the file
            rigged = None
    if rigged is None:
        _leave_only(names, [_plain(*named) for named in meshes], ())
        _write(out, skins=False)
    report(1.0, "Ready for upload")
    if rigged is not None:  # another operation is to get an upload of its own, without a rig
        prints = [""] * len(prints)
    return {"fingerprints": prints, "boxes": boxes, "rest_box": rigged.box if rigged else ()}


def _write(out: Path, *, skins: bool) -> None:
    write_glb(
        out,
        export_yup=True,
        export_apply=False,  # done before, with the matrices as they were given
        export_normals=True,
        export_texcoords=True,
        export_materials="EXPORT",
        export_image_format="AUTO",
        export_vertex_color="MATERIAL",
        export_active_vertex_color_when_no_material=True,
        export_all_vertex_colors=False,
        export_animations=False,
        export_skins=skins,
        export_all_influences=True,
        export_rest_position_armature=False,  # the joints stand as they are seen
        export_morph=False,
        export_cameras=False,
        export_lights=False,
        export_extras=False,
        export_attributes=False,
        use_active_scene=True,
    )


def _print(item: bpy.types.Object, looks: str, packed: list[str]) -> str:
    """The fingerprint of an object; empty where nobody can tell."""
    images = [bpy.data.images.get(name) for name in packed]
    if not looks or any(image is None or image.packed_file is None for image in images):
        return ""
    return str(mesh_notes.whole_print(looks, mesh_notes.checksum(item), list(map(mesh_notes.packed_checksum, images))))


def _plain(name: str, mesh: bpy.types.Mesh) -> bpy.types.Object:
    """A new object without a transform."""
    item = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(item)
    return item


def _leave_only(names: Sequence[str], meshes: Sequence[bpy.types.Object], rigs: Sequence[bpy.types.Object]) -> None:
    """Leaves nothing in the scene but these, the meshes under these names."""
    kept = {*meshes, *rigs}
    for item in list(bpy.data.objects):
        if item not in kept:
            bpy.data.objects.remove(item)
    for item in rigs:
        item.name = "Armature"  # no mesh is to make room for it
    for name, item in zip(names, meshes, strict=True):
        item.name = name
    bpy.context.view_layer.update()


if __name__ == "__main__":
    main(work)
