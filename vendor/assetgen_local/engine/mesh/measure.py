"""What can be counted and measured on meshes, with numpy and without changing them. World space, +Z up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any

import bpy
import numpy as np
from mathutils.bvhtree import BVHTree

from ..array_types import Array, Faces, Points
from .connected import same_places

_AREAS_AT_ONCE = 10_000
_CELLS = 16  # along the longest side: points in one are looked up one after the other, which is quicker


def values(items: Any, name: str, width: int = 1, kind: Any = np.float32) -> Array:
    """A property of all items of a Blender collection: (items,), or (items, width) where each has several numbers."""
    flat = np.empty(len(items) * width, kind)
    if len(items):
        items.foreach_get(name, flat)
    return flat if width == 1 else flat.reshape(-1, width)


def _attribute(mesh: Any, layer: str, name: str, width: int = 1, kind: Any = np.float32) -> Array:
    """Like :func:`values`, of an attribute: Blender copies that in one piece, and what meshes have beside it singly."""
    found = mesh.attributes.get(layer)
    return values(found.data if found else (), name, width, kind)  # a mesh that was never filled has none


def coordinates(mesh: Any) -> Array:
    """Vertex positions in the mesh's own space, shape (vertices, 3)."""
    return _attribute(mesh, "position", "vector", 3)


def world_coordinates(scene_object: Any) -> Array:
    """Vertex positions in world space, shape (vertices, 3)."""
    matrix = np.array(scene_object.matrix_world, np.float64)
    return coordinates(scene_object.data) @ matrix[:3, :3].T + matrix[:3, 3]


def corners(mesh: Any) -> Array:
    """The vertex index of every corner (loop), face after face."""
    return _attribute(mesh, ".corner_vert", "value", kind=np.int32)


def triangle_count(mesh: Any) -> int:
    """Triangles after cutting every face into triangles."""
    return len(mesh.loops) - 2 * len(mesh.polygons)


def face_sizes(mesh: Any) -> Array:
    """Corners of every face."""
    if len(mesh.loops) == 3 * len(mesh.polygons):  # no face has fewer
        return np.full(len(mesh.polygons), 3, np.int32)
    return values(mesh.polygons, "loop_total", kind=np.int32)


def face_areas(mesh: Any) -> Array:
    """Area of every face in the mesh's own space."""
    return values(mesh.polygons, "area").astype(np.float64)


def face_normals(mesh: Any) -> Array:
    """Unit normals of the faces, (faces, 3)."""
    return values(mesh.polygons, "normal", 3)


def face_of_corner(mesh: Any) -> Array:
    """The face of every corner."""
    return np.repeat(np.arange(len(mesh.polygons)), face_sizes(mesh))


def corner_normals(mesh: Any) -> Array:
    """The normal that every corner is shaded with, (corners, 3)."""
    return values(mesh.corner_normals, "vector", 3)


def triangle_loops(mesh: Any) -> Array:
    """The corners (loops) of the mesh's triangles after cutting every face, (triangles, 3)."""
    if len(mesh.loops) == 3 * len(mesh.polygons):
        return np.arange(len(mesh.loops), dtype=np.int32).reshape(-1, 3)
    mesh.calc_loop_triangles()
    return values(mesh.loop_triangles, "loops", 3, np.int32)


def triangle_corners(mesh: Any) -> Array:
    """The vertex indices of the mesh's triangles after cutting every face, (triangles, 3)."""
    return np.asarray(corners(mesh)[triangle_loops(mesh)])


def world_triangles(scene_object: Any) -> Array:
    """The triangles of an object in world space, (triangles, 3, 3)."""
    return world_coordinates(scene_object)[triangle_corners(scene_object.data)]


def welded_triangles(objects: Sequence[Any], distance: float) -> tuple[Points, Faces, Array]:
    """The triangles of all objects on common points, in world space, and the number of each one's object."""
    points = np.concatenate([world_coordinates(scene_object) for scene_object in objects])
    starts = np.cumsum([0, *(len(scene_object.data.vertices) for scene_object in objects)])
    triangles = [triangle_corners(scene_object.data) for scene_object in objects]
    faces = np.concatenate([part + start for part, start in zip(triangles, starts, strict=False)])
    group = same_places(points, distance)
    _, first = np.unique(group, return_index=True)
    parts = np.repeat(np.arange(len(objects)), [len(part) for part in triangles])
    return points[first].astype(np.float64), group[faces].astype(np.int64), parts


@dataclass(frozen=True, slots=True)
class Bounds:
    """An axis-aligned box in world space."""

    low: Array
    high: Array

    @property
    def size(self) -> Array:
        """Edge lengths."""
        return self.high - self.low

    @property
    def centre(self) -> Array:
        """The middle."""
        return (self.low + self.high) / 2

    @property
    def diagonal(self) -> float:
        """Length from corner to corner; never zero, so that it can be divided by."""
        return max(float(np.linalg.norm(self.size)), 1e-9)


def bounds(objects: Sequence[Any]) -> Bounds:
    """The box around all vertices of the objects, world space."""
    lows, highs = zip(*(extent(points) for points in map(world_coordinates, objects) if len(points)), strict=True)
    return Bounds(np.min(lows, axis=0), np.max(highs, axis=0))


def extent(points: Array) -> tuple[Array, Array]:
    """The lowest and the highest number of points, (n, 3), along each axis: one by one, which is much quicker."""
    return np.array([axis.min() for axis in points.T]), np.array([axis.max() for axis in points.T])


def has_area(points: Array, triangles: Array, least: float) -> bool:
    """Whether triangles, (m, 3), of points, (n, 3), have more than this area together, by no more than it takes."""
    starts = range(0, len(triangles), _AREAS_AT_ONCE)
    parts = (points[triangles[start : start + _AREAS_AT_ONCE]].astype(np.float64) for start in starts)
    return any(area > least for area in accumulate(triangle_areas(part).sum() for part in parts))


def triangle_areas(triangles: Array) -> Array:
    """Areas of triangles, (n, 3, 3)."""
    first, second, third = np.moveaxis(triangles, 1, 0)
    return np.asarray(np.linalg.norm(np.cross(second - first, third - first), axis=1) / 2)


def spread_points(triangles: Array, count: int) -> tuple[Array, Array]:
    """Points spread evenly over triangles, (n, 3, 3), by their areas: (count, 3), and the triangle of each.

    Corners that have more numbers than their place, (n, 3, more), give points with as many.
    """
    areas = triangle_areas(triangles[..., :3])
    steps = (np.arange(count) + 0.5) / count
    chosen = np.searchsorted(np.cumsum(areas), steps * areas.sum()).clip(0, len(areas) - 1)
    # The additive golden-ratio sequences fill each triangle evenly, and the same way every time.
    u, v = (np.arange(count)[:, None] * ratio % 1.0 for ratio in (0.7548776662, 0.5698402910))
    u, v = np.where(u + v > 1, 1 - u, u), np.where(u + v > 1, 1 - v, v)
    first, second, third = np.moveaxis(triangles[chosen], 1, 0)
    return first * (1 - u - v) + second * u + third * v, chosen


def unit_normals(triangles: Array) -> Array:
    """Normals of triangles, (n, 3, 3), of unit length; zero for those without area."""
    first, second, third = np.moveaxis(triangles, 1, 0)
    across = np.cross(second - first, third - first)
    return np.asarray(across / np.maximum(np.linalg.norm(across, axis=1), 1e-30)[:, None])


def tree_of(scene_object: Any) -> Any:
    """A search tree over the object's faces, in its own space."""
    return BVHTree.FromObject(scene_object, bpy.context.evaluated_depsgraph_get())


def tree_of_faces(points: Array, faces: Array) -> Any:
    """A search tree over triangles, (m, 3), of points, (n, 3)."""
    return BVHTree.FromPolygons(points.tolist(), faces.tolist(), all_triangles=True)


def closest(tree: Any, points: Array) -> tuple[Array, Array]:
    """For every point, (n, 3): the triangle of a search tree next to it, (n,), and the place that is next, (n, 3)."""
    order = np.lexsort((points // max(np.ptp(points, axis=0).max() / _CELLS, 1e-30)).T)
    places, _, found, _ = zip(*map(tree.find_nearest, points[order].tolist()), strict=True)
    back = np.argsort(order)
    return np.array(found)[back], np.fromiter(chain.from_iterable(places), float, points.size).reshape(-1, 3)[back]


def deviation(points: Array, tree: Any, percent: float, usual: float = 0.0) -> float:
    """How far ``percent`` of points are from a search tree's surface, at most; plus ``usual`` times the mean."""
    distances = [found[3] for found in map(tree.find_nearest, points.tolist()) if found[3] is not None]
    return float(np.percentile(distances, percent) + usual * np.mean(distances)) if distances else 0.0


def facts(objects: Sequence[Any]) -> dict[str, int]:
    """The counts that a task's answer carries."""
    return {
        "faces": sum(len(scene_object.data.polygons) for scene_object in objects),
        "triangles": sum(triangle_count(scene_object.data) for scene_object in objects),
        "vertices": sum(len(scene_object.data.vertices) for scene_object in objects),
    }
