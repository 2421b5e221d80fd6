"""Pictures of a model in motion: one pose, and a short film."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..array_types import Array
from ..mesh.build import in_scene, new_object, remove
from ..mesh.measure import bounds
from ..mesh.operators import hidden
from ..motion import actions
from ..motion.presets import FPS, Motion
from . import preview

VIDEO = "animation.mp4"

_SIZE = 192
_EVERY = 2  # frames of the motion for one of the film
_LONGEST = 72  # frames of a film: several motions of some seconds
_SAMPLES = 4


def pose(path: Path, objects: Sequence[Any]) -> None:
    """Renders the pose that is shown, in the middle of the picture whatever way the model has gone."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    frozen = []
    for scene_object in objects:
        mesh = bpy.data.meshes.new_from_object(scene_object.evaluated_get(depsgraph), depsgraph=depsgraph)
        copy = in_scene("posed", mesh)
        copy.matrix_world = scene_object.matrix_world
        frozen.append(copy)
    bpy.context.view_layer.update()
    with hidden(objects):
        preview.render(path, frozen)
    remove(frozen)


def film(path: Path, armature: Any, objects: Sequence[Any], shown: Sequence[tuple[Any, Motion]]) -> None:
    """Renders the motions one after the other to an MP4, every second frame or fewer, seen by one camera.

    Args:
        path: Where to.
        armature: What moves.
        objects: The meshes bound to it.
        shown: Tracks and their motions.
    """
    scene = bpy.context.scene
    total = sum(motion.frames for _, motion in shown)
    step = max(_EVERY, -(-total // _LONGEST))
    places = _corners(armature, objects, shown, step)
    actions.show_all(armature)
    tracks = [track for track, _ in shown]
    for track in tracks:
        track.mute = True
    reel = armature.animation_data.nla_tracks.new()
    start = 0
    for track, motion in shown:
        source = track.strips[0]
        strip = reel.strips.new(motion.name, start, source.action)
        if hasattr(source, "action_slot"):  # since Blender 4.4
            strip.action_slot = source.action_slot
        start += motion.frames
    with frames(scene, places, range(0, start, step), size=_SIZE, samples=_SAMPLES):
        as_film(scene, path, step)
        bpy.ops.render.render(animation=True)
    armature.animation_data.nla_tracks.remove(reel)
    actions.show_all(armature)


@contextmanager
def frames(scene: Any, places: Array, shown: range, *, size: int, samples: int) -> Iterator[None]:
    """A studio for the frames of something that moves, by one camera that has all of these places in the picture."""
    stage = new_object("stage", places, np.empty((0, 3), np.int32))
    bpy.context.view_layer.update()
    with preview.studio([stage], size=size, samples=samples):
        bpy.data.objects.remove(stage)
        scene.render.use_persistent_data = True
        scene.frame_start, scene.frame_end, scene.frame_step = shown.start, shown.stop - 1, shown.step
        yield
        scene.render.use_persistent_data = False
        scene.render.fps_base, scene.frame_step = 1.0, 1


def as_film(scene: Any, path: Path, step: int) -> None:
    """Makes the scene render its frames as an MP4, each one shown for ``step`` of the motion's."""
    settings = scene.render.image_settings
    if hasattr(settings, "media_type"):  # since Blender 5.0
        settings.media_type = "VIDEO"
    settings.file_format = "FFMPEG"
    scene.render.ffmpeg.format = "MPEG4"
    scene.render.ffmpeg.codec = "H264"
    scene.render.ffmpeg.constant_rate_factor = "HIGH"
    scene.render.fps, scene.render.fps_base = FPS, float(step)
    preview.set_render_path(scene, path)


def _corners(armature: Any, objects: Sequence[Any], shown: Sequence[tuple[Any, Motion]], step: int) -> Array:
    """The corners of the boxes that the model is in at some times of its motions, (n, 3)."""
    corners: list[tuple[float, float, float]] = []
    for track, motion in shown:
        for frame in range(0, motion.frames, step * 2):
            actions.show(armature, track, frame)
            depsgraph = bpy.context.evaluated_depsgraph_get()
            box = bounds([entry.evaluated_get(depsgraph) for entry in objects])
            corners += itertools.product(*zip(box.low, box.high, strict=True))
    return np.array(corners)
