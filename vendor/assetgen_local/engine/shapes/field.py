"""Organic solids: balls, limbs and blocks that melt into each other, made into a closed surface of quads.

The shape is a distance field on a grid; the surface comes from it by surface nets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict, Unpack

import numpy as np

from ..array_types import Array
from ..mesh import surface_nets
from ..mesh.connected import edges_of, neighbour_means
from .solid import Point, Solid

_FAR = np.float32(1e3)
_SMOOTHING = 2

Distance = Callable[[Array, Array, Array], Array]


class Options(TypedDict, total=False):
    """How a primitive joins those before it.

    Attributes:
        blend: Width of the zone where they melt into each other, in place of the field's own.
        cut: Takes it away from what is there.
        both: Adds its mirror image across x = 0 as well.
    """

    blend: float
    cut: bool
    both: bool


class DistanceField:
    """Collects primitives; :meth:`surface` makes the solid.

    Args:
        blend: Width of the zone where primitives melt into each other, unless one says otherwise.
    """

    def __init__(self, blend: float) -> None:
        self._blend = blend
        self._primitives: list[tuple[Distance, Array, Array, float, bool]] = []

    def ball(self, centre: Point, radius: float | Point, **options: Unpack[Options]) -> DistanceField:
        """An ellipsoid."""
        middle = np.asarray(centre, float)
        radii = np.broadcast_to(np.asarray(radius, float), 3)

        def distance(x: Array, y: Array, z: Array) -> Array:
            a, b, c = ((v - m) / r for v, m, r in zip((x, y, z), middle, radii, strict=True))
            scaled = np.sqrt(a * a + b * b + c * c)
            steep = np.sqrt((a / radii[0]) ** 2 + (b / radii[1]) ** 2 + (c / radii[2]) ** 2)
            return np.asarray(scaled * (scaled - 1.0) / np.maximum(steep, 1e-6))

        return self._add(distance, middle - radii, middle + radii, **options)

    def limb(
        self, start: Point, end: Point, first: float, last: float, *, flat: float = 1.0, **options: Unpack[Options]
    ) -> DistanceField:
        """A rod with round ends, of radius ``first`` to ``last``; ``flat`` is its depth (y) relative to its width."""
        a, b = np.asarray(start, float), np.asarray(end, float)
        along = b - a
        along[1] /= flat
        length = float(along @ along)

        def distance(x: Array, y: Array, z: Array) -> Array:
            dx, dy, dz = x - a[0], (y - a[1]) / flat, z - a[2]
            t = np.clip((dx * along[0] + dy * along[1] + dz * along[2]) / length, 0.0, 1.0)
            dx, dy, dz = dx - t * along[0], dy - t * along[1], dz - t * along[2]
            return np.asarray((np.sqrt(dx * dx + dy * dy + dz * dz) - (first + (last - first) * t)) * min(flat, 1.0))

        reach = max(first, last) * np.array((1.0, max(flat, 1.0), 1.0))
        return self._add(distance, np.minimum(a, b) - reach, np.maximum(a, b) + reach, **options)

    def block(self, centre: Point, size: Point, radius: float, **options: Unpack[Options]) -> DistanceField:
        """A box of edge lengths ``size`` with rounded edges."""
        middle, half = np.asarray(centre, float), np.asarray(size, float) / 2

        def distance(x: Array, y: Array, z: Array) -> Array:
            q = [np.abs(v - m) - (h - radius) for v, m, h in zip((x, y, z), middle, half, strict=True)]
            outside = np.sqrt(sum(np.maximum(v, 0.0) ** 2 for v in q))
            return np.asarray(outside + np.minimum(np.maximum(np.maximum(q[0], q[1]), q[2]), 0.0) - radius)

        return self._add(distance, middle - half, middle + half, **options)

    def _add(self, distance: Distance, low: Array, high: Array, **options: Unpack[Options]) -> DistanceField:
        width, cut = options.get("blend", self._blend), options.get("cut", False)
        self._primitives.append((distance, low, high, width, cut))
        if options.get("both"):
            flip = np.array((-1.0, 1.0, 1.0))
            low, high = np.minimum(low * flip, high * flip), np.maximum(low * flip, high * flip)
            self._primitives.append((lambda x, y, z: distance(-x, y, z), low, high, width, cut))
        return self

    def surface(self, step: float) -> Solid:
        """The surface, as quads about ``step`` wide. The grid is symmetric about x = 0."""
        kept = [entry for entry in self._primitives if not entry[4]]
        margin = step * 3 + max(entry[3] for entry in kept) * 0.3
        low = np.min([entry[1] for entry in kept], axis=0) - margin
        high = np.max([entry[2] for entry in kept], axis=0) + margin
        low[0] = np.floor(low[0] / step - 0.5) * step + step / 2
        counts = np.ceil((high - low) / step).astype(int) + 1
        axes = [(low[i] + np.arange(counts[i]) * step).astype(np.float32) for i in range(3)]
        values = np.full(counts, _FAR, np.float32)
        for distance, start, end, width, cut in self._primitives:
            reach = width + step * 3
            spans = [slice(*np.searchsorted(axis, (start[i] - reach, end[i] + reach))) for i, axis in enumerate(axes)]
            grid = np.ix_(*(axis[span] for axis, span in zip(axes, spans, strict=True)))
            here, new = values[tuple(spans)], distance(*grid).astype(np.float32)
            values[tuple(spans)] = -_melted(-here, new, width) if cut else _melted(here, new, width)
        points, quads = surface_nets.surface(-values)
        points = _relaxed(np.array([axis[0] for axis in axes], float) + points * step, quads)
        return Solid(points, quads.ravel().astype(np.int32), np.full(len(quads), 4, np.int32))


def _melted(first: Array, second: Array, width: float) -> Array:
    """The smooth minimum; exact where the two differ by more than ``width``."""
    if width <= 0:
        return np.minimum(first, second)
    near = np.maximum(np.float32(width) - np.abs(first - second), 0.0) / np.float32(width)
    return np.asarray(np.minimum(first, second) - near * near * np.float32(width / 4))


def _relaxed(points: Array, quads: Array) -> Array:
    """Evens the grid's steps out, without the shrinking that plain smoothing has."""
    edges, _ = edges_of(quads)
    for _ in range(_SMOOTHING):
        for factor in (0.5, -0.53):
            points = points + factor * (neighbour_means(points, edges) - points)
    return points
