"""Pictures of a model in motion: one pose, a short film, and the model turning once around itself."""

from __future__ import annotations

import itertools
import math
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..array_types import Array
from ..mesh.build import in_scene, new_object, remove
from ..mesh.measure import bounds, world_coordinates
from ..mesh.operators import alone
from ..motion import actions
from ..motion.presets import FPS, Motion
from ..shapes.solids import at_height, circle
from . import preview

VIDEO = "animation.mp4"
TURN_VIDEO, TURN_SEQUENCE = "turntable.mp4", "turntable.zip"

_SIZE = 192
_EVERY = 2  # frames of the motion for one of the film
_LONGEST = 72  # frames of a film: several motions of some seconds
_SAMPLES = 4

_TURN_FRAMES = 24
_TURN_SLOWER = 3  # how many times each picture is shown in the film
_TURN_SIZE = 256


def pose(path: Path, objects: Sequence[Any]) -> None:
    """Renders the pose that is shown, in the middle of the picture whatever way the model has gone."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    posed = [item.evaluated_get(depsgraph) for item in objects]
    frozen = [in_scene("posed", bpy.data.meshes.new_from_object(item, depsgraph=depsgraph)) for item in posed]
    for copy, item in zip(frozen, posed, strict=True):
        copy.matrix_world = item.matrix_world
    bpy.context.view_layer.update()
    with alone(*frozen):
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
    actions.show(armature)
    for track, _ in shown:
        track.mute = True
    reel = armature.animation_data.nla_tracks.new()
    start = 0
    for track, motion in shown:
        source = track.strips[0]
        strip = reel.strips.new(motion.name, start, source.action)
        if hasattr(source, "action_slot"):  # since Blender 4.4
            strip.action_slot = source.action_slot
        start += motion.frames
    with _frames(scene, places, range(0, start, step), _SIZE):
        _render_film(scene, path, step)
    armature.animation_data.nla_tracks.remove(reel)
    actions.show(armature)


def turntable(folder: Path, objects: Sequence[Any], *, video: bool, sequence: bool) -> dict[str, str]:
    """Renders a turn of the model; the objects hang on a turning node afterwards.

    Args:
        folder: Where the files go.
        objects: The meshes of the model.
        video: Render :data:`TURN_VIDEO`, an MP4 that can be played in a loop.
        sequence: Render :data:`TURN_SEQUENCE`, a zip of the PNG pictures.

    Returns:
        File names by output key.
    """
    scene = bpy.context.scene
    places = _rims(objects)
    _turning(objects)
    files = {}
    with _frames(scene, places, range(_TURN_FRAMES), _TURN_SIZE):
        if sequence:
            with tempfile.TemporaryDirectory(prefix="assetgen-turntable-") as pictures:
                scene.render.use_file_extension = True
                preview.render_into(Path(pictures) / "frame_", animation=True)
                with zipfile.ZipFile(folder / TURN_SEQUENCE, "w") as archive:
                    for picture in sorted(Path(pictures).iterdir()):
                        archive.write(picture, picture.name)
            files["rendered_sequence_url"] = TURN_SEQUENCE
        if video:
            scene.render.use_file_extension = False
            _render_film(scene, folder / TURN_VIDEO, _TURN_SLOWER)
            files["rendered_video_url"] = TURN_VIDEO
    return files


@contextmanager
def _frames(scene: Any, places: Array, shown: range, size: int) -> Iterator[None]:
    """A studio for the frames of something that moves, by one camera that has all of these places in the picture."""
    stage = new_object("stage", places, np.empty((0, 3), np.int32))
    bpy.context.view_layer.update()
    with preview.studio([stage], size=size, samples=_SAMPLES):
        bpy.data.objects.remove(stage)
        scene.render.use_persistent_data = True
        scene.frame_start, scene.frame_end, scene.frame_step = shown.start, shown.stop - 1, shown.step
        yield
        scene.render.use_persistent_data = False
        scene.render.fps_base, scene.frame_step = 1.0, 1


def _render_film(scene: Any, path: Path, step: int) -> None:
    """Renders the frames of a scene to an MP4, each one shown for ``step`` of the motion's."""
    settings = scene.render.image_settings
    if hasattr(settings, "media_type"):  # since Blender 5.0
        settings.media_type = "VIDEO"
    settings.file_format = "FFMPEG"
    scene.render.ffmpeg.format = "MPEG4"
    scene.render.ffmpeg.codec = "H264"
    scene.render.ffmpeg.constant_rate_factor = "HIGH"
    scene.render.fps, scene.render.fps_base = FPS, float(step)
    preview.render_into(path, animation=True)


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


def _rims(objects: Sequence[Any]) -> Array:
    """Places that are as far out as the model comes: two rims around it, (n, 3)."""
    box = bounds(objects)
    points = np.concatenate([world_coordinates(scene_object) for scene_object in objects])
    rim = circle(24, float(np.hypot(*(points - box.centre)[:, :2].T).max())) + box.centre[:2]
    return np.concatenate([at_height(rim, height) for height in (box.low[2], box.high[2])])


def _turning(objects: Sequence[Any]) -> None:
    """Hangs the model on a node that turns once, a step in each frame."""
    middle = bounds(objects).centre
    node = in_scene("turntable", None)
    node.location = (float(middle[0]), float(middle[1]), 0.0)
    bpy.context.view_layer.update()
    for scene_object in objects:
        if scene_object.parent is None:
            scene_object.parent = node
            scene_object.matrix_parent_inverse = node.matrix_world.inverted()
    for frame in range(_TURN_FRAMES):
        node.rotation_euler.z = 2 * math.pi * frame / _TURN_FRAMES
        node.keyframe_insert("rotation_euler", index=2, frame=frame)
