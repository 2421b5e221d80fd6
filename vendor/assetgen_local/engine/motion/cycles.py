"""The motions that repeat or go on: formulas of a phase from 0 to 1. Of bipeds as stances, of quadrupeds as poses."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from ..array_types import Array
from ..mesh.turns import about, turn
from .figure import Figure
from .pose import Pose, stand_foot, trunk
from .stance import Numbers, Stance

_STANDING = 0.68  # of the cycle of a quadruped
_LENGTH, _HEIGHT = 0.5, 0.16  # of its leg: how far a foot goes back on the floor, and how far its ankle is raised
_STARTS = {"hind_L": 0.0, "front_L": 0.25, "hind_R": 0.5, "front_R": 0.75}


def _wave(phase: float, shift: float = 0.0) -> float:
    """One sine wave over a phase of 0 to 1."""
    return sin(2 * pi * (phase + shift))


def _step(
    phase: float, standing: float, length: float, height: float, toe_off: float, strike: float, dangle: float = 0.0
) -> Numbers:
    """The foot in a step: on the floor it goes back evenly, then it is swung forwards.

    Args:
        phase: 0 where it is put down.
        standing: Part of the phase on the floor.
        length: How far it goes back.
        height: How far the ankle is raised in between.
        toe_off: Pitch at the end of standing, toes down.
        strike: Pitch where it is put down, toes up.
        dangle: Pitch in the air, toes down.
    """
    if phase < standing:
        share = phase / standing
        ahead = length * (0.5 - share)
        rise = max(0.0, (share - 0.6) / 0.4)
        return 0.0, ahead, 0.0, strike * max(0.0, 1 - share / 0.15) - toe_off * rise * rise
    share = (phase - standing) / (1 - standing)
    soft = share * share * (3 - 2 * share)
    pitch = -toe_off * (1 - soft) + strike * soft - dangle * sin(pi * share)
    return 0.0, length * (soft - 0.5), height * sin(pi * share), pitch


def walk(phase: float) -> Stance:
    """On the heel, over the foot, off the toes; arms against the legs."""
    standing, length = 0.6, 0.62
    swing = cos(2 * pi * phase)
    return Stance(
        hips=(0.035 * _wave(phase, -0.05), 0.0, -0.05 - 0.018 * cos(4 * pi * phase)),
        turned=(3.0, 2.5 * _wave(phase), -5.0 * swing),
        bend=(2.0, -2.5 * _wave(phase), 9.0 * swing),
        head=(-3.0, 0.0, -4.0 * swing),
        arm_left=(-24.0 * swing + 2, 12.0, 16.0 - 10.0 * swing, 4.0),
        arm_right=(24.0 * swing + 2, 12.0, 16.0 + 10.0 * swing, 4.0),
        foot_left=_step(phase % 1.0, standing, length, 0.12, 32.0, 14.0),
        foot_right=_step((phase + 0.5) % 1.0, standing, length, 0.12, 32.0, 14.0),
        travel=(phase * length / standing,),
        down=(1.0,),
    )


def run(phase: float) -> Stance:
    """Both feet in the air between the steps, arms bent."""
    standing, length = 0.36, 0.8
    swing = cos(2 * pi * phase)
    return Stance(
        hips=(0.0, 0.0, -0.08 - 0.05 * cos(4 * pi * (phase - 0.16))),
        turned=(10.0, 2.0 * _wave(phase), -8.0 * swing),
        bend=(6.0, -2.0 * _wave(phase), 16.0 * swing),
        head=(-10.0, 0.0, -8.0 * swing),
        arm_left=(-42.0 * swing - 4, 14.0, 82.0 - 14.0 * swing, 10.0),
        arm_right=(42.0 * swing - 4, 14.0, 82.0 + 14.0 * swing, 10.0),
        foot_left=_step(phase % 1.0, standing, length, 0.42, 48.0, 4.0),
        foot_right=_step((phase + 0.5) % 1.0, standing, length, 0.42, 48.0, 4.0),
        travel=(phase * length / standing,),
    )


def idle(phase: float) -> Stance:
    """Breathing, and weight from one foot to the other."""
    breath, sway = _wave(phase * 2), _wave(phase)
    arms = (3.0 + 1.5 * breath, 14.0 + 1.0 * breath, 12.0 + 2.0 * breath, 4.0)
    return Stance(
        hips=(0.02 * sway, 0.0, -0.015 - 0.004 * breath),
        turned=(0.0, 1.2 * sway, 1.5 * sway),
        bend=(-1.5 * breath, -1.5 * sway, -1.0 * sway),
        head=(1.2 * breath, 0.0, 5.0 * _wave(phase, 0.2)),
        arm_left=arms,
        arm_right=arms,
        down=(1.0,),
    )


def climb(phase: float) -> Stance:
    """Hand over hand on a wall in front, on the spot."""
    swing = _wave(phase)
    rise = (0.25 + 0.2 * swing, 0.25 - 0.2 * swing)
    return Stance(
        hips=(0.03 * swing, 0.0, 0.02 * cos(4 * pi * phase)),
        turned=(4.0, 5.0 * swing, 4.0 * swing),
        bend=(2.0, -8.0 * swing, -6.0 * swing),
        head=(-18.0, 0.0, 0.0),
        arm_left=(140.0 + 25.0 * swing, 14.0, 45.0 - 35.0 * swing, 8.0),
        arm_right=(140.0 - 25.0 * swing, 14.0, 45.0 + 35.0 * swing, 8.0),
        foot_left=(0.08, 0.22, rise[0], -12.0),
        foot_right=(0.08, 0.22, rise[1], -12.0),
    )


def half_turn(phase: float) -> Stance:
    """To the left, in four small steps."""
    soft = phase * phase * (3 - 2 * phase)
    lift = [max(0.0, _wave(phase * 2, shift)) * 0.1 * sin(pi * phase) ** 0.5 for shift in (0.0, 0.5)]
    return Stance(
        hips=(0.0, 0.0, -0.02 - 0.015 * sin(pi * phase)),
        head=(0.0, 0.0, 22.0 * sin(pi * phase) * (1 - phase)),
        bend=(0.0, 0.0, 10.0 * sin(pi * phase) * (1 - phase)),
        foot_left=(0.0, 0.0, lift[0], 0.0),
        foot_right=(0.0, 0.0, lift[1], 0.0),
        facing=(180.0 * soft,),
        down=(1.0,),
    )


def quadruped_walk(figure: Figure, phase: float, in_place: bool) -> Pose:
    """Hind left, front left, hind right, front right foot; the lowest part of the skin is on the floor.

    Args:
        figure: A quadruped.
        phase: Of one cycle, which two steps of each side make.
        in_place: Whether the feet go back under the body, or it moves forwards.
    """
    heads = figure.heads
    length = float(heads["hind_upper.L"][2] - heads["hind_foot.L"][2])
    way = 0.0 if in_place else phase * _LENGTH / _STANDING * length
    moved = np.array([0.0, -way, 0.0])
    sway = 0.0 if in_place else 0.02 * _wave(phase)
    pose = Pose(figure, np.array([sway * length, 0.0, -0.035 * length * (1 + 0.4 * cos(4 * pi * phase))]) + moved)
    swing, bob = _wave(phase), cos(4 * pi * phase)
    pose.set("hips", turn(bob, 1.5 * swing, 3.0 * swing))
    trunk(pose, ("spine", "chest"), (-bob, -1.5 * swing, -6.0 * swing))
    trunk(pose, ("neck", "head"), (3.0 * cos(4 * pi * phase + 0.6), 0.0, 3.0 * swing))
    for role, angle in (("tail1", 8.0), ("tail2", 12.0)):
        if role in figure.names:
            pose.set(role, about(2, angle * sin(2 * pi * phase + 0.8)))
    for name, start in _STARTS.items():
        pair, side = name.split("_")
        _quadruped_leg(pose, pair, side, (phase - start) % 1.0, moved, length)
    pose.rest()
    pose.lift(figure.floor - pose.lowest())
    return pose


def _quadruped_leg(pose: Pose, pair: str, side: str, phase: float, moved: Array, length: float) -> None:
    end = f"{pair}_foot.{side}"
    foot = pose.figure.heads[end]
    _, ahead, up, pitch = _step(phase, _STANDING, _LENGTH, _HEIGHT, 18.0, 0.0, 22.0)
    rotation = about(0, -pitch)
    target = foot + moved + np.array([0.0, -ahead, up]) * length
    target = stand_foot(pose, target, rotation, pose.figure.sole(end), foot)
    # The elbow of a front leg points backwards, the knee of a hind leg forwards.
    pole = np.array([0.0, 1.0 if pair == "front" else -1.0, 0.0])
    pose.reach(f"{pair}_upper.{side}", f"{pair}_lower.{side}", end, target, pole)
    pose.set(end, rotation, absolute=True)
