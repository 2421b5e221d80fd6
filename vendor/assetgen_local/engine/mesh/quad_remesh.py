"""Quads: a new surface of four-sided faces over the source, in the same place."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import bmesh
import bpy
import numpy as np
from background_blender.operators import call

from ..errors import EngineError
from . import measure
from .build import copy_of, remove
from .collapse import LOWEST_SHARE, collapse_to
from .connected import components, edges_of
from .operators import acting_on, apply_modifiers, edited
from .outward import seen_points

QUAD_SHARE = 0.95
"""Part of the faces that have four corners, at least."""

_MOST, _FIELD_QUADS = 10_000, 4_000  # without a limit; of quadriflow, which takes seconds: more are cut from fewer
_WORKING_FACES = 24_000  # what the field-aligned remesher gets: more changes little and takes long
_AIM, _TRIES = 0.95, 2  # of the limit; and one more with voxels
_CARE = 0.7  # how far an aim follows the count that it missed: of many small pieces that changes faster
_SEEN = 99.8  # per cent of the source's surface that counts when a result is compared with it
_CLOSE = 0.012  # of the diagonal: remeshers that stay this near have lost nothing
_LOST = 0.03  # of the diagonal: a result whose box is further off is none
_FINEST = 4_000  # voxels along the longest side: what has hardly any area would ask for endlessly many
_LEAST_AREA = 1e-5  # of the diagonal's square: with less the field-aligned remesher takes all memory there is
_HELD = 0.9  # of the area: the large pieces that have it are to be held, crumbs may be lost
_FROM_PAIRS, _FROM_ONE, _FEWER = 2.25, 3, 0.92  # quads for a triangle, if most pair or none; triangles next time
_FLAT, _SQUARE = math.radians(40), math.radians(60)  # how far a pair may lean apart, and its corners be off square
_FITS = 10  # of a shell around many pieces: quads that are cut from it are laid onto the source anyway
_CLEARLY = 1.3  # a way further down the list has to be better by this factor


def remesh(source: Any, limit: int) -> Any:
    """A new object of at most ``limit`` faces, nearly all quads, that follows the source's surface.

    Tries, in this order: the source's own triangles in pairs, Blender's field-aligned remesher (edges follow the
    shape), a voxel surface, and fewer triangles in pairs that are cut into quads, which works on anything. The first
    that follows the source closely is taken, else the best. Limit 0 stands for what would have made the source.

    Raises:
        EngineError: None of them gives a result within the limits.
    """
    ends = np.array(measure.extent(measure.coordinates(source.data)))
    diagonal, triangles = float(np.linalg.norm(ends[1] - ends[0])), measure.triangle_count(source.data)
    asked, limit = limit, limit or max(min(int(triangles / (1 + QUAD_SHARE)), _MOST), 1)
    least = LOWEST_SHARE * min(limit, triangles)
    outside = seen_points(measure.coordinates(source.data), measure.triangle_corners(source.data))
    best, best_distance, work = None, np.inf, source
    for way in (_paired, _field_aligned, _voxels, _cut)[triangles > 2 * limit :]:  # two make one at best
        if way is _field_aligned:  # that and the rest need no more faces, and take long for each
            work = copy_of(source, "fewer")
            collapse_to([work], max(_WORKING_FACES, limit), diagonal, shell=0)
        result = way(work, limit, diagonal)
        sizes, fewest = measure.face_sizes(result.data), 1 if way is _cut else least
        allowed = fewest <= len(sizes) <= limit and (sizes == 4).mean() >= QUAD_SHARE
        if allowed:
            apply_modifiers("SHRINKWRAP", [(result, {"target": source, "wrap_method": "NEAREST_SURFACEPOINT"})])
            off = float(np.abs(np.array(measure.extent(measure.coordinates(result.data))) - ends).max()) / diagonal
            distance = max(measure.deviation(outside, measure.tree_of(result), _SEEN) / diagonal, off)
        if not allowed or off > _LOST or distance * _CLEARLY > best_distance:
            remove([result])
            continue
        remove([best] if best else [])
        best, best_distance = result, distance
        if distance <= _CLOSE:
            break
    remove([] if work is source else [work])
    if best is None and not asked and (enough := _FROM_ONE * triangles) <= _MOST:
        return _cut(source, enough, diagonal)
    if best is None:
        raise EngineError(f"The model cannot be rebuilt with {limit} quads.")
    return best


def _field_aligned(source: Any, limit: int, diagonal: float) -> Any:
    """Quadriflow on a moderate copy, where edges have no more than two sides."""
    levels = max(math.ceil(math.log(limit / _FIELD_QUADS, 4)), 0)
    work = copy_of(source, "quads")
    collapse_to([work], _WORKING_FACES, diagonal, shell=0)
    faces = measure.corners(work.data).reshape(-1, 3)
    piece = components(len(work.data.vertices), edges_of(faces)[0])[faces[:, 0]]
    areas = np.sort(np.append(0.0, np.bincount(piece, measure.face_areas(work.data))))[::-1]
    smallest, area = areas[np.searchsorted(np.cumsum(areas), _HELD * areas.sum())], areas.sum()
    # A box takes six quads, and tries in vain take longer than all the rest.
    if limit * smallest < 6 * 4**levels * area or area < _LEAST_AREA * diagonal**2:
        return work

    def remeshed(aim: float) -> None:
        settings = {"target_faces": max(int(aim / 4**levels), 8), "use_preserve_boundary": True}
        with acting_on(work):
            call(bpy.ops.object.quadriflow_remesh, **settings)
        _cut_in_four(work, levels)

    return _with_faces(work, limit, _TRIES, remeshed)


def _with_faces(work: Any, limit: int, tries: int, change: Callable[[float], None]) -> Any:
    """Changes an object to about the faces that are aimed at, until it has as many as are allowed; returns it."""
    aim, mesh = _AIM * limit, work.data
    for _ in range(tries):
        work.data = mesh.copy()
        try:
            change(aim)
        except RuntimeError:
            break
        if not (count := len(work.data.polygons)) or LOWEST_SHARE * limit <= count <= limit:
            break
        aim *= (_AIM * limit / count) ** _CARE
    return work


def _voxels(source: Any, limit: int, _diagonal: float) -> Any:
    """Blender's voxel surface is all quads, about 1.5 per voxel's side area; only their size has to be found."""
    work, area = copy_of(source, "quads"), measure.face_areas(source.data).sum()
    finest = float(np.ptp(measure.coordinates(source.data), axis=0).max()) / _FINEST

    def remeshed(aim: float) -> None:
        apply_modifiers("REMESH", [(work, {"mode": "VOXEL", "voxel_size": max(math.sqrt(area * 1.5 / aim), finest)})])

    return _with_faces(work, limit, _TRIES + 1, remeshed)


def _paired(source: Any, _limit: int, diagonal: float) -> Any:
    """Its own triangles, two and two: what was made of quads gets them back."""
    work = copy_of(source, "quads")
    _pair(work, measure.triangle_count(work.data), diagonal)
    return work


def _cut(source: Any, limit: int, diagonal: float) -> Any:
    """Fewer triangles, two and two, all cut into quads that meet in their middle."""
    work, triangles = copy_of(source, "quads"), max(limit / _FROM_PAIRS, 1)
    _pair(work, int(triangles), diagonal, shell=_FITS)
    while len(work.data.loops) > limit and triangles > 1:
        triangles = max(triangles * _FEWER, 1)
        _pair(work, int(triangles), diagonal)
    # Each level after the first cuts every quad in four: where there were too few faces to begin with.
    _cut_in_four(work, 1 + max(int(math.log(limit / max(len(work.data.loops), 1), 4)), 0))
    return work


def _pair(scene_object: Any, triangles: int, diagonal: float, shell: int = 0) -> None:
    """Joins an object's triangles, at most so many, where two of them make a quad."""
    collapse_to([scene_object], triangles, diagonal, shell=shell)
    with edited(scene_object.data) as edit:
        bmesh.ops.join_triangles(edit, faces=edit.faces[:], angle_face_threshold=_FLAT, angle_shape_threshold=_SQUARE)


def _cut_in_four(scene_object: Any, levels: int) -> None:
    apply_modifiers("SUBSURF", [(scene_object, {"subdivision_type": "SIMPLE", "levels": levels})])
