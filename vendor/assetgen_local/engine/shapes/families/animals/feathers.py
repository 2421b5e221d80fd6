"""Wings and feathers."""

from __future__ import annotations

import math

import numpy as np

from ....array_types import Array
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball, curve, loft, tube
from .bird_kinds import Feathers


def wing(spec: PromptSpec, kind: Feathers, middle: Array, spread: bool, upright: bool) -> list[Solid]:
    """The left wing as rows of feathers."""
    wide, long, high = kind.body
    solids = []
    if not spread:
        angle = -18.0 if not upright else -72.0
        for index, (shift, size) in enumerate(((0.0, 1.0), (0.28, 0.86), (0.5, 0.72))):
            reach = long * 1.05 if not upright else high * 0.95
            feather = ball(
                (wide * 0.2, reach * size * 0.9, high * 0.52 * size if not upright else long * 0.7 * size),
                spec.round(24),
            )
            feather.points[:, 2] *= 1 - 0.45 * np.clip(feather.points[:, 1] / reach, 0, 1)
            solids.append(
                feather.turned("x", angle).moved(
                    wide * (0.88 + 0.04 * index),
                    middle[1] + reach * shift * 0.62 * (1 if not upright else 0.1),
                    middle[2] + high * 0.08 - (0 if not upright else reach * shift * 0.5),
                )
            )
        return solids
    count = 9
    root = middle + np.array((wide * 0.5, -long * 0.1, high * 0.5))
    bone = curve(
        [tuple(root), tuple(root + np.array((0.28, -0.1, 0.16))), tuple(root + np.array((0.62, 0.02, 0.2)))],
        spec.steps(5),
    )
    solids.append(tube(bone, np.linspace(0.055, 0.022, len(bone)), spec.round(12)))
    for index in range(count):
        t = index / (count - 1)
        start = bone[min(int(t * (len(bone) - 1)), len(bone) - 1)]
        angle = math.radians(80 - 72 * t**1.6)
        reach = 0.2 + 0.2 * math.sin(math.pi * (0.25 + 0.6 * t))
        end = start + np.array((math.cos(angle), math.sin(angle), -0.08)) * reach
        solids.append(flat_feather(spec, start, end))
    return solids


def flat_feather(spec: PromptSpec, start: Array, end: Array) -> Solid:
    """A flat feather from one point to another."""
    ahead = end - start
    side = np.cross(ahead, (0, 0, 1.0))
    side = side / np.linalg.norm(side)
    rings = []
    for t in np.linspace(0, 1, spec.steps(6) + 1):
        half = 0.042 * (0.6 + 0.6 * math.sin(math.pi * (0.15 + 0.72 * t)))
        place = start + ahead * t + (0, 0, 0.012 * math.sin(math.pi * t))
        up = np.array((0, 0, 0.007))
        rings.append(np.array([place + side * half, place + up, place - side * half, place - up]))
    return loft(np.stack(rings), end=end + ahead * 0.08)
