"""Legs under seats and boards."""

from __future__ import annotations

import math

import numpy as np

from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import box, lathe, rounded, tube


def legs_under(
    spec: PromptSpec,
    count: int,
    width: float,
    depth: float,
    height: float,
    thick: float,
    splay: float,
    *,
    on_circle: bool = False,
) -> list[Solid]:
    """Legs under a board: in the corners when there are four, else on a circle."""
    if count == 1:
        foot = [(0, 0), (width * 0.36, 0), (width * 0.36, 0.018), (thick * 1.5, 0.05), (thick, 0.09)]
        foot += [(thick, height), (0, height)]
        return [lathe(rounded(foot, 0.02), spec.round(28))]
    angles = [2 * math.pi * (index + 0.5) / count for index in range(count)]
    if count == 4 and not on_circle:
        places = [(sx * (width / 2 - thick * 1.5), sy * (depth / 2 - thick * 1.5)) for sx in (1, -1) for sy in (1, -1)]
    else:
        turn = math.pi / 2 if count % 2 else 0.0
        places = [(math.cos(a + turn) * width * 0.38, math.sin(a + turn) * depth * 0.38) for a in angles]
    turned = spec.choose("leg style", True, False) or spec.says("round", "turned", "victorian")
    legs = []
    for x, y in places:
        reach = math.hypot(x, y)
        lean = np.array((x, y, 0)) / reach * splay
        foot, top = np.array((x, y, 0)) + lean, np.array((x, y, height))
        if turned:
            shape = [
                (0, 0.62), (0.05, 0.62), (0.16, 0.78), (0.3, 0.7), (0.55, 0.92), (0.72, 1.0), (0.76, 0.82),
                (0.8, 1.12), (0.84, 0.86), (1.0, 1.1),
            ]  # fmt: skip
            at, radius = zip(*shape, strict=True)
            steps = np.linspace(0, 1, spec.steps(16) + 1)
            path = foot + (top - foot) * steps[:, None]
            legs.append(tube(path, np.interp(steps, at, radius) * thick * 0.82, spec.round(12)))
        else:
            post = box(thick * 1.7, thick * 1.7, height, thick * 0.35)
            points = post.points.copy()
            share = 1 - points[:, 2:3] / height
            points[:, :2] = points[:, :2] * (1 - 0.32 * share) + np.array((x, y)) + lean[:2] * share
            legs.append(post.with_points(points))
    return legs
