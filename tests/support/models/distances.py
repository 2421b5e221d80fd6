"""How far surfaces are apart, with numpy alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def sampled(triangles: Array, count: int, seed: int = 1) -> Array:
    """Points spread over triangles (n, 3, 3) by area, (count, 3)."""
    numbers = np.random.default_rng(seed)
    sides = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    areas = np.linalg.norm(sides, axis=1)
    chosen = numbers.choice(len(triangles), count, p=areas / areas.sum())
    weights = numbers.dirichlet((1, 1, 1), count)
    return np.einsum("nk,nkc->nc", weights, triangles[chosen])


def to_surface(points: Array, triangles: Array, chunk: int = 200) -> Array:
    """Distance of every point to the nearest of the triangles."""
    centres = triangles.mean(axis=1)
    radii = np.linalg.norm(triangles - centres[:, None], axis=2).max(axis=1)
    found = np.empty(len(points))
    for start in range(0, len(points), chunk):
        part = points[start : start + chunk]
        apart = np.sqrt(np.maximum(_squares(part, centres), 0))
        # No farther than the nearest centre; what could be nearer is looked at.
        rows, near = np.nonzero(apart - radii <= apart.min(axis=1)[:, None] + 1e-6)
        squared = _squared(part[rows], triangles[near])
        found[start : start + chunk] = np.sqrt(
            np.minimum.reduceat(squared, np.searchsorted(rows, np.arange(len(part))))
        )
    return found


def _squares(points: Array, others: Array) -> Array:
    """Squared distances of all points to all others, as exact as the difference of their squares is."""
    return (points * points).sum(axis=1)[:, None] + (others * others).sum(axis=1) - 2 * points @ others.T


def _squared(points: Array, triangles: Array) -> Array:
    """Squared distances of points to a triangle each: to its plane where the foot is inside, or to the nearest edge."""
    first, u, v = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    away = points - first
    uu, uv, vv = (u * u).sum(-1), (u * v).sum(-1), (v * v).sum(-1)
    au, av = (away * u).sum(-1), (away * v).sum(-1)
    scale = np.maximum(uu * vv - uv * uv, 1e-30)
    s, t = (vv * au - uv * av) / scale, (uu * av - uv * au) / scale
    inside = (s >= 0) & (t >= 0) & (s + t <= 1)
    foot = (away * away).sum(-1) - (s * au + t * av)
    best = np.where(inside, np.maximum(foot, 0), np.inf)
    for start, end in ((0, 1), (1, 2), (2, 0)):
        edge = triangles[:, end] - triangles[:, start]
        gone = points - triangles[:, start]
        part = np.clip((gone * edge).sum(-1) / np.maximum((edge * edge).sum(-1), 1e-30), 0, 1)
        rest = gone - part[..., None] * edge
        best = np.minimum(best, (rest * rest).sum(-1))
    return best


def to_points(points: Array, others: Array, chunk: int = 200) -> Array:
    """Distance of every point to the nearest of other points: no less than that to the surface that they are on."""
    squares = (others * others).sum(axis=1)
    found = np.empty(len(points))
    for start in range(0, len(points), chunk):
        part = points[start : start + chunk]
        near = squares - 2 * part @ others.T
        found[start : start + chunk] = np.sqrt(np.maximum(near.min(axis=1) + (part * part).sum(axis=1), 0))
    return found
