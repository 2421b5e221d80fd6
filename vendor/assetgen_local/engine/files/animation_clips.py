"""The animations of a model as clips: joined into one, held in place, and shown to exporters."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ..array_types import Array

_GAP = 1  # frames between clips that are joined
_CHANNELS = ("location", "rotation_quaternion", "scale")
_SAME = 1e-6
_LINEAR = 1  # Blender's number; 0 is for steps, all others are curves

ONE = "Animation"
"""Name of the clip that all are joined into."""


@contextmanager
def moving(wanted: bool = True, *, skins: bool = False) -> Iterator[None]:
    """Lets armatures follow their animations, which a loaded model does not, while an export wants it.

    Their ``skins`` follow only where an exporter looks at these too: most look at the bones alone, on every frame.
    """
    bends = (bend for item in bpy.data.objects for bend in item.modifiers if bend.type == "ARMATURE")
    states: list[tuple[Any, str, Any]] = [(bend, "show_viewport", skins) for bend in bends]
    states += [(armature, "pose_position", "POSE") for armature in bpy.data.armatures if wanted]
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in states]
    _set(states)
    try:
        yield
    finally:
        _set(before)


def _set(states: Iterable[tuple[Any, str, Any]]) -> None:
    for state in states:
        setattr(*state)
    bpy.context.view_layer.update()


def animated() -> list[Any]:
    """Everything in the scene that has an animation: objects, and the shape keys of meshes."""
    owners: list[Any] = []
    for scene_object in bpy.context.scene.objects:
        keys = getattr(scene_object.data, "shape_keys", None)
        owners += [owner for owner in (scene_object, keys) if owner is not None and owner.animation_data is not None]
    return list({owner.as_pointer(): owner for owner in owners}.values())


def clips_of(owner: Any) -> dict[str, tuple[Any, Any]]:
    """The animations of an object or of shape keys: name → action and slot (None before Blender 4.4)."""
    data = owner.animation_data
    clips = {
        track.name: (strip.action, getattr(strip, "action_slot", None))
        for track in reversed(data.nla_tracks)  # importers stack them: the file's first is on top
        for strip in list(track.strips)[:1]
        if strip.action is not None
    }
    if data.action is not None and all(action != data.action for action, _slot in clips.values()):
        clips[data.action.name] = (data.action, getattr(data, "action_slot", None))
    return clips


def curves_of(action: Any, slot: Any) -> Any:
    """The curves that an action has for a slot. Since Blender 4.4 they are inside layers, and 5.0 knows no others."""
    if slot is None or not hasattr(action, "layers"):
        return getattr(action, "fcurves", [])
    bags = [strip.channelbag(slot) for layer in action.layers for strip in layer.strips]
    return next((bag.fcurves for bag in bags if bag is not None), [])


def new_clip(owner: Any, name: str) -> tuple[Any, Any, Any]:
    """An empty action for an owner: the action, its slot (None before 4.4), and its collection of curves."""
    action = bpy.data.actions.new(name)
    if not hasattr(action, "slots"):
        return action, None, action.fcurves
    slot = action.slots.new(id_type=owner.id_type, name=owner.name)
    strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
    return action, slot, strip.channelbag(slot, ensure=True).fcurves


def write_curve(
    curves: Any, path: str, index: int, frames: Array | Sequence[float], values: Array | Sequence[float]
) -> None:
    """A curve through these values, straight from key to key."""
    curve = curves.new(path, index=index)
    curve.keyframe_points.add(len(frames))
    curve.keyframe_points.foreach_set("co", np.stack((frames, values), axis=1).astype(np.float32).ravel())
    curve.keyframe_points.foreach_set("interpolation", np.full(len(frames), _LINEAR, np.int32))
    curve.update()


def are_straight() -> bool:
    """Whether the clips go straight from key to key, as glTF's do, so that an exporter can write the keys they have.

    Not where rotations are angles, nor where what moves hangs on a bone: its keys are relative to the bone's tip.
    """
    for owner in animated():
        for curve in itertools.chain.from_iterable(curves_of(*clip) for clip in clips_of(owner).values()):
            kinds = np.empty(len(curve.keyframe_points), np.int32)
            curve.keyframe_points.foreach_get("interpolation", kinds)
            bent = curve.data_path.endswith("rotation_euler") or (kinds > _LINEAR).any()
            if bent or getattr(owner, "parent_type", "") == "BONE":
                return False
    return True


def hold_unmoved(document: dict[str, Any]) -> None:
    """Keys the bones that a clip does not move where the file has them: exporters would put them into the rest pose.

    Args:
        document: The JSON of the glTF file that was read into the scene.
    """
    joints = {index for skin in document.get("skins") or () for index in skin["joints"]}
    nodes = {node.get("name"): node for index, node in enumerate(document.get("nodes") or ()) if index in joints}
    for owner in animated():
        for bone in owner.pose.bones if getattr(owner, "pose", None) else ():
            if bone.name in nodes:
                _hold(bone, _node_pose(bone.bone, nodes[bone.name]), clips_of(owner).values())
        # A curve of one key gets another at the end: for it an exporter would go through all frames of the clip.
        for action, slot in clips_of(owner).values():
            for keys in (curve.keyframe_points for curve in curves_of(action, slot)):
                if len(keys) == 1:
                    keys.insert(action.frame_range[1], keys[0].co[1]).interpolation = keys[0].interpolation


def _node_pose(bone: Any, node: dict[str, Any]) -> Any:
    """The pose of a bone that a glTF node describes, relative to the bone at rest."""
    if "matrix" in node:
        local = Matrix(np.reshape(node["matrix"], (4, 4)).T.tolist())
    else:
        x, y, z, w = node.get("rotation", (0, 0, 0, 1))
        place, size = Vector(node.get("translation", (0, 0, 0))), Vector(node.get("scale", (1, 1, 1)))
        local = Matrix.LocRotScale(place, Quaternion((w, x, y, z)), size)
    # Bones keep the axes of the file; the armature that they begin in has +Z up.
    if bone.parent is None:
        return bone.matrix_local.inverted() @ Matrix.Rotation(np.pi / 2, 4, "X") @ local
    return bone.matrix_local.inverted() @ bone.parent.matrix_local @ local


def _hold(bone: Any, pose: Any, clips: Iterable[tuple[Any, Any]]) -> None:
    for name, values, rest in zip(_CHANNELS, pose.decompose(), Matrix().decompose(), strict=True):
        if np.allclose(values, rest, rtol=0, atol=_SAME):
            continue
        path = f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"].{name}'
        for action, slot in clips:
            curves = curves_of(action, slot)
            if all(curve.data_path != path for curve in curves):
                for index, value in enumerate(values):
                    write_curve(curves, path, index, action.frame_range[:1], [value])


def show_first() -> None:
    """Makes the first animation the one on the scene's timeline, for formats that hold no more than that."""
    owners, spans = _clips_and_spans()
    if not spans:
        return
    first = next(iter(spans))
    for owner, clips in owners.items():
        for track in owner.animation_data.nla_tracks:
            track.mute = True
        _assign(owner, *clips.get(first, (None, None)))
    _set_timeline(*spans[first])


def join_all() -> None:
    """Joins the animations into one, one after the other; what moves in only some of them rests in the others."""
    owners, spans = _clips_and_spans()
    if not spans:
        return
    for owner, clips in owners.items():
        _join(owner, clips, spans)
    _set_timeline(0, sum(high - low + _GAP for low, high in spans.values()) - _GAP)


def _clips_and_spans() -> tuple[dict[Any, dict[str, tuple[Any, Any]]], dict[str, tuple[int, int]]]:
    """What moves with its clips, and first and last frame of each clip, of all that it moves: first what is seen."""
    owners = {owner: clips_of(owner) for owner in animated()}
    spans: dict[str, tuple[int, int]] = {}
    every = [(owner, name, clip[0]) for owner, clips in owners.items() for name, clip in clips.items()]
    for _owner, name, action in sorted(every, key=lambda clip: clip[0].animation_data.action != clip[2]):
        low, high = map(round, action.frame_range)
        before = spans.get(name, (low, high))
        spans[name] = (min(low, before[0]), max(high, before[1]))
    return owners, spans


def _join(owner: Any, clips: dict[str, tuple[Any, Any]], spans: dict[str, tuple[int, int]]) -> None:
    sources = {
        name: {(curve.data_path, curve.array_index): curve for curve in curves_of(*clip)}
        for name, clip in clips.items()
    }
    channels = sorted({channel for curves in sources.values() for channel in curves})
    action, slot, curves = new_clip(owner, ONE)
    for path, index in channels:
        frames, values, start = [], [], 0
        for name, (low, high) in spans.items():
            source = sources.get(name, {}).get((path, index))
            at = np.arange(low, high + 1)
            frames.append(at - low + start)
            values.append(np.array([source.evaluate(frame) for frame in at]) if source is not None
                          else np.full(len(at), _at_rest(owner, path, index)))  # fmt: skip
            start += high - low + _GAP
        write_curve(curves, path, index, np.concatenate(frames), np.concatenate(values))
    for track in list(owner.animation_data.nla_tracks):
        owner.animation_data.nla_tracks.remove(track)
    _assign(owner, action, slot)


def _at_rest(owner: Any, path: str, index: int) -> float:
    """The value of a channel that a clip does not move: zero for bones and shape keys, as it is for objects."""
    if path.startswith("pose.bones"):
        kind = path.rpartition(".")[2]
        return 1.0 if kind == "scale" or (kind == "rotation_quaternion" and index == 0) else 0.0
    value = owner.path_resolve(path)
    return 0.0 if path.startswith("key_blocks") else float(value if isinstance(value, (int, float)) else value[index])


def _assign(owner: Any, action: Any, slot: Any) -> None:
    data = owner.animation_data
    data.action = action
    if slot is not None and action is not None:
        data.action_slot = slot


def _set_timeline(low: int, high: int) -> None:
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = low, max(high, low + 1)
    scene.frame_set(scene.frame_start)
