"""Trees."""

from __future__ import annotations

import math
import random

import numpy as np

from ....array_types import Array
from ...model import ModelPart, part
from ...noise import bumps
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball, curve, tube
from .evergreens import fir, palm
from .foliage import direction, leaf_words, rooted


def tree(spec: PromptSpec) -> list[ModelPart]:
    """Broad-leaved trees with branches, firs and palms; bare ones too."""
    if spec.noun in ("fir", "spruce", "conifer", "christmas tree", "pine tree") or spec.says(
        "pine", "fir", "christmas"
    ):
        return fir(spec)
    if spec.noun in ("palm", "palm tree") or spec.says("palm", "tropical"):
        return palm(spec)
    numbers = spec.numbers("branches")
    bark = spec.surface("trunk", "bark")
    high = 1.7
    wood: list[Solid] = []
    tips: list[tuple[Array, float]] = []
    lean = np.array((numbers.uniform(-0.12, 0.12), numbers.uniform(-0.12, 0.12), 0))
    trunk = curve([(0, 0, -0.02), lean * 0.3 + (0, 0, high * 0.4), lean * 1.2 + (0, 0, high)], spec.steps(7))
    share = np.linspace(0, 1, len(trunk))
    thick = 0.2 - 0.1 * share + 0.13 * np.exp(-share * 14)
    wood.append(rooted(tube(trunk, thick, spec.round(18)), numbers))
    count = spec.count("branch", 6, 14)
    for index in range(count):
        start = trunk[int(len(trunk) * (0.55 + 0.42 * index / max(count, 1)))]
        angle = index * 2.4 + numbers.uniform(-0.4, 0.4)
        up = 0.55 + 0.5 * index / max(count, 1)
        _branch(spec, wood, tips, numbers, start, np.array((math.cos(angle), math.sin(angle), up)), 0.085, 0.85, 2)
    top = trunk[-1]
    _branch(spec, wood, tips, numbers, top - (0, 0, 0.06), np.array((0.1, 0.1, 1.0)), 0.1, 0.7, 2)
    parts = [part("trunk", bark, wood[0]), part("branches", bark, *wood[1:])]
    bare = spec.says("dead", "bare", "leafless", "winter", "withered") or not (spec.has("leaf") and spec.has("crown"))
    if not bare:
        clumps = [_clump(spec, middle, size, numbers) for middle, size in tips]
        parts.append(part("crown", leaf_words(spec, "green moss"), *clumps))
    fruit = next((word for word in ("apple", "cherry", "orange", "lemon", "fruit") if spec.has(word, False)), "")
    if fruit and not bare:
        color = {"orange": "orange paint", "lemon": "yellow paint"}.get(fruit, "red paint")
        berries = []
        for middle, size in tips:
            for _ in range(3):
                out = direction(numbers)
                berries.append(ball(0.045, spec.round(10)).moved(*(middle + out * size * 0.97)))
        parts.append(part(f"{fruit}s", spec.surface(fruit, color), *berries))
    return parts


def _branch(
    spec: PromptSpec,
    wood: list[Solid],
    tips: list[tuple[Array, float]],
    numbers: random.Random,
    start: Array,
    ahead: Array,
    thick: float,
    length: float,
    depth: int,
) -> None:
    ahead = ahead / np.linalg.norm(ahead)
    bend = direction(numbers) * 0.25
    middle = start + ahead * length * 0.5 + bend * length * 0.3
    end = start + ahead * length + bend * length * 0.2 + (0, 0, length * 0.18)
    path = curve([start, middle, end], spec.steps(3))
    wood.append(tube(path, np.linspace(thick, thick * 0.45, len(path)), spec.round(9)))
    tips.append((end, 0.36 + 0.1 * depth + numbers.uniform(-0.05, 0.08)))
    if depth > 1:
        for _ in range(2):
            side = ahead + direction(numbers) * 0.75 + np.array((0, 0, 0.25))
            _branch(
                spec,
                wood,
                tips,
                numbers,
                middle + (end - middle) * numbers.uniform(0.1, 0.5),
                side,
                thick * 0.55,
                length * 0.62,
                depth - 1,
            )


def _clump(spec: PromptSpec, middle: Array, size: float, numbers: random.Random) -> Solid:
    """A cloud of leaves: a ball with lumps, ragged at its edge."""
    solid = ball(1.0, spec.round(18))
    turn = numbers.uniform(0, 40)
    lumps = bumps(solid.points * 2.1 + turn) * 0.28 + bumps(solid.points * 6.5 + turn) * 0.13
    return solid.with_points(solid.points * (1 + lumps)[:, None] * (size, size, size * 0.8)).moved(*middle)
