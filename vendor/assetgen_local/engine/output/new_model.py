"""What all ways to a new model share: how many faces it has, of which kind, and which files the answer carries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import bpy

from ..array_types import Mask, Picture
from ..images.arrays import recolored
from ..images.picture_files import read_rgba
from ..materials import transfer
from ..materials.pbr_material import PbrMaps
from ..mesh import collapse
from ..mesh.face_limit import reduced
from ..mesh.measure import bounds
from ..mesh.merged import Merged, merge
from ..mesh.operators import select
from ..task import Task
from . import answer_files, film

_LOW_POLY = {False: 2_000, True: 1_000}
_QUADS = 5_000
_SHAPE_SIZE = 1024


def is_textured(task: Task) -> bool:
    """Whether the result gets a texture: ``texture`` says so, or ``pbr`` where it is asked for; parts have none."""
    return not task.flag("generate_parts") and (task.flag("texture", True) or task.flag("pbr"))


def has_pbr(task: Task) -> bool:
    """Whether the texture has roughness, metalness and normals: by default, with any texture."""
    return is_textured(task) and task.flag("pbr", True)


def loose_parts(whole: Any) -> list[Any]:
    """An object for each loose piece of a mesh, ``part_1`` being the largest; the object itself is one of them."""
    select(whole)
    bpy.ops.mesh.separate(type="LOOSE")
    pieces = sorted(bpy.context.selected_objects, key=lambda piece: -len(piece.data.vertices))
    for number, piece in enumerate(pieces, 1):
        piece.name = piece.data.name = f"part_{number}"
    return pieces


def with_faces(task: Task, objects: Sequence[Any]) -> tuple[list[Any], Merged | None]:
    """Fewer faces, or quads, as ``face_limit``, ``quad`` and ``smart_low_poly`` ask for; UVs are set after this.

    Returns:
        The objects, and the model as it was, for :func:`with_shape_of`; None where its shape is not to be kept.

    Raises:
        EngineError: So few faces do not hold the model.
    """
    quad, limit = task.flag("quad"), task.body.get("face_limit")
    full = merge(objects, "full") if task.flag("smart_low_poly") and has_pbr(task) else None
    if task.flag("smart_low_poly"):
        limit = limit or _LOW_POLY[quad]
    if limit or quad:
        return reduced(objects, int(limit or _QUADS), quad=quad), full
    collapse.smooth_shading(objects, collapse.SHARP_ANGLE)
    return list(objects), full


def styled(task: Task, colors: Picture, mask: Mask) -> Picture:
    """A picture's colours, like those of ``style_image`` where the request has one."""
    style = task.image("style_image")
    return colors if style is None else recolored(colors, mask, read_rgba(style)[..., :3].reshape(-1, 3))


def with_shape_of(full: Merged | None, objects: Sequence[Any], maps: PbrMaps) -> PbrMaps:
    """Adds what reducing the faces took away to the normal map, from the model as it was; which is removed."""
    if full is None:
        return maps
    diagonal = bounds(objects).diagonal
    target = merge(objects, "target")
    assert maps.normal is not None
    reach = (diagonal * 0.02, diagonal * 0.05)
    normal = transfer.with_shape(maps.normal, full.whole, target.whole, _SHAPE_SIZE, reach)
    target.remove()
    full.remove()
    return replace(maps, normal=normal)


def write_answer(task: Task, objects: Sequence[Any], start: float) -> dict[str, Any]:
    """Writes the model, and the pictures that were asked for.

    Args:
        task: What is being done.
        objects: The meshes of the result.
        start: Progress before this step.
    """
    fbx: dict[str, Any] | None = {} if task.flag("quad") else None  # it can hold quads
    draco = task.body.get("compress") == "geometry"
    views = task.flag("return_multiview")
    result = answer_files.model_and_preview(task, objects, start, views=views, fbx=fbx, draco=draco)
    video, sequence = task.flag("render_video"), task.flag("render_sequence")
    if video or sequence:
        task.report(0.97, "Rendering a turn")
        result["files"] |= film.turntable(task.folder, objects, video=video, sequence=sequence)
    return result
