"""Simple bodies to rig, made of overlapping ellipsoids without Blender. glTF axes: +Y up, facing +Z."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .meshes import Array, Shape, cube_sphere


def limb(start: Sequence[float], end: Sequence[float], radius: float, steps: int = 6, name: str = "limb") -> Shape:
    """An ellipsoid that reaches a little over both ends."""
    first, last = np.asarray(start, float), np.asarray(end, float)
    along = last - first
    length = float(np.linalg.norm(along))
    axis = along / length
    side = np.cross(axis, np.eye(3)[int(np.abs(axis).argmin())])
    side /= np.linalg.norm(side)
    ball = cube_sphere(steps)
    frame = np.stack((side * radius, axis * (length / 2 + radius * 0.6), np.cross(side, axis) * radius))
    return Shape(ball.positions @ frame + (first + last) / 2, ball.triangles, name=name)


def joined(shapes: Sequence[Shape], name: str) -> Shape:
    """One mesh of several."""
    starts = np.cumsum([0, *(len(shape.positions) for shape in shapes)])
    return Shape(
        np.concatenate([shape.positions for shape in shapes]),
        np.concatenate([shape.triangles + start for shape, start in zip(shapes, starts, strict=False)]),
        name=name,
    )


def person(turned: int = 0, steps: int = 6) -> list[Shape]:
    """A figure of 1.7 in a T-pose: one mesh for the body and one for its hat; quarter turns to the left."""
    rows: list[tuple[Sequence[float], Sequence[float], float]] = [
        ((0, 0.95, 0), (0, 1.3, 0), 0.15),
        ((0, 1.36, 0), (0, 1.5, 0), 0.06),
        ((0, 1.52, 0.01), (0, 1.62, 0.01), 0.11),
    ]
    for side in (1, -1):
        rows += [
            ((side * 0.1, 1.38, 0), (side * 0.42, 1.38, 0), 0.055),
            ((side * 0.4, 1.38, 0), (side * 0.66, 1.38, 0.01), 0.045),
            ((side * 0.66, 1.38, 0.01), (side * 0.8, 1.38, 0.01), 0.04),
            ((side * 0.1, 0.92, 0), (side * 0.1, 0.5, 0.01), 0.085),
            ((side * 0.1, 0.5, 0.01), (side * 0.1, 0.09, 0), 0.06),
            ((side * 0.1, 0.045, -0.02), (side * 0.1, 0.035, 0.15), 0.045),
        ]
    body = joined([limb(start, end, radius, steps) for start, end, radius in rows], "body")
    hat = limb((0, 1.68, 0.01), (0, 1.72, 0.01), 0.1, name="hat")
    return [_turned(shape, turned) for shape in (body, hat)]


def beast(turned: int = 0) -> list[Shape]:
    """A four-legged figure with a neck, a head and a tail; quarter turns to the left."""
    rows: list[tuple[Sequence[float], Sequence[float], float]] = [
        ((0, 0.75, -0.45), (0, 0.75, 0.45), 0.2),
        ((0, 0.8, 0.45), (0, 1.15, 0.68), 0.11),
        ((0, 1.18, 0.66), (0, 1.12, 0.92), 0.12),
        ((0, 0.82, -0.55), (0, 0.6, -0.95), 0.05),
    ]
    for side in (1, -1):
        for place in (0.4, -0.4):
            rows += [
                ((side * 0.13, 0.7, place), (side * 0.13, 0.36, place), 0.09),
                ((side * 0.13, 0.38, place), (side * 0.13, 0.05, place), 0.06),
            ]
    return [_turned(joined([limb(start, end, radius) for start, end, radius in rows], "beast"), turned)]


def _turned(shape: Shape, quarters: int) -> Shape:
    positions: Array = shape.positions
    for _ in range(quarters % 4):
        x, y, z = positions.T
        positions = np.stack((z, y, -x), axis=1)
    return Shape(positions, shape.triangles, shape.uvs, shape.colors, shape.name)
