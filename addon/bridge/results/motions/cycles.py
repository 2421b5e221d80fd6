"""How long a motion lasts, and whether it goes on from its end: what an action of Blender can say of both."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import bpy
from mathutils import Quaternion

from ...objects.action_curves import UsedAction, curves_of
from ...objects.animated_transforms import TRANSFORMS
from .same_rig import skeleton_size

FIRST_FRAME = 1.0
"""Where motions begin: the first frame of a new scene. Files count from zero seconds."""

_SAME_ANGLE = math.radians(2.0)
_SAME_PLACE = 0.01  # of the skeleton
_SAME_VALUE = 0.01
_MOVES = 1e-4
_SHORTEST = 2.0  # frames
_BONE = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)+)"\]\.(\w+)')

Channel = tuple[str, str]
"""Name of a bone (empty for the object itself), and of its property."""


class MotionRange(NamedTuple):
    """First and last frame of a motion. The last one of a cycle shows the pose of the first one again."""

    start: float
    end: float
    is_cyclic: bool

    @property
    def frames(self) -> tuple[int, int]:
        """The whole frames to play; of a cycle without the last, which would be seen twice."""
        last = math.ceil(self.end) - 1 if self.is_cyclic else math.ceil(self.end)
        return math.floor(self.start), max(math.floor(self.start), last)


def range_of(action: bpy.types.Action) -> MotionRange | None:
    """The range that an action is meant to be played in; None where nobody has set one."""
    if not action.use_frame_range:
        return None
    return MotionRange(action.frame_start, action.frame_end, action.use_cyclic)


def prepare(used: UsedAction, rig: bpy.types.Object, *, may_shift: bool = True) -> None:
    """Has an action begin at :data:`FIRST_FRAME`, gives it its range, and lets a cycle go on.

    What has moved on at the end, such as one who walks, goes on from there. ``may_shift`` is whether its time is its
    own: what moves together with it would be left behind.
    """
    curves = [curve for curve in curves_of(used) if len(curve.keyframe_points)]
    if not curves:
        return
    first, last = zip(*(curve.range() for curve in curves), strict=True)
    start, end = min(first), max(last)
    offset = FIRST_FRAME - start if may_shift else 0.0
    if abs(offset) > 1e-6:
        for curve in curves:
            _shift(curve, offset)
    action = used.action
    action.use_frame_range = True
    action.frame_start, action.frame_end = start + offset, end + offset
    channels = _channels(curves)
    reach = _SAME_PLACE * skeleton_size(rig)
    channels = _channels(curves)
    start, end = action.frame_start, action.frame_end
    if end - start < _SHORTEST or not _is_cycle(channels, rig, start, end, reach):
        return
    action.use_cyclic = True
    for (_, name), members in channels.items():
        # All three axes or none: the bone's own are seldom those in which it travels.
        goes_on = name == "location" and _way(members, start, end) > reach
        for curve in members.values():
            if goes_on or _moves(curve):
                _repeat(curve, with_offset=goes_on)


def _shift(curve: bpy.types.FCurve, offset: float) -> None:
    """Moves a curve in time."""
    points = curve.keyframe_points
    for name in ("co", "handle_left", "handle_right"):
        values = [0.0] * (2 * len(points))
        points.foreach_get(name, values)
        values[::2] = [value + offset for value in values[::2]]
        points.foreach_set(name, values)
    curve.update()


def _repeat(curve: bpy.types.FCurve, *, with_offset: bool) -> None:
    if any(modifier.type == "CYCLES" for modifier in curve.modifiers):
        return
    modifier = curve.modifiers.new("CYCLES")
    modifier.mode_before = modifier.mode_after = "REPEAT_OFFSET" if with_offset else "REPEAT"


def _channels(curves: Sequence[bpy.types.FCurve]) -> dict[Channel, dict[int, bpy.types.FCurve]]:
    """The curves of each property, by index."""
    found: dict[Channel, dict[int, bpy.types.FCurve]] = {}
    for curve in curves:
        match = _BONE.fullmatch(curve.data_path)
        channel = (bpy.utils.unescape_identifier(match[1]), match[2]) if match else ("", curve.data_path)
        found.setdefault(channel, {})[curve.array_index] = curve
    return found


def _is_cycle(
    channels: dict[Channel, dict[int, bpy.types.FCurve]],
    rig: bpy.types.Object,
    start: float,
    end: float,
    reach: float,
) -> bool:
    """Whether something moves, and the last pose is the first one again, wherever that stands by then."""
    if not any(_moves(curve) for members in channels.values() for curve in members.values()):
        return False
    for (bone, name), members in channels.items():
        if not _agrees(name, members, start, end, reach, travels=_travels(rig, bone, name)):
            return False
    return True


def _travels(rig: bpy.types.Object, bone: str, name: str) -> bool:
    """Whether this is what carries the whole model along."""
    if not bone:
        return name in TRANSFORMS
    return bone in rig.data.bones and rig.data.bones[bone].parent is None


def _agrees(
    name: str, members: dict[int, bpy.types.FCurve], start: float, end: float, reach: float, *, travels: bool
) -> bool:
    """Whether a property has the same value at both ends."""
    if name == "rotation_quaternion":
        one, other = (_quaternion(members, frame) for frame in (start, end))
        angle = one.rotation_difference(other).angle
        return min(angle, 2 * math.pi - angle) <= _SAME_ANGLE
    differences = [abs(curve.evaluate(end) - curve.evaluate(start)) for curve in members.values()]
    if name == "rotation_euler":
        return all(min(part % math.tau, -part % math.tau) <= _SAME_ANGLE for part in differences)
    if name == "location":
        return travels or _way(members, start, end) <= reach
    return max(differences) <= _SAME_VALUE


def _way(members: dict[int, bpy.types.FCurve], start: float, end: float) -> float:
    """How far a place at the end is from that at the beginning."""
    return math.hypot(*(curve.evaluate(end) - curve.evaluate(start) for curve in members.values()))


def _quaternion(members: dict[int, bpy.types.FCurve], frame: float) -> Quaternion:
    rest = (1.0, 0.0, 0.0, 0.0)
    values = [members[index].evaluate(frame) if index in members else rest[index] for index in range(4)]
    found = Quaternion(values)
    return found.normalized() if found.magnitude else Quaternion()


def _moves(curve: bpy.types.FCurve) -> bool:
    values = list(_values(curve.keyframe_points))
    return max(values) - min(values) > _MOVES


def _values(points: Any) -> Iterator[float]:
    values = [0.0] * (2 * len(points))
    points.foreach_get("co", values)
    yield from values[1::2]


def is_constant(curve: bpy.types.FCurve) -> bool:
    """Whether a curve has the same value all along."""
    return not len(curve.keyframe_points) or not _moves(curve)
