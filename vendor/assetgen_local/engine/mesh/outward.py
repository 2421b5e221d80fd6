"""What of a surface is seen from outside, and from which side: by rays from it into the open.

Models of many pieces hold much that nobody sees, and faces that look inwards; both mislead whoever looks along normals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import bmesh
import numpy as np

from ..array_types import Array, Faces, Points
from .build import new_object, remove
from .connected import TOUCHING, components, perhaps_alike, side_keys
from .measure import bounds, spread_points, unit_normals, values, welded_triangles
from .operators import alone, bake_colors, edited

_WAYS = 3  # into the sky, from each corner of a triangle
_POINTS = 8_000
_FOR_EACH = 6, 100  # points on every sheet: the fewest, where there are thousands, and the most
_LINES, _APART = 40_000, 0.02  # that places on a surface are found by; of the diagonal, one place in each cube of it
_OFF, _TINY = 1e-4, 1e-5  # of the model: how far before the surface is what sees, and how small it is
_TURNED = 2.0  # times as much seen from behind as from the front: seen from both sides a sheet stays as it is


def sides_seen(points: Points, normals: Array, way: Points, faces: Faces) -> Array:
    """How much of the sky is seen from points, (n, 3), on the side of their unit normals, and behind: (n, 2), 0..1.

    Triangles, (m, 3), of the points of ``way`` are in the way. Cycles finds out, on all cores: the ambient occlusion of
    a tiny triangle on either side of each point.
    """
    low, size = way.min(axis=0), float(np.linalg.norm(np.ptp(way, axis=0))) or 1.0
    sides = np.concatenate((normals, -normals))
    across = np.cross(sides, np.eye(3)[np.abs(sides).argmin(axis=1)])
    corners = np.stack((-across, across, np.cross(sides, across)), axis=1) * _TINY + sides[:, None] * _OFF
    corners += np.tile((points - low) / size, (2, 1))[:, None]
    solid = new_object("way", (way - low) / size, faces)
    probe = new_object("probe", corners.reshape(-1, 3), np.arange(len(corners) * 3).reshape(-1, 3), smooth=False)
    seen = probe.data.color_attributes.new("seen", "FLOAT_COLOR", "CORNER")
    probe.visible_shadow = False
    with alone(solid, probe):
        bake_colors("AO", probe, _WAYS)
    sky = values(seen.data, "color", 4)[:, 0].reshape(2, -1, 3).mean(axis=2)
    remove([solid, probe])
    return sky.T


def sheets_of(faces: Faces) -> Array:
    """The sheet of each triangle, (m,): joined by edges of two that agree which side is outside, or are there twice."""
    key, twice = side_keys(faces, count := int(faces.max()) + 1), np.zeros(len(faces), bool)
    order = np.argsort(key, kind="stable")
    key, up = key[order], (faces < np.roll(faces, -1, axis=1)).ravel()[order]
    first = np.flatnonzero(key[1:] == key[:-1])
    only = np.bincount(np.cumsum(np.diff(key, prepend=-1) > 0))  # uses of each edge, in order, after a zero
    twice[perhaps_alike(faces, count) if (only > 3).any() else []] = True
    pairs = np.stack((order[first] // 3, order[first + 1] // 3), axis=1)
    agree = (np.repeat(only, only)[first] == 2) & (up[first] != up[first + 1])
    return components(len(faces), pairs[agree | twice[pairs].all(axis=1)])


def looks(sheet: Array, points: Points, faces: Faces, clear: Array) -> Array:
    """Which way each triangle, (m, 3), looks: 1 outwards, -1 inwards, 0 where nobody sees its sheet from outside.

    Those that are ``clear``, (m,), are in nobody's way.
    """
    sizes = np.bincount(sheet)
    each = int(np.clip(_POINTS // len(sizes), *_FOR_EACH))
    picks = (np.cumsum(sizes) - sizes)[:, None] + np.arange(each) * sizes[:, None] // each
    chosen = np.argsort(sheet, kind="stable")[np.unique(picks)]
    triangles = points[faces[chosen]]
    sky = sides_seen(triangles.mean(axis=1), unit_normals(triangles), points, faces[~clear])
    front, back = (np.bincount(sheet[chosen], side, len(sizes)) for side in sky.T)
    return np.asarray(np.where(back > _TURNED * front, -1, 1) * (front + back > 0))[sheet]


def seen_points(points: Points, faces: Faces, count: int = _POINTS) -> Points:
    """Of so many points of a surface, evenly by area, those that are seen from outside."""
    triangles = points[faces]
    places, chosen = spread_points(triangles, count)
    seen = sides_seen(places, unit_normals(triangles[chosen]), points, faces).any(axis=1)
    return places[seen] if seen.any() else places


def triangles_met(points: Points, tree: Any) -> Array:
    """Triangles that lines from anywhere meet first, spread evenly over all such."""
    low, size = points.min(axis=0), np.ptp(points, axis=0)
    numbers, diagonal = np.random.default_rng(2), float(np.linalg.norm(size))
    aims, ways = low + size * numbers.random((_LINES, 3)), numbers.normal(size=(_LINES, 3))
    starts = aims + ways * (diagonal / np.linalg.norm(ways, axis=1)[:, None])
    met = [hit for hit in map(tree.ray_cast, starts.tolist(), (-ways).tolist()) if hit[2] is not None]
    places = np.array([hit[0] for hit in met]).reshape(-1, 3)
    _, first = np.unique(np.round((places - low) / (diagonal * _APART)), axis=0, return_index=True)
    return np.array([hit[2] for hit in met], int)[first]


def turn_outwards(objects: Sequence[Any], is_glass: Callable[[Any], bool], *, only_seen: bool = False) -> None:
    """Turns faces over that look inwards, where the objects together are more than one sheet.

    Args:
        objects: Are changed.
        is_glass: Whether one sees through a material, which may be None.
        only_seen: Whether sheets that nobody sees are taken off.
    """
    points, faces, parts = welded_triangles(objects, bounds(objects).diagonal * TOUCHING)
    sheet = sheets_of(faces)
    if not sheet.any():
        return
    meshes = [scene_object.data for scene_object in objects]
    glass = [np.array([is_glass(material) for material in mesh.materials] or [False]) for mesh in meshes]
    slots = [values(mesh.loop_triangles, "material_index", kind=np.int32) for mesh in meshes]
    clear = np.concatenate([own[slot.clip(max=len(own) - 1)] for own, slot in zip(glass, slots, strict=True)])
    way = looks(sheet, points, faces, clear)
    for number, mesh in enumerate(meshes):
        polygons = np.ones(len(mesh.polygons), int)
        polygons[values(mesh.loop_triangles, "polygon_index", kind=np.int32)] = way[parts == number]
        turned, unseen = polygons < 0, (polygons == 0) & only_seen
        if not (turned | unseen).any():
            continue
        with edited(mesh) as edit:
            bmesh.ops.reverse_faces(edit, faces=[edit.faces[index] for index in np.flatnonzero(turned)])
            bmesh.ops.delete(edit, geom=[edit.faces[index] for index in np.flatnonzero(unseen)], context="FACES")
