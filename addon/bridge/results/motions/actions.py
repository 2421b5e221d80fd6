"""The actions of a rig: which it has, and how it is given others without losing any."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import bpy

from ...objects import animated_transforms
from ...objects.action_curves import UsedAction, curves_of, remove_curves, used_actions
from . import cycles

STASH = "[Action Stash]"
"""What Blender calls the tracks on which its Action Editor keeps actions that are not shown."""

_NUMBER = re.compile(r"\.\d{3,}$")


class Motion(NamedTuple):
    """What moves a rig, and what the file that it came from calls it."""

    used: UsedAction
    name: str


def motions_of(rig: bpy.types.Object) -> list[Motion]:
    """What moves a rig that has just come."""
    data = rig.animation_data
    # An importer names its tracks as the file does; to the names of actions, that of the rig is added (4.2).
    tracks = {strip.action: track.name for track in data.nla_tracks for strip in track.strips} if data else {}
    return [Motion(used, _plain(tracks.get(used.action, used.action.name))) for used in used_actions(data)]


def _plain(name: str) -> str:
    """The name of a motion without what exporters and Blender add."""
    return _NUMBER.sub("", name).rpartition("|")[2].replace("_", " ").strip() or "motion"


def moves_bones_alone(rig: bpy.types.Object, objects: Sequence[bpy.types.Object]) -> bool:
    """Whether the motion of a result is all in the bones of its rig: then another rig of these bones can take it.

    Where its rig travels as an object, its way begins at the place that the result gets, not where the other stands.
    """
    others = [item for item in objects if item != rig]
    blocks = [*others, *(item.data for item in objects if item.data), *_shape_keys(others)]
    if any(used_actions(block.animation_data) for block in blocks if hasattr(block, "animation_data")):
        return False
    return not any(
        curve.data_path in animated_transforms.TRANSFORMS and not cycles.is_constant(curve)
        for motion in motions_of(rig)
        for curve in curves_of(motion.used)
    )


def _shape_keys(objects: Sequence[bpy.types.Object]) -> list[bpy.types.Key]:
    return [item.data.shape_keys for item in objects if item.type == "MESH" and item.data.shape_keys]


def give(rig: bpy.types.Object, motions: Sequence[Motion], name: str) -> list[bpy.types.Action]:
    """Puts motions of its own bones onto a rig; after an error it moves as before.

    Each is named after the model and itself, has a fake user, and lies on a muted track of its own; the first one
    becomes the active action. What was active is on such a track as well, so nothing is lost.

    Args:
        rig: What shall move.
        motions: As :func:`motions_of` gives them.
        name: Of the model.
    """
    data = rig.animation_data or rig.animation_data_create()
    data.use_tweak_mode = False  # while a strip is edited, Blender lets nobody choose another action
    before = _State([track.as_pointer() for track in data.nla_tracks], *_active(data))
    try:
        _stash(data)
        for motion in motions:
            dress(motion, rig, name)
            _add_track(data, motion.used, motion.used.action.name)
        _activate(data, motions[0].used)
    except Exception:
        before.restore(data)
        raise
    return [motion.used.action for motion in motions]


def own_curves_only(motions: Sequence[Motion]) -> None:
    """Takes what would hold an object where its file had it out of motions of its bones."""
    for used, _ in motions:
        remove_curves(used, [curve for curve in curves_of(used) if curve.data_path in animated_transforms.TRANSFORMS])


class _State(NamedTuple):
    """How something was animated."""

    tracks: list[int]
    action: bpy.types.Action | None
    slot: object

    def restore(self, data: bpy.types.AnimData) -> None:
        """Animates it so again."""
        for track in list(data.nla_tracks):
            if track.as_pointer() not in self.tracks:
                data.nla_tracks.remove(track)
        data.action = self.action
        if self.slot is not None:
            data.action_slot = self.slot


def _active(data: bpy.types.AnimData) -> tuple[bpy.types.Action | None, object]:
    return data.action, getattr(data, "action_slot", None)


def _stash(data: bpy.types.AnimData) -> None:
    """Keeps the active action on a track, as Blender's own Stash does, unless it is on one already."""
    action, slot = _active(data)
    if action is None or any(strip.action == action for track in data.nla_tracks for strip in track.strips):
        return
    _add_track(data, UsedAction(action, slot), STASH).lock = True


def _add_track(data: bpy.types.AnimData, used: UsedAction, name: str) -> bpy.types.NlaTrack:
    track = data.nla_tracks.new()
    track.name = name
    strip = track.strips.new(used.action.name, int(cycles.FIRST_FRAME), used.action)
    if used.slot is not None:
        strip.action_slot = used.slot
    track.mute = True
    return track


def dress(motion: Motion, rig: bpy.types.Object, name: str, *, may_shift: bool = True) -> None:
    """Makes an action one that a person finds and can play; see :func:`.cycles.prepare`."""
    used = motion.used
    action = used.action
    action.name = f"{name} {motion.name}"
    action.use_fake_user = True
    if used.slot is not None:
        used.slot.name_display = rig.name
    cycles.prepare(used, rig, may_shift=may_shift)


def _activate(data: bpy.types.AnimData, used: UsedAction) -> None:
    data.action = used.action
    if used.slot is not None:
        data.action_slot = used.slot
