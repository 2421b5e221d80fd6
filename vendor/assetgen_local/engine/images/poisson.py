"""Poisson's equation over a mask, from coarse to fine. numpy only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..array_types import Mask

_SWEEPS = 40
_SMALLEST = 12


def solve(mask: Mask) -> NDArray[np.float64]:
    """The function that is 0 outside and whose Laplacian is -1 inside, in pixels; shape of the mask.

    Args:
        mask: Its border is false.
    """
    height, width = mask.shape
    if min(height, width) > _SMALLEST:
        # Half a pixel counts as a whole one here, so that thin limbs are not lost; the sweeps correct it.
        even = np.pad(mask, ((0, height % 2), (0, width % 2)))
        coarse = even[0::2, 0::2] | even[1::2, 0::2] | even[0::2, 1::2] | even[1::2, 1::2]
        guess = 4.0 * solve(np.pad(coarse, 1))[1:-1, 1:-1]
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
