"""Where the subject of a photograph is, told by a small convolutional network. numpy only.

The stages of EfficientNet-Lite0 (Tan, Le 2019) that halve a picture five times, and over them a pyramid of features
(Lin et al. 2017). `scripts/devtools/subject_network` has trained it; docs/subject-network.md says with what.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from ..array_types import Array, Picture
from .resample import smooth

SIZE = 256  # pixels along both sides of the picture that the network sees
_WEIGHTS = Path(__file__).with_name("subject_network.npz")
_STAGES = ((1, 1, False), (2, 2, True), (2, 2, True), (2, 3, False), (1, 3, True), (2, 4, True))
"""Of each stage its first stride, how many blocks it has, and whether the pyramid is made of what it gives."""

_Layer = tuple[Array, Array]
"""Weights, (rows, columns, in, out), or (rows, columns, channels) where each is by itself; and what is added."""


def subject_odds(colors: Picture) -> Array:
    """The logarithm of the odds that a place belongs to the subject.

    Args:
        colors: On the sRGB curve, 0 to 1, (height, width, 3), rows from the bottom up; of any size and shape.

    Returns:
        (SIZE / 4, SIZE / 4), rows from the bottom up.
    """
    layers = iter(_layers())
    values = smooth(colors, SIZE, SIZE)[::-1] * np.float32(255 / 128) - np.float32(127 / 128)
    values = _convolved(values, layers, 2)
    scales = []
    for number, (stride, blocks, is_in_pyramid) in enumerate(_STAGES):
        for block in range(blocks):
            values = _block(values, layers, 1 if block else stride, is_first=number == 0)
        if is_in_pyramid:
            scales.append(values)
    whole = scales.pop()
    side = _convolved(whole, layers, ends=False)
    levels = _mixed(side + _convolved(whole.mean(axis=(0, 1), keepdims=True), layers, ends=False), layers)
    for scale in reversed(scales):
        levels = _mixed(smooth(levels, *scale.shape[:2]) + _convolved(scale, layers, ends=False), layers)
    return _convolved(levels, layers, ends=False)[::-1, :, 0]


def _block(values: Array, layers: Iterator[_Layer], stride: int, *, is_first: bool) -> Array:
    """More channels, each blurred by itself, and fewer again; added to what came in where it has the same shape."""
    inner = values if is_first else _convolved(values, layers)
    result = _convolved(_convolved(inner, layers, stride), layers, ends=False)
    return values + result if result.shape == values.shape else result


def _mixed(values: Array, layers: Iterator[_Layer]) -> Array:
    values = np.clip(values, 0.0, 6.0)
    return values + _convolved(_convolved(values, layers), layers)


def _convolved(values: Array, layers: Iterator[_Layer], stride: int = 1, *, ends: bool = True) -> Array:
    """By the next layer, (rows, columns, channels) with every so many rows and columns, and with values that end."""
    weights, result = next(layers)
    size = len(weights)
    rows, columns = counts = [-(-count // stride) for count in values.shape[:2]]
    few = [max((count - 1) * stride + size - has, 0) for count, has in zip(counts, values.shape, strict=False)]
    padded = np.pad(values, [*((count // 2, count - count // 2) for count in few), (0, 0)])
    for y, x in np.ndindex(size, size):
        seen = padded[y : y + stride * (rows - 1) + 1 : stride, x : x + stride * (columns - 1) + 1 : stride]
        result = result + (seen * weights[y, x] if weights.ndim == 3 else seen @ weights[y, x])
    return np.clip(result, 0.0, 6.0) if ends else result


@cache
def _layers() -> list[_Layer]:
    """In the order in which they are used. Weights are whole numbers, and each channel has its unit."""
    with np.load(_WEIGHTS) as stored:
        count = len(stored.files) // 3
        return [
            ((stored[f"{n:03}_weight"] * stored[f"{n:03}_scale"]).astype(np.float32), stored[f"{n:03}_bias"])
            for n in range(count)
        ]
