"""The walk of quadrupeds: one foot after the other, hind left, front left, hind right, front right."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from ..array_types import Array
from ..mesh.turns import about, turn
from .figure import Figure
from .pose import Pose, stand_foot, trunk

_STANDING = 0.68  # of the cycle
_LENGTH = 0.5  # of a leg: how far a foot goes back on the floor
_HEIGHT = 0.16
_STARTS = {"hind_L": 0.0, "front_L": 0.25, "hind_R": 0.5, "front_R": 0.75}


def pose_at(figure: Figure, phase: float, in_place: bool) -> Pose:
    """The pose at a phase of 0 to 1; the lowest part of the skin is on the floor.

    Args:
        figure: A quadruped.
        phase: Of one cycle, which two steps of each side make.
        in_place: Whether the feet go back under the body, or it moves forwards.
    """
    heads = figure.heads
    length = float(heads["hind_upper.L"][2] - heads["hind_foot.L"][2])
    way = 0.0 if in_place else phase * _LENGTH / _STANDING * length
    moved = np.array([0.0, -way, 0.0])
    sway = 0.0 if in_place else 0.02 * sin(2 * pi * phase)
    pose = Pose(figure, np.array([sway * length, 0.0, -0.035 * length * (1 + 0.4 * cos(4 * pi * phase))]) + moved)
    swing, bob = sin(2 * pi * phase), cos(4 * pi * phase)
    pose.set("hips", turn(bob, 1.5 * swing, 3.0 * swing))
    trunk(pose, ("spine", "chest"), (-bob, -1.5 * swing, -6.0 * swing))
    trunk(pose, ("neck", "head"), (3.0 * cos(4 * pi * phase + 0.6), 0.0, 3.0 * swing))
    for role, angle in (("tail1", 8.0), ("tail2", 12.0)):
        if role in figure.names:
            pose.set(role, about(2, angle * sin(2 * pi * phase + 0.8)))
    for name, start in _STARTS.items():
        pair, side = name.split("_")
        _leg(pose, pair, side, (phase - start) % 1.0, moved, length)
    pose.rest()
    pose.lift(figure.floor - pose.lowest())
    return pose


def _leg(pose: Pose, pair: str, side: str, phase: float, moved: Array, length: float) -> None:
    end = f"{pair}_foot.{side}"
    foot = pose.figure.heads[end]
    if phase < _STANDING:
        share = phase / _STANDING
        ahead, up, pitch = 0.5 - share, 0.0, -18.0 * max(0.0, (share - 0.7) / 0.3) ** 2
    else:
        share = (phase - _STANDING) / (1 - _STANDING)
        soft = share * share * (3 - 2 * share)
        ahead, up, pitch = soft - 0.5, sin(pi * share), -18.0 * (1 - soft) - 22.0 * sin(pi * share)
    rotation = about(0, -pitch)
    target = foot + moved + np.array([0.0, -ahead * _LENGTH * length, up * _HEIGHT * length])
    target = stand_foot(pose, target, rotation, pose.figure.sole(end), foot)
    # The elbow of a front leg points backwards, the knee of a hind leg forwards.
    pole = np.array([0.0, 1.0 if pair == "front" else -1.0, 0.0])
    pose.reach(f"{pair}_upper.{side}", f"{pair}_lower.{side}", end, target, pole)
    pose.set(end, rotation, absolute=True)
