"""Fewer triangles: collapse of edges to an exact number, over all objects of a model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import bmesh
import bpy
import numpy as np

from ..array_types import Array
from ..errors import EngineError
from .connected import by_size, components
from .measure import corners, face_areas, triangle_count
from .operators import apply_modifier, drop_loose_points, select

LOWEST_SHARE = 0.8
"""A result has at least this part of the faces that were allowed, where the source has more."""

SHARP_ANGLE = math.radians(60)
"""Where faces of a reduced model lean apart by more, the edge between them is shaded sharp."""

_TRIES = 6
_SMALLEST_PART = 4
_WELD = 1e-6  # of the model's size: what counts as the same place


def face_shares(counts: Sequence[int], limit: int) -> list[int]:
    """Divides ``limit`` faces over parts in proportion to their ``counts``; no part gets more than it has.

    Small parts keep a few faces as long as the limit has room for that.
    """
    total = sum(counts)
    if total <= limit:
        return list(counts)
    smallest = min(_SMALLEST_PART, limit // len(counts))
    result = [max(min(smallest, count), count * limit // total) for count in counts]
    # What the minimum gave away is taken from the largest, what rounding left over goes to them.
    order = sorted(range(len(counts)), key=lambda index: -counts[index])
    index = 0
    while (spare := limit - sum(result)) != 0:
        part = order[index % len(order)]
        step = 1 if spare > 0 else -1
        if 0 < result[part] + step <= counts[part]:
            result[part] += step
        index += 1
        if index > len(order) * (limit + len(order)):
            break
    return result


def collapse_to(objects: Sequence[Any], limit: int, diagonal: float) -> None:
    """Reduces the objects together to at most ``limit`` triangles and at least 80 % of that.

    Raises:
        EngineError: The model falls apart into too many pieces for so few faces.
    """
    for scene_object in objects:
        _connect(scene_object, diagonal * _WELD)
    counts = [triangle_count(scene_object.data) for scene_object in objects]
    if sum(counts) <= limit:
        return
    for scene_object, share in zip(objects, face_shares(counts, limit), strict=True):
        _collapse(scene_object, share)
    if _total(objects) > limit:
        _free_and_collapse(objects, limit, diagonal)
    if _total(objects) > limit:
        _drop_small_pieces(objects, limit)
    if _total(objects) > limit:
        raise EngineError(f"The model cannot be reduced to {limit} faces; {_total(objects)} is as low as it goes.")


def _total(objects: Sequence[Any]) -> int:
    return sum(triangle_count(scene_object.data) for scene_object in objects)


def _connect(scene_object: Any, distance: float, *, free_crossings: bool = False) -> None:
    """Makes a surface that edges can be collapsed on: welded where files split it, without slivers, all triangles.

    Args:
        scene_object: Is changed.
        distance: What counts as the same place.
        free_crossings: Also cut edges with more than two faces, which never collapse.
    """
    # A modifier joins points in a fifth of the time that it takes as an operation on a BMesh.
    apply_modifier(scene_object, "WELD", merge_threshold=distance)
    data = scene_object.data
    if free_crossings or len(data.loops) > 3 * len(data.polygons):
        mesh = bmesh.new()
        mesh.from_mesh(data)
        if free_crossings:
            bmesh.ops.dissolve_degenerate(mesh, edges=mesh.edges, dist=distance)
            bmesh.ops.split_edges(mesh, edges=[edge for edge in mesh.edges if len(edge.link_faces) > 2])
        bmesh.ops.triangulate(mesh, faces=[face for face in mesh.faces if len(face.verts) > 3])
        mesh.to_mesh(data)
        mesh.free()
    drop_loose_points(data)


def _collapse(scene_object: Any, limit: int) -> None:
    """Collapses edges until the object has at most ``limit`` triangles; as near to it as the shape allows.

    One pass hits the limit, except for knotted and loose meshes: there a pass may stop early or fall far below. What
    falls too far is taken back and asked for less.
    """
    aim = limit
    for _ in range(_TRIES):
        count = triangle_count(scene_object.data)
        if count <= limit:
            return
        before = scene_object.data.copy()
        # Half a face more, so that rounding the ratio never costs a face.
        apply_modifier(
            scene_object, "DECIMATE", decimate_type="COLLAPSE", ratio=(aim + 0.5) / count, use_collapse_triangulate=True
        )
        # Small pieces collapse into two faces back to back on the same corners, which no file keeps.
        scene_object.data.validate(clean_customdata=False)
        now = triangle_count(scene_object.data)
        if now < LOWEST_SHARE * limit:
            scene_object.data, before = before, scene_object.data
            aim = (aim + count) // 2
        elif now > limit:
            aim = max(1, 2 * limit - now)
        bpy.data.meshes.remove(before)
        if now == count:
            return


def _free_and_collapse(objects: Sequence[Any], limit: int, diagonal: float) -> None:
    """For knotted meshes: cuts what blocks a collapse, then tries again."""
    counts = [triangle_count(scene_object.data) for scene_object in objects]
    for scene_object, share in zip(objects, face_shares(counts, limit), strict=True):
        _connect(scene_object, diagonal * _WELD, free_crossings=True)
        _collapse(scene_object, share)


def _drop_small_pieces(objects: Sequence[Any], limit: int) -> None:
    """The last resort: leaves out the smallest loose pieces, by area, until the number fits."""
    pieces: list[tuple[float, int, Array]] = []
    for number, scene_object in enumerate(objects):
        pieces += [(area, number, faces) for area, faces in _pieces(scene_object.data)]
    pieces.sort(key=lambda piece: piece[0])
    spare = sum(len(faces) for _, _, faces in pieces) - limit
    doomed: dict[int, list[int]] = {}
    for _, number, faces in pieces[:-1]:
        if spare <= 0:
            break
        doomed.setdefault(number, []).extend(faces.tolist())
        spare -= len(faces)
    for number, members in doomed.items():
        mesh = bmesh.new()
        mesh.from_mesh(objects[number].data)
        mesh.faces.ensure_lookup_table()
        bmesh.ops.delete(mesh, geom=[mesh.faces[index] for index in members], context="FACES")
        mesh.to_mesh(objects[number].data)
        mesh.free()


def _pieces(mesh: Any) -> list[tuple[float, Array]]:
    """Loose pieces of a mesh of triangles as (area, face indices)."""
    faces = corners(mesh).reshape(-1, 3)
    if not len(faces):
        return []
    piece = by_size(components(len(mesh.vertices), np.concatenate((faces[:, :2], faces[:, 1:])))[faces[:, 0]])
    areas = np.bincount(piece, face_areas(mesh)).tolist()
    members = np.split(np.argsort(piece, kind="stable"), np.cumsum(np.bincount(piece))[:-1])
    return list(zip(areas, members, strict=True))


def smooth_shading(objects: Sequence[Any], angle: float) -> None:
    """Shades smooth, with sharp edges where faces lean apart by more than ``angle`` radians; drops imported normals."""
    for scene_object in objects:
        select(scene_object)
        bpy.ops.mesh.customdata_custom_splitnormals_clear()
        mesh = scene_object.data
        mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), bool))
        mesh.set_sharp_from_angle(angle=angle)
        mesh.update()
