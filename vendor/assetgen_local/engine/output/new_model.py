"""What all ways to a new model share: how many faces it has, of which kind, and which files the answer carries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import bpy

from ..files import export_formats, model_io
from ..images.arrays import enlarged
from ..materials import bake, normal_maps, transfer
from ..materials.pbr_material import PbrMaps
from ..mesh import collapse, quad_remesh
from ..mesh.measure import bounds
from ..mesh.merged import Merged, merge
from ..mesh.operators import edit_mode
from ..task import MODEL, Task
from . import answer_files
from .turntable import turntable

_LOW_POLY = {False: 2_000, True: 1_000}
_QUADS = 5_000
_SHAPE_SIZE = 1024


def is_textured(task: Task) -> bool:
    """Whether the result gets a texture: ``texture`` says so, or ``pbr`` where it is asked for; parts have none."""
    if task.flag("generate_parts"):
        return False
    return task.flag("texture", True) or task.flag("pbr")


def has_pbr(task: Task) -> bool:
    """Whether the texture has roughness, metalness and normals: by default, with any texture."""
    return is_textured(task) and task.flag("pbr", True)


def loose_parts(whole: Any) -> list[Any]:
    """An object for each loose piece of a mesh, ``part_1`` being the largest; the object itself is one of them."""
    with edit_mode(whole):
        bpy.ops.mesh.separate(type="LOOSE")
    pieces = sorted(bpy.context.selected_objects, key=lambda piece: -len(piece.data.vertices))
    for number, piece in enumerate(pieces, 1):
        piece.name = piece.data.name = f"part_{number}"
    return pieces


def with_faces(task: Task, objects: Sequence[Any]) -> list[Any]:
    """Fewer faces, or quads, as ``face_limit``, ``quad`` and ``smart_low_poly`` ask for; UVs are set after this.

    Raises:
        EngineError: So few faces do not hold the model.
    """
    quad = task.flag("quad")
    limit = task.body.get("face_limit")
    if task.flag("smart_low_poly"):
        limit = limit or _LOW_POLY[quad]
    if quad:
        whole = merge(objects, "model")
        rebuilt = quad_remesh.remesh(whole.whole, int(limit or _QUADS))
        whole.remove()
        for scene_object in objects:
            bpy.data.objects.remove(scene_object)
        objects = [rebuilt]
    elif limit:
        collapse.collapse_to(objects, int(limit), bounds(objects).diagonal)
    collapse.smooth_shading(objects, collapse.SHARP_ANGLE)
    return list(objects)


def with_shape_of(full: Merged, objects: Sequence[Any], maps: PbrMaps) -> PbrMaps:
    """Adds what reducing the faces took away to the normal map, from the model as it was; which is removed."""
    diagonal = bounds(objects).diagonal
    target = merge(objects, "target")
    bake.prepare()
    assert maps.normal is not None
    size = min(len(maps.normal), _SHAPE_SIZE)
    shape = transfer.shape(full.whole, target.whole, size, (diagonal * 0.02, diagonal * 0.05))
    target.remove()
    full.remove()
    return replace(maps, normal=normal_maps.combined(enlarged(shape, len(maps.normal)), maps.normal))


def write_answer(task: Task, objects: Sequence[Any], start: float) -> dict[str, Any]:
    """Writes the model, and the pictures that were asked for.

    Args:
        task: What is being done.
        objects: The meshes of the result.
        start: Progress before this step.
    """
    task.report(start, "Writing the model")
    model_io.save_glb(task.folder / MODEL, draco=task.body.get("compress") == "geometry")
    # FBX can hold quads; tasks after this one work on the GLB beside it.
    result = answer_files.preview_and_answer(
        task, objects, "model.fbx" if task.flag("quad") else MODEL, (start + 1.0) / 2
    )
    if task.flag("return_multiview"):
        task.report(0.95, "Rendering the views")
        result["files"] |= answer_files.render_views(task, objects)
    if task.flag("quad"):
        export_formats.write_fbx(task.folder / "model.fbx")
    video, sequence = task.flag("render_video"), task.flag("render_sequence")
    if video or sequence:
        task.report(0.97, "Rendering a turn")
        result["files"] |= turntable(task.folder, objects, video=video, sequence=sequence)
    return result
