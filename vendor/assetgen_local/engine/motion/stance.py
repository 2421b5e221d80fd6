"""How a biped stands at one moment, in the words of an animator; and the pose that this is on a given figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from itertools import pairwise
from typing import Self

import numpy as np

from ..array_types import Array
from ..mesh.turns import about, between, turn, unit
from .figure import Figure
from .pose import Pose, stand_foot, trunk

Numbers = tuple[float, ...]

_SPINE = ("spine", "chest", "upper_chest")
_NECK = ("neck", "head")
_OUT = {"L": 1.0, "R": -1.0}
_WORDS = {"L": "left", "R": "right"}
_HANDS_DOWN = 0.85  # of the shoulder's height


@dataclass(frozen=True, slots=True)
class Stance:
    """Angles in degrees, lengths in lengths of a leg; left is the body's left.

    Attributes:
        hips: Their way from rest: to the left, forwards, up.
        turned: How the hips are turned: pitch forwards, roll to the left, yaw to the left.
        bend: The same for the back, all of it.
        head: The same for neck and head.
        arm_left, arm_right: The arm from hanging down: swung forwards, spread outwards; the forearm from the upper arm:
            bent forwards, turned inwards.
        foot_left, foot_right: The ankle's way from rest, over the floor: outwards, forwards, up; pitch of the foot,
            toes up.
        leg_left, leg_right: The leg in a body that does not stand: thigh swung forwards, knee bent, leg spread.
        loose: 0 where the legs stand, 1 where they hang as ``leg_...`` says.
        facing: How the whole body, with the places of its feet, is turned to the left.
        travel: How far the whole body has moved forwards.
        down: 1 where the body lies or stands on the floor whatever its pose, 0 where it may be in the air.
    """

    hips: Numbers = (0.0, 0.0, 0.0)
    turned: Numbers = (0.0, 0.0, 0.0)
    bend: Numbers = (0.0, 0.0, 0.0)
    head: Numbers = (0.0, 0.0, 0.0)
    arm_left: Numbers = (3.0, 14.0, 12.0, 4.0)
    arm_right: Numbers = (3.0, 14.0, 12.0, 4.0)
    foot_left: Numbers = (0.0, 0.0, 0.0, 0.0)
    foot_right: Numbers = (0.0, 0.0, 0.0, 0.0)
    leg_left: Numbers = (0.0, 0.0, 0.0)
    leg_right: Numbers = (0.0, 0.0, 0.0)
    loose: Numbers = (0.0,)
    facing: Numbers = (0.0,)
    travel: Numbers = (0.0,)
    down: Numbers = (0.0,)

    def mixed(self, other: Self, share: float) -> Self:
        """A stance between two."""
        pairs = zip(astuple(self), astuple(other), strict=True)
        return type(self)(*(tuple(a + (b - a) * share for a, b in zip(*pair, strict=True)) for pair in pairs))


def between_keys(keys: Mapping[float, Stance], time: float) -> Stance:
    """The stance at a time; it comes to each key softly and leaves it softly."""
    for (start, first), (end, second) in pairwise(keys.items()):
        if time <= end:
            share = (time - start) / (end - start)
            return first.mixed(second, share * share * (3 - 2 * share))
    return second


def pose_of(figure: Figure, stance: Stance) -> Pose:
    """The pose of a figure; no part of its skin is below the floor.

    Args:
        figure: A biped.
        stance: How it stands.
    """
    hip, knee, ankle = (figure.heads[f"{role}.L"] for role in ("thigh", "shin", "foot"))
    length = float(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee))
    moved = np.array([0.0, -stance.travel[0] * length, 0.0])
    face = about(2, stance.facing[0])
    # The body turns around the middle between its feet.
    middle = (figure.heads["foot.L"] + figure.heads["foot.R"]) / 2 * (1, 1, 0)
    start = figure.heads["hips"] - middle
    pose = Pose(figure, face @ (start + np.array(stance.hips) * (1, -1, 1) * length) - start + moved)
    pose.set("hips", face @ turn(*stance.turned))
    trunk(pose, _SPINE, stance.bend)
    trunk(pose, _NECK, stance.head)
    clear = _clear_of_the_floor(figure)
    for side, word in _WORDS.items():
        arm, foot, leg = (getattr(stance, f"{part}_{word}") for part in ("arm", "foot", "leg"))
        _arm(pose, side, arm, 0.0 if stance.loose[0] else clear)
        ankle = figure.heads[f"foot.{side}"]
        way = np.array((foot[0] * _OUT[side], -foot[1], foot[2])) * length
        standing = middle + face @ (ankle - middle + way) + moved
        _leg(pose, side, standing, foot, leg, stance.loose[0], face)
    pose.rest()
    over = pose.lowest() - figure.floor
    pose.lift(max(-over, 0.0) - max(over, 0.0) * stance.down[0])
    return pose


def _clear_of_the_floor(figure: Figure) -> float:
    """How far arms have to be spread so that the hands of a standing body do not touch the floor."""
    heads = figure.heads
    hand = np.concatenate((figure.sole("hand.L"), heads["hand.L"][None]))
    reach = float(np.linalg.norm(hand - heads["arm.L"], axis=1).max())
    return float(np.degrees(np.arccos(np.clip(_HANDS_DOWN * (heads["arm.L"][2] - figure.floor) / reach, 0.0, 1.0))))


def _arm(pose: Pose, side: str, arm: Numbers, clear: float) -> None:
    swing, spread, elbow, inward = arm
    spread = max(spread, clear) if spread >= 0 else spread
    down = np.array([0.0, 0.0, -1.0])
    base = pose.rotations["upper_chest"]
    out = -_OUT[side]
    upper = about(0, -swing) @ about(1, out * spread) @ down
    bent = about(0, -swing - elbow) @ about(1, out * spread * np.cos(np.radians(elbow)))
    lower = about(2, out * inward) @ bent @ down
    # The shoulder takes a quarter of the turn, as collar bones do.
    rest = unit(pose.figure.heads[f"forearm.{side}"] - pose.figure.heads[f"arm.{side}"])
    pose.set(f"shoulder.{side}", between(rest, rest + unit(rest + upper)))
    pose.point_along(f"arm.{side}", f"forearm.{side}", base @ upper, pose.rotations[f"shoulder.{side}"])
    pose.point_along(f"forearm.{side}", f"hand.{side}", base @ lower, pose.rotations[f"arm.{side}"])


def _leg(pose: Pose, side: str, target: Array, foot: Numbers, leg: Numbers, loose: float, face: Array) -> None:
    """Stands a leg with its ankle at a target, or hangs it."""
    ankle = pose.figure.heads[f"foot.{side}"]
    *_, up, pitch = foot
    hips = pose.rotations["hips"]
    # When the heel is lifted from the floor, the toes stay flat on it.
    lifted = pitch < 0 and up < 0.02 and loose == 0
    sole = pose.figure.sole(f"foot.{side}", *(() if lifted else (f"toe.{side}",)))
    rotation = face @ about(0, -pitch)
    target = stand_foot(pose, target, rotation, sole, ankle)
    if loose > 0:
        free, hanging = _hanging(pose, side, leg)
        target = target + loose * (free - target)
        if loose > 0.5:
            rotation = hanging
    pose.reach(f"thigh.{side}", f"shin.{side}", f"foot.{side}", target, hips @ np.array([0.0, -1.0, 0.0]))
    pose.set(f"foot.{side}", rotation, absolute=True)
    pose.set(f"toe.{side}", about(0, pitch * 0.8) if lifted else np.eye(3))


def _hanging(pose: Pose, side: str, leg: Numbers) -> tuple[Array, Array]:
    """Where the ankle is, and the rotation of the foot, when thigh and knee have these angles."""
    swing, knee, spread = leg
    heads = pose.figure.heads
    base = pose.rotations["hips"] @ about(1, -_OUT[side] * spread)
    upper = base @ about(0, -swing)
    lower = upper @ about(0, knee)
    start = pose.place(f"thigh.{side}")
    middle = start + upper @ (heads[f"shin.{side}"] - heads[f"thigh.{side}"])
    end: Array = middle + lower @ (heads[f"foot.{side}"] - heads[f"shin.{side}"])
    return end, lower
