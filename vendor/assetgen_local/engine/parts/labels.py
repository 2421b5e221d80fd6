"""Which part each face belongs to: by the bones of a body, by loose pieces, or by what sees little of the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..array_types import Array
from ..body.classify import BIPED, OTHERS, Body
from ..body.voxel_paths import VoxelGraph, nearest_of
from ..mesh.connected import by_size
from . import volumes
from .face_graph import FaceGraph
from .limbs import NAMED, limbs
from .seams import least_cut

_PIECE = 0.01  # of the surface: smaller loose pieces belong to what they are on
_ASTRAY = 1.5  # times the thickness
_LITTLE, _MOST = 0.03, 0.5  # of a surface
_ALIKE = 0.6  # of the larger one's surface
_LEVEL = 0.1  # of the model's height, that the middles of things alike differ by
_HANGING = 3.0  # times how far it is below the chest: so much farther from the head is a cape that begins there
_BY_CHANCE = 0.05  # of what a part touches most: voxels of a seat that are nearest to its legs


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
    if body.likely != OTHERS:
        return around(body, surface, limbs(body, steps=NAMED))
    return numbered(surface, _cut_further(body.inside, surface, _of_pieces(surface), None))


def so_many_parts(body: Body, surface: FaceGraph, count: int) -> PartLabels:
    """As many parts as asked for, where the faces allow it; at the joints of a body first, then at other seams."""
    if body.likely != OTHERS:
        chosen = limbs(body, most=count)
        for astray in (_ASTRAY, _ASTRAY / 4):
            of_faces = around(body, surface, chosen, astray).of_faces
            if of_faces.max() + 1 == len(chosen):
                break
    else:
        of_faces = _cut_further(body.inside, surface, _of_pieces(surface), None, least=count)
        of_faces = _gathered(body.inside, surface, by_size(of_faces, surface.areas), count)
    begin = of_faces
    for more in range(count):  # a part of the volume may have no face
        if len(np.unique(of_faces)) >= count:
            break
        of_faces = _cut_further(body.inside, surface, begin, count + more)
    return numbered(surface, _gathered(body.inside, surface, by_size(of_faces, surface.areas), count))


@lru_cache(maxsize=1)
def _nearest_faces(inside: VoxelGraph, surface: FaceGraph) -> Array:
    """The nearest face to each voxel."""
    return nearest_of(surface.middles, np.arange(len(surface.areas)), inside.volume.centres)


def _cut_further(inside: VoxelGraph, surface: FaceGraph, of_faces: Array, count: int | None, least: int = 1) -> Array:
    """The part of each face once the volume of the parts that there are is cut apart; no face leaves its part.

    As many as are there by nature where no count is wanted; and then all is one part if that is less than ``least``.
    """
    near = _nearest_faces(inside, surface)
    there, begin = np.unique(of_faces[near], return_inverse=True)
    voxels = volumes.cut_apart(inside, begin.reshape(-1), surface.pieces[near], count)
    cut_from = np.zeros(int(voxels.max()) + 1, np.int64)
    if len(cut_from) < least:
        return np.zeros_like(of_faces)
    cut_from[voxels] = there[begin.reshape(-1)]
    ways = [inside.distances(np.flatnonzero(voxels == part)) for part in range(len(cut_from))]
    return _nearest_part(inside, surface, ways, _ASTRAY / 4, of_faces[:, None] != cut_from)


def _gathered(inside: VoxelGraph, surface: FaceGraph, of_faces: Array, count: int) -> Array:
    """Fewer parts: the smallest goes with its like beside it, as chair legs do, else to what it touches most."""
    group = np.arange(int(of_faces.max()) + 1)
    part = of_faces[_nearest_faces(inside, surface)]
    source, target = inside.links
    pairs = part[source] * len(group) + part[target]
    contact = np.bincount(pairs, minlength=len(group) ** 2).reshape(len(group), -1) * (1 - np.eye(len(group)))
    contact += contact.T
    sizes = np.bincount(of_faces, surface.areas)
    one = sizes.copy()  # of the things alike that are one part
    heights = np.bincount(of_faces, surface.areas * surface.middles[:, 2]) / sizes
    level = _LEVEL * np.ptp(surface.middles[:, 2])
    while len(kept := np.unique(group)) > count:
        small = kept[sizes[kept].argmin()]
        apart = (contact[small] <= _BY_CHANCE * contact[small].max()) & (np.abs(heights - heights[small]) <= level)
        like = np.minimum(one, one[small]) / np.maximum(one, one[small]) * apart
        others = kept[kept != small]
        alike = like[others].max() > _ALIKE
        other = others[(like if alike else contact[small])[others].argmax()]
        one[other] = one[other] if alike else sizes[other] + sizes[small]
        heights[other] = np.average(heights[[other, small]], weights=sizes[[other, small]])
        group[group == small] = other
        sizes[other] += sizes[small]
        for table in (contact, contact.T):
            table[other] += table[small]
            table[small] = table[other, other] = 0
    return np.asarray(group[of_faces])


def numbered(surface: FaceGraph, labels: Array) -> PartLabels:
    """Parts named part_0 and so on, the largest first."""
    index = by_size(labels, surface.areas)
    return PartLabels(index, [f"part_{number}" for number in range(int(index.max()) + 1)])


def around(body: Body, surface: FaceGraph, parts: Mapping[str, Array], astray: float = _ASTRAY) -> PartLabels:
    """Parts by name around points, shape (n, 3), turned as the body is: of one for which no face is left, nothing."""
    volume = body.inside.volume
    below = np.maximum((body.joints["chest"][2] if body.likely == BIPED else -np.inf) - volume.centres[:, 2], 0.0)
    ways = []
    for name, points in parts.items():
        seeds = volume.at(points)
        seeds = np.unique(seeds[seeds >= 0])
        seeds = seeds if len(seeds) else np.array([volume.nearest(points.mean(axis=0))])
        ways.append(body.inside.distances(seeds) + _HANGING * below * (name in ("head", "skull")))
    used, index = np.unique(_nearest_part(body.inside, surface, ways, astray), return_inverse=True)
    return PartLabels(index.reshape(-1), [list(parts)[part] for part in used])


def _nearest_part(
    inside: VoxelGraph, surface: FaceGraph, ways: Sequence[Array], astray: float = _ASTRAY, barred: Array | None = None
) -> Array:
    """The part that each face is nearest to, by how far each voxel is from each part.

    A loose piece goes with a part as a whole where that takes it nowhere ``astray`` times its thickness farther than it
    would have to go; ``barred`` are the parts that each face cannot be in, shape (faces, parts).
    """
    fields = np.stack([*ways, volumes.thickness(inside)], axis=1)
    far, thickness = np.split(inside.volume.blend(fields, surface.middles), [-1], axis=1)
    if barred is not None:
        far = far + 10 * far.max() * barred
    for reach in (1.0, 0.5, 0.25, 0.125):
        labels = least_cut(surface, far, thickness[:, 0] * reach)
        if len(np.unique(labels)) == len(np.unique(far.argmin(axis=1))):
            break  # else a part is so small that a cut around it costs more than it is worth
    return _whole_pieces(surface, labels, (far - far.min(axis=1)[:, None]) / thickness, astray)


def _of_pieces(surface: FaceGraph) -> Array:
    """Loose pieces, the small ones with the large one that they are nearest to; at most twelve, one of crumbs alone."""
    areas = np.bincount(surface.pieces, surface.areas)
    kept = (areas >= _PIECE * areas.sum()) & (np.arange(len(areas)) < volumes.MOST_PARTS)  # pieces are numbered by size
    kept[0] = True
    small = np.flatnonzero(~kept[surface.pieces])
    near = nearest_of(surface.middles, np.flatnonzero(kept[surface.pieces]), surface.middles[small])
    gaps = np.linalg.norm(surface.middles[near] - surface.middles[small], axis=1)
    order = np.argsort(-gaps, kind="stable")  # the nearest face of each piece has the last word
    belongs = np.arange(len(areas))
    belongs[surface.pieces[small[order]]] = surface.pieces[near[order]]
    return np.asarray(np.unique(belongs[surface.pieces], return_inverse=True)[1].reshape(-1))


def _whole_pieces(surface: FaceGraph, labels: Array, farther: Array, astray: float) -> Array:
    """Gives a loose piece to one part where hardly any of it is much nearer to another: a shoe, but not a coat."""
    count = int(surface.pieces.max()) + 1
    total, wrong = (
        np.stack([np.bincount(surface.pieces, surface.areas * column, count) for column in columns.T], axis=1)
        for columns in (farther, farther > astray)
    )
    best = total.argmin(axis=1)
    areas = np.bincount(surface.pieces, surface.areas)
    whole = (wrong[np.arange(count), best] <= _LITTLE * areas) & (areas < _MOST * areas.sum())
    return np.where(whole[surface.pieces], best[surface.pieces], labels)
