"""Voronoi: struts along the borders between the areas around scattered knots, all over the surface."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array_types import Array, Faces, Points
from ..body.voxel_paths import nearest_of
from ..errors import EngineError
from ..mesh import collapse
from ..mesh.build import new_object, set_uv
from ..mesh.connected import components, edges_of
from ..mesh.measure import face_of_corner, triangle_count, values
from ..mesh.surface_nets import surface, tightened
from .block_grid import SurfaceSamples
from .palette import palette_of
from .surface_samples import band_around

_THICK = 0.13  # radius of the struts over the distance between knots
_FINE = 1.4  # steps of the grid in that radius
_MARGIN = 1.8  # of the radius: what is farther from a strut's middle is not looked at
_MOST_STEPS = 160  # along the longest side
_MOST_KNOTS = 2_500
_LOOSE = 0.03  # of the largest piece's vertices: smaller pieces are left out
_COLORS = 48
_MOST_FACES = 60_000


def lattice(samples: SurfaceSamples, whole: Any, spacing: float) -> tuple[list[Any], dict[str, int]]:
    """The lattice as one closed object; and how many knots there are.

    Args:
        samples: Of the model's surface.
        whole: The model; identity transform.
        spacing: Distance between neighbouring knots, as a part of the model's longest side.

    Raises:
        EngineError: The knots are too far apart for any strut.
    """
    longest = float(np.ptp(samples.points, axis=0).max())
    distance = spacing * longest
    knots = _scattered(samples.points, distance)
    radius = max(_THICK * distance, _FINE * longest / _MOST_STEPS)
    band = band_around(
        samples, whole, radius / _FINE, radius, lambda places: _to_borders(places, knots) < radius * _MARGIN
    )
    field = np.full(band.shape, -1.0, np.float32)
    border = _to_borders(band.places, knots)
    field[tuple(band.index.T)] = np.maximum(1.0 - (band.distance**2 + border**2) / radius**2, -1.0)
    if not (field > 0).any():
        raise EngineError("The block_size is too large for this model: no strut is left.")
    vertices, faces = _largest(*surface(field))
    vertices = tightened(vertices, faces, 0.5, 8) * band.step + band.low
    model = new_object("model", vertices, faces)
    if triangle_count(model.data) > _MOST_FACES:
        collapse.collapse_to([model], _MOST_FACES, longest, shell=0)
        collapse.smooth_shading([model], collapse.SHARP_ANGLE)
    _paint(model, samples)
    return [model], {"knots": len(knots)}


def _scattered(points: Array, distance: float) -> Array:
    """Some of the points, about this far from each other: again and again the one that is farthest from all others."""
    some = points[:: max(1, len(points) // 30_000)]
    knots = [some[0]]
    apart = np.full(len(some), np.inf)
    while len(knots) < _MOST_KNOTS:
        apart = np.minimum(apart, ((some - knots[-1]) ** 2).sum(axis=1))
        farthest = int(apart.argmax())
        if apart[farthest] < distance**2 and len(knots) > 3:
            break
        knots.append(some[farthest])
    return np.array(knots)


def _to_borders(places: Array, knots: Array) -> Array:
    """How far places are from the plane between their nearest knot and the next."""
    result = np.empty(len(places))
    squares = (knots**2).sum(axis=1)
    for start in range(0, len(places), 20_000):
        some = places[start : start + 20_000]
        apart = (some**2).sum(axis=1)[:, None] + squares - 2 * some @ knots.T
        two = np.argpartition(apart, 1, axis=1)[:, :2]
        near = np.take_along_axis(apart, two, axis=1)
        between = np.linalg.norm(knots[two[:, 0]] - knots[two[:, 1]], axis=1)
        result[start : start + 20_000] = np.abs(near[:, 1] - near[:, 0]) / (2 * np.maximum(between, 1e-12))
    return result


def _largest(vertices: Points, faces: Faces) -> tuple[Points, Faces]:
    """Without crumbs."""
    piece = components(len(vertices), edges_of(faces)[0])
    size = np.bincount(piece)
    kept = (size >= _LOOSE * size.max())[piece]
    return vertices[kept], (np.cumsum(kept) - 1)[faces[kept[faces[:, 0]]]]


def _paint(model: Any, samples: SurfaceSamples) -> None:
    """Gives every face the colour of the nearest place of the source's surface."""
    chosen = np.arange(0, len(samples.points), max(1, len(samples.points) // 40_000))
    mesh = model.data
    nearest = nearest_of(samples.points, chosen, values(mesh.polygons, "center", 3))
    palette = palette_of(samples.colors[chosen], _COLORS)
    square = palette.square(palette.nearest(samples.colors[nearest]), 0.3)
    face = face_of_corner(mesh)
    set_uv(mesh, square[face, np.arange(len(face)) - values(mesh.polygons, "loop_start", kind=np.int32)[face]])
    mesh.materials.append(palette.material(palette.picture(), 0.45))
