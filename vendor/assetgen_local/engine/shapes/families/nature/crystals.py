"""Clusters of crystals, and cut gems."""

from __future__ import annotations

import math
import random

import numpy as np

from ....array_types import Array
from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import loft
from .rocks import boulder


def crystal(spec: PromptSpec) -> list[ModelPart]:
    """A cluster of pointed crystals on rock, or one cut gem."""
    jewels = {
        "ruby": "red crystal",
        "sapphire": "blue crystal",
        "emerald": "green crystal",
        "diamond": "white crystal",
        "amethyst": "purple crystal",
        "quartz": "white crystal",
    }
    surface = spec.surface("crystal", f"polished {jewels.get(spec.noun, 'turquoise crystal')}", main=True)
    if spec.noun in ("gem", "gemstone", "diamond", "ruby", "sapphire", "emerald"):
        return [part("gem", surface, _gem())]
    numbers = spec.numbers("crystals")
    asked_for = spec.number("", 1)
    count = asked_for if asked_for > 1 else spec.count("spike", numbers.randint(8, 12), 32)
    spikes = []
    for index in range(count):
        size = 1.0 if index == 0 else numbers.uniform(0.35, 0.8)
        tilt = numbers.uniform(0, 5) if index == 0 else numbers.uniform(16, 50)
        spikes.append(_spike(numbers, size).turned("x", tilt).turned("z", index * 137.5 + numbers.uniform(-20, 20)))
    parts = [part(f"crystal_{index + 1}", surface, spike) for index, spike in enumerate(spikes)]
    if spec.has("base") and spec.has("rock"):
        base = boulder(spec, spec.numbers("base")).scaled(0.36, 0.36, 0.2).moved(z=0.02)
        parts.append(made_of(spec, "base", "slate", base))
    return parts


def _spike(numbers: random.Random, size: float) -> Solid:
    angles = np.arange(6) * math.pi / 3 + numbers.uniform(0, 1)
    radii = np.array([numbers.uniform(0.85, 1.12) for _ in angles]) * 0.13 * size**0.7
    flat = np.column_stack((np.cos(angles) * radii, np.sin(angles) * radii))
    high = 0.75 * size
    tilt = flat @ np.array((numbers.uniform(-0.3, 0.3), numbers.uniform(-0.3, 0.3)))
    rings = [np.column_stack((flat * 0.8, np.zeros(6))), np.column_stack((flat, high * 0.75 + tilt))]
    rings.append(np.column_stack((flat * 0.93, high * 0.79 + tilt)))
    rings.append(np.column_stack((flat * 0.12 + (0.01, 0), np.full(6, high + 0.12 * size))))
    return loft(np.stack(rings), end=(0.01, 0, high + 0.128 * size))


def _gem() -> Solid:
    """A brilliant cut: table, crown, girdle and pavilion."""

    def at(radius: float, z: float, shift: float) -> Array:
        angles = (np.arange(16) + shift) * math.pi / 8
        return np.column_stack((np.cos(angles) * radius, np.sin(angles) * radius, np.full(16, z)))

    ring_points = [at(0.28, 0.26, 0), at(0.5, 0.43, 0), at(0.5, 0.455, 0), at(0.42, 0.54, 0), at(0.29, 0.6, 0)]
    ring_points[3][::2, :2] *= 1.06
    ring_points[0][::2, :2] *= 1.08
    return loft(np.stack(ring_points), start=(0, 0, 0))
