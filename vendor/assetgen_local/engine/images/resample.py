"""Pictures and masks at other sizes. numpy only."""

from __future__ import annotations

import numpy as np

from ..array_types import Mask, Picture
from .arrays import fill

_COVERED = 0.05  # of a pixel


def area_mean(picture: Picture, height: int, width: int) -> Picture:
    """The picture with that many pixels, each the mean of the area that it covers; (rows, columns[, channels])."""
    return _along(_along(picture, height, 0), width, 1)


def _along(picture: Picture, size: int, axis: int) -> Picture:
    """Means over equal intervals along one axis, from sums up to each place (with parts of a pixel in between)."""
    count = picture.shape[axis]
    if count == size:
        return picture
    first = np.moveaxis(picture, axis, 0)
    sums = np.concatenate((np.zeros((1, *first.shape[1:])), np.cumsum(first, axis=0, dtype=np.float64)))
    place = np.linspace(0, count, size + 1)
    low = np.minimum(place.astype(int), count - 1)
    part = (place - low).reshape(-1, *(1,) * (first.ndim - 1))
    upto = sums[low] * (1 - part) + sums[low + 1] * part
    return np.moveaxis(np.diff(upto, axis=0) * (size / count), 0, axis).astype(np.float32)


def smooth(picture: Picture, height: int, width: int) -> Picture:
    """The picture with that many pixels: bilinear where it grows, means where it shrinks."""
    for axis, size in enumerate((height, width)):
        count = picture.shape[axis]
        if size < count:
            picture = _along(picture, size, axis)
        elif size > count:
            place = np.clip((np.arange(size) + 0.5) * count / size - 0.5, 0, count - 1)
            low = np.minimum(place.astype(int), max(count - 2, 0))
            part = (place - low).astype(np.float32).reshape(-1, *(1,) * (picture.ndim - 1))
            lines = np.moveaxis(picture, axis, 0)
            mixed = lines[low] * (1 - part) + lines[np.minimum(low + 1, count - 1)] * part
            picture = np.moveaxis(mixed, 0, axis)
    return np.asarray(picture, np.float32)


def resized(picture: Picture, height: int, width: int) -> Picture:
    """The picture at another size, without dark rims where it becomes transparent."""
    flat = picture.copy()
    flat[..., :3] *= flat[..., 3:]
    flat = smooth(flat, height, width)
    flat[..., :3] /= np.maximum(flat[..., 3:], 1e-6)
    return flat


def square_of(colors: Picture, coverage: Mask, size: int) -> tuple[Picture, Mask]:
    """Colours, (height, width, 3), as a square of ``size`` pixels, a power of two, filled around the covered ones.

    Returns:
        The colours, and which pixels are covered.
    """
    weight = coverage[..., None].astype(np.float32)
    small = area_mean(np.concatenate((colors * weight, weight), axis=2), *(min(size, side) for side in coverage.shape))
    small = smooth(small, size, size)
    inside = small[..., 3] > _COVERED
    return fill(small[..., :3] / np.maximum(small[..., 3:], 1e-3), inside), inside


def at_most(picture: Picture, size: int) -> Picture:
    """An RGBA picture with at most ``size`` pixels along its longer side; colours count by how opaque they are."""
    longer = max(picture.shape[:2])
    if longer <= size:
        return picture
    thinned = _thinned(picture, longer // size)
    return resized(thinned, *size_within(thinned.shape, size))


def size_within(shape: tuple[int, ...], size: int, least: int = 1) -> tuple[int, int]:
    """Height and width of a picture of this shape when its longer side has at most ``size`` pixels."""
    longer = max(shape[:2])
    height, width = (max(least, round(side * min(size, longer) / longer)) for side in shape[:2])
    return height, width


def _thinned(pixels: Picture, factor: int) -> Picture:
    """Means of squares of pixels, without the memory that exact scaling of a large picture takes."""
    height, width = (side // factor for side in pixels.shape[:2])
    if factor < 2 or not height * width:
        return pixels
    squares = pixels[: height * factor, : width * factor].reshape(height, factor, width, factor, 4)
    opacity = squares[..., 3].sum(axis=(1, 3))[..., None]
    colors = np.einsum("ajbkc,ajbk->abc", squares[..., :3], squares[..., 3]) / np.maximum(opacity, 1e-4)
    return np.concatenate((colors, opacity / factor**2), axis=2)


def eroded(mask: Mask, steps: int) -> Mask:
    """The mask without the pixels that are at most so many steps from its outside (or from the picture's rim)."""
    padded = np.pad(mask, 1)
    for _ in range(steps):
        inner = padded[1:-1, 1:-1]
        inner &= padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
    return padded[1:-1, 1:-1]


def blurred(picture: Picture, steps: int) -> Picture:
    """The picture, softened by so many passes of a 1-2-1 filter in both directions."""
    for _ in range(steps):
        for axis in (0, 1):
            padded = np.pad(picture, [(1, 1) if index == axis else (0, 0) for index in range(picture.ndim)], "edge")
            moved = np.moveaxis(padded, axis, 0)
            picture = np.moveaxis((moved[:-2] + 2 * moved[1:-1] + moved[2:]) / 4, 0, axis)
    return np.asarray(picture, np.float32)
