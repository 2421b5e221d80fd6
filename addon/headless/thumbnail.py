"""A small picture of what was imported, for a result whose service sent none. Runs in a background Blender.

Without a renderer: Workbench and EEVEE need a screen, and Cycles takes seconds for a large mesh. Points are thrown at
the surfaces, as many wherever as much is seen of them, and each pixel gets the mean colour of its foremost points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt
from surface_looks import GAMMA, Floats, Layers, Look, Looks, read  # type: ignore[import-not-found, unused-ignore]

SIZE = 256
"""Pixels of each side."""

_POINTS_OF_PIXEL = 5  # with fewer, pixels in the middle of a surface stay empty
_MOST_POINTS = 700_000
_MARGIN = 1.06
_TOWARDS = np.array((0.55, -1.0, 0.42)) / np.linalg.norm((0.55, -1.0, 0.42))
"""From the model towards the viewer. A model's front faces -Y."""
_KEY = np.array((-0.35, -0.6, 0.75)) / np.linalg.norm((-0.35, -0.6, 0.75))
_AMBIENT, _DIFFUSE = 0.32, 0.85
_STEPS = (3_242_174_889, 2_447_445_414)
"""2³² over the plastic number and over its square: steps of these along the sides of a square, which is 2³² wide, fill
it as evenly as any are known to, and 32 bits drop what goes beyond it by themselves."""


def write_thumbnail(objects: Sequence[Any], path: Path) -> bool:
    """Writes a PNG with a transparent background; whether there was anything to be seen."""
    surfaces = list(_surfaces(objects))
    if not surfaces:
        return False
    right = np.cross((0.0, 0.0, 1.0), _TOWARDS)
    right /= np.linalg.norm(right)
    axes = np.stack((right, np.cross(_TOWARDS, right), _TOWARDS), axis=1).astype(np.float32)
    # In one list of points: of many small matrices numpy works out one at a time, and a reduction for each axis is
    # several times quicker than one across them.
    points = [corners.reshape(-1, 3) @ axes for corners, _ in surfaces]
    low = np.min([[axis.min() for axis in each.T] for each in points], axis=0)
    high = np.max([[axis.max() for axis in each.T] for each in points], axis=0)
    scale = SIZE / max(float((high - low)[:2].max()) * _MARGIN, 1e-9)
    middle = (low + high) / 2
    normals = [_normals(corners) for corners, _ in surfaces]
    seen = [_seen_area(each) for each in normals]
    whole = sum(float(area.sum()) for area in seen)
    if whole <= 0:
        return False
    # The normals are twice as long as the areas are large.
    density = min(_MOST_POINTS / whole, _POINTS_OF_PIXEL * scale**2 / 2)
    random = np.random.default_rng(0)
    places, colors = [], []
    for place, (_, look), normal, area in zip(points, surfaces, normals, seen, strict=True):
        count = int(density * float(area.sum()))
        if count:
            triangles, weights = _points(area, count, random)
            at = np.einsum("nc,nck->nk", weights, place.reshape(-1, 3, 3)[triangles])
            places.append((at - middle) * scale)
            colors.append(look.colors_at(triangles, weights) * _light_at(triangles, normal)[:, None])
    if not places:
        return False
    _save(_pixels(np.concatenate(places), np.concatenate(colors)), path)
    return True


def _surfaces(objects: Sequence[Any]) -> Iterator[tuple[Floats, Look]]:
    """The triangles (N, 3, 3) in the world of each material of each mesh."""
    looks = Looks()
    for item in objects:
        if item.type != "MESH" or not item.data.polygons:
            continue
        mesh = _as_seen(item)
        loops, slots = _triangles(mesh)
        vertices = read(mesh.attributes["position"].data, "vector", len(mesh.vertices) * 3, np.float32).reshape(-1, 3)
        matrix = np.array(item.matrix_world, dtype=np.float32)
        vertices = vertices @ matrix[:3, :3].T + matrix[:3, 3]
        corners = vertices[read(mesh.attributes[".corner_vert"].data, "value", len(mesh.loops), np.int32)]
        layers = Layers(mesh)
        for slot in (0,) if slots is None else np.unique(slots):
            chosen = loops if slots is None else loops[slots == slot]
            material = item.material_slots[slot].material if slot < len(item.material_slots) else None
            yield corners[chosen], looks.of(material, layers, chosen)


def _as_seen(item: Any) -> Any:
    """The mesh of an object, with what bones and shape keys make of it where it has any."""
    if not item.modifiers and item.data.shape_keys is None:
        return item.data
    return item.evaluated_get(bpy.context.evaluated_depsgraph_get()).data


def _triangles(mesh: Any) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32] | None]:
    """The corners (loops) of a mesh's triangles, (N, 3), and the material slot of each, (N,): None where all have the
    first one.
    """
    by_face = mesh.attributes.get("material_index")
    slots = read(by_face.data, "value", len(mesh.polygons), np.int32) if by_face is not None else None
    if len(mesh.loops) == 3 * len(mesh.polygons):  # every face is one, and working them out takes its time
        return np.arange(len(mesh.loops), dtype=np.int32).reshape(-1, 3), slots
    mesh.calc_loop_triangles()
    count = len(mesh.loop_triangles)
    loops = read(mesh.loop_triangles, "loops", count * 3, np.int32).reshape(-1, 3)
    face = read(mesh.loop_triangles, "polygon_index", count, np.int32)
    return loops, slots[face] if slots is not None else None


def _normals(corners: Floats) -> Floats:
    """Normals (N, 3) of triangles, as long as their areas are large, times two."""
    normals: Floats = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return normals


def _seen_area(normals: Floats) -> Floats:
    """How much of each triangle's area is seen, whichever side it shows; what is seen from its edge counts a little."""
    area: Floats = np.abs(normals @ _TOWARDS) + 0.05 * np.linalg.norm(normals, axis=1)
    return area


def _points(area: Floats, count: int, random: np.random.Generator) -> tuple[npt.NDArray[np.int64], Floats]:
    """Points on triangles, as many on each as its area asks for: the triangles (N,), and the weights (N, 3) of their
    corners.
    """
    edges = np.cumsum(area, dtype=np.float64)
    # One in each of as many equal parts of the area: more even than anywhere, and in order without being sorted.
    steps = (np.arange(count) + random.random(count)) * (edges[-1] / count)
    chosen = np.minimum(np.searchsorted(edges, steps), len(area) - 1)
    # The points of a triangle follow each other, so they are spread as evenly over it.
    numbers = np.arange(count, dtype=np.uint32)
    first, second = ((numbers * np.uint32(step)).astype(np.float32) / np.float32(1 << 32) for step in _STEPS)
    is_outside = first + second > 1  # in the square's other half, which is turned over
    first, second = np.where(is_outside, 1 - first, first), np.where(is_outside, 1 - second, second)
    return chosen, np.stack((1 - first - second, first, second), axis=1)


def _light_at(triangles: npt.NDArray[np.int64], normals: Floats) -> Floats:
    """How light the points of these triangles are, (N,)."""
    is_finer = len(normals) > len(triangles)
    chosen = normals[triangles] if is_finer else normals
    towards = np.where(chosen @ _TOWARDS < 0, -1.0, 1.0)
    length = np.maximum(np.linalg.norm(chosen, axis=1), 1e-20)
    light = (_AMBIENT + _DIFFUSE * np.maximum(towards * (chosen @ _KEY) / length, 0.0)).astype(np.float32)
    return light if is_finer else light[triangles]


def _pixels(places: Floats, colors: Floats) -> Floats:
    """The picture (SIZE, SIZE, 4), lowest row first, of points (N, 3) in pixels from its middle, nearer ones higher."""
    column = np.clip((places[:, 0] + SIZE / 2).astype(np.int64), 0, SIZE - 1)
    row = np.clip((places[:, 1] + SIZE / 2).astype(np.int64), 0, SIZE - 1)
    pixel = row * SIZE + column
    front = np.full(SIZE * SIZE, -np.inf, dtype=np.float32)
    np.maximum.at(front, pixel, places[:, 2])
    is_front = places[:, 2] > front[pixel] - 2.0  # pixels: what lies behind belongs to another surface
    pixel, colors = pixel[is_front], colors[is_front]
    count = np.bincount(pixel, minlength=SIZE * SIZE)
    picture = np.zeros((SIZE * SIZE, 4), dtype=np.float32)
    for channel in range(3):
        total = np.bincount(pixel, weights=colors[:, channel], minlength=SIZE * SIZE)
        picture[:, channel] = total / np.maximum(count, 1)
    picture[:, :3] = np.clip(picture[:, :3], 0, 1) ** (1 / GAMMA)
    picture[:, 3] = count > 0
    return _without_holes(picture.reshape(SIZE, SIZE, 4))


def _without_holes(picture: Floats) -> Floats:
    """Gives a pixel that no point has hit, in the middle of others, the mean of those."""
    around = np.zeros_like(picture)
    for rows, columns in ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)):
        moved = np.roll(picture, (rows, columns), axis=(0, 1))
        around += moved * moved[..., 3:]
    is_hole = (picture[..., 3] == 0) & (around[..., 3] >= 5)
    picture[is_hole] = around[is_hole] / around[is_hole, 3:]
    return picture


def _save(pixels: Floats, path: Path) -> None:
    image = bpy.data.images.new("thumbnail", SIZE, SIZE, alpha=True)
    try:
        image.pixels.foreach_set(np.ascontiguousarray(pixels, dtype=np.float32).ravel())
        image.filepath_raw = str(path)
        image.file_format = "PNG"
        image.save()
    finally:
        bpy.data.images.remove(image)
