"""All motions by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from ..body.classify import BIPED, QUADRUPED
from . import biped_acts, biped_cycles, quadruped_walk
from .figure import Figure
from .pose import Pose
from .stance import Stance, between_keys, pose_of


@dataclass(frozen=True, slots=True)
class Clip:
    """A motion of one kind of body.

    Attributes:
        kind: ``biped`` or ``quadruped``.
        seconds: How long it takes once.
        pose: The pose of a figure at a phase from 0 to 1; last, whether it stays in place, seen from above.
    """

    kind: str
    seconds: float
    pose: Callable[[Figure, float, bool], Pose]


def _biped(seconds: float, at: Callable[[float], Stance]) -> Clip:
    """The motion of a biped that stands so at each phase."""

    def pose(figure: Figure, phase: float, in_place: bool) -> Pose:
        stance = at(phase)
        if not in_place:
            return pose_of(figure, stance)
        result = pose_of(figure, replace(stance, hips=(0.0, 0.0, stance.hips[2]), travel=(0.0,)))
        result.offset = result.offset * (0.0, 0.0, 1.0)
        return result

    return Clip(BIPED, seconds, pose)


CLIPS = {
    "idle": _biped(3.0, biped_cycles.idle),
    "walk": _biped(1.1, biped_cycles.walk),
    "run": _biped(0.7, biped_cycles.run),
    "jump": _biped(1.4, partial(between_keys, biped_acts.JUMP)),
    "turn": _biped(1.4, biped_cycles.turn),
    "climb": _biped(1.6, biped_cycles.climb),
    "slash": _biped(1.1, partial(between_keys, biped_acts.SLASH)),
    "shoot": _biped(1.4, partial(between_keys, biped_acts.SHOOT)),
    "hurt": _biped(0.9, partial(between_keys, biped_acts.HURT)),
    "fall": _biped(1.6, partial(between_keys, biped_acts.FALL)),
    "dive": _biped(1.6, partial(between_keys, biped_acts.DIVE)),
    "quadruped:walk": Clip(QUADRUPED, 1.4, quadruped_walk.pose_at),
}
"""Preset (without ``preset:``) → motion. Idle, walk, run and climb repeat; fall, dive and turn end in another pose."""
