"""The motions of bipeds that repeat or go on: formulas of a phase from 0 to 1."""

from __future__ import annotations

from math import cos, pi, sin

from .stance import Numbers, Stance


def _wave(phase: float, shift: float = 0.0) -> float:
    """One sine wave over a phase of 0 to 1."""
    return sin(2 * pi * (phase + shift))


def _step(phase: float, standing: float, length: float, height: float, toe_off: float, strike: float) -> Numbers:
    """The foot in a step: on the floor it goes back evenly, then it is swung forwards.

    Args:
        phase: 0 where it is put down.
        standing: Part of the phase on the floor.
        length: How far it goes back.
        height: How far the ankle is raised in between.
        toe_off: Pitch at the end of standing, toes down.
        strike: Pitch where it is put down, toes up.
    """
    if phase < standing:
        share = phase / standing
        ahead = length * (0.5 - share)
        rise = max(0.0, (share - 0.6) / 0.4)
        fall = max(0.0, 1 - share / 0.15)
        return 0.0, ahead, 0.0, strike * fall - toe_off * rise * rise
    share = (phase - standing) / (1 - standing)
    soft = share * share * (3 - 2 * share)
    pitch = -toe_off * (1 - soft) + strike * soft
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


def turn(phase: float) -> Stance:
    """Half a turn to the left, in four small steps."""
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
