"""The animation curves of actions, in every Blender: from 4.4 on they lie in slots, one for each user of the action."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import bpy


class UsedAction(NamedTuple):
    """An action as something uses it; ``slot`` is the part of it that it follows, None where there are no slots."""

    action: bpy.types.Action
    slot: Any


def used_actions(data: bpy.types.AnimData | None) -> list[UsedAction]:
    """The actions of some animation data: those on its tracks, in their order, and the active one; each once."""
    if data is None:
        return []
    found = [
        UsedAction(strip.action, getattr(strip, "action_slot", None))
        for track in data.nla_tracks
        for strip in track.strips
        if strip.action
    ]
    if data.action is not None:
        found.append(UsedAction(data.action, getattr(data, "action_slot", None)))
    return list({(used.action.session_uid, getattr(used.slot, "handle", 0)): used for used in found}.values())


def curves_of(used: UsedAction) -> Iterator[bpy.types.FCurve]:
    """The curves that an action has for its user."""
    for bag in _bags(used):
        yield from bag.fcurves


def remove_curves(used: UsedAction, curves: list[bpy.types.FCurve]) -> None:
    """Takes curves out of an action."""
    for bag in _bags(used):
        for curve in [curve for curve in bag.fcurves if curve in curves]:
            bag.fcurves.remove(curve)


def _bags(used: UsedAction) -> Iterator[Any]:
    """What holds the curves: the action itself up to 4.3, a bag for each slot later."""
    if not hasattr(used.action, "layers"):
        yield used.action
        return
    for layer in used.action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                if used.slot is not None and bag.slot_handle == used.slot.handle:
                    yield bag
