"""Pixels as arrays: what was not baked, colour curves, sizes, noise, contrast, Poisson's equation. numpy only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..array_types import Mask, Picture

_TAILS = (0.5, 99.5)  # per cent of the pixels that may become fully black or white
_MOST_GAIN = 4.0
_OPPONENT = np.array([[0.299, 0.587, 0.114], [0.5, 0.0, -0.5], [-0.25, 0.5, -0.25]], np.float32)
"""RGB to lightness, red against blue, and green against both."""

_SWEEPS = 40  # of Poisson's equation at each size
_SMALLEST = 12  # pixels: where it begins with nothing


def fill(picture: Picture, coverage: Mask) -> Picture:
    """Spreads the known pixels over the unknown ones, so that no seam ever shows an empty colour.

    Halves the picture until everything is known, averaging what is, then fills the gaps from the coarse to the fine
    (pull-push). Sizes are powers of two.
    """
    if coverage.all():
        return picture
    if not coverage.any():
        return np.full_like(picture, 0.5)
    if picture.shape[0] < 2 or picture.shape[0] % 2:
        return np.where(coverage[..., None], picture, picture[coverage].mean(axis=0)).astype(np.float32)
    weights = coverage.astype(np.float32)
    total = _halve_sum(weights[..., None])
    coarse = _halve_sum(picture * weights[..., None]) / np.maximum(total, 1.0)
    filled = fill(coarse, total[..., 0] > 0)
    return np.where(coverage[..., None], picture, filled.repeat(2, axis=0).repeat(2, axis=1))


def _halve_sum(values: Picture) -> Picture:
    summed = values[0::2, 0::2] + values[1::2, 0::2] + values[0::2, 1::2] + values[1::2, 1::2]
    return np.asarray(summed, np.float32)


def enlarged(picture: Picture, size: int) -> Picture:
    """The picture with ``size`` pixels, a multiple of what it has."""
    ratio = size // picture.shape[0]
    return picture if ratio <= 1 else picture.repeat(ratio, axis=0).repeat(ratio, axis=1)


def to_srgb(linear: Picture) -> Picture:
    """Linear light to the sRGB curve, clipped to 0..1."""
    clipped = np.clip(linear, 0.0, 1.0)
    curved = np.where(clipped <= 0.0031308, clipped * 12.92, 1.055 * np.power(clipped, 1 / 2.4) - 0.055)
    return np.asarray(curved, np.float32)


def to_linear(curved: Picture) -> Picture:
    """The sRGB curve back to linear light."""
    return np.asarray(np.where(curved <= 0.04045, curved / 12.92, ((curved + 0.055) / 1.055) ** 2.4), np.float32)


def normalised(normals: Picture) -> Picture:
    """Baked normals (0..1) with unit length again after filling."""
    return as_normals(normals * np.float32(2.0) - np.float32(1.0))


def as_normals(vectors: Picture) -> Picture:
    """Vectors of any length as a normal map has them, 0..1; those of none straight up."""
    lengths = np.sqrt(np.einsum("...i,...i", vectors, vectors))[..., None]
    units = vectors / np.maximum(lengths, np.float32(1e-4))
    units[lengths[..., 0] <= 1e-4] = (0.0, 0.0, 1.0)
    return np.asarray(units * np.float32(0.5) + np.float32(0.5), np.float32)


def fixed(pixels: Picture) -> Picture:
    """The picture (RGBA) without single noisy pixels, and with contrast over the full range; alpha stays."""
    padded = np.pad(pixels[..., :3], ((1, 1), (1, 1), (0, 0)), "edge")
    height, width = pixels.shape[:2]
    around = [padded[y : y + height, x : x + width] for y in range(3) for x in range(3)]
    colors = np.median(np.stack(around), axis=0)
    seen = colors[pixels[..., 3] > 0.5]
    if len(seen):
        low, high = np.percentile(seen.mean(axis=1), _TAILS)
        colors = (colors - low) * min(_MOST_GAIN, 1.0 / max(float(high - low), 1e-6))
    return np.concatenate((np.clip(colors, 0.0, 1.0), pixels[..., 3:]), axis=2).astype(np.float32)


def recolored(colors: Picture, coverage: Mask, like: Picture) -> Picture:
    """Colours with the mean and the spread of another picture's.

    Args:
        colors: (height, width, 3).
        coverage: Which of them count, (height, width).
        like: Colours to be like, (n, 3).
    """
    ours, theirs = colors[coverage] @ _OPPONENT.T, like @ _OPPONENT.T
    gain = np.clip(theirs.std(axis=0) / np.maximum(ours.std(axis=0), 1e-3), 0.2, 3.0)
    moved = (colors @ _OPPONENT.T - ours.mean(axis=0)) * gain + theirs.mean(axis=0)
    return np.clip(moved @ np.linalg.inv(_OPPONENT).T, 0.0, 1.0).astype(np.float32)


def poisson(mask: Mask) -> NDArray[np.float64]:
    """Solves Poisson's equation from coarse to fine: 0 outside of the mask, a Laplacian of -1 inside; in pixels.

    Args:
        mask: Its border is false.
    """
    height, width = mask.shape
    if min(height, width) > _SMALLEST:
        # Half a pixel counts as a whole one here, so that thin limbs are not lost; the sweeps correct it.
        even = np.pad(mask, ((0, height % 2), (0, width % 2)))
        coarse = even[0::2, 0::2] | even[1::2, 0::2] | even[0::2, 1::2] | even[1::2, 1::2]
        guess = 4.0 * poisson(np.pad(coarse, 1))[1:-1, 1:-1]
        u = guess.repeat(2, axis=0).repeat(2, axis=1)[:height, :width] * mask
    else:
        u = np.zeros(mask.shape)
    parity = np.add.outer(np.arange(height), np.arange(width)) % 2
    colors = [(mask & (parity == which))[1:-1, 1:-1] for which in (0, 1)]
    # Over-relaxation: as much as a square of this size bears.
    gain = 2.0 / (1.0 + np.sin(np.pi / max(8, min(64, min(height, width)))))
    inner = u[1:-1, 1:-1]
    for _ in range(_SWEEPS):
        for color in colors:
            around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
            inner += np.where(color, gain * ((around + 1.0) / 4.0 - inner), 0.0)
    return np.maximum(u, 0.0)
