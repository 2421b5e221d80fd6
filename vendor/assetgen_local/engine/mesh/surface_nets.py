"""The surface of a volume as quads: closed, and with exactly two faces at every edge. numpy only.

Surface nets: every cell between eight samples that the surface passes gets a vertex for each sheet of the surface in it
(dual marching cubes), at the mean of the places where the surface crosses the cell's edges.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from ..array_types import Faces, Points
from .connected import edges_of, neighbour_means

_CORNERS = np.array(list(itertools.product((0, 1), repeat=3)))
_EDGES = [  # (axis, corner where it starts): four along each axis
    (axis, start) for axis in range(3) for start in range(8) if _CORNERS[start][axis] == 0
]
_STEP = (4, 2, 1)  # from a corner's number to that of its neighbour along each axis


def _sheets() -> NDArray[np.int64]:
    """For each of the 256 ways in which corners can be inside: the sheet that crosses each of the 12 edges, or -1."""
    table = np.full((256, 12), -1)
    faces = [
        [number for number, (along, start) in enumerate(_EDGES) if along != axis and _CORNERS[start][axis] == side]
        for axis in range(3)
        for side in (0, 1)
    ]
    for config in range(256):
        inside = [(config >> corner) & 1 for corner in range(8)]
        crossed = [
            number for number, (axis, start) in enumerate(_EDGES) if inside[start] != inside[start + _STEP[axis]]
        ]
        group = {number: number for number in crossed}
        for face in faces:
            on_face = [number for number in face if number in group]
            if len(on_face) == 2:  # four only where corners lie across, which `surface` avoids
                one, other = group[on_face[0]], group[on_face[1]]
                group = {number: one if of == other else of for number, of in group.items()}
        names = sorted(set(group.values()))
        for number, of in group.items():
            table[config, number] = names.index(of)
    return table


_SHEETS = _sheets()


def surface(field: NDArray[np.float32]) -> tuple[Points, Faces]:
    """The surface where a field is 0.

    Args:
        field: Samples, above 0 inside, shape (x, y, z). The outermost ones count as outside.

    Returns:
        Vertices (n, 3) in the unit of the samples' indices, and quads (m, 4), outwards.
    """
    values = without_crossings(np.pad(field, 1, constant_values=-1.0))
    inside = values > 0
    cells = np.zeros([size - 1 for size in inside.shape], np.int64)
    for number, (x, y, z) in enumerate(_CORNERS):
        size_x, size_y, size_z = cells.shape
        cells |= inside[x : x + size_x, y : y + size_y, z : z + size_z].astype(np.int64) << number
    keys, places, quads = [], [], []
    for axis in range(3):
        low = np.take(inside, range(inside.shape[axis] - 1), axis)
        high = np.take(inside, range(1, inside.shape[axis]), axis)
        start = np.argwhere(low != high)
        end = start.copy()
        end[:, axis] += 1
        first, second = values[tuple(start.T)], values[tuple(end.T)]
        crossing = start.astype(np.float64)
        crossing[:, axis] += first / (first - second)
        around = []
        one, other = (axis + 1) % 3, (axis + 2) % 3
        for back_one, back_other in ((0, 0), (1, 0), (1, 1), (0, 1)):
            cell = start.copy()
            cell[:, one] -= back_one
            cell[:, other] -= back_other
            corner = back_one * _STEP[one] + back_other * _STEP[other]
            sheet = _SHEETS[cells[tuple(cell.T)], _EDGES.index((axis, corner))]
            around.append(np.ravel_multi_index(tuple(cell.T), cells.shape) * 4 + sheet)
        keys.append(np.stack(around, axis=1))
        places.append(crossing)
        quads.append(np.where((first > 0)[:, None], keys[-1], keys[-1][:, ::-1]))
    corners, where = np.concatenate(keys), np.concatenate(places)
    names, index = np.unique(corners.ravel(), return_inverse=True)
    index = index.reshape(-1)
    count = np.bincount(index)
    vertices = np.stack([np.bincount(index, np.repeat(axis, 4)) / count for axis in where.T], axis=1)
    return vertices - 1.0, np.searchsorted(names, np.concatenate(quads))


def without_crossings(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Fills in samples until no four in a square are inside and outside crosswise, which no clean surface separates.

    Args:
        values: Above 0 inside, (x, y, z); the outermost ones are outside. They are changed.
    """
    while True:
        inside = values > 0
        has_crossings = False
        for first, second in ((0, 1), (0, 2), (1, 2)):
            corner = [
                np.roll(inside, (-along, -across), (first, second))
                for along, across in ((0, 0), (1, 0), (0, 1), (1, 1))
            ]
            crossed = (corner[0] == corner[3]) & (corner[1] == corner[2]) & (corner[0] != corner[1])
            if not crossed.any():
                continue
            has_crossings = True
            for place in np.argwhere(crossed):
                square = [
                    tuple(place + np.array([along * (axis == first) + across * (axis == second) for axis in range(3)]))
                    for along, across in ((0, 0), (1, 0), (0, 1), (1, 1))
                ]
                signs = [values[sample] > 0 for sample in square]
                if signs[0] == signs[3] and signs[1] == signs[2] and signs[0] != signs[1]:
                    values[max((s for s in square if values[s] <= 0), key=lambda s: values[s])] = 1e-3
        if not has_crossings:
            return values


def tightened(vertices: Points, faces: Faces, reach: float, steps: int) -> Points:
    """Takes the steps of the samples out of a surface: pulls it tight without moving any vertex by more than ``reach``.

    Args:
        vertices: (n, 3).
        faces: (m, 3) or (m, 4).
        reach: In the unit of the vertices.
        steps: More make longer steps smooth.
    """
    edges, _ = edges_of(faces)
    now = vertices.copy()
    for _ in range(steps):
        off = now + 0.6 * (neighbour_means(now, edges) - now) - vertices
        length = np.linalg.norm(off, axis=1, keepdims=True)
        now = vertices + off * np.minimum(1.0, reach / np.maximum(length, 1e-9))
    return now
