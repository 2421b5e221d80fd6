"""The motions that retarget knows, and the frames of one on a given figure."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..array_types import Array
from ..body.classify import BIPED, QUADRUPED
from ..errors import EngineError
from . import quadruped_walk
from .biped_clips import CLIPS
from .figure import Figure
from .pose import Pose, relative
from .stance import pose_of

PREFIX = "preset:"
_QUADRUPED_WALK = "quadruped:walk"
NAMES = tuple(PREFIX + name for name in (*CLIPS, _QUADRUPED_WALK))

FPS = 24


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
    if PREFIX + short not in NAMES:
        known = ", ".join(entry.removeprefix(PREFIX) for entry in NAMES)
        raise EngineError(f"The local engine has no animation {name!r}; it has {known}.")
    meant = QUADRUPED if short == _QUADRUPED_WALK else BIPED
    if meant != kind:
        fitting = [entry for entry in NAMES if (entry == PREFIX + _QUADRUPED_WALK) == (kind == QUADRUPED)]
        others = ", ".join(fitting)
        raise EngineError(f"{PREFIX + short} moves a {meant}, and this rig is a {kind}'s; it takes {others}.")
    return short


def motion(figure: Figure, name: str, in_place: bool) -> Motion:
    """The frames of a preset.

    Args:
        figure: Whose motion it becomes.
        name: As :func:`preset_name` gives it.
        in_place: Keep the root where it is, seen from above.
    """
    seconds = quadruped_walk.SECONDS if name == _QUADRUPED_WALK else CLIPS[name].seconds
    count = round(seconds * FPS) + 1
    poses = [_pose(figure, name, index / (count - 1), in_place) for index in range(count)]
    turns = [relative(pose) for pose in poses]
    rotations = {role: np.stack([frame[role] for frame in turns]) for role in figure.names}
    return Motion(name.replace(":", "_"), rotations, np.stack([pose.offset for pose in poses]))


def _pose(figure: Figure, name: str, phase: float, in_place: bool) -> Pose:
    if name == _QUADRUPED_WALK:
        return quadruped_walk.pose_at(figure, phase, not in_place)
    stance, travel = CLIPS[name].at(phase)
    if in_place:
        travel = 0.0
        stance = replace(stance, hips=(0.0, 0.0, stance.hips[2]))
    pose = pose_of(figure, stance, travel)
    if in_place:
        pose.offset = pose.offset * (0.0, 0.0, 1.0)
    return pose
