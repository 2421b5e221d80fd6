"""Which vertex follows which bone, and how much: by the ways from the bones through the body's volume.

Distances inside the volume tell a hand from the thigh that it hangs beside. A vertex follows the bone that is nearest
in this sense and the ones next to it, never a bone farther away in the skeleton: turning an arm cannot move a leg. A
loose piece that mostly follows one bone, such as an eye or a plate of armour, follows it as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..array_types import Array
from ..body.voxel_paths import VoxelGraph
from ..mesh.connected import by_size, components, neighbour_means
from .skeleton import Bone

MOST_INFLUENCES = 4

_DETOUR = 1.15  # ways along voxels are up to this much longer than straight ones
_SHARPNESS = 4.0
_LEAST = 0.03
_ROUNDS = 16  # of smoothing, which then reaches about two voxels far
_STIFF = 0.6
_MOST_OF_IT = 0.5
_SPOT = 0.3  # of a piece
_STEEPEST = 0.6  # of its length: how far a turn by a sixth of a circle may move one end of an edge against the other
_FLAT = 1e-3


def weights_for(inside: VoxelGraph, bones: Sequence[Bone], points: Array, edges: Array) -> Array:
    """The weight of every bone at every vertex, shape (vertices, bones): at most four each, 1 in sum.

    Args:
        inside: The body's volume.
        bones: Its skeleton, in the same space.
        points: Vertices, shape (vertices, 3).
        edges: Pairs of vertices joined by an edge, shape (edges, 2).
    """
    joined, allowed = _joined(bones)
    fields, straight = _distances(inside, bones)
    own = fields.argmin(axis=1)
    ways = np.where(joined[own], np.maximum(fields / _DETOUR, straight), np.inf)
    shares = ((ways.min(axis=1)[:, None] / ways) ** _SHARPNESS).astype(np.float32)
    shares /= shares.sum(axis=1)[:, None]
    faces = inside.neighbours[np.isclose(inside.lengths, inside.volume.cell)]
    for _ in range(_ROUNDS):
        total, count = shares.copy(), np.ones(len(shares), np.float32)
        for neighbour in faces:
            there = np.flatnonzero(neighbour >= 0)
            total[there] += shares[neighbour[there]]
            count[there] += 1
        shares = total / count[:, None] * allowed[own]
        shares /= shares.sum(axis=1)[:, None]
    weights = inside.volume.blend(shares, points)
    # Between voxels of two limbs that touch a vertex belongs to one of them.
    weights *= allowed[weights.argmax(axis=1)]
    weights /= weights.sum(axis=1)[:, None]
    piece = by_size(components(len(weights), edges))
    weights = _stiff(_like_around(weights, edges, piece, allowed), piece)
    weights = _eased(weights, bones, points, edges, allowed)
    # At most four for each vertex, with the same sum: less the fifth largest, so that none ends in a step.
    fifth = np.partition(weights, -MOST_INFLUENCES - 1, axis=1)[:, -MOST_INFLUENCES - 1, None]
    kept = np.maximum(weights - np.maximum(fifth, _LEAST), 0.0)
    return np.asarray(kept / kept.sum(axis=1)[:, None])


def _eased(weights: Array, bones: Sequence[Bone], points: Array, edges: Array, allowed: Array) -> Array:
    """The same with slopes where an edge would be torn: no joint's turn pulls one to more than a few times its length.

    A turn moves a vertex by its distance to the joint, times what it has of all the bones behind the joint. So this
    may change along an edge by a part of its length over that distance, and no more. It falls to nothing before a
    vertex that may follow none of these bones: else an arm's share would slope down the trunk onto the thigh.
    """
    number = {bone.role: index for index, bone in enumerate(bones)}
    behind = np.eye(len(bones))
    for index in range(len(bones) - 1, 0, -1):  # children come last
        behind[:, number[bones[index].parent]] += behind[:, index]
    carried = weights @ behind
    barred = (allowed @ behind == 0)[weights.argmax(axis=1)]
    way = np.concatenate((edges, edges[:, ::-1]))
    way = way[np.argsort(way[:, 0], kind="stable")]
    starts = np.searchsorted(way[:, 0], np.arange(len(weights) + 1))
    lengths = np.linalg.norm(points[way[:, 0]] - points[way[:, 1]], axis=1)
    for index, bone in enumerate(bones):
        reach = np.linalg.norm(points - bone.head, axis=1)
        steps = _STEEPEST * lengths / np.maximum(reach[way].min(axis=1), 1e-12)
        high, low = (sign * _raised(sign * carried[:, index], way, starts, steps) for sign in (1.0, -1.0))
        between = np.where(barred[:, index], 0.0, (high + low) / 2)
        carried[:, index] = -_raised(-between, way, starts, steps)
    own = np.maximum(carried @ np.linalg.inv(behind), 0.0)
    return np.asarray(own / own.sum(axis=1)[:, None])


def _raised(values: Array, way: Array, starts: Array, steps: Array) -> Array:
    """The least values above the given ones that fall along no edge by more than its step."""
    result = values.copy()
    front = np.unique(way[result[way[:, 0]] - steps > result[way[:, 1]] + _FLAT, 0])
    while len(front):
        counts = starts[front + 1] - starts[front]
        chosen = np.repeat(starts[front] - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        there, least = way[chosen, 1], result[way[chosen, 0]] - steps[chosen]
        higher = least > result[there] + _FLAT
        np.maximum.at(result, there[higher], least[higher])
        front = np.unique(there[higher])
    return result


def _joined(bones: Sequence[Bone]) -> tuple[Array, Array]:
    """Which bones are at most two steps apart, and which may share a vertex; shape (bones, bones) each."""
    number = {bone.role: index for index, bone in enumerate(bones)}
    parents = [number.get(bone.parent, index) for index, bone in enumerate(bones)]
    step = np.eye(len(bones), dtype=int)
    step[parents, np.arange(len(bones))] = step[np.arange(len(bones)), parents] = 1
    two = step @ step > 0
    # Three steps are too many away from the trunk: by way of the collar bone a hand would join what it lies on.
    near = two[["." not in bone.role for bone in bones]].any(axis=0)
    return two, two | (two @ step > 0) & near & near[:, None]


def _like_around(weights: Array, edges: Array, piece: Array, allowed: Array) -> Array:
    """Gives spots of the surface that lie on another limb what is around them: where a hand touches the hip."""
    own = weights.argmax(axis=1)
    spot = by_size(components(len(weights), edges[allowed[own[edges[:, 0]], own[edges[:, 1]]]]))
    largest = np.full(int(piece.max()) + 1, len(weights))
    np.minimum.at(largest, piece, spot)  # they are numbered by size
    counts = np.bincount(piece)[piece]
    known = (spot == largest[piece]) | (
        (np.bincount(spot)[spot] > _SPOT * counts) & (counts >= _MOST_OF_IT * len(weights))
    )
    result = weights * known[:, None]
    while not known.all():
        means = neighbour_means(result, edges)
        reached = ~known & (means.sum(axis=1) > 0)
        result[reached] = means[reached] / means[reached].sum(axis=1)[:, None]
        known |= reached
    return result


def _stiff(weights: Array, piece: Array) -> Array:
    """Gives loose pieces that mostly follow one bone wholly to it; not a piece that is most of the model."""
    count = np.bincount(piece)
    share = np.stack([np.bincount(piece, column) for column in weights.T], axis=1) / count[:, None]
    stiff = (share.max(axis=1) >= _STIFF) & (count < _MOST_OF_IT * len(weights))
    whole = np.eye(weights.shape[1])[share.argmax(axis=1)]
    return np.where(stiff[piece][:, None], whole[piece], weights)


def _distances(inside: VoxelGraph, bones: Sequence[Bone]) -> tuple[Array, Array]:
    """Distances of every voxel to every bone inside the body, and straight; shape (voxels, bones) each."""
    volume = inside.volume
    centres = volume.centres
    least = volume.cell * 0.05
    fields, straight = [], []
    for bone in bones:
        along = bone.tail - bone.head
        length = float(np.linalg.norm(along))
        # The very ends belong to the neighbours as much.
        steps = np.linspace(0.02, 0.98, max(int(length / volume.cell * 2), 2))[:, None]
        seeds = volume.at(bone.head + steps * along)
        if (seeds >= 0).any():
            seeds = np.unique(seeds[seeds >= 0])
        else:  # a bone beside the surface, such as one in the gap between two pieces
            seeds = np.array([volume.nearest((bone.head + bone.tail) / 2)])
        share = np.clip((centres - bone.head) @ along / max(length**2, 1e-18), 0.0, 1.0)
        direct = np.linalg.norm(centres - bone.head - share[:, None] * along, axis=1)
        straight.append(np.maximum(direct, least))
        fields.append(np.maximum(inside.distances(seeds, direct[seeds]), least))
    return np.stack(fields, axis=1), np.stack(straight, axis=1)
