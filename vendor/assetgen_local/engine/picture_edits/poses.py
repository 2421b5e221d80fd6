"""Symmetric, completed and shaded versions of a picture's subject, and one on a base. RGBA cut to the subject."""

from __future__ import annotations

import numpy as np

from ..array_types import Mask, Picture
from ..images.arrays import poisson
from ..images.resample import blurred, smooth
from .restyle import luma

_SHOULDERS, _ARM = 0.8, 0.085  # height of the arms' middle, and their thickness, as parts of the subject's height
_ALREADY_WIDE = 0.8  # of the height: such a subject has its arms out
_LIGHT = np.array((-0.45, 0.5, 0.74))
_SHADED_SIZE = 256


def cut_out(picture: Picture, mask: Mask) -> Picture:
    """The subject alone: transparent around it, cut to its box."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    result = picture.copy()
    result[..., 3] = np.where(mask, result[..., 3], 0.0)
    return result[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def symmetric(subject: Picture) -> Picture:
    """Left and right alike: what one side lacks comes from the other; the axis is the middle of the subject's mass."""
    alpha = subject[..., 3]
    axis = float((alpha.sum(axis=0) * (np.arange(alpha.shape[1]) + 0.5)).sum() / max(float(alpha.sum()), 1e-6))
    reach = int(np.ceil(max(axis, alpha.shape[1] - axis)))
    wide = np.zeros((len(subject), 2 * reach, 4), np.float32)
    start = min(max(reach - round(axis), 0), 2 * reach - subject.shape[1])
    wide[:, start : start + subject.shape[1]] = subject
    mirror = wide[:, ::-1]
    left = np.arange(2 * reach)[None, :, None] < reach
    first, second = np.where(left, wide, mirror), np.where(left, mirror, wide)
    # The left half counts where it has something, and its mirror image is the right half.
    half = np.where(first[..., 3:] > 0.5, first, second)
    return np.asarray(np.where(left, half, half[:, ::-1]), np.float32)


def with_arms_out(subject: Picture) -> Picture:
    """A symmetric subject with straight arms to both sides at shoulder height, in the colours that it has there."""
    whole = symmetric(subject)
    height, width = whole.shape[:2]
    if width > _ALREADY_WIDE * height:
        return whole
    span = max(width, height)
    result = np.zeros((height, span, 4), np.float32)
    left = (span - width) // 2
    result[:, left : left + width] = whole
    middle, half = int(height * _SHOULDERS), max(2, int(height * _ARM / 2))
    out = np.abs(np.arange(span) - (span - 1) / 2) / (span / 2)
    for row in range(max(middle - half, 0), min(middle + half, height)):
        filled = np.flatnonzero(result[row, :, 3] > 0.5)
        if not len(filled):
            continue
        inner = result[row, filled[len(filled) // 8] if len(filled) > 8 else filled[0]]
        thin = half * (1 - 0.35 * out)
        arm = (np.abs(row - middle) <= thin) & (result[row, :, 3] <= 0.5) & (out < 0.985)
        shade = 1 - 0.35 * (np.abs(row - middle) / half) ** 2
        result[row, arm, :3] = inner[:3] * shade
        result[row, arm, 3] = 1.0
    return result


def shaded(subject: Picture) -> Picture:
    """Light and shade as of a round body with the subject's outline and its own fine relief."""
    height, width = subject.shape[:2]
    if min(height, width) < 2:  # which has no slope
        return subject
    factor = min(1.0, _SHADED_SIZE / max(height, width))
    small = max(2, round(height * factor)), max(2, round(width * factor))
    mask = smooth(subject[..., 3], *small) > 0.5
    if not mask.any():
        return subject
    rise = np.sqrt(np.maximum(poisson(np.pad(mask, 1))[1:-1, 1:-1], 0.0)).astype(np.float32)
    body = smooth(blurred(rise, 2), height, width) / factor
    fine = blurred(luma(subject), 1) * np.float32(0.012 * max(height, width))
    slope_y, slope_x = np.gradient(body + fine)
    normal = np.stack((-slope_x, -slope_y, np.ones_like(slope_x)), axis=2)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    light = _LIGHT / np.linalg.norm(_LIGHT)
    halfway = light + np.array((0.0, 0.0, 1.0))
    lit = np.clip(normal @ light, 0, 1)
    shine = np.clip(normal @ (halfway / np.linalg.norm(halfway)), 0, 1) ** 40
    result = subject.copy()
    shade = (0.42 + 0.78 * lit)[..., None]
    result[..., :3] = np.clip(subject[..., :3] * shade + 0.35 * shine[..., None], 0, 1)
    return result


def on_base(subject: Picture) -> Picture:
    """The subject standing on a round base, seen a little from above."""
    height, width = subject.shape[:2]
    base_wide = max(int(width * 1.1), int(height * 0.4))
    tall, thick = max(8, int(base_wide * 0.2)), max(4, int(base_wide * 0.07))
    canvas = np.zeros((height + tall // 2 + thick, max(base_wide, width), 4), np.float32)
    columns = canvas.shape[1]
    x = (np.arange(columns) - (columns - 1) / 2) / (base_wide / 2)
    y = np.arange(tall + thick)[:, None]
    bow = np.sqrt(np.clip(1 - x**2, 0, 1)) * tall / 2
    inside = np.abs(x) <= 1
    top = inside & (np.abs(y - thick - tall / 2) <= bow)
    side = inside & (y >= tall / 2 - bow) & (y <= thick + tall / 2) & ~top
    base = np.zeros((tall + thick, columns, 4), np.float32)
    base[top] = (0.3, 0.31, 0.33, 1.0)
    base[side] = (0.13, 0.135, 0.145, 1.0)
    base[..., :3] *= (1.15 - 0.35 * np.abs(x + 0.3))[None, :, None].clip(0.4, 1.3)
    rows = min(len(base), len(canvas))
    canvas[:rows] = base[:rows]
    low, left = thick + tall // 2, (columns - width) // 2
    spot = canvas[low : low + height, left : left + width]
    alpha = subject[: len(spot), :, 3:]
    spot[..., :3] = subject[: len(spot), :, :3] * alpha + spot[..., :3] * (1 - alpha)
    spot[..., 3:] = np.maximum(spot[..., 3:], alpha)
    return canvas


def rendered_sketch(subject: Picture) -> Picture:
    """A drawing of lines as a body: the paper between the lines gets a clay tone and light, the lines stay."""
    lines = np.clip(luma(subject) * 1.4, 0, 1)[..., None]
    clay = subject.copy()
    own = blurred(subject[..., :3], 6)
    is_grey = np.ptp(own, axis=2, keepdims=True) < 0.08
    clay[..., :3] = np.where(is_grey, np.float32((0.78, 0.66, 0.56)), own)
    result = shaded(clay)
    result[..., :3] *= 0.25 + 0.75 * lines
    return result
