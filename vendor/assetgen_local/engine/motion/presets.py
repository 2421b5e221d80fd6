"""The motions that retarget knows, and the frames of one on a given figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..array_types import Array
from ..body.classify import BIPED, QUADRUPED
from ..errors import EngineError
from . import biped_acts, cycles
from .figure import Figure
from .pose import Pose, relative
from .stance import Stance, between_keys, pose_of

PREFIX = "preset:"

FPS = 24


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
    "idle": _biped(3.0, cycles.idle),
    "walk": _biped(1.1, cycles.walk),
    "run": _biped(0.7, cycles.run),
    "jump": _biped(1.4, partial(between_keys, biped_acts.JUMP)),
    "turn": _biped(1.4, cycles.half_turn),
    "climb": _biped(1.6, cycles.climb),
    "slash": _biped(1.1, partial(between_keys, biped_acts.SLASH)),
    "shoot": _biped(1.4, partial(between_keys, biped_acts.SHOOT)),
    "hurt": _biped(0.9, partial(between_keys, biped_acts.HURT)),
    "fall": _biped(1.6, partial(between_keys, biped_acts.FALL)),
    "dive": _biped(1.6, partial(between_keys, biped_acts.DIVE)),
    "quadruped:walk": Clip(QUADRUPED, 1.4, cycles.quadruped_walk),
}
"""Preset (without ``preset:``) → motion. Idle, walk, run and climb repeat; fall, dive and turn end in another pose."""


@dataclass(frozen=True, slots=True)
class Motion:
    """A preset on a figure, frame by frame, in the body's space.

    Attributes:
        name: Of the animation: the preset's without ``preset:``.
        rotations: Role → rotations relative to the parent, shape (frames, 3, 3).
        offsets: The root's way from rest, shape (frames, 3).
    """

    name: str
    rotations: dict[str, Array]
    offsets: Array

    @property
    def frames(self) -> int:
        """How many there are; the first one is at time 0."""
        return len(self.offsets)


def preset_name(name: str, kind: str) -> str:
    """The preset's name without ``preset:``.

    Raises:
        EngineError: There is no such preset, or it is for another kind of body.
    """
    short = name.strip().lower().removeprefix(PREFIX)
    if short not in CLIPS:
        known = ", ".join(CLIPS)
        raise EngineError(f"The local engine has no animation {name!r}; it has {known}.")
    if (meant := CLIPS[short].kind) != kind:
        others = ", ".join(PREFIX + other for other, clip in CLIPS.items() if clip.kind == kind)
        raise EngineError(f"{PREFIX + short} moves a {meant}, and this rig is a {kind}'s; it takes {others}.")
    return short


def motion(figure: Figure, name: str, in_place: bool) -> Motion:
    """The frames of a preset.

    Args:
        figure: Whose motion it becomes.
        name: As :func:`preset_name` gives it.
        in_place: Keep the root where it is, seen from above.
    """
    clip = CLIPS[name]
    count = round(clip.seconds * FPS) + 1
    poses = [clip.pose(figure, index / (count - 1), in_place) for index in range(count)]
    turns = [relative(pose) for pose in poses]
    rotations = {role: np.stack([frame[role] for frame in turns]) for role in figure.names}
    return Motion(name.replace(":", "_"), rotations, np.stack([pose.offset for pose in poses]))
