"""The model turning once around itself: as a film, and as single pictures."""

from __future__ import annotations

import math
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..array_types import Array
from ..mesh.build import in_scene
from ..mesh.measure import bounds, world_coordinates
from ..shapes.solids import at_height, circle
from . import preview
from .film import as_film, frames

VIDEO, SEQUENCE = "turntable.mp4", "turntable.zip"

_FRAMES = 24
_SLOWER = 3  # how many times each picture is shown in the film
_SIZE = 256
_SAMPLES = 4


def turntable(folder: Path, objects: Sequence[Any], *, video: bool, sequence: bool) -> dict[str, str]:
    """Renders a turn of the model; the objects hang on a turning node afterwards.

    Args:
        folder: Where the files go.
        objects: The meshes of the model.
        video: Render :data:`VIDEO`, an MP4 that can be played in a loop.
        sequence: Render :data:`SEQUENCE`, a zip of the PNG pictures.

    Returns:
        File names by output key.
    """
    scene = bpy.context.scene
    places = _rims(objects)
    _turning(objects)
    files = {}
    with frames(scene, places, range(_FRAMES), size=_SIZE, samples=_SAMPLES):
        if sequence:
            with tempfile.TemporaryDirectory(prefix="assetgen-turntable-") as pictures:
                scene.render.use_file_extension = True
                preview.set_render_path(scene, Path(pictures) / "frame_")
                bpy.ops.render.render(animation=True)
                with zipfile.ZipFile(folder / SEQUENCE, "w") as archive:
                    for picture in sorted(Path(pictures).iterdir()):
                        archive.write(picture, picture.name)
            files["rendered_sequence_url"] = SEQUENCE
        if video:
            scene.render.use_file_extension = False
            as_film(scene, folder / VIDEO, _SLOWER)
            bpy.ops.render.render(animation=True)
            files["rendered_video_url"] = VIDEO
    return files


def _rims(objects: Sequence[Any]) -> Array:
    """Places that are as far out as the model comes: two rims around it, (n, 3)."""
    box = bounds(objects)
    points = np.concatenate([world_coordinates(scene_object) for scene_object in objects])
    radius = float(np.hypot(*(points - box.centre)[:, :2].T).max())
    rim = circle(24, radius) + box.centre[:2]
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
    for frame in range(_FRAMES):
        node.rotation_euler.z = 2 * math.pi * frame / _FRAMES
        node.keyframe_insert("rotation_euler", index=2, frame=frame)
