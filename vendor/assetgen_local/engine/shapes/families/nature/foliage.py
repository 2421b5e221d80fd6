"""What trees share: the words for leaves, roots, directions by chance."""

from __future__ import annotations

import math
import random

import numpy as np

from ....array_types import Array
from ...prompt_spec import PromptSpec
from ...solid import Solid


def leaf_words(spec: PromptSpec, default: str) -> str:
    """The words for the surface of leaves: by season and by what the prompt says."""
    season = {"autumn": "orange moss", "fall": "orange moss", "cherry": "pink moss", "sakura": "pink moss"}
    default = next((surface for word, surface in season.items() if spec.says(word)), default)
    kinds = ("oak", "pine", "birch", "walnut", "mahogany")
    said = " ".join(word for word in spec.described("").split() if word not in kinds)
    return spec.described("leaf") or spec.described("crown") or (f"{said} moss" if said else default)


def direction(numbers: random.Random) -> Array:
    """A direction by chance, all equally likely."""
    z, a = numbers.uniform(-1, 1), numbers.uniform(0, 2 * math.pi)
    return np.array((math.cos(a) * math.sqrt(1 - z * z), math.sin(a) * math.sqrt(1 - z * z), z))


def rooted(trunk: Solid, numbers: random.Random) -> Solid:
    """Spreads the foot of a trunk into roots."""
    points = trunk.points.copy()
    angle = np.arctan2(points[:, 1], points[:, 0])
    turn = numbers.uniform(0, 6)
    spread = np.exp(-np.maximum(points[:, 2], 0) * 9)[:, None]
    points[:, :2] *= 1 + spread * (0.28 * np.cos(5 * angle + turn) + 0.16 * np.cos(3 * angle))[:, None]
    points[:, 2] = np.maximum(points[:, 2], 0)
    points[:, 2] += (points[:, 2] <= 0) * 0.02 * (np.hypot(points[:, 0], points[:, 1]) < 0.02)
    return trunk.with_points(points)
