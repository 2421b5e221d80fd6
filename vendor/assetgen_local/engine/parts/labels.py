"""Which part each face belongs to: by what the body analysis knows, by loose pieces, or by thick and thin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from mathutils.kdtree import KDTree

from ..array_types import Array
from ..body.classify import BIPED, OTHERS, Body
from ..body.voxel_paths import VoxelGraph
from ..rigging.skeleton import Bone, bones_for
from .face_graph import FaceGraph
from .volumes import by_thickness

MOST_PARTS = 12

_PIECE = 0.01  # of the surface: smaller loose pieces belong to what they are on
_WHOLE = 0.6  # a loose piece of which this much is in one part goes with it as a whole
_ISLAND = 0.2  # of a part's surface: smaller islands of it belong to what is around them
_ALONE = 0.75  # of an island's border: with less, it lies between parts
_ROUNDS = 6  # of looking at what is beside a face
_SOFT = 1.5  # voxels

_ARM = ("arm", "forearm", "hand")
_LEG = ("thigh", "shin", "foot", "toe")
_WORDS = {"L": "left", "R": "right"}


@dataclass(frozen=True, slots=True)
class PartLabels:
    """A part for every face: numbers, and the name of each."""

    of_faces: Array
    names: list[str]


def find_parts(body: Body, surface: FaceGraph) -> PartLabels:
    """The parts of a model; just one where nothing stands out.

    Args:
        body: What is known about it.
        surface: Its faces, turned as the body is.
    """
    if body.kind != OTHERS:
        return _of_body(body, surface)
    large = np.bincount(surface.pieces, surface.areas) >= _PIECE * surface.areas.sum()
    if large.sum() > 1:
        return numbered(surface, _of_pieces(surface, large))
    return numbered(surface, labels_of_voxels(body.inside, surface, by_thickness(body.inside, MOST_PARTS)))


def labels_of_voxels(inside: VoxelGraph, surface: FaceGraph, voxels: Array) -> Array:
    """The part of each face, from the part of each voxel; with even borders and without crumbs."""
    shares = np.eye(int(voxels.max()) + 1, dtype=np.float32)[voxels]
    return _tidy(surface, inside.volume.blend(shares, surface.middles))


def numbered(surface: FaceGraph, labels: Array) -> PartLabels:
    """Parts named part_0 and so on, the largest first."""
    used, index = np.unique(labels, return_inverse=True)
    index = index.reshape(-1)
    order = np.argsort(-np.bincount(index, surface.areas), kind="stable")
    rank = np.empty(len(used), np.int64)
    rank[order] = np.arange(len(used))
    return PartLabels(rank[index], [f"part_{number}" for number in range(len(used))])


def _of_body(body: Body, surface: FaceGraph) -> PartLabels:
    bones = bones_for(body.kind, body.joints)
    names = list(dict.fromkeys(_part_name(bone, body.kind) for bone in bones))
    inside = body.inside
    ways = np.stack(
        [_ways(inside, [bone for bone in bones if _part_name(bone, body.kind) == name]) for name in names], axis=1
    )
    # Smooth on both sides of a border, so that it runs where both parts are equally near.
    shares = np.exp((ways.min(axis=1)[:, None] - ways) / (_SOFT * inside.volume.cell))
    labels = _tidy(surface, inside.volume.blend(shares, surface.middles))
    labels = _whole_pieces(surface, labels, len(names))
    used, index = np.unique(labels, return_inverse=True)
    return PartLabels(index.reshape(-1), [names[part] for part in used])


def _ways(inside: VoxelGraph, bones: Sequence[Bone]) -> Array:
    """Ways of all voxels to the balls around some bones that just fit into the body; plus the largest ball's radius."""
    volume = inside.volume
    lines = []
    for bone in bones:
        count = max(int(np.linalg.norm(bone.tail - bone.head) / volume.cell), 2)
        lines.append(bone.head + np.linspace(0.0, 1.0, count)[:, None] * (bone.tail - bone.head))
    seeds = volume.at(np.concatenate(lines))
    seeds = np.unique(seeds[seeds >= 0])
    if not len(seeds):
        seeds = np.array([volume.nearest((bones[0].head + bones[0].tail) / 2)])
    return inside.distances(seeds, float(inside.depth.max()) - inside.depth[seeds])


def _part_name(bone: Bone, kind: str) -> str:
    """What a person calls the part that a bone is in."""
    plain, _, side = bone.role.partition(".")
    if kind == BIPED:
        if plain in _ARM or plain in _LEG:
            return f"{'arm' if plain in _ARM else 'leg'}_{_WORDS[side]}"
        return "head" if plain in ("neck", "head") else "torso"
    if side:
        return f"leg_{plain.split('_')[0]}_{_WORDS[side]}"
    return "head" if plain in ("neck", "head") else "tail" if plain.startswith("tail") else "body"


def _of_pieces(surface: FaceGraph, large: Array) -> Array:
    """Loose pieces, the small ones with the large one that they are nearest to; at most twelve."""
    areas = np.bincount(surface.pieces, surface.areas)
    kept = np.flatnonzero(large)[:MOST_PARTS]  # pieces are numbered by size
    belongs = np.full(len(areas), -1)
    belongs[kept] = kept
    base = np.flatnonzero(belongs[surface.pieces] >= 0)
    tree = KDTree(len(base))
    for face in base.tolist():
        tree.insert(surface.middles[face], face)
    tree.balance()
    nearest = np.full(len(areas), np.inf)
    for face in np.flatnonzero(belongs[surface.pieces] < 0).tolist():
        piece = surface.pieces[face]
        _, other, distance = tree.find(surface.middles[face])
        if distance < nearest[piece]:
            nearest[piece] = distance
            belongs[piece] = belongs[surface.pieces[other]]
    result: Array = belongs[surface.pieces]
    return result


def _tidy(surface: FaceGraph, shares: Array) -> Array:
    """The part that has most of each face and of those around it; islands of a part go to what is around them.

    Args:
        surface: The faces.
        shares: How much each part has of each face, shape (faces, parts).
    """
    count = shares.shape[1]
    source, target = np.concatenate((surface.sides, surface.sides[:, ::-1])).T
    beside = np.bincount(target, minlength=len(shares))[:, None] + 1.0
    for _ in range(_ROUNDS):
        around = [np.bincount(target, shares[source, part], len(shares)) for part in range(count)]
        shares = (shares + np.stack(around, axis=1)) / beside
    labels = shares.argmax(axis=1)
    pieces = np.bincount(surface.pieces, surface.areas)
    for _ in range(2):
        island = surface.islands(labels)
        size = np.bincount(island, surface.areas)
        label = np.zeros(len(size), np.int64)
        label[island] = labels
        piece = np.zeros(len(size), np.int64)
        piece[island] = surface.pieces
        whole = np.bincount(labels, surface.areas, count)
        votes = np.zeros((len(size), count), np.int64)
        border = island[source] != island[target]
        np.add.at(votes, (island[target[border]], labels[source[border]]), 1)
        # Hips are little of a torso whose chest is a piece of its own, but what two legs hang on is none of them.
        joins = (votes.max(axis=1) < _ALONE * votes.sum(axis=1)) & (size >= _ISLAND * pieces[piece])
        crumb = (size < _ISLAND * whole[label]) & (votes.sum(axis=1) > 0) & ~joins
        labels = np.where(crumb, votes.argmax(axis=1), label)[island]
    return labels


def _whole_pieces(surface: FaceGraph, labels: Array, count: int) -> Array:
    """Gives loose pieces that are mostly in one part to it; not a piece that is most of the model."""
    total = np.bincount(surface.pieces, surface.areas)
    shares = (
        np.stack(
            [np.bincount(surface.pieces, surface.areas * (labels == part), len(total)) for part in range(count)], axis=1
        )
        / np.maximum(total, 1e-30)[:, None]
    )
    whole = (shares.max(axis=1) >= _WHOLE) & (total < 0.5 * total.sum())
    return np.where(whole[surface.pieces], shares.argmax(axis=1)[surface.pieces], labels)
