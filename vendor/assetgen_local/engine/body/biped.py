"""Where the joints of a biped are, and how sure that is."""

from __future__ import annotations

import numpy as np

from ..array_types import Array
from .arms import Trunk, find_arms
from .legs import Legs
from .measures import NotThisBodyError, along, core_size, likeness, middle, outline_likeness, symmetric
from .slices import Slices
from .templates import BIPED_ARMS
from .voxel_paths import VoxelGraph, thick

_SIDE = ("L", "R")
_ARM = ("arm", "forearm", "hand", "hand_tip")

# Parts of a leg's length, from the ground, and of an arm's length, from the shoulder.
_ANKLE, _KNEE = 0.13, 0.53
_ELBOW, _WRIST = 0.42, 0.78
_LOBE = 1.6  # times as far from the middle as a leg: its thickest place is nearer
_FARTHER = 0.07  # of the height: every pair of legs has some cleft above
_WAIST = 0.95  # of their depth: what is deeper between two lobes makes them one
_SOLE, _BASE, _THIGHS = 0.03, 0.06, 0.03  # of the height: legs may share a sole, stand on no base, and are apart
_LONGEST = 0.66  # of the height: legs are shorter
_MIDDLE = 0.4  # of the way to the shoulders: the top of a head is there
_NO_HEAD = 0.03  # of the height above the shoulders
_SKULL = 0.05  # of the height: a head has room for a larger ball
_NARROW = 0.08  # of its width: a neck is narrower by more
_BROAD, _LIMB = 1.3, 0.4  # of the height above the legs: no trunk is so wide; of its largest ball: thinner is no trunk
_FLAT, _DEEP = 0.03, 0.08  # of the height, from front to back: scissors are flat, feet are not
_THIN, _THICK = 0.015, 0.04  # of the height: trunk or head have room for a ball as large; leaves and frames have none
_EVEN, _NECKLESS = 0.98, (0.25, 0.5)  # the same in front and behind: what is left then without a neck, and else
_WHOLE = 1.2  # times as long or as sure as those below a waist: the arms below the neck
_LEAN, _CLEAR, _REACH = 0.5, 0.75, 0.2  # how much a thin trunk counts below a neck and arms so clear, and so long
_LARGE_HEAD = 1.1  # times the largest ball below: toys have no neck
_UPSIDE_DOWN, _HEADLESS = 0.9, 0.98  # alike: letters are; as much has no head
_SPINE = {"spine": 0.2, "chest": 0.46, "upper_chest": 0.72, "neck": 1.0}
"""Joints above the hips, in parts of the way to the neck."""


def measure(
    inside: VoxelGraph, legs: Legs, slices: Slices, split: Slices
) -> tuple[dict[str, Array], dict[str, float], set[str]]:
    """The joints: hips to head_top, shoulder/arm/forearm/hand/hand_tip and thigh/shin/foot/toe/toe_tip of both sides.

    Returns:
        The joints; what speaks for a biped, each 0 to 1; and the joints of arms that are not seen.

    Raises:
        NotThisBodyError: It has no trunk above its legs, or no head.
    """
    volume, centres = inside.volume, inside.volume.centres
    floor, height, plane = volume.floor, volume.height, legs.plane
    apart = float(np.linalg.norm(np.subtract(*legs.middles(inside)[:, :2]))) / 2
    above = centres[:, 2] >= legs.top
    ground, top = (int((level - volume.origin[2]) / volume.cell + 0.5) for level in (floor, legs.top))
    is_one = _is_one(inside, legs)
    rise = int(np.append(is_one[top : len(is_one) // 2], True).argmax()) * volume.cell  # below, the legs only touch
    crotch = legs.top + rise * (rise > _FARTHER * height) + 0.03 * height
    shared = is_one[ground : ground + round((legs.base - floor) / volume.cell)].sum() * volume.cell / height
    hips = middle(inside, above & (np.abs(centres[:, 0] - plane) < apart * 1.5), 2, crotch)
    hips[0] = plane
    necks = _necks(inside, slices, legs, plane)
    trunks = [(Trunk(np.logical_or(*legs.members), plane, hips, neck), clear) for neck, clear in necks]
    (trunk, clear, arms), *higher = [(trunk, clear, find_arms(inside, split, trunk)) for trunk, clear in trunks]
    for other in higher:
        alone = max(arm.certainty for arm in arms) <= BIPED_ARMS.merged < min(arm.certainty for arm in other[2])
        if (other[1] or alone) and sum(arm.seen for arm in other[2]) > _WHOLE * sum(arm.seen for arm in arms):
            trunk, clear, arms = other[0], other[1] or clear / 2, other[2]
    joints: dict[str, Array] = {}
    for side, arm, leg in zip(_SIDE, arms, legs.members, strict=True):
        points = along(arm.line, np.array([0.0, _ELBOW, _WRIST, 1.0]))
        joints |= dict(zip((f"{name}.{side}" for name in _ARM), points, strict=True))
        joints |= _leg(inside, leg, legs, hips[2] + 0.01 * height, floor, side)
    joints = symmetric(joints, plane, 0.08 * height)
    shoulders = float(joints["arm.L"][2] + joints["arm.R"][2]) / 2 + min(arm.radius for arm in arms)
    half = min(abs(joints["arm.L"][0] - plane), abs(joints["arm.R"][0] - plane))
    joints |= _trunk(inside, hips, plane, half, min(shoulders, floor + 0.92 * height), trunk.neck)
    for side in _SIDE:
        arm_joint = joints[f"arm.{side}"]
        inner = joints["upper_chest"] + 0.3 * (arm_joint - joints["upper_chest"])
        joints[f"shoulder.{side}"] = np.array([inner[0], inner[1], arm_joint[2] * 0.8 + inner[2] * 0.2])
    thighs = np.linalg.norm(joints["thigh.L"] - joints["thigh.R"])  # what hangs above a stand has one place for both
    neck_above = joints["neck"][2] - hips[2]  # of what hangs from its arms, it is below
    stands_out = ((joints["head_top"][2] - shoulders) / height - _NO_HEAD) / 0.07
    ends_differ = (_HEADLESS - likeness(inside, 2)) / (_HEADLESS - _UPSIDE_DOWN)
    _, deep, high = core_size(inside, above)
    neckless = _NECKLESS[_has_front_or_head(inside, legs)]
    seen, necked = float(np.sqrt(np.mean([arm.certainty**2 for arm in arms]))), neckless + (1 - neckless) * clear
    reach = min(np.linalg.norm(joints[f"hand_tip.{side}"] - joints[f"arm.{side}"]) for side in _SIDE) / height
    is_clear = min(seen, necked) > _CLEAR and reach > _REACH
    evidence = {
        "long": float(np.clip(min(_LONGEST * height - legs.top + floor, neck_above) / (0.08 * height), 0, 1)),
        "head": float(np.clip(min(stands_out, ends_differ), 0, 1)),
        "arms": seen,
        "neck": necked,
        "clear": float(is_clear),
        "mirror": (likeness(inside, 0, plane) + outline_likeness(inside, plane)) / 2,
        "upright": float(np.clip(1.9 - deep / high, 0, 1)),
        "plate": float(np.clip((np.ptp(centres[:, 1]) / height - _FLAT) / (_DEEP - _FLAT), 0, 1)),
        "thick": float(np.clip((inside.depth[above].max() / height - _THIN) / (_THICK - _THIN), 0, 1)),
        "trunk": _solid_trunk(inside, slices, legs, plane, trunk.neck, _LEAN * is_clear),
        "feet": float(np.clip(min((_BASE - shared) / (_BASE - _SOLE), thighs / (_THIGHS * height)), 0, 1)),
    }
    hidden = [side for side, arm in zip(_SIDE, arms, strict=True) if arm.certainty <= BIPED_ARMS.merged]
    return joints, evidence, {f"{joint}.{side}" for side in hidden for joint in ("shoulder", "arm", "forearm", "hand")}


def _is_one(inside: VoxelGraph, legs: Legs) -> Array:
    """For each level whether what is cut across is one thing: legs and feet that touch are a lobe on either side."""
    volume = inside.volume
    middles = legs.middles(inside)[:, :2]
    axis = int(np.ptp(middles, axis=0).argmax())  # in a stride, the one that it goes along
    apart = np.ptp(middles[:, axis]) / 2
    places = (middles[:, axis].mean() + apart * np.array((-_LOBE, 0, _LOBE)) - volume.origin[axis]) / volume.cell
    low, between, high = np.maximum(places, 0).astype(int)
    depths = volume.solid.sum(axis=1 - axis)
    lobes = np.minimum(depths[low:between].max(axis=0, initial=0), depths[between:high].max(axis=0, initial=0))
    return np.asarray(depths[between] >= _WAIST * lobes)


def _has_front_or_head(inside: VoxelGraph, legs: Legs) -> bool:
    """Whether it is another thing in front than behind, or its upper half above the legs has room for a larger ball."""
    solid, heights = inside.volume.solid, inside.volume.centres[:, 2]
    middles = (solid.argmax(axis=1) - solid[:, ::-1].argmax(axis=1))[solid.any(axis=1)]
    half = (legs.top + heights.max()) / 2
    lower = inside.depth[(heights > legs.top) & (heights < half)].max(initial=0)
    uneven = (np.abs(middles - np.median(middles)) > 1).mean() >= 1 - _EVEN
    return bool(uneven or inside.depth[heights >= half].max() > _LARGE_HEAD * lower)


def _solid_trunk(inside: VoxelGraph, slices: Slices, legs: Legs, plane: float, neck: float, lean: float) -> float:
    """Whether what is between legs and neck is as thick as a leg, else ``lean``, and not wider than high, 0 to 1."""
    between = (slices.middles[:, 2] > legs.top) & (slices.middles[:, 2] < neck)
    here = between & (slices.low[:, 0] <= plane) & (slices.high[:, 0] >= plane)
    levels = np.unique(slices.level[between])
    if not len(levels):
        return 0.0
    area = np.median([slices.sizes[here & (slices.level == level)].max(initial=0) for level in levels])
    count = len(np.unique(slices.level[np.unique(slices.of_voxels[legs.members[0]])]))
    leg = min(float(member.sum()) for member in legs.members) / max(count, 1)
    x, _, z = inside.volume.centres.T
    bulk = (z > legs.top) & (z < neck) & thick(inside, _LIMB * float(inside.depth[z > legs.top].max()))
    piece = inside.labels(np.where(bulk, inside.volume.cells[:, 2], -1))  # of a slice: no arm beside it and no cloak
    wide = [np.ptp(x[piece == number]) for number in set(piece[bulk & (np.abs(x - plane) < inside.volume.cell)])]
    broad = np.median(wide or [0.0]) / (slices.middles[:, 2].max() - legs.top)
    return float(np.clip(min(max(area / leg - 0.4, lean), (_BROAD - broad) / 0.4), 0.0, 1.0))


def _necks(inside: VoxelGraph, slices: Slices, legs: Legs, plane: float) -> list[tuple[float, float]]:
    """Height of the neck, and how much narrower it is than the head above and the trunk below, 0 to 1.

    Slices show it, or the balls that they have room for: those are no larger for a hand or a gun before the chest.
    What is narrowest may be a wasp's waist: the neck is the second one then, above what is widest over the first.
    """
    floor, height = inside.volume.floor, inside.volume.height
    here = (slices.low[:, 0] <= plane) & (slices.high[:, 0] >= plane) & (slices.middles[:, 2] > legs.top)
    if not here.any():
        raise NotThisBodyError("it stands on two legs that carry no trunk")
    levels = np.unique(slices.level[here])
    areas = np.array([slices.sizes[here & (slices.level == level)].max() for level in levels], float)
    balls = np.zeros(int(levels[-1]) + 1)
    near = here[slices.of_voxels]
    np.maximum.at(balls, slices.level[slices.of_voxels[near]], inside.depth[near])
    heights = floor + (levels + 0.5) * inside.volume.cell
    allowed = heights >= legs.top + 0.15 * (floor + height - legs.top)
    necks: list[tuple[float, float]] = []
    for _ in range(2):
        by_area, narrow = _narrowest(np.sqrt(areas), allowed)
        by_ball, thin = _narrowest(balls[levels], allowed, _SKULL * height)
        if max(narrow, thin) < _NARROW:
            break
        place = by_area if narrow >= _NARROW else by_ball
        necks.append((float(heights[place]), min(max(narrow, thin) / 0.3, 1.0)))
        allowed = np.arange(len(levels)) > place + int(areas[place:].argmax())
    half, usual = legs.top + np.array((0.5, 0.72)) * (floor + height - legs.top)  # of a bull's neck nothing is narrow
    return necks if necks and necks[-1][0] > half else [*necks, (float(usual), 0.0)]


def _narrowest(widths: Array, allowed: Array, least: float = 0.0) -> tuple[int, float]:
    """Which of widths is the narrowest between wider ones, and by which part of those, which are ``least`` or more."""
    widths = np.sqrt(np.convolve(np.pad(widths**2, 1, mode="edge"), np.full(3, 1 / 3), mode="valid"))
    wider = np.minimum(np.maximum.accumulate(widths), np.maximum.accumulate(widths[::-1])[::-1])
    depth = np.where(allowed & (wider > least), 1 - widths / np.maximum(wider, 1e-9), 0.0)
    return int(depth.argmax()), float(depth.max())


def _leg(inside: VoxelGraph, leg: Array, legs: Legs, hip: float, floor: float, side: str) -> dict[str, Array]:
    length = hip - floor
    upper = middle(inside, leg, 2, legs.top - inside.volume.cell)
    knee = middle(inside, leg, 2, floor + _KNEE * length)
    ankle = middle(inside, leg, 2, max(floor + 1.8 * _ANKLE * length, legs.base))
    height = floor + _ANKLE * length
    sole = legs.foot(inside, leg, ankle, height + inside.volume.cell)
    sole = sole if len(sole) else ankle[None]
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


def _trunk(
    inside: VoxelGraph, hips: Array, plane: float, half: float, shoulders: float, neck: float
) -> dict[str, Array]:
    centres = inside.volume.centres
    aside = np.abs(centres[:, 0] - plane)
    core = aside < max(half, 3 * inside.volume.cell)
    middle_of_it = aside < max(_MIDDLE * half, 2 * inside.volume.cell)  # neither ears nor a hand that waves
    top = float(centres[middle_of_it, 2].max()) + inside.volume.cell / 2
    head = max(top - shoulders, 4 * inside.volume.cell)
    narrow = neck if 0.08 * head < neck - shoulders < 0.42 * head else shoulders + 0.12 * head
    neck = shoulders + 0.35 * (narrow - shoulders)
    joints, place = {"hips": hips}, float(hips[1])
    start = narrow + 0.05 * head
    levels = {name: hips[2] + part * (neck - hips[2]) for name, part in _SPINE.items()} | {"head": start}
    for name, level in levels.items():
        near = core & (np.abs(centres[:, 1] - place) < max(0.8 * half, 3 * inside.volume.cell))  # and no rucksack
        place = float(middle(inside, near, 2, level)[1])
        joints[name] = np.array([plane, place, level])
    skull = centres[:, 2] > min(start + 0.2 * head, top - 2 * inside.volume.cell)
    joints["head_top"] = np.array([plane, float(centres[skull & core, 1].mean()), top])
    return joints
