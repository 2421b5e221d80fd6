"""Solids with rounded edges: boxes, turned and swept shapes, plates with an outline. All closed, outside outwards."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..array_types import Array
from .solid import Line, Point, Solid, outward

ROUND = 2  # steps of a rounded edge


def loft(rings: Array, *, loop: bool = False, start: Point | None = None, end: Point | None = None) -> Solid:
    """A surface through rings of equally many points.

    Args:
        rings: (rings, points, 3).
        loop: The last ring is joined to the first one.
        start: A tip before the first ring; None closes it with one flat face.
        end: A tip after the last ring.
    """
    count, around = rings.shape[:2]
    index = np.arange(count * around).reshape(count, around)
    upper = np.roll(index, -1, axis=0) if loop else index[1:]
    lower = index if loop else index[:-1]
    quads = np.stack((lower, np.roll(lower, -1, 1), np.roll(upper, -1, 1), upper), axis=2).reshape(-1, 4)
    points, corners, sizes = [rings.reshape(-1, 3)], [quads.ravel()], [np.full(len(quads), 4)]
    if not loop:
        extra = count * around
        for ring, tip, backwards in ((index[0], start, True), (index[-1], end, False)):
            ring = ring[::-1] if backwards else ring
            if tip is None:
                corners.append(ring)
                sizes.append(np.array([around]))
                continue
            points.append(np.asarray(tip, float).reshape(1, 3))
            corners.append(np.stack((ring, np.roll(ring, -1), np.full(around, extra)), axis=1).ravel())
            sizes.append(np.full(around, 3))
            extra += 1
    of_faces = (np.concatenate(numbers).astype(np.int32) for numbers in (corners, sizes))
    return outward(Solid(np.concatenate(points), *of_faces))


def curve(points: Sequence[Point], steps: int) -> Array:
    """A smooth line through the points, ``steps`` pieces between two of them; two or three numbers each."""
    line = np.asarray(points, float)
    padded = np.concatenate((2 * line[:1] - line[1:2], line, 2 * line[-1:] - line[-2:-1]))
    t = np.arange(steps)[:, None] / steps
    a, b, c, d = (padded[first : first + len(line) - 1, None] for first in range(4))
    parts = 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
    return np.concatenate((*parts, line[-1:]))


def rounded(points: Sequence[Point], radius: float, *, closed: bool = False, steps: int = ROUND) -> Array:
    """A line with its corners rounded. Nearly straight corners stay.

    Args:
        points: Of the line, (n, 2).
        radius: Distance from the corner at which the rounding begins, at most; short sides get less.
        closed: The line is an outline: the last point joins the first.
        steps: Pieces of each rounding.
    """
    line = np.asarray(points, float)
    count = len(line)
    result: list[Array] = []
    for index, here in enumerate(line):
        before, after = line[index - 1] - here, line[(index + 1) % count] - here
        lengths = float(np.linalg.norm(before)), float(np.linalg.norm(after))
        is_end = not closed and index in (0, count - 1)
        if is_end or min(lengths) < 1e-9 or float(before @ after) / (lengths[0] * lengths[1]) < -0.985:
            result.append(here[None])
            continue
        reach = min(radius, lengths[0] * 0.45, lengths[1] * 0.45)
        first, last = here + before / lengths[0] * reach, here + after / lengths[1] * reach
        t = (np.arange(steps + 1) / steps)[:, None]
        result.append(first * (1 - t) ** 2 + 2 * here * t * (1 - t) + last * t**2)
    return np.concatenate(result)


def lathe(profile: Line, segments: int, bevel: float = 0.0, *, loop: bool = False) -> Solid:
    """Turned about +Z.

    Args:
        profile: (radius, height) from one end to the other. A radius of 0 at an end is a tip.
        segments: Around.
        bevel: Rounds the corners of the profile, see :func:`rounded`.
        loop: The profile is an outline, which makes a ring.
    """
    line = rounded(profile, bevel, closed=loop) if bevel else np.asarray(profile, float)
    start = end = None
    if not loop and line[0, 0] < 1e-9:
        start, line = (0.0, 0.0, line[0, 1]), line[1:]
    if not loop and line[-1, 0] < 1e-9:
        end, line = (0.0, 0.0, line[-1, 1]), line[:-1]
    rings = np.stack([at_height(circle(segments, radius), height) for radius, height in line])
    return loft(rings, loop=loop, start=start, end=end)


def cylinder(radius: float, height: float, segments: int, bevel: float = 0.0, top: float | None = None) -> Solid:
    """A round post from z = 0 up, with rounded rims; ``top`` is the radius at the top if another."""
    upper = radius if top is None else top
    return lathe([(0.0, 0.0), (radius, 0.0), (upper, height), (0.0, height)], segments, bevel)


def ball(radius: float | Point, segments: int) -> Solid:
    """A ball or ellipsoid around the origin."""
    angles = np.linspace(-math.pi / 2, math.pi / 2, max(segments // 2, 4) + 1)
    line = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    line[[0, -1], 0] = 0.0
    return lathe(line, segments).scaled(*np.broadcast_to(radius, 3))


def ring(radius: float, thickness: float, segments: int, around: int = 8, height: float | None = None) -> Solid:
    """A torus around +Z: ``radius`` to the middle of the tube; ``height`` is half the tube's height if not round."""
    section = circle(around, 1.0) * (thickness, thickness if height is None else height) + (radius, 0.0)
    return lathe(section, segments, loop=True)


def circle(count: int, radius: float | Array, turn: float = 0.0) -> Array:
    """Places on a circle around the origin, counter-clockwise, (n, 2).

    Args:
        count: How many.
        radius: One, or one for each place.
        turn: Where the first one is, radians from +X.
    """
    angles = np.arange(count) * 2 * math.pi / count + turn
    return np.stack((np.cos(angles) * radius, np.sin(angles) * radius), axis=1)


def at_height(outline: Array, height: float | Array) -> Array:
    """Places in x and y, (n, 2), at a height, or each at its own: (n, 3)."""
    return np.column_stack((outline, np.broadcast_to(height, len(outline))))


def stacked(outline: Array, levels: Sequence[Point]) -> Array:
    """Rings of one outline for :func:`loft`: for each of (factor, height) the outline as large at this height."""
    return np.stack([at_height(outline * factor, height) for factor, height in levels])


def rectangle(width: float, depth: float, radius: float, steps: int = ROUND) -> Array:
    """The outline of a rectangle around the origin with rounded corners, counter-clockwise, (n, 2)."""
    x, y = width / 2, depth / 2
    return rounded([(x, -y), (x, y), (-x, y), (-x, -y)], radius, closed=True, steps=steps)


def box(width: float, depth: float, height: float, bevel: float = 0.0, steps: int = ROUND) -> Solid:
    """A box around x = y = 0 from z = 0 up, with rounded edges and corners."""
    bevel = min(bevel, width * 0.3, depth * 0.3, height * 0.45)
    if bevel <= 0:
        return plate(np.array([(1, -1), (1, 1), (-1, 1), (-1, -1)], float) * (width / 2, depth / 2), height)
    return plate(rectangle(width, depth, bevel * 1.3, steps), height, bevel, steps)


def plate(outline: Array, height: float, bevel: float = 0.0, steps: int = ROUND) -> Solid:
    """An outline in x and y made thick, from z = 0 up, with rounded rims."""
    if bevel <= 0:
        return loft(stacked(outline, [(1.0, 0.0), (1.0, height)]))
    inward = _inward(outline)
    bevel = min(bevel, height * 0.45)
    angles = np.arange(steps + 1) * math.pi / 2 / steps
    inset, rise = bevel * (1 - np.sin(angles)), bevel * (1 - np.cos(angles))
    lower = [at_height(outline + inward * i, r) for i, r in zip(inset, rise, strict=True)]
    upper = [at_height(outline + inward * i, height - r) for i, r in zip(inset[::-1], rise[::-1], strict=True)]
    return loft(np.stack(lower + upper))


def tube(
    path: Line,
    radii: float | Point,
    segments: int,
    *,
    flat: float = 1.0,
    loop: bool = False,
    up: Point = (0.0, 0.0, 1.0),
) -> Solid:
    """A pipe along a path with rounded ends.

    Args:
        path: (n, 3).
        radii: One, or one for each point.
        segments: Around.
        flat: Thickness across ``up`` relative to the radius.
        loop: The path is closed.
        up: Where the first cross-section points, roughly.
    """
    line = np.asarray(path, float)
    radius = np.broadcast_to(np.asarray(radii, float), len(line))
    ahead = (np.roll(line, -1, 0) - np.roll(line, 1, 0)) if loop else np.gradient(line, axis=0)
    ahead = ahead / np.linalg.norm(ahead, axis=1, keepdims=True)
    side = np.cross(ahead[0], up)
    if np.linalg.norm(side) < 1e-3:
        side = np.cross(ahead[0], (0.0, 1.0, 0.0))
    out, across = circle(segments, 1.0).T[..., None]
    frames = []
    for direction in ahead:
        side = side - direction * (side @ direction)
        side = side / np.linalg.norm(side)
        frames.append(out * np.cross(side, direction) + across * side * flat)
    if loop:  # the frame comes back turned: the turn is spread over the whole way
        side = side - ahead[0] * (side @ ahead[0])
        u, v = frames[0][0], np.cross(ahead[0], frames[0][0])
        now = np.cross(side, ahead[0])
        turn = math.atan2(float(now @ v), float(now @ u))
        frames = [
            math.cos(a) * frame + math.sin(a) * np.cross(direction, frame)
            for frame, direction, a in zip(frames, ahead, -turn * np.arange(len(line)) / len(line), strict=True)
        ]
    rings = line[:, None] + np.stack(frames) * radius[:, None, None]
    if loop:
        return loft(rings, loop=True)
    caps = [math.radians(60), math.radians(30)]
    first = [line[0] + frames[0] * radius[0] * math.cos(a) - ahead[0] * radius[0] * math.sin(a) * 0.8 for a in caps]
    last = [line[-1] + frames[-1] * radius[-1] * math.cos(a) + ahead[-1] * radius[-1] * math.sin(a) * 0.8 for a in caps]
    return loft(
        np.stack([*first, *rings, *last[::-1]]),
        start=line[0] - ahead[0] * radius[0] * 0.8,
        end=line[-1] + ahead[-1] * radius[-1] * 0.8,
    )


def wire(points: Sequence[Point], radii: float | Sequence[float], segments: int, steps: int = 4) -> Solid:
    """A tube along a smooth line through a few points, with radii for these."""
    at_points = np.broadcast_to(np.asarray(radii, float), len(points))
    thick = np.interp(np.arange((len(points) - 1) * steps + 1) / steps, np.arange(len(points)), at_points)
    return tube(curve(points, steps), thick, segments)


def _inward(outline: Array) -> Array:
    """For every point of an outline how far to go so that all its sides move inwards by 1."""
    before, after = outline - np.roll(outline, 1, 0), np.roll(outline, -1, 0) - outline
    area = float((outline[:, 0] * np.roll(outline[:, 1], -1) - np.roll(outline[:, 0], -1) * outline[:, 1]).sum())
    normals = [np.stack((-d[:, 1], d[:, 0]), 1) / np.linalg.norm(d, axis=1, keepdims=True) for d in (before, after)]
    total = normals[0] + normals[1]
    return np.sign(area) * 2 * total / np.maximum((total**2).sum(axis=1, keepdims=True), 0.5)
