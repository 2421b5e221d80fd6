"""Closed polygon meshes as arrays, and what can be done to them without Blender; noise to shape them by."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..array_types import Array
from ..mesh.turns import about

Point = Sequence[float] | Array
Line = Sequence[Point] | Array

_WAVES = np.random.default_rng(7).normal(size=(12, 3)) * 1.3
_PHASES = np.random.default_rng(8).uniform(0, 2 * np.pi, 12)


@dataclass(frozen=True, slots=True)
class Solid:
    """One or several closed surfaces.

    Attributes:
        points: (n, 3).
        corners: The point of every corner, face after face.
        sizes: Corners of every face.
    """

    points: Array
    corners: Array
    sizes: Array

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Solid:
        """Shifted."""
        return Solid((self.points + np.array((x, y, z))), self.corners, self.sizes)

    def scaled(self, x: float, y: float | None = None, z: float | None = None) -> Solid:
        """Stretched from the origin; one number for all axes. Factors are above zero."""
        factors = (x, x if y is None else y, x if z is None else z)
        return Solid(self.points * factors, self.corners, self.sizes)

    def turned(self, axis: str, degrees: float) -> Solid:
        """Turned about an axis through the origin, counter-clockwise when looked at from its tip."""
        return Solid(self.points @ about("xyz".index(axis), degrees).T, self.corners, self.sizes)

    def mirrored(self, axis: int = 0) -> Solid:
        """Its mirror image, with the outside still outside."""
        points = self.points.copy()
        points[:, axis] *= -1.0
        return Solid(points, *_reversed(self.corners, self.sizes))

    def with_points(self, points: Array) -> Solid:
        """The same faces on other points."""
        return Solid(points, self.corners, self.sizes)

    @property
    def triangles(self) -> int:
        """Number of triangles after cutting every face."""
        return len(self.corners) - 2 * len(self.sizes)


def at_corners(solid: Solid, x: float, y: float) -> list[Solid]:
    """Four of it: in the corners of a rectangle of twice these sizes around the origin."""
    return [solid.moved(x * across, y * deep) for across in (1, -1) for deep in (1, -1)]


def joined(solids: Sequence[Solid]) -> Solid:
    """All of them as one, none as an empty one; surfaces that pass through each other stay as they are."""
    if not solids:
        return Solid(np.empty((0, 3)), np.empty(0, np.int32), np.empty(0, np.int32))
    starts = np.cumsum([0, *(len(solid.points) for solid in solids[:-1])])
    return Solid(
        np.concatenate([solid.points for solid in solids]),
        np.concatenate([solid.corners + start for solid, start in zip(solids, starts, strict=True)]).astype(np.int32),
        np.concatenate([solid.sizes for solid in solids]),
    )


def outward(solid: Solid) -> Solid:
    """The same surface with the outside outside: its volume is positive."""
    return solid if volume(solid) >= 0 else Solid(solid.points, *_reversed(solid.corners, solid.sizes))


def volume(solid: Solid) -> float:
    """The volume inside, from the fan of every face."""
    a, b, c = np.moveaxis(solid.points[fans(solid)], 1, 0)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


def fans(solid: Solid) -> Array:
    """Triangles around the first corner of every face, (n, 3)."""
    starts = np.repeat(np.cumsum(solid.sizes) - solid.sizes, solid.sizes)
    ends = np.repeat(np.cumsum(solid.sizes), solid.sizes)
    here = np.arange(len(solid.corners))
    second = here[(here > starts) & (here + 1 < ends)]
    return solid.corners[np.stack((starts[second], second, second + 1), axis=1)]


def quads_only(solid: Solid) -> Solid:
    """The same surface with its flat caps and tips in quads: caps cut into ladders, fans joined two by two.

    Caps that are not convex stay one face.
    """
    starts = np.cumsum(solid.sizes) - solid.sizes
    is_quad = solid.sizes == 4
    kept = solid.corners[np.repeat(is_quad, solid.sizes)]
    others: list[list[int]] = []
    for start, size in zip(starts[~is_quad].tolist(), solid.sizes[~is_quad].tolist(), strict=True):
        face = solid.corners[start : start + size].tolist()
        if size > 4:
            others += _ladder(solid.points, face)
        elif others and others[-1][1:] == [face[0], face[2]]:
            others[-1].insert(2, face[1])
        else:
            others.append(face)
    corners = np.concatenate((kept, np.array([corner for face in others for corner in face], np.int32)))
    sizes = np.concatenate((solid.sizes[is_quad], np.array([len(face) for face in others], np.int32)))
    return Solid(solid.points, corners.astype(np.int32), sizes.astype(np.int32))


def _ladder(points: Array, face: list[int]) -> list[list[int]]:
    """A flat face cut across between its two sides; itself if a piece would lie the wrong way round."""
    place = points[face]
    normal = np.cross(place, np.roll(place, -1, axis=0)).sum(axis=0)
    pieces = []
    low, high = 0, len(face) - 1
    while high - low >= 2:
        chosen = [low, low + 1, high - 1, high] if high - low >= 3 else [low, low + 1, high]
        corners = place[chosen]
        turns = np.cross(np.roll(corners, -1, 0) - corners, np.roll(corners, -2, 0) - np.roll(corners, -1, 0)) @ normal
        if turns.min() < 0:
            return [face]
        pieces.append([face[index] for index in chosen])
        low, high = low + 1, high - 1
    return pieces


def _reversed(corners: Array, sizes: Array) -> tuple[Array, Array]:
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    ends = np.repeat(np.cumsum(sizes), sizes)
    return corners[starts + ends - 1 - np.arange(len(corners))], sizes


def bumps(points: Array) -> Array:
    """Smooth noise for (n, 3) points, about -1 to 1, with features about 1 wide; the same on every machine."""
    return np.asarray(np.sin(points @ _WAVES.T * 1.6 + _PHASES).sum(axis=1) / 5.0)


def direction(numbers: random.Random) -> Array:
    """A direction by chance, all equally likely."""
    z, a = numbers.uniform(-1, 1), numbers.uniform(0, 2 * math.pi)
    return np.array((math.cos(a) * math.sqrt(1 - z * z), math.sin(a) * math.sqrt(1 - z * z), z))
