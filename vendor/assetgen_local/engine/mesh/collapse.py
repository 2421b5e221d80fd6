"""Fewer triangles: the objects of a model are welded, and their edges collapsed together to an exact number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from ..array_types import Array, Faces, Points
from ..errors import EngineError
from .build import filled, remove
from .carry_over import carry_colors_and_weights, carry_uvs
from .connected import TOUCHING
from .edge_collapse import collapsed
from .fit_to_source import fitted
from .measure import facts, spread_points, values, welded_triangles
from .operators import acting_on, apply_modifiers, drop_loose_points
from .shell import nearer

LOWEST_SHARE = 0.8
"""A result has at least this part of the faces that were allowed, where the source has more."""

SHARP_ANGLE = math.radians(60)
"""Where faces of a reduced model lean apart by more, the edge between them is shaded sharp."""

_SAMPLES = 30_000  # of the source, evenly by area, that the result is fitted to
_SPLIT = 1e-6  # of the model's size: what counts as the same place in one object


def collapse_to(objects: Sequence[Any], limit: int, diagonal: float, *, fit: bool = False, shell: int = 70) -> None:
    """Reduces the objects together to at most ``limit`` triangles and at least 80 % of that.

    Names, places, materials, UVs, colours and the weights of a rig stay; UVs as far as the surface is still there.

    Args:
        objects: Are changed.
        limit: Triangles.
        diagonal: Of the model's box.
        fit: Whether points are moved closer to the source afterwards, see :mod:`.fit_to_source`.
        shell: Fits of what is shown instead where so few faces do not hold many pieces, see :mod:`.shell`; 0: never.

    Raises:
        EngineError: The model falls apart into too many pieces for so few faces.
    """
    _connect(objects, diagonal * _SPLIT)
    if facts(objects)["triangles"] <= limit:
        return
    points, faces, parts = welded_triangles(objects, diagonal * TOUCHING)
    low, sides, origin = collapsed(points, faces, parts, limit)
    if fit:
        low = fitted(low, sides, spread_points(points[faces], _SAMPLES)[0], diagonal)
    if shell:
        low, sides, origin = nearer((low, sides, origin), points, faces, parts, limit, shell)
    starts = np.concatenate(([0], np.cumsum(np.bincount(parts, minlength=len(objects)))))
    before = []
    for number, scene_object in enumerate(objects):
        mine = np.flatnonzero(parts[origin] == number)
        origins = origin[mine] - starts[number]
        before.append((_replace(scene_object, low, sides[mine], origins), scene_object, origins))
    carry_colors_and_weights(before)
    remove([old for old, _now, _origins in before])
    if (total := facts(objects)["triangles"]) > limit:
        raise EngineError(f"The model cannot be reduced to {limit} faces; {total} is as low as it goes.")


def _connect(objects: Sequence[Any], distance: float) -> None:
    """Makes surfaces that edges can be collapsed on: welded within a world distance, no slivers, all triangles."""
    # A modifier joins points in a fifth of the time that it takes as an operation on a BMesh.
    scales = [max(map(abs, scene_object.matrix_world.to_scale())) or 1.0 for scene_object in objects]
    near = [{"merge_threshold": distance / scale} for scale in scales]
    apply_modifiers("WELD", zip(objects, near, strict=True))
    more = [item for item in objects if len(item.data.loops) > 3 * len(item.data.polygons)]
    apply_modifiers("TRIANGULATE", [(item, {"quad_method": "BEAUTY"}) for item in more])
    for scene_object in objects:
        drop_loose_points(scene_object.data)


def _replace(scene_object: Any, points: Points, faces: Faces, origin: Array) -> Any:
    """Gives the object these faces in place of its own, which show what they showed; returns one with the old faces."""
    used, corners = np.unique(faces, return_inverse=True)
    inverse = np.array(scene_object.matrix_world.inverted_safe(), np.float64)
    local = points[used] @ inverse[:3, :3].T + inverse[:3, 3]
    old, mesh = scene_object.data.copy(), scene_object.data  # another in its place would be renamed: of many it is slow
    mesh.clear_geometry()
    filled(mesh, local, corners, np.full(len(faces), 3))
    mesh.polygons.foreach_set("material_index", values(old.polygons, "material_index", kind=np.int32)[origin])
    if len(faces):
        carry_uvs(old, mesh, origin)
    before = bpy.data.objects.new(f"{scene_object.name}, before", old)
    before.matrix_world = scene_object.matrix_world
    for color in old.color_attributes:
        mesh.color_attributes.new(color.name, color.data_type, color.domain)
    for group in before.vertex_groups:
        scene_object.vertex_groups.new(name=group.name)
    return before


def smooth_shading(objects: Sequence[Any], angle: float) -> None:
    """Shades smooth, with sharp edges where faces lean apart by more than ``angle`` radians; drops imported normals."""
    for scene_object in objects:
        mesh = scene_object.data
        if mesh.has_custom_normals:
            with acting_on(scene_object):
                bpy.ops.mesh.customdata_custom_splitnormals_clear()
        mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), bool))
        mesh.set_sharp_from_angle(angle=angle)
        mesh.update()
