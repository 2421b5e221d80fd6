"""Quads: a new surface of four-sided faces over the source, in the same place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
from background_blender.operators import call

from ..errors import EngineError
from . import measure
from .build import copy_of, remove
from .collapse import LOWEST_SHARE, collapse_to
from .connected import components, edges_of
from .operators import acting_on, apply_modifiers
from .outward import seen_points

QUAD_SHARE = 0.95
"""Part of the faces that have four corners, at least."""

_WORKING_FACES = 24_000  # what the field-aligned remesher gets: more changes little and takes long
_TRIES, _CARE = 5, 0.7  # how far an aim follows the count that it missed: of many small pieces that changes faster
_SEEN = 99.5  # per cent of the source's surface that counts when a result is compared with it
_CLOSE = 0.012  # of the diagonal: remeshers that stay this near have lost nothing
_LOST = 0.03  # of the diagonal: a result whose box is further off is none
_FINEST = 4_000  # voxels along the longest side: what has hardly any area would ask for endlessly many
_LEAST_AREA = 1e-5  # of the diagonal's square: with less the field-aligned remesher takes all memory there is
_MOST = 0.9  # of the area: the large pieces that have it are to be held, crumbs may be lost
_CLEARLY = 1.3  # a way further down the list has to be better by this factor


def remesh(source: Any, limit: int) -> Any:
    """A new object of at most ``limit`` faces, nearly all quads, that follows the source's surface.

    Tries, in this order: Blender's field-aligned remesher (edges follow the shape), a voxel surface, and triangles cut
    into three quads each, which works on anything. The first that follows the source closely is taken, else the best.

    Raises:
        EngineError: None of them gives a result within the limits.
    """
    ends = np.array(measure.extent(measure.coordinates(source.data)))
    diagonal = float(np.linalg.norm(ends[1] - ends[0]))
    least = LOWEST_SHARE * min(limit, measure.triangle_count(source.data))
    outside = seen_points(measure.coordinates(source.data), measure.triangle_corners(source.data))
    best, best_distance = None, np.inf
    for way in (_field_aligned, _voxels, _cut_triangles):
        result = way(source, limit, diagonal)
        if result is None:
            continue
        apply_modifiers("SHRINKWRAP", [(result, {"target": source, "wrap_method": "NEAREST_SURFACEPOINT"})])
        off = float(np.abs(np.array(measure.extent(measure.coordinates(result.data))) - ends).max()) / diagonal
        distance = max(measure.deviation(outside, measure.tree_of(result), _SEEN) / diagonal, off)
        sizes = measure.face_sizes(result.data)
        allowed = least <= len(sizes) <= limit and (sizes == 4).mean() >= QUAD_SHARE
        if off > _LOST or not allowed or distance * _CLEARLY > best_distance:
            remove([result])
            continue
        if best is not None:
            remove([best])
        best, best_distance = result, distance
        if distance <= _CLOSE:
            break
    if best is None:
        raise EngineError(f"The model cannot be rebuilt with {limit} quads.")
    return best


def _field_aligned(source: Any, limit: int, diagonal: float) -> Any:
    """Quadriflow on a moderate copy: on the surface itself where it is one, else on a voxel surface of it."""
    work = copy_of(source, "quads")
    if not _is_plain_surface(work.data):
        _voxel_surface(work, _voxel_for(work, _WORKING_FACES))
    collapse_to([work], _WORKING_FACES, diagonal, shell=False)
    faces = measure.corners(work.data).reshape(-1, 3)
    piece = components(len(work.data.vertices), edges_of(faces)[0])[faces[:, 0]]
    areas = np.cumsum(np.append(0.0, np.sort(np.bincount(piece, measure.face_areas(work.data)))[::-1]))
    # A box takes six quads, and five tries in vain take longer than all the rest.
    if 6 * np.searchsorted(areas, _MOST * areas[-1]) > limit or areas[-1] < _LEAST_AREA * diagonal**2:
        remove([work])
        return None

    def remeshed(copy: Any, aim: float) -> None:
        settings = {"target_faces": max(int(aim), 8), "use_preserve_boundary": True, "smooth_normals": True}
        with acting_on(copy):
            call(bpy.ops.object.quadriflow_remesh, **settings)

    result = _with_faces(work, limit, _TRIES, remeshed)
    remove([work])
    return result


def _with_faces(source: Any, limit: int, tries: int, change: Callable[[Any, float], None]) -> Any:
    """A copy that is changed to about the faces that are aimed at, and has as many as are allowed; None for none."""
    aim = 0.92 * limit
    for _ in range(tries):
        work = copy_of(source, "quads")
        try:
            change(work, aim)
            count = len(work.data.polygons)
        except RuntimeError:
            count = 0
        if LOWEST_SHARE * limit <= count <= limit:
            return work
        remove([work])
        if not count:
            break
        aim *= (0.92 * limit / count) ** _CARE
    return None


def _is_plain_surface(mesh: Any) -> bool:
    """Whether every edge has at most two faces that agree on which side is outside: it runs once in each direction."""
    faces = measure.triangle_corners(mesh).astype(np.int64)
    sides = faces * len(mesh.vertices) + np.roll(faces, -1, axis=1)
    return len(np.unique(sides)) == sides.size


def _voxel_for(scene_object: Any, faces: float) -> float:
    """Size of the voxels that give about so many faces: a voxel surface has about 1.5 faces per voxel's side area."""
    return float(np.sqrt(measure.face_areas(scene_object.data).sum() * 1.5 / faces))


def _voxel_surface(scene_object: Any, voxel: float) -> None:
    longest = float(np.ptp(measure.coordinates(scene_object.data), axis=0).max())
    apply_modifiers("REMESH", [(scene_object, {"mode": "VOXEL", "voxel_size": max(voxel, longest / _FINEST)})])


def _voxels(source: Any, limit: int, _diagonal: float) -> Any:
    """Blender's voxel surface is all quads; only the size of the voxels has to be found."""
    return _with_faces(source, limit, 2 * _TRIES, lambda copy, aim: _voxel_surface(copy, _voxel_for(source, aim)))


def _cut_triangles(source: Any, limit: int, diagonal: float) -> Any:
    """Every triangle becomes three quads that meet in its middle."""
    work = copy_of(source, "quads")
    collapse_to([work], limit // 3, diagonal)
    quads = 3 * max(measure.triangle_count(work.data), 1)
    # Each level after the first cuts every quad in four: where there were too few faces to begin with.
    levels = 1 + max(int(np.log(limit / quads) / np.log(4)), 0)
    apply_modifiers("SUBSURF", [(work, {"subdivision_type": "SIMPLE", "levels": levels})])
    return work
