"""Which way a body faces: along the plane between its legs, to where the feet point and the head is."""

from __future__ import annotations

import numpy as np

from ..array_types import Array
from .legs import Legs
from .measures import middle
from .voxel_paths import VoxelGraph, thick

_QUARTERS = {(1, False): 0, (1, True): 2, (0, False): 1, (0, True): 3}
"""Quarter turns that make a body face -Y, by the axis it faces along and whether it faces towards + of it."""

_USUAL, _SEEN = 0.085, 2.0  # without other evidence a body faces -Y; voxels, of both feet: less is how voxels lie
_STRIDE = 0.3  # of a leg's length, both together: by how much feet are longer along what the legs of a stride lie along
_SECTION, _LONG = 0.2, 2.0  # of a trunk's largest section: less stands out; times its width: no head is longer
_OUT, _SNOUT, _BAR = 0.54, 0.55, 0.4  # of the trunk, from its middle: a snout; less wide and high; of its width: higher
_BALL, _EDGE, _PAIR = 0.25, 2**0.5, 8  # of the largest ball inside; times its radius from its middle: no ear; voxels
_EARS, _APART, _ASIDE = 0.05, 0.05, 0.2  # of the trunk, from its middle: ears at one end; each of them; no pair


def biped_front(inside: VoxelGraph, legs: Legs) -> int:
    """Quarter turns that make a biped face -Y: its feet point forwards; in a stride its legs lie along this way."""
    ahead, (reach, size, more) = 1 - legs.lateral, _feet(inside, legs).sum(axis=1)
    long = size + np.abs(reach)
    if long[legs.lateral] > long[ahead] + _STRIDE and legs.slenderness(inside) > 1:  # stubs are wide, and stride not
        ahead = legs.lateral
    least = max(_USUAL, _SEEN * inside.volume.cell / (legs.top - inside.volume.floor)) if ahead == 1 else 0.0
    stands_out = min(reach[1], more[1]) if ahead == 1 else reach[0]  # a shin that leans is no foot
    return _QUARTERS[(ahead, stands_out > least)]


def quadruped_front(inside: VoxelGraph, legs: Legs) -> int:
    """Quarter turns that make a quadruped face -Y: its toes point there, its head is higher, thicker, with a face."""
    ahead = 1 - legs.lateral
    toes = float(np.clip(2 * np.median(_feet(inside, legs)[0][:, ahead]), -1, 1))
    score = 0.5 * _weight(inside, legs, ahead) + _thickness(inside, legs, ahead) + toes + face(inside, legs)
    return _QUARTERS[(ahead, score > 0)]


def face(inside: VoxelGraph, legs: Legs) -> float:
    """Where the face of a head on legs is, -1 to 1, positive at the + end: a snout in its middle, ears nearer to it."""
    above, cells = inside.volume.centres[:, 2] > legs.top, inside.volume.cells[:, [legs.lateral, 1 - legs.lateral, 2]]
    trunk = [np.flatnonzero(areas >= _SECTION * areas.max())[[0, -1]] for areas in map(np.bincount, cells[above].T)]
    size = np.ptp(trunk, axis=1) + 1
    places = (cells - np.mean(trunk, axis=1)) / size
    beyond = above & (np.abs(places) > 0.5).any(axis=1) & (np.abs(places[:, 1]) < 0.5) & (places[:, 2] > 0)
    bulk = thick(inside, _BALL * float(inside.depth.max()), _EDGE)  # and a belt, which is beyond the trunk as ears are
    for ears in (places[beyond], places[beyond & ~bulk]):
        aside, along, _ = ears.mean(axis=0) if len(ears) >= _PAIR else np.zeros(3)
        snout = places[inside.labels(above & (np.sign(along) * places[:, 1] > _OUT)) == 0]  # no ear that leans ahead
        if not len(snout) or np.percentile(np.abs(ears[:, 0]), 5) < _APART or size[1] > _LONG * size[0]:
            continue
        aside = max(abs(aside), abs(snout[:, 0].mean()))
        wide, _, tall = np.ptp(np.percentile(snout, (10, 90), axis=0), axis=0)
        if max(wide, tall) < _SNOUT and tall * size[2] > _BAR * wide * size[0] and aside < _ASIDE:
            return float(np.clip(along / _EARS, -1, 1))
    return 0.0


def _feet(inside: VoxelGraph, legs: Legs) -> Array:
    """How far each foot reaches to the + ends of x and y, from its shin, how long it is, and how much longer than that.

    Shape (3, legs, 2), in parts of a leg's length; nothing for a foot in the air.
    """
    floor, length = inside.volume.floor, legs.top - inside.volume.floor
    feet = np.zeros((3, len(legs.members), 2))
    for number, leg in enumerate(legs.members):
        shin = middle(inside, leg, 2, floor + 0.26 * length)  # near the ankle: a leg that swings leans
        foot = legs.foot(inside, leg, shin, floor + 0.13 * length)[:, :2]
        if len(foot):
            low, high, own = foot.min(axis=0), foot.max(axis=0), inside.volume.centres[leg]
            shank = np.ptp(own[np.abs(own[:, 2] - shin[2]) <= inside.volume.cell, :2], axis=0)
            feet[:, number] = np.stack((high + low - 2 * shin[:2], high - low, high - low - shank)) / length
    return feet


def _weight(inside: VoxelGraph, legs: Legs, ahead: int) -> float:
    """Where what is high above the legs lies: -1 to 1, positive at the + end."""
    centres, half = inside.volume.centres, legs.middles(inside)[:, ahead].mean()
    weight = np.maximum(centres[:, 2] - legs.top, 0.0) ** 2
    return 2 * float(weight[centres[:, ahead] > half].sum()) / max(float(weight.sum()), 1e-12) - 1


def _thickness(inside: VoxelGraph, legs: Legs, ahead: int) -> float:
    """Which end is thicker in its outer half, beyond the legs: -1 to 1."""
    centres, places = inside.volume.centres, legs.middles(inside)[:, ahead]
    ends = []
    for sign, outermost in ((-1, -places.min()), (1, places.max())):
        beyond = sign * centres[:, ahead] - outermost
        ends.append(float(np.percentile(inside.depth[beyond > 0.5 * beyond.max()], 90)) if beyond.max() > 0 else 0.0)
    return (ends[1] - ends[0]) / max(*ends, 1e-12)
