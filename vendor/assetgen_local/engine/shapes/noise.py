"""Smooth noise in space, from sums of sines: no tables, the same on every machine."""

from __future__ import annotations

import numpy as np

from ..array_types import Array

_WAVES = np.random.default_rng(7).normal(size=(12, 3)) * 1.3
_PHASES = np.random.default_rng(8).uniform(0, 2 * np.pi, 12)


def bumps(points: Array) -> Array:
    """Values about between -1 and 1 for (n, 3) points; features are about 1 wide."""
    return np.asarray(np.sin(points @ _WAVES.T * 1.6 + _PHASES).sum(axis=1) / 5.0)
