"""Changes of a picture's colours before it is used: noise, contrast, another picture's colours. numpy only."""

from __future__ import annotations

import numpy as np

from ..array_types import Mask, Picture

_TAILS = (0.5, 99.5)  # per cent of the pixels that may become fully black or white
_MOST_GAIN = 4.0


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


_OPPONENT = np.array([[0.299, 0.587, 0.114], [0.5, 0.0, -0.5], [-0.25, 0.5, -0.25]], np.float32)
"""RGB to lightness, red against blue, and green against both."""


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
