"""A picture's subject: its outline and its colours, cut out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ..array_types import Mask, Picture
from ..errors import EngineError
from ..images import exif
from ..images.color_transfer import fixed
from ..images.foreground import foreground
from ..images.picture_files import read_rgba
from ..images.resample import area_mean, eroded
from ..mesh.connected import regions

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
        height, width = self.mask.shape
        longer = max(height, width)
        shape = [max(1, round(side * min(size, longer) / longer)) for side in (height, width)]
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
    pixels = read_rgba(path)
    pixels = _at_most(pixels, _MOST_PIXELS)
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
    return Subject(mask, colors, corner, width / height, mask.shape[0] / height, _pieces(mask))


def _pieces(mask: Mask) -> int:
    sizes = np.bincount(regions(mask, diagonal=True).ravel())[1:]
    return int((sizes > _OWN_THING * sizes[0]).sum())


def printed_height(path: Path) -> float:
    """Height of a picture in metres at the resolution that its file names; at 72 dots per inch where it names none."""
    image = bpy.data.images.load(str(path))
    try:
        side = 0 if exif.orientation(path) in exif.LYING else 1
        return float(image.size[side] / image.resolution[side])
    finally:
        bpy.data.images.remove(image)


def _at_most(pixels: Picture, size: int) -> Picture:
    """Scaled down; colours count by how opaque they are."""
    longer = max(pixels.shape[:2])
    if longer <= size:
        return pixels
    pixels = _thinned(pixels, longer // size)
    longer = max(pixels.shape[:2])
    shape = [max(1, round(side * min(size, longer) / longer)) for side in pixels.shape[:2]]
    alpha = pixels[..., 3:]
    small = area_mean(np.concatenate((pixels[..., :3] * alpha, alpha), axis=2), *shape)
    small[..., :3] /= np.maximum(small[..., 3:], 1e-4)
    return small


def _thinned(pixels: Picture, factor: int) -> Picture:
    """Means of squares of pixels, without the memory that exact scaling of a large picture takes."""
    height, width = (max(1, side // factor) for side in pixels.shape[:2])
    if factor < 2 or min(pixels.shape[:2]) < factor:
        return pixels
    total = np.zeros((height, width, 4), np.float32)
    for row in range(factor):
        for column in range(factor):
            part = pixels[row : height * factor : factor, column : width * factor : factor]
            total[..., :3] += part[..., :3] * part[..., 3:]
            total[..., 3:] += part[..., 3:]
    total[..., :3] /= np.maximum(total[..., 3:], 1e-4)
    total[..., 3:] /= factor * factor
    return total
