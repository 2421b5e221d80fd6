"""The motions that retarget knows, and the frames of one on a given figure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..array_types import Array
from ..errors import EngineError
from .clips import CLIPS
from .figure import Figure
from .pose import relative

PREFIX = "preset:"
NAMES = tuple(PREFIX + name for name in CLIPS)

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
