"""Does an object move by itself? Its animation then decides where it is, and not what is written into its transform."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy

_TRANSFORMS = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")


def has_animated_transform(item: bpy.types.Object) -> bool:
    """Whether an action or a strip of the object changes its own place, rotation or size (bones do not count)."""
    data = item.animation_data
    if data is None:
        return False
    used = [(data.action, getattr(data, "action_slot", None))] if data.action else []
    used += [
        (strip.action, getattr(strip, "action_slot", None))
        for track in data.nla_tracks
        for strip in track.strips
        if strip.action
    ]
    return any(curve.data_path in _TRANSFORMS for action, slot in used for curve in _curves(action, slot))


def _curves(action: bpy.types.Action, slot: Any) -> Iterator[Any]:
    """The curves that an action has for the user of a slot; before slots were there (4.2), all of them."""
    if not hasattr(action, "layers"):
        yield from action.fcurves
        return
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                if slot is not None and bag.slot_handle == slot.handle:
                    yield from bag.fcurves
