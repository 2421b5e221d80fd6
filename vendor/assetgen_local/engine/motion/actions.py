"""Motions as actions of an armature, one track each."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..array_types import Array
from ..files import animation_clips
from .figure import Figure
from .presets import FPS, Motion

_SPARSE = 3  # frames between keys that are not on every frame


def add(figure: Figure, motion: Motion, every_frame: bool) -> Any:
    """Makes an action of a motion and puts it on a track of its own; answers with the track.

    Args:
        figure: Whose armature it is for.
        motion: What it does.
        every_frame: Keys on every frame; else on every third one, and on the first and last.
    """
    armature = figure.armature
    bpy.context.scene.render.fps = FPS
    frames = np.arange(motion.frames)
    if not every_frame:
        frames = np.unique(np.append(frames[::_SPARSE], frames[-1]))
    action, slot, curves = animation_clips.new_clip(armature, motion.name)
    root = next(role for role, parent in figure.parents.items() if not parent)
    for role, name in figure.names.items():
        bone = armature.pose.bones[name]
        bone.rotation_mode = "QUATERNION"
        axes = np.array(bone.bone.matrix_local.to_3x3())
        path = bone.path_from_id("rotation_quaternion")
        _write(curves, path, frames, _quaternions(figure, axes, motion.rotations[role][frames]))
        if role == root:
            _write(curves, bone.path_from_id("location"), frames, motion.offsets[frames] @ figure.to_rig.T @ axes)
    track = (armature.animation_data or armature.animation_data_create()).nla_tracks.new()
    track.name = motion.name
    strip = track.strips.new(motion.name, 0, action)
    if slot is not None:
        strip.action_slot = slot
    strip.extrapolation = "NOTHING"
    return track


def clear(armature: Any) -> None:
    """Removes every action and track that a rig came with."""
    armature.animation_data_clear()
    bpy.data.batch_remove(bpy.data.actions)


def show(armature: Any, track: Any = None, frame: int = 0) -> None:
    """Shows a frame of one track, or of all of them, which is what exporters write."""
    for other in armature.animation_data.nla_tracks:
        other.mute = track is not None and other != track
    bpy.context.scene.frame_set(frame)


def _quaternions(figure: Figure, axes: Array, rotations: Array) -> Array:
    """Rotations in the bone's own space, shape (frames, 4), each near the one before."""
    to_bone = axes.T @ figure.to_rig
    result = np.array([tuple(Matrix((to_bone @ turn @ to_bone.T).tolist()).to_quaternion()) for turn in rotations])
    turned_over = (result[1:] * result[:-1]).sum(axis=1, keepdims=True) < 0
    result[1:] *= np.cumprod(np.where(turned_over, -1.0, 1.0), axis=0)
    return result


def _write(curves: Any, path: str, frames: Array, values: Array) -> None:
    for index in range(values.shape[1]):
        animation_clips.write_curve(curves, path, index, frames, values[:, index])
