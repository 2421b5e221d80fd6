"""Closed bodies between rings of points. numpy only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..array_types import Array


def loft(rings: Sequence[Array]) -> tuple[Array, Array]:
    """Joins rings one after the other and closes the first and the last one: vertices (n, 3), triangles outwards.

    Args:
        rings: Each (k, 3), with the same number of points, which correspond.
    """
    count = len(rings[0])
    around = np.arange(count)
    after = (around + 1) % count
    vertices = np.concatenate((*rings, [rings[0].mean(axis=0)], [rings[-1].mean(axis=0)]))
    first, last = len(rings) * count, len(rings) * count + 1
    triangles = [
        np.stack((np.full(count, first), after, around), axis=1),
        np.stack((np.full(count, last), around + first - count, after + first - count), axis=1),
    ]
    for start in range(0, first - count, count):
        low, high = around + start, around + start + count
        next_low, next_high = after + start, after + start + count
        triangles += [np.stack((low, next_low, next_high), axis=1), np.stack((low, next_high, high), axis=1)]
    faces = np.concatenate(triangles)
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    outwards = np.einsum("ij,ij->", a, np.cross(b, c)) > 0
    return vertices, faces if outwards else faces[:, ::-1]


def torus(centre: Array, radius: float, thickness: float, segments: int = 48, sides: int = 20) -> tuple[Array, Array]:
    """A ring in the XZ plane: vertices and triangles outwards.

    Args:
        centre: Of the hole.
        radius: From there to the middle of the tube.
        thickness: Radius of the tube.
        segments: Around the hole.
        sides: Around the tube.
    """
    along, across = np.divmod(np.arange(segments * sides), sides)
    phi, theta = along * 2 * np.pi / segments, across * 2 * np.pi / sides
    reach = radius + thickness * np.cos(theta)
    vertices = np.stack((reach * np.cos(phi), thickness * np.sin(theta), reach * np.sin(phi)), axis=1) + centre
    right = (along + 1) % segments * sides + across
    up = along * sides + (across + 1) % sides
    both = (along + 1) % segments * sides + (across + 1) % sides
    here = along * sides + across
    return vertices, np.concatenate((np.stack((here, up, both), axis=1), np.stack((here, both, right), axis=1)))
