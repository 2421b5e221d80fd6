"""A picture's subject: its outline and its colours, cut out, and where a model of it comes to stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..array_types import Mask, Picture
from ..errors import EngineError
from ..images.arrays import fixed
from ..images.foreground import foreground
from ..images.picture_files import LYING, orientation, read_rgba
from ..images.resample import area_mean, at_most, eroded, size_within
from ..mesh.connected import regions
from ..mesh.measure import bounds
from ..task import Task

_MOST_PIXELS = 1280
"""Longest side that a picture is worked on with."""

_SMALLEST = 4
_OWN_THING = 0.25  # of the largest region's area: what is smaller belongs to it, such as a dot or a wheel


@dataclass(frozen=True, slots=True)
class Subject:
    """What a picture shows, cut to its bounding box. Bottom row first.

    Attributes:
        mask: What belongs to it, (height, width).
        colors: On the sRGB curve, (height, width, 3); outside of the mask whatever the picture has there.
        corner: Of the box in the picture, as a part of the picture's height from its lower left: (across, up).
        frame: Width of the picture over its height.
        share: Height of the box as a part of the picture's height.
        pieces: How many things it seems to be: regions that do not touch, without the small ones.
    """

    mask: Mask
    colors: Picture
    corner: tuple[float, float]
    frame: float
    share: float
    pieces: int

    @property
    def note(self) -> str:
        """A sentence for who wanted one thing, without its full stop."""
        return f"The picture shows {self.pieces} separate things, and all of them are used" if self.pieces > 1 else ""

    def outline(self, size: int) -> Mask:
        """The mask with ``size`` pixels along its longer side."""
        shape = size_within(self.mask.shape, size)
        return np.asarray(area_mean(self.mask.astype(np.float32), *shape) > 0.5, bool)

    def clean(self) -> Mask:
        """Pixels whose colour has nothing of the background in it: those along the outline are left out."""
        inner = eroded(self.mask, max(1, max(self.mask.shape) // 250))
        return inner if inner.any() else self.mask


def read_subject(path: Path, *, autofix: bool = False) -> Subject:
    """Reads a picture and finds what it shows.

    Args:
        path: A picture file that Blender can read.
        autofix: Take noise out and spread the contrast first.

    Raises:
        EngineError: It cannot be read, or nothing stands out from its background.
    """
    pixels = at_most(read_rgba(path), _MOST_PIXELS)
    if autofix:
        pixels = fixed(pixels)
    whole_mask = foreground(pixels)
    rows, columns = np.flatnonzero(whole_mask.any(axis=1)), np.flatnonzero(whole_mask.any(axis=0))
    cut = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    height, width = whole_mask.shape
    mask = whole_mask[cut]
    if min(mask.shape) < _SMALLEST:
        raise EngineError(f"What the image {path.name} shows is too small to make a model of.")
    colors = np.ascontiguousarray(pixels[cut][..., :3])
    corner = (columns[0] / height, rows[0] / height)
    sizes = np.bincount(regions(mask, diagonal=True).ravel())[1:]
    pieces = int((sizes > _OWN_THING * sizes[0]).sum())
    return Subject(mask, colors, corner, width / height, mask.shape[0] / height, pieces)


def place(task: Task, objects: Sequence[Any], subject: Subject, path: Path) -> None:
    """On the floor and 1 high, or where ``orientation`` and ``auto_size`` want it."""
    height, across, up = 1.0, 0.0, 0.0
    if task.body.get("orientation") == "align_image":
        height, up = subject.share, subject.corner[1]
        across = subject.corner[0] - subject.frame / 2 + height * subject.mask.shape[1] / subject.mask.shape[0] / 2
    elif task.flag("auto_size"):
        height = subject.share * _printed_height(path)
    box = bounds(objects)
    middle = Vector((float(box.centre[0]), float(box.centre[1]), float(box.low[2])))
    change = Matrix.Scale(height / max(float(box.size[2]), 1e-9), 4) @ Matrix.Translation(-middle)
    for scene_object in objects:
        scene_object.data.transform(Matrix.Translation((across, 0.0, up)) @ change)
        scene_object.data.update()


def _printed_height(path: Path) -> float:
    """Height of a picture in metres at the resolution that its file names; at 72 dots per inch where it names none."""
    image = bpy.data.images.load(str(path))
    try:
        side = 0 if orientation(path) in LYING else 1
        return float(image.size[side] / image.resolution[side])
    finally:
        bpy.data.images.remove(image)
