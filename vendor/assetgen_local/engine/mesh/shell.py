"""What few faces can still show of a model of many pieces: only what is seen of it, or one closed surface around it.

The closed surface comes from a grid of cells: filled where the model is or near it, and where nothing from outside gets
in. It is drawn onto the model, collapsed, and fitted to what is seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..array_types import Array, Faces, Points
from .connected import grown, outside, passed
from .edge_collapse import collapsed
from .fit_to_source import fitted, fitted_both_ways
from .measure import closest, deviation, spread_points, tree_of_faces
from .outward import seen_points, sheets_of, triangles_met
from .surface_nets import surface, tightened

_NEAR, _PERCENT = 0.01, 99.0  # of the diagonal, and of the surface that counts: what stays as near is kept
_PLENTY = 100  # triangles for each sheet hold it
_USUAL = 3.0  # times the mean is added where surfaces are compared: spokes within a crumpled disc are near it as well
_TORN = 0.9  # times the distance, where pieces are left that do not hang together: one sees through between them
_FINENESS = 8  # cells along the edge of a triangle of the result: gaps smaller than two of them are closed
_FINEST, _COARSEST = 160, 12  # cells along the longest side
_MOST_QUADS = 120_000  # of what is collapsed: with more, cells are joined, each filled if three of eight were
_OFF = 0.1  # of the way back to the model stays between it and the shell, so that thin things have two sides
_FITS, _FEW, _MANY = 6, 8_000, 60_000  # points to compare, and to fit a shell to, as far as they are seen

Surface = tuple[Points, Faces, Array]
"""Points (n, 3), triangles (m, 3), and of which of the source's triangles each of them is, (m,)."""


def nearer(low: Surface, points: Points, faces: Faces, parts: Array, limit: int, rounds: int) -> Surface:
    """A collapse of a model, or what lies nearer to what is seen of it, where it is too far from that.

    Args:
        low: The collapse.
        points: (n, 3).
        faces: Triangles, (m, 3).
        parts: What each triangle belongs to. None is lost that the collapse still has.
        limit: Triangles.
        rounds: In which a closed surface is fitted to the model.
    """
    sheet = sheets_of(faces)
    if limit > _PLENTY * (sheet.max() + 1):
        return low
    diagonal = float(np.linalg.norm(np.ptp(points, axis=0)))
    samples, tree = seen_points(points, faces, _FEW), tree_of_faces(points, faces)

    def off(surface: Surface, usual: float = 0.0) -> float:
        made, _ = spread_points(surface[0][surface[1]], len(samples))
        there = deviation(samples, tree_of_faces(*surface[:2]), _PERCENT, usual)
        return max(there, deviation(made, tree, _PERCENT, usual)) / diagonal

    if off(low) <= _NEAR:
        return low
    best, best_off, held = low, (most := off(low, _USUAL)), len(np.unique(parts[low[2]]))
    triangle = triangles_met(points, tree)
    ends = np.isin(faces, (points.argmin(axis=0), points.argmax(axis=0))).any(axis=1)
    seen = np.isin(sheet, np.concatenate((sheet[triangle], sheet[ends])))
    # A part that nobody sees is there all the same.
    kept = np.flatnonzero(seen | (np.bincount(parts, seen)[parts] == 0))
    source = tree_of_faces(points, faces[kept])

    def others() -> Iterator[Surface]:
        """What shows only what is kept: its collapse, and a closed surface around it."""
        places, sides, origin = collapsed(points, faces[kept], parts[kept], limit)
        for _ in range(_FITS):
            banks = closest(source, spread_points(places[sides], len(samples))[0])[1]
            places = fitted(places, sides, np.concatenate((samples, banks)), diagonal)
        yield places, sides, kept[origin]
        if len(np.unique(parts[triangle])) < held:
            return  # a surface around them would not show as many, and takes most of the time
        places, sides = _around(source, points, faces[kept], limit)
        places, sides = fitted_both_ways(places, sides, seen_points(points, faces[kept], _MANY), source, rounds)
        yield places, sides, kept[closest(source, places[sides].mean(axis=1))[0]]

    for other in others():
        distance = off(other, _USUAL) if len(np.unique(parts[other[2]])) >= held else np.inf
        if distance < min(most, best_off / _TORN):
            best, best_off = other, distance
        if off(best) <= _NEAR:
            break
    return best


def _around(source: Any, points: Points, faces: Faces, limit: int) -> tuple[Points, Faces]:
    """A closed surface of about ``limit`` triangles around a search tree's triangles, (m, 3), of points, (n, 3)."""
    low, size = points.min(axis=0), np.ptp(points, axis=0)
    edge = np.sqrt(float(np.prod(size) ** (2 / 3)) * 6 / limit * 4 / np.sqrt(3))  # as of triangles over the box
    cell = float(np.clip(edge / _FINENESS, size.max() / _FINEST, size.max() / _COARSEST))
    wall = passed(points[faces], low - 2 * cell, cell, tuple(int(count) + 5 for count in size // cell))
    field, low = np.where(outside(grown(wall, diagonal=False)), -1.0, 1.0).astype(np.float32), low - 1.5 * cell
    while sum(np.count_nonzero(np.diff(field > 0, axis=axis)) for axis in range(3)) > _MOST_QUADS:
        x, y, z = (-(-count // 2) for count in field.shape)
        field = np.pad(field, [(0, count % 2) for count in field.shape], constant_values=-1.0)
        field, low, cell = field.reshape(x, 2, y, 2, z, 2).mean(axis=(1, 3, 5)) + 0.5, low + cell / 2, cell * 2
    hull, quads = surface(field)
    hull = tightened(hull, quads, 0.5, 4) * cell + low
    there = closest(source, hull)[1]
    sides = np.concatenate((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]))
    return collapsed(there + (hull - there) * _OFF, sides, np.zeros(len(sides), int), limit)[:2]
