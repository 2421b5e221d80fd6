"""The surface of a volume as quads: closed, and with exactly two faces at every edge. numpy only.

Surface nets: every cell between eight samples that the surface passes gets a vertex for each sheet of the surface in it
(dual marching cubes), at the mean of the places where the surface crosses the cell's edges.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from ..array_types import Faces, Points
from .connected import components, edges_of, neighbour_means

_CORNERS = np.array(list(itertools.product((0, 1), repeat=3)))
_EDGES = [  # (axis, corner where it starts): four along each axis
    (axis, start) for axis in range(3) for start in range(8) if _CORNERS[start][axis] == 0
]
_STEP = (4, 2, 1)  # from a corner's number to that of its neighbour along each axis
_AXES = np.eye(3, dtype=int)


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
        on_faces = [[number for number in face if number in crossed] for face in faces]
        pairs = [pair for pair in on_faces if len(pair) == 2]  # four only where corners lie across: `surface` avoids it
        sheet = components(len(_EDGES), np.array(pairs, int).reshape(-1, 2))
        table[config, crossed] = np.unique(sheet[crossed], return_inverse=True)[1]
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
    corners = np.lib.stride_tricks.sliding_window_view(inside, (2, 2, 2))
    cells = np.zeros(corners.shape[:3], np.int64)
    for number, corner in enumerate(_CORNERS):
        cells |= corners[..., *corner].astype(np.int64) << number
    keys, places, quads = [], [], []
    for axis in range(3):
        along, one, other = np.roll(_AXES, -axis, axis=0)
        start = np.argwhere(np.diff(inside, axis=axis))
        first, second = values[tuple(start.T)], values[tuple((start + along).T)]
        crossing = start.astype(np.float64)
        crossing[:, axis] += first / (first - second)
        around = []
        for back in (0 * one, one, one + other, other):
            cell = tuple((start - back).T)
            sheet = _SHEETS[cells[cell], _EDGES.index((axis, back @ _STEP))]
            around.append(np.ravel_multi_index(cell, cells.shape) * 4 + sheet)
        keys.append(np.stack(around, axis=1))
        places.append(crossing)
        quads.append(np.where((first > 0)[:, None], keys[-1], keys[-1][:, ::-1]))
    names, index, count = np.unique(np.concatenate(keys).ravel(), return_inverse=True, return_counts=True)
    where = np.concatenate(places).repeat(4, axis=0)
    vertices = np.stack([np.bincount(index, along) / count for along in where.T], axis=1)
    return vertices - 1.0, np.searchsorted(names, np.concatenate(quads))


def without_crossings(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Fills in samples until no four in a square are inside and outside crosswise, which no clean surface separates.

    Args:
        values: Above 0 inside, (x, y, z); the outermost ones are outside. They are changed.
    """
    samples = values.reshape(-1).data  # one after the other, and quicker to read than an array
    while True:
        inside = values > 0
        has_crossings = False
        for first, second in itertools.combinations(_AXES, 2):
            steps = (0 * first, first, second, first + second)
            corner = [np.roll(inside, -step, (0, 1, 2)) for step in steps]
            crossed = (corner[0] == corner[3]) & (corner[1] == corner[2]) & (corner[0] != corner[1])
            has_crossings |= bool(crossed.any())
            ways = np.ravel_multi_index(np.transpose(steps), values.shape).tolist()
            for place in np.flatnonzero(crossed).tolist():
                square = [place + way for way in ways]
                signs = [samples[sample] > 0 for sample in square]
                if signs[0] == signs[3] and signs[1] == signs[2] and signs[0] != signs[1]:
                    samples[max((s for s in square if samples[s] <= 0), key=lambda s: samples[s])] = 1e-3
        if not has_crossings:
            return values


def tightened(vertices: Points, faces: Faces, reach: float | Points, steps: int) -> Points:
    """Takes the steps of the samples out of a surface: pulls it tight without moving any vertex by more than ``reach``.

    Args:
        vertices: (n, 3); or of an outline, (n, 2).
        faces: (m, 3) or (m, 4); of an outline the ends of its pieces, (m, 2).
        reach: In the unit of the vertices; of all or of each, (n, 1).
        steps: More make longer steps smooth.
    """
    edges, _ = edges_of(faces)
    now = vertices.copy()
    for _ in range(steps):
        off = now + 0.6 * (neighbour_means(now, edges) - now) - vertices
        length = np.linalg.norm(off, axis=1, keepdims=True)
        now = vertices + off * np.minimum(1.0, reach / np.maximum(length, 1e-9))
    return now
