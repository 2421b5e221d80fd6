"""What a picture shows, apart from its background: by transparency, an even colour along the border, or a cut."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from ..array_types import Mask, Picture
from ..errors import EngineError
from ..mesh.connected import at_rim, regions
from .photo_subject import photo_subject

_SPREAD = 0.07  # how far a colour may be from the background's and still be background, at least
_WIDEST_SPREAD = 0.16  # a border that varies by more is no background
_SURE = 0.4  # of the spread: what is this near to the background inside the subject is a hole in it
_SMALLEST_REGION = 0.02  # of the largest region's area
_SMALLEST_IN_PHOTO = 0.2  # the same, where single spots of the background are like the subject
_SMALLEST_HOLE = 0.001  # of the largest region's area
_SMALLEST_HOLE_IN_PHOTO = 0.15
_MOST_AT_SIDES = 0.1  # of the sides and the top: where more of them is no background, they do not tell its colour
_STRAIGHT = 0.985  # of its box: what fills so much of it is a rectangle
_LEAST_IN_FRAME = 0.5  # of the picture: a smaller rectangle is a thing, a larger one a photograph in a frame
_LEAST_CERTAINTY = 2.0  # below it, no one thing is what the picture is of: a lawn, a street
_SENSIBLE = (0.004, 0.92)  # of the picture: what is smaller or larger is no subject


def foreground(pixels: Picture) -> Mask:
    """What belongs to the subject.

    Transparent pixels are background where there are any. Otherwise the background is what has the border's colour,
    which may change evenly; where the border has many, it is a photograph, whose subject is cut out, and a large
    rectangle is a photograph in a frame. Kept are the largest region and those not much smaller, with their holes.

    Args:
        pixels: RGBA, 0 to 1, shape (height, width, 4).

    Raises:
        EngineError: Nothing stands out from the background.
    """
    opaque = pixels[..., 3] > 0.5
    if not opaque.any():
        raise EngineError("The picture is fully transparent: there is nothing to make a model of.")
    if not opaque.all():
        return _large_regions(np.asarray(opaque, bool), _SMALLEST_REGION)
    subject = _apart(pixels[..., :3])
    rows, columns = np.flatnonzero(subject.any(axis=1)), np.flatnonzero(subject.any(axis=0))
    trim = min(subject.shape) // 60 + 1  # what a frame's edge has blurred
    inside = np.s_[rows[0] + trim : rows[-1] + 1 - trim, columns[0] + trim : columns[-1] + 1 - trim]
    if _LEAST_IN_FRAME < subject.mean() < 1 and subject[inside].sum() > max(64, _STRAIGHT * subject[inside].size):
        with suppress(EngineError):  # a rug or a door is nothing but its rectangle
            within = np.zeros_like(subject)
            within[inside] = _apart(pixels[inside][..., :3])
            return within if within.mean() > _SENSIBLE[0] else subject
    return subject


def subject_of(pixels: Picture) -> Mask:
    """What a picture shows; all of it where nothing stands out."""
    try:
        return foreground(pixels)
    except EngineError:
        return np.ones(pixels.shape[:2], bool)


def _apart(colors: Picture) -> Mask:
    """The subject by the border's colour, or cut out where the border has many or much of it is not background."""
    difference, spread = _difference_from_background(colors)
    if spread > _WIDEST_SPREAD:
        return _cut_out(colors)
    subject = _large_regions(_apart_from_border(difference, spread), _SMALLEST_REGION)
    if not subject.any():
        raise EngineError(
            "Nothing in the picture stands out from its background; "
            "a subject in front of one even colour, or with transparency around it, is needed."
        )
    sides = np.concatenate((subject[-1], subject[:, 0], subject[:, -1]))
    return _cut_out(colors) if sides.mean() > _MOST_AT_SIDES else subject


def _cut_out(colors: Picture) -> Mask:
    """The subject of a photograph, with what is enclosed by it: in a cup there often are the colours of the table."""
    mask, certainty = photo_subject(colors)
    subject = _large_regions(mask, _SMALLEST_IN_PHOTO)
    if certainty < _LEAST_CERTAINTY or not _SENSIBLE[0] < subject.mean() < _SENSIBLE[1]:
        raise EngineError(
            "No one thing stands out in the picture; "
            "a picture of one thing in front of something else, or with transparency around it, is needed."
        )
    around = regions(~subject)
    stays = at_rim(around) | (np.bincount(around.ravel()) > _SMALLEST_HOLE_IN_PHOTO * subject.sum())
    stays[0] = False
    return np.asarray(~stays[around], bool)


def _apart_from_border(difference: Picture, spread: float) -> Mask:
    """What is not joined to the border by the background's colour, without its holes.

    Regions of that colour inside the subject are holes when they are large and match closely. A light spot on a light
    subject in front of a white wall is not one: its colours only come near to the wall's.
    """
    like = regions(difference <= spread)
    outside = at_rim(like)[like]
    inside = np.where(outside, 0, like)
    area = np.bincount(inside.ravel())
    matching = np.bincount(inside[difference <= spread * _SURE], minlength=len(area))
    is_hole = (area > _SMALLEST_HOLE * (~outside).sum()) & (matching > 0.75 * area)
    is_hole[0] = False
    return np.asarray(~outside & ~is_hole[inside], bool)


def _difference_from_background(colors: Picture) -> tuple[Picture, float]:
    """How far every pixel is from the background there, and how far a pixel of the background may be.

    The background is a plane in each channel through the border's colours, without those that do not fit it (where
    the subject reaches the border).
    """
    across, up = np.meshgrid(np.linspace(-1, 1, colors.shape[1]), np.linspace(-1, 1, colors.shape[0]))
    terms = np.stack((np.ones_like(across), across, up, across * up), axis=2)
    edge = np.zeros(across.shape, bool)
    thick = max(1, min(edge.shape) // 100)
    edge[:thick], edge[-thick:], edge[:, :thick], edge[:, -thick:] = True, True, True, True
    shape, seen = terms[edge], colors[edge].astype(np.float64)
    usual = np.median(seen, axis=0)
    fits = np.abs(seen - usual).max(axis=1) <= max(_WIDEST_SPREAD, 2 * float(np.median(np.abs(seen - usual).max(1))))
    plane = np.outer((1.0, 0.0, 0.0, 0.0), usual)
    for _ in range(4):
        if fits.sum() < max(16, len(seen) // 4):
            break
        plane = np.linalg.lstsq(shape[fits], seen[fits], rcond=None)[0]
        off = np.abs(seen - shape @ plane).max(axis=1)
        fits = off <= max(_SPREAD, 2.5 * float(np.median(off)))
    spread = max(_SPREAD, 2.0 * float(np.percentile(np.abs(seen[fits] - shape[fits] @ plane).max(axis=1), 95)))
    return np.abs(colors - terms @ plane).max(axis=2).astype(np.float32), spread


def _large_regions(mask: Mask, smallest: float) -> Mask:
    numbered = regions(mask, diagonal=True)
    sizes = np.bincount(numbered.ravel())
    if len(sizes) < 2:
        return mask
    kept = sizes >= max(4.0, smallest * sizes[1])
    kept[0] = False
    return np.asarray(kept[numbered], bool)
