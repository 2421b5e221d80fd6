"""Parts of a volume: what is thick, what sticks out of it, halves of what is large."""

from __future__ import annotations

import numpy as np

from ..array_types import Array
from ..body.voxel_paths import VoxelGraph, depth_of, thick

_THIN = 0.62  # of the largest thickness: what is thinner may be a part of its own
_OUT = 1.2  # a part sticks out by this many times that thickness
_OFF = 0.4
_SMALLEST = 0.006  # of all voxels
_DEPTH = 2  # parts of parts


def by_thickness(inside: VoxelGraph, most: int) -> Array:
    """The part of every voxel: 0 for the thickest, others for what sticks out of it and is thinner.

    Args:
        inside: The model.
        most: How many parts at most; the smallest ones join what they touch.
    """
    everything = np.ones(len(inside.volume.cells), bool)
    parts = _apart(inside, everything, _DEPTH)
    labels = np.zeros(len(everything), np.int64)
    for number, part in enumerate(parts):
        labels[part] = number
    return to_count(inside, labels, most, grow=False)


def to_count(inside: VoxelGraph, labels: Array, count: int, *, grow: bool = True) -> Array:
    """Merges the smallest parts into what they touch most, or halves the largest, until there are ``count``."""
    labels = labels.copy()
    source, target = inside.links
    while len(sizes := np.bincount(labels)) > count:
        small = int(sizes.argmin())
        touching = np.concatenate((labels[target[labels[source] == small]], labels[source[labels[target] == small]]))
        votes = np.bincount(touching[touching != small], minlength=len(sizes))
        labels[labels == small] = int(votes.argmax()) if votes.any() else int(sizes.argmax())
        labels = np.unique(labels, return_inverse=True)[1].reshape(-1)
    while grow and (made := int(labels.max()) + 1) < count:
        largest = np.flatnonzero(labels == int(np.bincount(labels).argmax()))
        if len(largest) < 2:
            break
        first = largest[int(inside.distances(largest[:1])[largest].argmax())]
        from_first = inside.distances(np.array([first]))
        second = largest[int(from_first[largest].argmax())]
        nearer = inside.distances(np.array([second]))[largest] < from_first[largest]
        labels[largest[nearer]] = made
    return labels


def around(inside: VoxelGraph, points: Array) -> Array:
    """The number of the nearest of some points for every voxel, by ways inside the model.

    Args:
        inside: The model.
        points: Shape (k, 3); each counts from the voxel nearest to it.
    """
    ways = [inside.distances(np.array([inside.volume.nearest(point)])) for point in points]
    return np.argmin(ways, axis=0)


def _apart(inside: VoxelGraph, part: Array, depth: int) -> list[Array]:
    """A part, taken into its thick core and what sticks out of it, again and again; the core first."""
    volume = inside.volume
    solid = np.zeros(volume.solid.shape, bool)
    solid[tuple(volume.cells.T)] = part
    radius = _THIN * float(depth_of(solid).max()) * volume.cell
    least = _SMALLEST * len(part)
    if depth == 0 or radius < 2 * volume.cell or part.sum() < 2 * least:
        return [part]
    core = thick(inside, radius, part)
    distance = inside.distances(np.flatnonzero(core))
    # Pieces are told apart some way off: just outside the core a thin layer joins them all.
    off = inside.labels(part & ~core & (distance > _OFF * radius))
    standing: list[Array] = []
    for piece in range(int(off.max()) + 1):
        members = off == piece
        if members.sum() < least:
            break  # pieces are numbered by size
        if float(distance[members].max()) > _OUT * radius:
            foot = inside.distances(np.flatnonzero(members)) < _OFF * radius * 1.2
            standing.append((members | (foot & part & ~core)) & ~np.any([np.zeros_like(part), *standing], axis=0))
    # What does not stand out belongs to the core that it is nearest to; a core in pieces is several parts.
    rest = part & ~np.any([np.zeros_like(part), *standing], axis=0)
    cores = inside.labels(core & rest)
    large = [cores == piece for piece in range(int(cores.max()) + 1)]
    large = [piece for piece in large if piece.sum() >= least] or large[:1]
    nearest = np.argmin([inside.distances(np.flatnonzero(piece)) for piece in large], axis=0)
    pieces = [rest & (nearest == number) for number in range(len(large))]
    return pieces + [inner for members in standing for inner in _apart(inside, members, depth - 1)]
