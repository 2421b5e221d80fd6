"""Where the joints of a biped are."""

from __future__ import annotations

import numpy as np

from ..array_types import Array
from .extremities import Tip, centreline, limb, tips
from .legs import Legs
from .measures import NotThisBodyError, middle, mirrored, symmetric
from .voxel_paths import VoxelGraph

_SIDE = ("L", "R")

# Parts of the body's height.
_SHORTEST_LIMB = 0.1
_ARM = 0.12
_ARM_OUT = 0.06
_PAIR_APART = 0.15

# Parts of a leg's length, from the ground, and of an arm's length, from the shoulder.
_ANKLE, _KNEE = 0.13, 0.53
_ELBOW, _WRIST = 0.42, 0.78
_SPINE = {"spine": 0.2, "chest": 0.46, "upper_chest": 0.72}
"""Joints between hips and neck."""


def facing(inside: VoxelGraph, legs: Legs) -> int:
    """Quarter turns that make the body face -Y: its legs lie beside each other, its feet point forwards."""
    first, second = legs.middles(inside)
    across = np.abs(second - first)[:2]
    lateral = 0 if across[0] >= across[1] else 1
    ahead = 1 - lateral
    centres = inside.volume.centres
    floor = centres[:, 2].min()
    reach = 0.0
    for leg in legs.members:
        points = centres[leg]
        foot = points[points[:, 2] < floor + 0.35 * (legs.top - floor), ahead]
        shin = middle(inside, leg, 2, floor + 0.6 * (legs.top - floor))[ahead]
        reach += float(foot.max() + foot.min() - 2 * shin)
    length = float(np.ptp(centres[legs.members[0]][:, ahead]))
    forwards = reach > 0.2 * length  # towards + of the axis; without feet that point anywhere it is -Y, or -X
    return {(1, False): 0, (1, True): 2, (0, False): 1, (0, True): 3}[(ahead, forwards)]


def measure(inside: VoxelGraph, legs: Legs) -> dict[str, Array]:
    """The joints: hips to head_top, shoulder/arm/forearm/hand/hand_tip and thigh/shin/foot/toe/toe_tip of both sides.

    Raises:
        NotThisBodyError: No two arms can be told from the body.
    """
    volume = inside.volume
    centres = volume.centres
    floor = float(centres[:, 2].min()) - volume.cell / 2
    height = float(np.ptp(centres[:, 2])) + volume.cell
    left, right = sorted(legs.members, key=lambda leg: -float(centres[leg][:, 0].mean()))
    plane = float(centres[left][:, 0].mean() + centres[right][:, 0].mean()) / 2
    apart = float(centres[left][:, 0].mean() - plane)
    above = centres[:, 2] >= legs.top
    hips = middle(inside, above & (np.abs(centres[:, 0] - plane) < apart * 1.5), 2, legs.top + 0.03 * height)
    hips[0] = plane
    distance = inside.distances(np.array([volume.nearest(hips)]))
    arms = _arms(inside, distance, ~(left | right), plane, height)
    joints: dict[str, Array] = {}
    thickness = []
    for side, tip, leg in zip(_SIDE, arms, (left, right), strict=True):
        joints |= _arm(inside, distance, tip, plane, side)
        thickness.append(float(np.median(inside.depth[limb(inside, distance, tip)])))
        joints |= _leg(inside, leg, legs.top, hips[2] + 0.01 * height, floor, side)
    joints = symmetric(joints, plane, 0.08 * height)
    shoulders = float(joints["arm.L"][2] + joints["arm.R"][2]) / 2 + min(thickness)
    half = min(abs(joints["arm.L"][0] - plane), abs(joints["arm.R"][0] - plane))
    joints |= _trunk(inside, hips, plane, half, shoulders)
    for side in _SIDE:
        arm = joints[f"arm.{side}"]
        inner = joints["upper_chest"] + 0.3 * (arm - joints["upper_chest"])
        joints[f"shoulder.{side}"] = np.array([inner[0], inner[1], arm[2] * 0.8 + inner[2] * 0.2])
    return joints


def _arms(inside: VoxelGraph, distance: Array, chosen: Array, plane: float, height: float) -> tuple[Tip, Tip]:
    centres = inside.volume.centres
    by_side: dict[bool, list[Tip]] = {True: [], False: []}
    for tip in tips(inside, distance, _SHORTEST_LIMB * height):
        out = centres[tip.voxel, 0] - plane
        if chosen[tip.voxel] and abs(out) > _ARM_OUT * height and tip.length > _ARM * height:
            by_side[bool(out > 0)].append(tip)

    def apart(left: Tip, right: Tip) -> float:
        return float(np.abs(centres[left.voxel] - mirrored(centres[right.voxel], plane)).max())

    pairs = [
        (left, right) for left in by_side[True] for right in by_side[False] if apart(left, right) < _PAIR_APART * height
    ]
    if not pairs:
        raise NotThisBodyError("it stands on two legs, but no two arms stand out from its body")
    return max(pairs, key=lambda pair: pair[0].length + pair[1].length)


def _arm(inside: VoxelGraph, distance: Array, tip: Tip, plane: float, side: str) -> dict[str, Array]:
    members = limb(inside, distance, tip)
    line = centreline(inside, distance, members, tip, np.array([0.04, 0.15, 0.3, 0.99]))
    base, near, further, end = line
    radius = float(np.median(inside.depth[members]))
    # The limb begins where it stands free; its joint lies further in, where the body around it begins.
    inwards = base - further
    inwards /= max(float(np.linalg.norm(inwards)), 1e-9)
    step = inside.volume.cell / 2
    joint = base
    for count in range(1, int(4 * radius / step) + 1):
        point = base + inwards * step * count
        voxel = int(inside.volume.at(point[None])[0])
        free = abs(point[0] - plane) > 0.35 * abs(base[0] - plane)
        if voxel < 0 or inside.depth[voxel] > 1.6 * radius or not free:
            break
        joint = point
    length = np.linalg.norm(end - near) + np.linalg.norm(near - joint)
    inner = float(np.linalg.norm(base - joint)) / float(length)
    # Fractions along the whole arm, where the joint's part of it lies before the free limb.
    elbow, wrist = centreline(
        inside, distance, members, tip, np.clip((np.array([_ELBOW, _WRIST]) - inner) / (1 - inner), 0.1, 0.95)
    )
    return {f"arm.{side}": joint, f"forearm.{side}": elbow, f"hand.{side}": wrist, f"hand_tip.{side}": end}


def _leg(inside: VoxelGraph, leg: Array, top: float, hip: float, floor: float, side: str) -> dict[str, Array]:
    centres = inside.volume.centres
    length = hip - floor
    upper = middle(inside, leg, 2, top - inside.volume.cell)
    knee = middle(inside, leg, 2, floor + _KNEE * length)
    ankle = middle(inside, leg, 2, floor + 1.8 * _ANKLE * length)
    height = floor + _ANKLE * length
    sole = centres[leg & (centres[:, 2] < height + inside.volume.cell)]
    front = float(sole[:, 1].min())
    end = np.array([float(sole[:, 0].mean()), front, floor + 0.3 * _ANKLE * length])
    ball = np.array([ankle[0] * 0.4 + end[0] * 0.6, ankle[1] * 0.4 + front * 0.6, end[2]])
    return {
        f"thigh.{side}": np.array([upper[0], upper[1], hip]),
        f"shin.{side}": np.array([knee[0], knee[1], floor + _KNEE * length]),
        f"foot.{side}": np.array([ankle[0], ankle[1], height]),
        f"toe.{side}": ball,
        f"toe_tip.{side}": end,
    }


def _trunk(inside: VoxelGraph, hips: Array, plane: float, half: float, shoulders: float) -> dict[str, Array]:
    centres = inside.volume.centres
    core = np.abs(centres[:, 0] - plane) < max(half, 3 * inside.volume.cell)
    top = float(centres[core, 2].max()) + inside.volume.cell / 2
    head = max(top - shoulders, 4 * inside.volume.cell)
    levels = np.arange(shoulders, shoulders + 0.5 * head, inside.volume.cell)
    areas = [float((np.abs(centres[:, 2] - level) < inside.volume.cell).sum()) for level in levels]
    narrow = float(levels[int(np.argmin(areas))])
    if not 0.08 * head < narrow - shoulders < 0.42 * head:  # no neck to be seen
        narrow = shoulders + 0.12 * head
    neck = shoulders + 0.35 * (narrow - shoulders)
    joints = {"hips": hips}
    for name, part in (*_SPINE.items(), ("neck", 1.0)):
        level = hips[2] + part * (neck - hips[2])
        joints[name] = np.array([plane, middle(inside, core, 2, level)[1], level])
    start = narrow + 0.05 * head
    skull = centres[:, 2] > start + 0.2 * head
    joints["head"] = np.array([plane, middle(inside, core, 2, start)[1], start])
    joints["head_top"] = np.array([plane, float(centres[skull & core, 1].mean()), top])
    return joints
