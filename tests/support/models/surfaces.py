"""What shape a model of a test has: seen from a side, and as a surface. numpy only; nothing of the engine's code."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from support.models.meshes import Array, Part


def triangles_of(parts: Sequence[Part]) -> Array:
    """All corners, (triangles, 3, 3)."""
    return np.concatenate([part.positions[part.triangles] for part in parts])


def silhouette(triangles: Array, box: Array, shape: tuple[int, int], across: int, up: int) -> Array:
    """Which pixels a model covers, top row first.

    Args:
        triangles: As :func:`triangles_of` gives them.
        box: Lowest and highest corner of what the picture shows, (2, 3).
        shape: Height and width of the picture.
        across: The axis that runs to the right: 1 to 3 for x to z, negative where it runs to the left.
        up: The axis that runs upwards, the same way.
    """
    height, width = shape
    flat = np.empty((*triangles.shape[:2], 2))
    for column, (axis, pixels) in enumerate(((across, width), (up, height))):
        low, high = box[:, abs(axis) - 1]
        part = (triangles[..., abs(axis) - 1] - low) / (high - low)
        flat[..., column] = (part if axis > 0 else 1 - part) * pixels
    lows = np.clip(np.ceil(flat.min(axis=1) - 0.5), 0, (width, height)).astype(int)
    sizes = np.maximum(np.clip(np.floor(flat.max(axis=1) + 0.5), 0, (width, height)).astype(int) - lows, 0)
    # Every pixel of every triangle's box, all at once.
    counts = sizes.prod(axis=1)
    which = np.repeat(np.arange(len(flat)), counts)
    number = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
    x = lows[which, 0] + number % np.maximum(sizes[which, 0], 1)
    y = lows[which, 1] + number // np.maximum(sizes[which, 0], 1)
    first, second, third = np.moveaxis(flat, 1, 0)
    twice = _cross(second - first, third - first)
    inside = np.abs(twice[which]) > 1e-12
    for start, end in ((first, second), (second, third), (third, first)):
        place = np.stack((x + 0.5, y + 0.5), axis=1) - start[which]
        inside &= _cross((end - start)[which], place) * np.sign(twice[which]) >= -1e-9
    covered = np.zeros(shape, bool)
    covered[y[inside], x[inside]] = True
    return covered[::-1]


def _cross(first: Array, second: Array) -> Array:
    return np.asarray(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])


def overlap(first: Array, second: Array) -> float:
    """Intersection over union of two masks."""
    return float((first & second).sum() / max(1, (first | second).sum()))


def cut_out(mask: Array) -> Array:
    """The mask without empty rows and columns around it."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def row_numbers(rows: Array) -> Array:
    """One number for each row of whole numbers, (n,): equal where rows are, and in the order of the rows.

    To sort these is ten times as quick as to sort rows.
    """
    low = rows.min(axis=0)
    return np.ravel_multi_index(tuple((rows - low).T), tuple(rows.max(axis=0) - low + 1))


class Surface:
    """A model as one surface, with corners joined that lie at the same place (files split them along seams)."""

    def __init__(self, parts: Sequence[Part], distance: float = 1e-5) -> None:
        corners = triangles_of(parts)
        grid = np.round(corners.reshape(-1, 3) / distance).astype(np.int64)
        _, index = np.unique(row_numbers(grid), return_inverse=True)
        self.triangles = index.reshape(-1, 3)
        self.positions = np.empty((int(index.max()) + 1, 3))
        self.positions[index.reshape(-1)] = corners.reshape(-1, 3)
        distinct = (self.triangles != np.roll(self.triangles, 1, axis=1)).all(axis=1)
        self.triangles = self.triangles[distinct]
        directed = np.concatenate((self.triangles[:, :2], self.triangles[:, 1:], self.triangles[:, [2, 0]]))
        edges = np.sort(directed, axis=1)
        _, first, self._uses = np.unique(row_numbers(edges), return_index=True, return_counts=True)
        self._edges = edges[first]
        self._directed = directed

    @property
    def open_edges(self) -> int:
        """Edges with an odd number of triangles: the rims of holes."""
        return int((self._uses % 2).sum())

    @property
    def crowded_edges(self) -> int:
        """Edges with more than two triangles."""
        return int((self._uses > 2).sum())

    @property
    def volume(self) -> float:
        """Positive when the triangles face outwards."""
        a, b, c = np.moveaxis(self.positions[self.triangles], 1, 0)
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)

    def pieces(self) -> Array:
        """The loose piece of every vertex, numbered from 0."""
        root = np.arange(len(self.positions))
        while True:
            lower = root.copy()
            np.minimum.at(lower, self._edges[:, 0], root[self._edges[:, 1]])
            np.minimum.at(lower, self._edges[:, 1], root[self._edges[:, 0]])
            lower = lower[lower]
            if (lower == root).all():
                return np.unique(root, return_inverse=True)[1]
            root = lower

    def holes(self) -> int:
        """How many holes go through a closed surface: the sum of the genus of its pieces."""
        euler = len(self.positions) - len(self._edges) + len(self.triangles)
        return (2 * (int(self.pieces().max()) + 1) - euler) // 2
