"""The arms of a biped: where they stand out, where they hang free beside the trunk, or where they must lie in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..array_types import Array
from .extremities import Tip, centreline, limb, tips
from .measures import NotThisBodyError, along, mirrored
from .slices import Slices
from .templates import BIPED_ARMS as ARM
from .voxel_paths import VoxelGraph

_BULGE = 1.6  # times an arm's radius: what is thicker is the trunk
_STEEP = 0.8  # how much of its direction is down in an arm that hangs
_OF_LEGS = 0.3  # of its voxels: a limb is a leg, though its foot may stand apart from it
_MOST_TIPS = 8  # of a side, the longest: a thing of hundreds of parts has hundreds


@dataclass(frozen=True, slots=True)
class Arm:
    """One arm.

    Attributes:
        line: Points along its middle, from where it leaves the trunk to the finger tips, shape (k, 3).
        radius: Its half thickness.
        certainty: How sure it is one, 0 to 1: it stands out, it hangs free, or it is only where arms usually are.
    """

    line: Array
    radius: float
    certainty: float

    @property
    def length(self) -> float:
        """Along its middle."""
        return float(np.linalg.norm(np.diff(self.line, axis=0), axis=1).sum())

    @property
    def seen(self) -> float:
        """Its length times how sure that is."""
        return self.length * self.certainty

    def mirrored(self, plane: float) -> Arm:
        """The arm of the other side."""
        return Arm(np.array([mirrored(point, plane) for point in self.line]), self.radius, ARM.mirrored)


@dataclass(frozen=True, slots=True)
class Trunk:
    """What is known of a biped before its arms are: it faces -Y.

    Attributes:
        legs: Voxels of its legs, as a mask.
        plane: Its middle, x.
        hips: Place of the hips.
        neck: Height of the neck.
    """

    legs: Array
    plane: float
    hips: Array
    neck: float


def find_arms(inside: VoxelGraph, slices: Slices, trunk: Trunk) -> list[Arm]:
    """The left and the right arm from where they turn: found is one that hangs from the armpit on, or what is thin."""
    arms = []
    for arm in _pair(inside, slices, trunk):
        upper = np.subtract(*along(arm.line, np.array([0.0, 0.5])))
        hangs = upper[2] > _STEEP * np.linalg.norm(upper)
        joint = _over_armpit(inside, arm, trunk) if hangs else _beside_trunk(slices, arm, trunk)
        whole = replace(arm, line=np.concatenate((joint[None], arm.line)))
        arms.append(_shortened(whole, ARM.longest * inside.volume.height))
    return _level(inside, trunk, arms)


def _level(inside: VoxelGraph, trunk: Trunk, arms: list[Arm]) -> list[Arm]:
    """No shoulder is much lower than the other one: from the same height on, on the way to what hangs or is held."""
    (low, lower), (high, higher) = sorted(enumerate(arms), key=lambda arm: arm[1].line[0, 2])
    if higher.line[0, 2] - lower.line[0, 2] <= ARM.level * inside.volume.height:
        return arms
    if higher.line[0, 2] > trunk.neck and lower.certainty > ARM.merged:  # an ear, or a horn
        return [lower if side == low else _alone(inside, trunk, 1 - 2 * high, None, lower) for side in range(2)]
    ends = [inside.volume.nearest(end) for end in (mirrored(higher.line[0], trunk.plane), lower.line[-1])]
    there, back = (inside.distances(np.array([end])) for end in ends)
    way = Tip(ends[1], float(there[ends[1]]), 0.0)
    line = centreline(inside, there, there + back <= way.length + inside.volume.cell, way, np.linspace(0, 1, 12))
    return [_shortened(replace(lower, line=line), higher.length) if side == low else higher for side in range(2)]


def _pair(inside: VoxelGraph, slices: Slices, trunk: Trunk) -> tuple[Arm, Arm]:
    distance = inside.distances(np.array([inside.volume.nearest(trunk.hips)]))
    ends = tips(inside, distance, ARM.shortest * inside.volume.height)
    found = [_hanging(inside, slices, distance, trunk, side) for side in (1, -1)]
    near = ARM.thickest * inside.volume.height
    for side, arms in zip((1, -1), found, strict=True):
        # What does not touch the trunk may be next to it anywhere: it hangs all the same.
        loose = [arm.line for arm in arms if arm.certainty == ARM.standing_out]
        out = _standing_out(inside, distance, ends, trunk, side)
        arms += [arm for arm in out if all(np.linalg.norm(arm.line[-1] - line, axis=1).min() > near for line in loose)]
    low = trunk.hips[2] + ARM.at_hips * (trunk.neck - trunk.hips[2])
    higher = [[arm for arm in arms if arm.line[0, 2] > low] for arms in found]  # and do not hang from a belt
    found = higher if any(higher) else found
    pairs = [_even(left, right) for left in found[0] for right in found[1]]
    pairs += [(arm, other) for arm in found[0] if _covered(inside, other := arm.mirrored(trunk.plane))]
    pairs += [(other, arm) for arm in found[1] if _covered(inside, other := arm.mirrored(trunk.plane))]
    fits = [_likeness(inside, *pair, trunk) for pair in pairs]
    if max(fits, default=0.0) > ARM.alike:
        return pairs[int(np.argmax(fits))]
    # Of a pair without likeness one may be a held thing, or an arm in another pose: each by itself.
    alone = [max(arms, key=lambda arm: arm.seen, default=None) for arms in found]
    return _alone(inside, trunk, 1, *alone), _alone(inside, trunk, -1, *alone[::-1])


def _over_armpit(inside: VoxelGraph, arm: Arm, trunk: Trunk) -> Array:
    """Up along the outline, which may lean inwards, to as far below what is over it as the arm is thick."""
    joint, cell = arm.line[0], inside.volume.cell
    steps = np.array(((0, 0, cell), (np.sign(trunk.plane - joint[0]) * cell, 0, cell)))
    over = steps + np.array((0, 0, _BULGE * arm.radius))
    while joint[2] < trunk.neck and (covered := inside.volume.at(joint + over) >= 0).any():
        joint = joint + steps[int(covered.argmax())]
    return joint


def _beside_trunk(slices: Slices, arm: Arm, trunk: Trunk) -> Array:
    """No shoulder is much farther out than the trunk below it: from a sleeve or a shield, on the way to its middle."""
    joint, middle = arm.line[0], trunk.hips + np.array((0, 0, (1 - ARM.below_neck) * (trunk.neck - trunk.hips[2])))
    inner = (slices.low[:, 0] <= trunk.plane) & (slices.high[:, 0] >= trunk.plane)
    inner &= (slices.middles[:, 2] > trunk.hips[2]) & (slices.middles[:, 2] < joint[2] - 3 * arm.radius)
    half, out = float((slices.high - slices.low)[inner, 0].max(initial=0)) / 2, abs(float(joint[0]) - trunk.plane)
    if not inner.any() or out < ARM.beyond * half or joint[2] > trunk.neck:
        return joint  # above the neck it is a machine's, whose waist is the narrowest
    return joint + (middle - joint) * (1 - half / out)


def _alone(inside: VoxelGraph, trunk: Trunk, side: int, own: Arm | None, other: Arm | None) -> Arm:
    """The arm of a side: its own, else the mirror image of the other one, else where an arm would be."""
    if own is None and other is not None and _covered(inside, image := other.mirrored(trunk.plane)):
        return image
    return own or _merged(inside, trunk, side)


def _covered(inside: VoxelGraph, arm: Arm) -> bool:
    return float((inside.volume.at(arm.line) >= 0).mean()) > ARM.covered


def _likeness(inside: VoxelGraph, left: Arm, right: Arm, trunk: Trunk) -> float:
    """How much two arms are mirror images, 0 to 1, times how sure they are."""
    steps = np.linspace(0, 1, 6)
    apart = along(left.line, steps) - np.array([mirrored(point, trunk.plane) for point in along(right.line, steps)])
    off = float(np.linalg.norm(apart, axis=1).mean()) / inside.volume.height
    longer, shorter = max(left.length, right.length), min(left.length, right.length)
    size = min(shorter / inside.volume.height / ARM.usual, 1.0)
    return max(0.0, 1 - off / ARM.apart) * (shorter / max(longer, 1e-9)) * size * min(left.certainty, right.certainty)


def _even(left: Arm, right: Arm) -> tuple[Arm, Arm]:
    """Both arms as long as the shorter one: what is longer holds something."""
    length = min(left.length, right.length) * 1.05
    return _shortened(left, length), _shortened(right, length)


def _shortened(arm: Arm, longest: float) -> Arm:
    if arm.length <= longest:
        return arm
    return Arm(along(arm.line, np.linspace(0, longest / arm.length, 12)), arm.radius, arm.certainty)


def _standing_out(inside: VoxelGraph, distance: Array, ends: Sequence[Tip], trunk: Trunk, side: int) -> list[Arm]:
    """Limbs that end in a tip of their own at one side, 1 the left, or reach from there across the middle."""
    beside, before = side * (inside.volume.centres[:, 0] - trunk.plane), trunk.hips[1] - inside.volume.centres[:, 1]
    out, ahead = ARM.out * inside.volume.height, before > ARM.ahead * inside.volume.height
    low, high = np.array((ARM.lowest, ARM.above_neck)) * inside.volume.height + (inside.volume.floor, trunk.neck)
    outside = [tip for tip in ends if beside[tip.voxel] > out or (beside[tip.voxel] < 0 and ahead[tip.voxel])]
    arms = []
    for tip in sorted(outside, key=lambda tip: -tip.length)[:_MOST_TIPS]:
        members = limb(inside, distance, tip)
        base = centreline(inside, distance, members, tip, np.array([0.0]))[0]
        begins = side * float(base[0] - trunk.plane)
        crosses = ahead[tip.voxel] and begins * beside[tip.voxel] < 0
        aside = begins if crosses else float(beside[members].mean())  # next to nothing in a head
        behind, leg = base[1] - trunk.hips[1] > ARM.behind * inside.volume.height, trunk.legs[members].mean() > _OF_LEGS
        if behind or leg or not low < base[2] < high or aside < out:
            continue
        least = ARM.inner * float(beside[tip.voxel])
        arm = _reaching_in(inside, distance, members, tip, trunk.plane, least)
        if side * (arm.line[0, 0] - trunk.plane) < least:
            continue  # a horn, or the top of a turret
        flat = _flatness(inside, distance, members, tip)
        arms.append(replace(arm, certainty=arm.certainty * float(np.clip((ARM.flattest - flat) / 1.5, 0.1, 1))))
    return arms


def _flatness(inside: VoxelGraph, distance: Array, members: Array, tip: Tip) -> float:
    """How much more of it there is than in a round limb of its thickness: the median along it."""
    tenth = max(tip.length / 10, 1e-9)
    part = np.floor((distance[members] - tip.base) / tenth)
    round_one = np.pi * tenth  # times the square of its radius
    tenths = [inside.depth[members][part == number] for number in range(10)]
    ratios = [len(depth) * inside.volume.cell**3 / (round_one * depth.max() ** 2) for depth in tenths if len(depth)]
    return float(np.median(ratios)) if ratios else np.inf  # a speck beyond a gap has no length


def _reaching_in(inside: VoxelGraph, distance: Array, members: Array, tip: Tip, plane: float, least: float) -> Arm:
    """An arm with its joint: the limb begins where it stands free, the joint lies further in."""
    line = centreline(inside, distance, members, tip, np.linspace(0.02, 0.99, 25))
    number = inside.volume.at(line)
    depth = np.where(number >= 0, inside.depth[number], inside.volume.cell)
    radius = float(np.median(depth[len(depth) // 3 : 2 * len(depth) // 3]))
    thickest = max(_BULGE * radius, radius + 1.01 * inside.volume.cell)  # a thin arm has few voxels
    free = (depth <= thickest) & (np.abs(line[:, 0] - plane) >= least)
    line = line[min(int(free.argmax()), len(line) // 2) :]
    inwards = line[0] - line[5]
    inwards /= max(float(np.linalg.norm(inwards)), 1e-9)
    step = inside.volume.cell / 2
    further = line[0] + inwards * step * np.arange(1, int(4 * radius / step) + 1)[:, None]
    number = inside.volume.at(further)
    free = (number >= 0) & (inside.depth[number] <= thickest) & (np.abs(further[:, 0] - plane) >= least)
    reached = further[: int(np.append(free, False).argmin())]
    return Arm(np.concatenate((reached[-1:] if len(reached) else line[:1], line[1:])), radius, ARM.standing_out)


def _hanging(inside: VoxelGraph, slices: Slices, distance: Array, trunk: Trunk, side: int) -> list[Arm]:
    """What lies beside the trunk in slice after slice, though it may touch it further up and down."""
    cell = inside.volume.cell
    legs = np.zeros(len(slices.level), bool)
    legs[slices.of_voxels[trunk.legs]] = True
    edge = slices.low[:, 0] - trunk.plane if side > 0 else trunk.plane - slices.high[:, 0]
    height = slices.middles[:, 2]
    low, high = np.array((ARM.lowest_hand, ARM.above_neck)) * inside.volume.height + (inside.volume.floor, trunk.neck)
    beside = (edge > ARM.free * inside.volume.height) & ~legs & (height > low) & (height < high)
    column = slices.columns(beside)
    arms = []
    for number in np.unique(column[beside]):
        nodes = np.flatnonzero(column == number)
        levels = np.unique(slices.level[nodes])
        if len(levels) * cell < ARM.shortest * inside.volume.height:
            continue
        line = np.array([slices.middle(nodes[slices.level[nodes] == level]) for level in levels[::-1]])
        radius = float(np.median(np.sqrt(slices.sizes[nodes] / np.pi))) * cell
        widths = slices.high[nodes] - slices.low[nodes] + cell
        behind = line[0, 1] - trunk.hips[1] > ARM.behind * inside.volume.height
        flat = np.median(widths.max(axis=1) / widths.min(axis=1)) > ARM.flattest
        if behind or flat or radius > ARM.thickest * inside.volume.height or line[0, 2] < trunk.hips[2]:
            continue  # a cape, or a bag
        upper, lower = (distance[inside.volume.nearest(point)] for point in line[[0, -1]])
        if line[0, 2] > trunk.neck and lower < upper:
            continue  # it is raised
        top = np.array([*line[0, :2], max(min(line[0, 2] + 1.2 * radius, trunk.neck), line[0, 2])])
        top = top if inside.volume.at(top[None])[0] >= 0 else line[0]  # an arm may end beside the neck
        bottom = line[-1] + (line[-1] - line[-min(4, len(line))]) * 0.2
        members = column[slices.of_voxels] == number
        loose = np.append(members, True)[inside.neighbours[:, members]].all()  # -1 is no neighbour
        whole, certainty = np.concatenate((top[None], line, bottom[None])), ARM.standing_out if loose else ARM.hanging
        arms.append(Arm(whole, radius, certainty))
    return arms


def _merged(inside: VoxelGraph, trunk: Trunk, side: int) -> Arm:
    """An arm where arms usually hang: at the outside of the trunk, from below the neck down to the crotch."""
    centres, radius = inside.volume.centres, ARM.radius * inside.volume.height
    own = centres[side * (centres[:, 0] - trunk.plane) > 0]
    top = trunk.neck - ARM.below_neck * (trunk.neck - trunk.hips[2])
    levels = np.linspace(top, trunk.hips[2] - 0.1 * (trunk.neck - trunk.hips[2]), 8)
    slabs = (own[np.abs(own[:, 2] - level) < 1.5 * inside.volume.cell] for level in levels)
    outer = [slab[side * slab[:, 0] > (side * slab[:, 0]).max() - 2 * radius] for slab in slabs if len(slab)]
    if not outer:
        raise NotThisBodyError("it stands on two legs that carry no trunk")
    return Arm(np.array([points.mean(axis=0) for points in outer]), radius, ARM.merged)
