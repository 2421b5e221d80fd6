"""Which way a body faces: along the plane between its legs, to where the feet point and the head is."""

from __future__ import annotations

import numpy as np

from ..array_types import Array
from .legs import Legs
from .measures import middle
from .voxel_paths import VoxelGraph

_QUARTERS = {(1, False): 0, (1, True): 2, (0, False): 1, (0, True): 3}
"""Quarter turns that make a body face -Y, by the axis it faces along and whether it faces towards + of it."""

_USUAL = 0.1  # without other evidence a body faces -Y
_SECTION = 0.2  # of the trunk's largest section: what is smaller stands out from it
_SNOUT, _OUT = 0.7, 0.05  # of the trunk: a snout is less wide and high, and reaches as far beyond it
_BAR = 0.4  # of its width: what is less high is a handle
_EAR, _LOW = 0.08, -0.1  # of the trunk, from its middle: no pair of ears is nearer to it or lower
_PIECES = 16  # that stand out, the largest


def biped_front(inside: VoxelGraph, legs: Legs) -> int:
    """Quarter turns that make a biped face -Y: its feet point forwards."""
    ahead = 1 - legs.lateral
    return _QUARTERS[(ahead, sum(_feet(inside, legs)) > (_USUAL if ahead == 1 else 0.0))]


def quadruped_front(inside: VoxelGraph, legs: Legs) -> int:
    """Quarter turns that make a quadruped face -Y: its toes point there, its head is higher, thicker, with a face."""
    ahead = 1 - legs.lateral
    toes = float(np.clip(2 * np.median(_feet(inside, legs)), -1, 1))
    score = 0.5 * _weight(inside, legs, ahead) + _thickness(inside, legs, ahead) + toes + face(inside, legs)
    return _QUARTERS[(ahead, score > 0)]


def face(inside: VoxelGraph, legs: Legs) -> float:
    """Where a face is, -1 to 1, positive at the + end: a snout on the plane there, and a pair of ears nearer to it."""
    volume = inside.volume
    cells = volume.cells[:, [legs.lateral, 1 - legs.lateral, 2]]
    above = volume.centres[:, 2] > legs.top
    sections = [np.bincount(column) for column in cells[above].T]
    trunks = [np.flatnonzero(areas >= _SECTION * areas.max()) for areas in sections]
    low, high = np.array([(trunk[0], trunk[-1]) for trunk in trunks]).T
    middle_of_it = (low + high) / 2
    middle_of_it[0] = (legs.plane - volume.origin[legs.lateral]) / volume.cell - 0.5
    piece = inside.labels(above & ((cells < low) | (cells > high)).any(axis=1))
    snouts, ears, left, total = set(), 0.0, 0.0, 1e-9
    for number in range(min(int(piece.max()) + 1, _PIECES)):
        part = cells[piece == number] - middle_of_it
        across, along, up = part.mean(axis=0) / (high - low + 1)
        if part[:, 0].min() < 0 < part[:, 0].max():
            snouts |= {np.sign(along)} if abs(along) > 0.5 and _is_snout(part, high - low + 1) else set()
        elif abs(along) < 0.5 and up > _LOW:
            ears += len(part) * np.sign(along) * (abs(along) > _EAR)
            left += len(part) * np.sign(across)
            total += len(part)
    return float(np.sign(ears) in snouts) * ears / total * (1 - abs(left) / total)


def _is_snout(part: Array, trunk: Array) -> bool:
    """Whether voxels, (k, 3) from the middle of a trunk, stand out from its end as a snout and not as a bar or a wall."""
    wide, _, high = np.ptp(part, axis=0) + 1
    beyond = np.abs(part[:, 1]).max() > (0.5 + _OUT) * trunk[1]
    return bool(beyond and high > _BAR * wide and wide < _SNOUT * trunk[0] and high < _SNOUT * trunk[2])


def _feet(inside: VoxelGraph, legs: Legs) -> list[float]:
    """How far each foot reaches to the + end, from its shin, in parts of a leg's length."""
    ahead = 1 - legs.lateral
    floor = inside.volume.floor
    length = legs.top - floor
    reach = []
    for leg in legs.members:
        shin = middle(inside, leg, 2, floor + 0.26 * length)  # near the ankle: a leg that swings leans
        foot = legs.foot(inside, leg, shin, floor + 0.13 * length)[:, ahead]
        reach.append(float(foot.max() + foot.min() - 2 * shin[ahead]) / length if len(foot) else 0.0)
    return reach


def _weight(inside: VoxelGraph, legs: Legs, ahead: int) -> float:
    """Where what is high above the legs lies: -1 to 1, positive at the + end."""
    centres = inside.volume.centres
    half = legs.middles(inside)[:, ahead].mean()
    weight = np.maximum(centres[:, 2] - legs.top, 0.0) ** 2
    after = float(weight[centres[:, ahead] > half].sum())
    return 2 * after / max(float(weight.sum()), 1e-12) - 1


def _thickness(inside: VoxelGraph, legs: Legs, ahead: int) -> float:
    """Which end is thicker in its outer half, beyond the legs: -1 to 1."""
    centres = inside.volume.centres
    places = legs.middles(inside)[:, ahead]
    thick = []
    for sign, outermost in ((-1, -places.min()), (1, places.max())):
        beyond = sign * centres[:, ahead] - outermost
        end = beyond > 0.5 * beyond.max()
        thick.append(float(np.percentile(inside.depth[end], 90)) if beyond.max() > 0 else 0.0)
    return (thick[1] - thick[0]) / max(*thick, 1e-12)
