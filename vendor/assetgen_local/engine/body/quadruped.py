"""Where the joints of a quadruped are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..array_types import Array
from .extremities import centreline, limb, tips
from .front import face
from .legs import Legs
from .measures import NotThisBodyError, core_size, likeness, middle, symmetric
from .slices import Slices
from .voxel_paths import VoxelGraph, thick

_TAIL = 0.05  # of the body's size: what stands out less at the hind end is found by being thin
_SHORT_TAIL, _TAIL_THIN, _EDGE = 0.04, 0.35, 1.2  # of the body's size; its largest thickness; is wider, and no tail
_TAIL_JOINTS = ("tail1", "tail2", "tail_tip")
_PLATE, _THICK = 0.25, 0.55  # height of a trunk in parts of its width: what is flatter is none, what is thicker one
_THIN_BALL, _BALL = 0.036, 0.05  # of height and length: it has room for a ball as large, a chair has none
_BROAD = 1.04  # of its length: as wide as a trunk of four legs never is
_ALIKE = 0.93  # of the volume: what has so much of it on both ends has no front
_REACH, _FAR, _FARTHER = 0.15, 0.5, 0.8  # of the way between the legs: how far a head is before them; a clear one
_LONG = 2.0  # times the height: of what is longer between its legs, the head is no larger for it
_NARROW, _OUT, _CLEAR = 0.6, 0.1, 0.4  # of half a trunk; of that way: what is narrower is a head; a clear one
_MIRRORED = (0.8, 0.95)  # of the volume, that a clear head speaks for short legs
_HEAD_OUT = 0.12  # of the body's size: how far a head is at least from the chest
_KNEE, _FOOT = 0.58, 0.2  # of a leg's length, from the ground
_INTO_BODY = 0.45  # of the trunk's height above the legs: where hips and shoulders turn


def measure(inside: VoxelGraph, legs: Legs, *_: Slices) -> tuple[dict[str, Array], dict[str, float], set[str]]:
    """The joints: hips, spine, chest, neck, head, head_top, tail1.. and upper/lower/foot/toe of front and hind legs.

    Raises:
        NotThisBodyError: The legs are not two pairs, or there is no head.
    """
    volume, centres = inside.volume, inside.volume.centres
    middles, plane = legs.middles(inside), legs.plane
    first, second = sorted((2, 0), key=lambda first: float(middles[first : first + 2, 1].mean()))
    pairs = {"front": legs.members[first : first + 2], "hind": legs.members[second : second + 2]}
    trunk, width = _trunk_size(inside, legs.top, middles)
    head_on_legs = max(-face(inside, legs), 0.0)
    joints: dict[str, Array] = {}
    for name, pair in pairs.items():
        for side, leg in zip(("L", "R"), pair, strict=True):
            joints |= _leg(inside, leg, legs.top, trunk, volume.floor, f"{name}_{{}}.{side}")
    size = float(np.linalg.norm(np.ptp(centres, axis=0)))
    joints = symmetric(joints, plane, 0.06 * size)
    rear, front = (joints[f"{name}_upper.L"][1] / 2 + joints[f"{name}_upper.R"][1] / 2 for name in ("hind", "front"))
    above = (centres[:, 2] > legs.top) & (np.abs(centres[:, 0] - plane) < 0.3 * np.ptp(centres[:, 0]))
    for name, place in (("hips", rear), ("spine", rear + 0.45 * (front - rear)), ("chest", front)):
        level = legs.top + (0.62 if name != "spine" else 0.6) * trunk
        joints[name] = np.array([plane, place, min(level, middle(inside, above, 1, place)[2] + 0.3 * trunk)])
    way, mirror = min(rear - front, _LONG * volume.height), likeness(inside, 0, plane)
    reach, narrow = _overhang(inside, legs, pairs["front"]) / way, _before_trunk(inside, legs, front, rear) / way
    if not head_on_legs and narrow < _CLEAR and likeness(inside, 1) > _ALIKE:
        raise NotThisBodyError("it stands on four legs, but has no end with a head")
    clear = max((narrow - _OUT) / (_CLEAR - _OUT), min((reach - _FAR) / (_FARTHER - _FAR), narrow / _OUT))
    clear = max(min(clear, 1.0) * np.interp(mirror, _MIRRORED, (0, 1)), head_on_legs)  # of what is askew, none
    distance = inside.distances(np.array([volume.nearest(joints["chest"])]))
    joints |= _head(inside, distance, joints["chest"], size, head_on_legs, np.logical_or.reduce(legs.members))
    joints |= _tail(inside, distance, joints["hips"], legs, plane, size)
    wide, long, _ = core_size(inside, upper := centres[:, 2] >= legs.top)
    ball = inside.depth[upper].max() / np.sqrt(volume.height * np.ptp(centres[:, 1]))
    evidence = {
        "mirror": mirror,
        "plate": float(np.clip((trunk / width - _PLATE) / (_THICK - _PLATE), 0, 1)),
        "thick": float(np.clip((ball - _THIN_BALL) / (_BALL - _THIN_BALL), 0, 1)),
        "trunk": float(np.clip(min(2 * (rear - front) / trunk - 0.6, (_BROAD - wide / long) / 0.5), head_on_legs, 1)),
        "head": float(np.clip((reach - _REACH) / (_FAR - _REACH), clear, 1)),
        "face": 0.5 + 0.5 * clear,
    }
    return joints, evidence, set()


def _trunk_size(inside: VoxelGraph, top: float, middles: Array) -> tuple[float, float]:
    """Height of the trunk above the legs and its width, measured half way between the pairs."""
    centres, cell = inside.volume.centres, inside.volume.cell
    half = (middles[:, 1].min() + middles[:, 1].max()) / 2
    slab = centres[(np.abs(centres[:, 1] - half) < 2 * cell) & (centres[:, 2] >= top)]
    if not len(slab):
        raise NotThisBodyError("it has no trunk between its legs")
    return max(float(np.percentile(slab[:, 2], 98)) - top, cell), float(np.ptp(slab[:, 0])) + cell


def _overhang(inside: VoxelGraph, legs: Legs, front: Sequence[Array]) -> float:
    """How far a head, turned aside even, reaches out before the front leg that is farther back: in a stride one is."""
    centres = inside.volume.centres
    one, other = (centres[leg & (centres[:, 2] > legs.top - 3 * inside.volume.cell)] for leg in front)
    near = np.abs(centres[:, 0] - legs.plane) < np.ptp(np.concatenate((one, other))[:, 0])
    start = max(one[:, 1].min(), other[:, 1].min())
    return float(start - centres[near, 1].min(initial=start))


def _before_trunk(inside: VoxelGraph, legs: Legs, front: float, rear: float) -> float:
    """How far what is narrower than the trunk reaches out before it, as a head does and no hood or seat."""
    volume, upper = inside.volume, inside.volume.centres[:, 2] >= legs.top
    rows, half = volume.cells[upper, 1], np.zeros(volume.solid.shape[1])
    np.maximum.at(half, rows, np.abs(volume.centres[upper, 0] - legs.plane))
    first, last = (int((y - volume.origin[1]) / volume.cell) for y in (front, rear))
    broad = half > _NARROW * half[first : last + 1].max(initial=0)
    return float(np.argmax(broad) - rows.min()) * volume.cell


def _leg(inside: VoxelGraph, leg: Array, top: float, trunk: float, floor: float, name: str) -> dict[str, Array]:
    upper = middle(inside, leg, 2, top - inside.volume.cell)
    joint = np.array([upper[0], upper[1], top + _INTO_BODY * trunk])
    result = {name.format("upper"): joint}
    for part, share in (("lower", _KNEE), ("foot", _FOOT), ("toe", 0.02)):
        level = floor + share * (joint[2] - floor)
        point = middle(inside, leg, 2, level) if level < top else upper
        result[name.format(part)] = np.array([point[0], point[1], level])
    return result


def _head(
    inside: VoxelGraph, distance: Array, chest: Array, size: float, on_legs: float, leg: Array
) -> dict[str, Array]:
    centres = inside.volume.centres
    core = np.abs(centres[:, 0] - chest[0]) < max(0.12 * np.ptp(centres[:, 0]), 2 * inside.volume.cell)
    first = chest[1] + (0.1 - 0.2 * on_legs) * size  # of a head on legs, only what is before the legs turns
    before = core & ~leg & (centres[:, 1] < first) & (centres[:, 2] > chest[2] - 0.25 * size)
    end = int(np.where(before, distance - centres[:, 1], -np.inf).argmax())  # what is far below is no head
    out = float(distance[end])
    skull = before & (distance > 0.45 * out) & (inside.distances(np.array([end])) < 0.6 * out)
    if out < _HEAD_OUT * size or not skull.any():
        raise NotThisBodyError("it stands on four legs, but has no head")
    # The middle of the head is where it is thickest; the neck is on the way there.
    thick = int(np.where(skull, inside.depth - 0.02 * distance, -np.inf).argmax())
    middle_of_head, radius = centres[thick], float(inside.depth[thick])
    length = float(np.linalg.norm(middle_of_head - chest))
    way = (middle_of_head - chest) / max(length, 1e-9)
    head = middle_of_head - way * min(0.7 * radius, 0.4 * length)
    points = {"neck": chest + 0.4 * (head - chest), "head": head, "head_top": middle_of_head + way * radius}
    return {name: np.array([chest[0], *point[1:]]) for name, point in points.items()}


def _tail(inside: VoxelGraph, distance: Array, hips: Array, legs: Legs, plane: float, size: float) -> dict[str, Array]:
    """Three points along the tail; none where nothing stands out at the hind end."""
    centres = inside.volume.centres
    behind = (centres[:, 1] > hips[1]) & (np.abs(centres[:, 0] - plane) < 0.2 * np.ptp(centres[:, 0]))
    behind &= ~np.logical_or.reduce(legs.members)
    if candidates := [tip for tip in tips(inside, distance, _TAIL * size) if behind[tip.voxel]]:
        tail = max(candidates, key=lambda tip: tip.length)
        line = centreline(inside, distance, limb(inside, distance, tail), tail, np.array([0.05, 0.5, 0.99]))
    else:
        line = _short_tail(inside, hips, behind & (centres[:, 2] > legs.top), size)
    return {name: np.array([plane, *point[1:]]) for name, point in zip(_TAIL_JOINTS, line, strict=False)}


def _short_tail(inside: VoxelGraph, hips: Array, behind: Array, size: float) -> list[Array]:
    """Three points along what is thin at the hind end, or nothing."""
    thin = behind & ~thick(inside, _TAIL_THIN * float(inside.depth.max()))
    members = inside.volume.centres[inside.labels(thin) == 0]
    wide, *rest = np.ptp(members, axis=0) if len(members) else np.zeros(3)
    if np.linalg.norm((wide, *rest)) < _SHORT_TAIL * size or wide > _EDGE * max(rest):
        return []
    members = members[np.argsort(np.linalg.norm(members - hips, axis=1), kind="stable")]
    near, between, _ = np.array_split(members, 3)
    return [near.mean(axis=0), between.mean(axis=0), members[-1]]
