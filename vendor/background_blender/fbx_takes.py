"""For scripts that run inside the background Blender: what one take of an FBX moves, moves together.

Blender's importer makes an action for each thing of a take, called thing|take|layer. To exporters these are as many
animations, so a figure in two armatures stood in one of its poses: who opens a file sees the first animation. Since
Blender 4.4 one action can hold what moves several things; before it, tracks of one name are one animation.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np


def tie_takes() -> None:
    """Ties the actions of each take together, where a take has several; of a scene that an FBX was just read into."""
    actions: dict[tuple[str, ...], list[tuple[str, Any]]] = {}
    for action in bpy.data.actions:
        thing, _, take = action.name.partition("|")
        kinds = [slot.target_id_type for slot in action.slots] if hasattr(action, "slots") else [action.id_root]
        actions.setdefault((thing, *kinds[:1]), []).append((take, action))
    takes: dict[str, list[tuple[Any, Any]]] = {}
    for owner in (owner for owner in (*bpy.data.objects, *bpy.data.shape_keys) if owner.animation_data is not None):
        for take, action in actions.get((owner.name, owner.id_type), ()):
            takes.setdefault(take, []).append((owner, action))
    for take, clips in takes.items():
        moving = [clip for clip in clips if _curves(clip[1])]
        if len(moving) > 1:
            (_one_action if hasattr(moving[0][1], "slots") else _one_name)(take, moving)


def _curves(action: Any) -> list[Any]:
    """All curves of an action, whatever they move."""
    if not hasattr(action, "slots"):
        return list(action.fcurves)
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return [curve for bag in bags for curve in bag.fcurves]


def _one_action(take: str, clips: list[tuple[Any, Any]]) -> None:
    """Moves all curves into the first of the actions, a slot of it for each of the things.

    The importer's keys are straight (4.2 to 5.2): their handles need not come along.
    """
    whole = clips[0][1]
    for owner, action in clips[1:]:
        slot = whole.slots.new(owner.id_type, owner.name)
        curves = whole.layers[0].strips[0].channelbag(slot, ensure=True).fcurves
        for curve in _curves(action):
            _copy(curve, curves.new(curve.data_path, index=curve.array_index))
        if owner.animation_data.action == action:
            owner.animation_data.action = whole
            owner.animation_data.action_slot = slot
        bpy.data.actions.remove(action)
    whole.name = take


def _copy(curve: Any, copy: Any) -> None:
    keys = curve.keyframe_points
    copy.keyframe_points.add(len(keys))
    for name, kind, count in (("co", np.float32, 2), ("interpolation", np.int32, 1)):
        numbers = np.empty(count * len(keys), kind)
        keys.foreach_get(name, numbers)
        copy.keyframe_points.foreach_set(name, numbers)
    copy.update()


def _one_name(take: str, clips: list[tuple[Any, Any]]) -> None:
    for owner, action in clips:
        track = owner.animation_data.nla_tracks.new()
        track.name, track.mute = take, True
        track.strips.new(take, round(action.frame_range[0]), action)
