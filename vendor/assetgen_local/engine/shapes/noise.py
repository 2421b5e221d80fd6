"""What is left to chance: directions, and smooth noise in space from sums of sines, the same on every machine."""

from __future__ import annotations

import math
import random

import numpy as np

from ..array_types import Array

_WAVES = np.random.default_rng(7).normal(size=(12, 3)) * 1.3
_PHASES = np.random.default_rng(8).uniform(0, 2 * np.pi, 12)


def bumps(points: Array) -> Array:
    """Values about between -1 and 1 for (n, 3) points; features are about 1 wide."""
    return np.asarray(np.sin(points @ _WAVES.T * 1.6 + _PHASES).sum(axis=1) / 5.0)


def direction(numbers: random.Random) -> Array:
    """A direction by chance, all equally likely."""
    z, a = numbers.uniform(-1, 1), numbers.uniform(0, 2 * math.pi)
    return np.array((math.cos(a) * math.sqrt(1 - z * z), math.sin(a) * math.sqrt(1 - z * z), z))
