"""Pictures of objects in the scene, with a transparent background."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from ..array_types import Picture
from ..images.picture_files import read_rgba
from ..mesh.measure import bounds
from . import preview

_SAMPLES, _SAMPLES_WITHOUT_LIGHT = 8, 4
_MARGIN = 1.06


def render_shot(
    objects: Sequence[Any], size: int, view: Vector, *, flat: bool = False, span: float | None = None, lit: bool = True
) -> Picture:
    """A square picture: RGBA 0..1 on the sRGB curve, bottom row first.

    Args:
        objects: What is shown.
        size: Pixels of each side.
        view: Unit vector towards the camera.
        flat: Without perspective.
        lit: Whether surfaces need light; those that show a colour as it is need neither time nor denoising.
        span: Blender units that the picture is wide, for flat ones; what the objects need when left out.
    """
    with tempfile.TemporaryDirectory(prefix="assetgen-shot-") as folder:
        path = Path(folder) / "shot.png"
        with preview.studio(objects, size=size, view=view):
            scene = bpy.context.scene
            scene.cycles.samples = _SAMPLES if lit else _SAMPLES_WITHOUT_LIGHT
            scene.cycles.use_denoising = lit and scene.cycles.use_denoising
            scene.render.film_transparent = True
            scene.render.image_settings.color_mode = "RGBA"
            if flat:
                scene.camera.data.type = "ORTHO"
                scene.camera.data.ortho_scale = span or float(bounds(objects).size.max()) * _MARGIN
            preview.set_render_path(scene, path)
            bpy.ops.render.render(write_still=True)
            scene.render.film_transparent = False
            scene.render.image_settings.color_mode = "RGB"
        return read_rgba(path)


def cropped(picture: Picture) -> Picture:
    """The part of a picture that is not transparent; the whole where all is."""
    rows, columns = (np.flatnonzero((picture[..., 3] > 0.02).any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return picture
    return picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
