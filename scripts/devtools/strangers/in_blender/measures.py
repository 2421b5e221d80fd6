"""Measures of surfaces, UVs and bones, with numpy alone. Shapes are in the docstrings; lengths in the model's units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_UV_PIXELS = 512
_CELLS_AT_ONCE = 4_000_000


def spread_points(triangles: Array, count: int) -> tuple[Array, Array]:
    """Points spread evenly by area over triangles (n, 3, 3): (count, 3), and the triangle of each (count,)."""
    steps, ratios = (np.arange(count) + 0.5) / count, (0.7548776662, 0.5698402910)
    return _points_at(triangles, steps, *(np.arange(count)[:, None] * ratio % 1.0 for ratio in ratios))


def random_points(triangles: Array, count: int, seed: int) -> tuple[Array, Array]:
    """The same at random: nothing else has these points, and least of all what made the triangles."""
    numbers = np.random.default_rng(seed)
    return _points_at(triangles, numbers.random(count), *numbers.random((2, count, 1)))


def _points_at(triangles: Array, steps: Array, u: Array, v: Array) -> tuple[Array, Array]:
    """One point for each step (0 to 1) on the way through all area, at two of its triangle's weights (count, 1)."""
    areas = areas_of(triangles)
    chosen = np.searchsorted(np.cumsum(areas), steps * areas.sum()).clip(0, len(areas) - 1)
    u, v = np.where(u + v > 1, 1 - u, u), np.where(u + v > 1, 1 - v, v)
    first, second, third = np.moveaxis(triangles[chosen], 1, 0)
    return first * (1 - u - v) + second * u + third * v, chosen


def areas_of(triangles: Array) -> Array:
    """Areas of triangles (n, 3, 3)."""
    return np.asarray(np.linalg.norm(normals_of(triangles), axis=1) / 2)


def normals_of(triangles: Array) -> Array:
    """Normals of triangles (n, 3, 3), as long as twice their areas."""
    first, second, third = np.moveaxis(triangles, 1, 0)
    return np.asarray(np.cross(second - first, third - first))


def shares_of(points: Array, triangles: Array) -> Array:
    """How much each corner of a triangle (n, 3, 3) has to do with a point (n, 3) on it: (n, 3), of sum 1."""
    first, u, v = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    away = points - first
    uu, uv, vv = (u * u).sum(1), (u * v).sum(1), (v * v).sum(1)
    au, av = (away * u).sum(1), (away * v).sum(1)
    scale = np.maximum(uu * vv - uv * uv, 1e-30)
    second, third = (vv * au - uv * av) / scale, (uu * av - uv * au) / scale
    return np.stack((1 - second - third, second, third), axis=1).clip(0, 1)


def box_of(triangles: Array) -> Array:
    """Lowest and highest corner, (2, 3)."""
    corners = triangles.reshape(-1, 3)
    return np.stack((corners.min(axis=0), corners.max(axis=0)))


def likest_of(originals: Sequence[Array], triangles: Array) -> Array:
    """Which of several models, triangles (n, 3, 3), stands like this one: by its box, and by where its middle is.

    A model that is turned round may have the box of another pose, but not its middle.
    """

    def place(each: Array) -> Array:
        return np.vstack((box_of(each), np.average(each.mean(axis=1), axis=0, weights=areas_of(each) + 1e-30)))

    sought = place(triangles)
    return min(originals, key=lambda each: float(np.abs(place(each) - sought).max()))


def diagonal_of(box: Array) -> float:
    """From corner to corner; never zero."""
    return max(float(np.linalg.norm(box[1] - box[0])), 1e-12)


def welded(triangles: Array, share: float = 1e-5) -> Array:
    """The triangles (n, 3) by numbers of places: corners within a share of the diagonal are one."""
    corners = triangles.reshape(-1, 3)
    keys = np.round((corners - corners.min(axis=0)) / (diagonal_of(box_of(triangles)) * share)).astype(np.int64)
    _, index = np.unique(keys, axis=0, return_inverse=True)
    return np.asarray(index.reshape(-1, 3))


def pieces_of(faces: Array) -> Array:
    """The piece of each triangle, (n,), from 0 on: those that hang together by the places (n, 3) that they share."""
    labels = np.arange(int(faces.max()) + 1)
    while True:
        lowest = labels[faces].min(axis=1)
        before = labels.copy()
        np.minimum.at(labels, faces.ravel(), np.repeat(lowest, 3))
        labels = labels[labels]
        if (labels == before).all():
            return np.asarray(np.unique(labels[faces[:, 0]], return_inverse=True)[1])


def looking_back(faces: Array) -> Array:
    """Which triangles (n, 3) are to be turned over so that neighbours look the same way, (n,): the fewer of a sheet.

    Where a file has every face twice, for its two sides, readers keep one of both, and which one is chance.
    """
    count = int(faces.max()) + 1
    begins, ends = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    keys, upwards = np.minimum(begins, ends) * count + np.maximum(begins, ends), begins < ends
    order = np.argsort(keys, kind="stable")
    same = np.pad(keys[order][1:] == keys[order][:-1], 1)
    first = np.flatnonzero(same[1:-1] & ~same[:-2] & ~same[2:])  # where more than two meet, none is another's neighbour
    sides = np.stack((order[first], order[first + 1]))
    one, other = sides // 3
    differ = upwards[sides[0]] == upwards[sides[1]]
    turned, piece = np.full(len(faces), -1), pieces_of(faces)
    while (turned < 0).any():
        left = np.flatnonzero(turned < 0)
        seeds = left[np.unique(piece[left], return_index=True)[1]]
        turned[seeds], reached = 0, len(seeds)
        group = np.full(len(faces), -1)
        group[seeds] = np.arange(len(seeds))
        while reached:
            reached = 0
            for here, there in ((one, other), (other, one)):
                new = np.flatnonzero((group[here] >= 0) & (turned[there] < 0))
                turned[there[new]] = turned[here[new]] ^ differ[new]
                group[there[new]] = group[here[new]]
                reached += len(new)
        inside = group >= 0
        most = np.bincount(group[inside], turned[inside]) > np.bincount(group[inside]) / 2
        turned[inside] ^= most[group[inside]]
    return turned > 0


def open_length(triangles: Array, *, once: bool = False) -> float:
    """How long the edges are, all together, that only one triangle (n, 3, 3) has; triangles without area aside.

    Args:
        triangles: (n, 3, 3).
        once: Whether two on the same points, one for either side of a surface, are one.
    """
    faces = welded(triangles)
    if once:
        first = np.unique(np.sort(faces, axis=1), axis=0, return_index=True)[1]
        faces, triangles = faces[first], triangles[first]
    whole = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    faces, corners = faces[whole], triangles[whole]
    edges = np.sort(np.concatenate([faces[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))]), axis=1)
    lengths = np.concatenate(
        [np.linalg.norm(corners[:, b] - corners[:, a], axis=1) for a, b in ((0, 1), (1, 2), (2, 0))]
    )
    _, first, counts = np.unique(edges, axis=0, return_index=True, return_counts=True)
    return float(lengths[first[counts == 1]].sum())


def opened(triangles: Array, before: Array) -> float:
    """How much longer the open edges of triangles (n, 3, 3) are than those of others (m, 3, 3), which they come from.

    A leaf may have become one side in place of two, and a button two sides in place of a box: neither is a hole, so
    what is longer in both ways to count counts.
    """
    more = (open_length(triangles, once=once) - open_length(before, once=once) for once in (False, True))
    return max(0.0, min(more))


def winding_numbers(points: Array, triangles: Array, pieces: Array) -> Array:
    """How often each piece goes around each point (m, 3): 0 outside and 1 inside, (m, number of pieces).

    Args:
        points: (m, 3).
        triangles: (n, 3, 3).
        pieces: The piece of each triangle, (n,).
    """
    numbers = np.empty((len(points), int(pieces.max()) + 1))
    for row, point in enumerate(points):
        a, b, c = np.moveaxis(triangles - point, 1, 0)
        la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
        volume = np.einsum("nk,nk->n", a, np.cross(b, c))
        rest = la * lb * lc + (a * b).sum(1) * lc + (b * c).sum(1) * la + (c * a).sum(1) * lb
        numbers[row] = np.bincount(pieces, np.arctan2(volume, rest) / (2 * np.pi), numbers.shape[1])
    return numbers


def are_inside(points: Array, triangles: Array) -> Array:
    """Whether points (m, 3) are in a piece of the surface, or in several that close each other's gaps, (m,).

    A coat whose faces look inwards takes nothing away from the body in it.
    """
    faces = welded(triangles)
    alike = np.where(looking_back(faces)[:, None, None], triangles[:, ::-1], triangles)
    numbers = winding_numbers(points, alike, pieces_of(faces))
    return np.asarray((np.abs(numbers).max(axis=1) > 0.5) | (np.abs(numbers.sum(axis=1)) > 0.5))


def coverage_of(triangles: Array, pixels: int = _UV_PIXELS) -> Array:
    """How many of the UV triangles (n, 3, 2) lie over the middle of each pixel of the unit square; bottom row first."""
    counts = np.zeros(pixels * pixels, np.int32)
    # Off the middle by a little, so that no edge between two triangles goes exactly through it.
    corners = triangles * pixels - 0.5 + (3e-4, 7e-4)
    low = np.ceil(corners.min(axis=1)).clip(0, pixels).astype(int)
    high = (np.floor(corners.max(axis=1)) + 1).clip(0, pixels).astype(int)
    spans = (high - low).max(axis=1)
    has_any = ((high - low) > 0).all(axis=1)
    size = 1
    while has_any.any() and size < 2 * int(spans[has_any].max()):
        chosen = np.flatnonzero(has_any & (spans <= size) & (spans > size // 2))
        step = max(1, _CELLS_AT_ONCE // (size * size))
        for start in range(0, len(chosen), step):
            part = chosen[start : start + step]
            _count(counts, corners[part], low[part], high[part], size, pixels)
        size *= 2
    return counts.reshape(pixels, pixels)


def _count(counts: Array, corners: Array, low: Array, high: Array, size: int, pixels: int) -> None:
    offsets = np.stack(np.meshgrid(np.arange(size), np.arange(size)), axis=-1).reshape(-1, 2)
    places = low[:, None] + offsets
    sides = []
    for a, b in ((0, 1), (1, 2), (2, 0)):
        along, away = corners[:, None, b] - corners[:, None, a], places - corners[:, None, a]
        sides.append(along[..., 0] * away[..., 1] - along[..., 1] * away[..., 0])
    inside = np.logical_and.reduce([side > 0 for side in sides]) | np.logical_and.reduce([side < 0 for side in sides])
    inside &= (places < high[:, None]).all(axis=2)
    np.add.at(counts, (places[..., 1] * pixels + places[..., 0])[inside], 1)


def stretch_of(edges: Array, rest: Array, posed: Array, shortest: float) -> Array:
    """How many times as long or as short each edge (n, 2) became, where it was no shorter than that at rest (m, 3)."""
    before, after = (np.linalg.norm(points[edges[:, 1]] - points[edges[:, 0]], axis=1) for points in (rest, posed))
    kept = before > shortest
    ratio = np.maximum(after[kept], 1e-9) / before[kept]
    return np.asarray(np.maximum(ratio, 1 / ratio))


def farthest_joint(
    found: Mapping[str, Array], expected: Mapping[str, Sequence[float]], height: float
) -> dict[str, Any]:
    """How far the joint that is off the most is from where it is expected, in parts of the height, and which it is.

    A joint that was not found is infinitely far off.
    """
    off = {
        name: float(np.linalg.norm(found[name] - np.array(place))) / height if name in found else np.inf
        for name, place in expected.items()
    }
    farthest = max(off, key=lambda name: off[name])
    return {"joints": off[farthest], "farthest": farthest}


def axis_of(way: Array) -> str:
    """The axis, as ``-Y``, that a way (2 or 3 numbers) goes along, seen from above; empty where it goes nowhere."""
    axis = int(np.abs(way[:2]).argmax())
    return f"{'+' if way[axis] > 0 else '-'}{'XY'[axis]}" if abs(way[axis]) > 1e-6 else ""
