"""Rocks, boulders and asteroids, clusters of crystals, and cut gems."""

from __future__ import annotations

import math
import random

import numpy as np

from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid, bumps, direction
from ...solids import at_height, circle, loft, stacked


def rock(spec: PromptSpec) -> list[ModelPart]:
    """Rocks with broken faces; an asteroid has craters. "Three rocks" are three."""
    surface = spec.surface("rock", "rock", main=True)
    count = max(1, spec.number("", 1) if not spec.says("pile") else 6)
    numbers, in_space = spec.numbers("rocks"), spec.noun in ("asteroid", "meteor", "meteorite")
    solids = []
    for index in range(min(count, 24)):
        size = 0.5 if index == 0 else numbers.uniform(0.18, 0.4)
        solid = (_asteroid if in_space else boulder)(spec, numbers).scaled(size)
        if not in_space:
            solid = solid.moved(z=-float(solid.points[:, 2].min()))
        if index:
            angle = (-0.25, 3.4, -1.7, 1.2)[index - 1] if index < 5 else index * 2.4
            away = 0.72 + 0.09 * index
            solid = solid.moved(math.cos(angle) * away, math.sin(angle) * away)
        solids.append(solid)
    if len(solids) == 1:
        return [part("rock", surface, solids[0])]
    return [part(f"rock_{index + 1}", surface, solid) for index, solid in enumerate(solids)]


def _sphere_of_squares(steps: int) -> Solid:
    """A ball of even quads, for shapes without poles."""
    line = np.tan(np.linspace(-math.pi / 4, math.pi / 4, steps + 1))
    across, up = np.indices((steps + 1, steps + 1))
    sides = np.empty((6, steps + 1, steps + 1, 3), int)  # of a cube: the number of each point along each axis
    for number, side in enumerate(sides):
        axis, is_back = divmod(number, 2)
        side[..., axis] = 0 if is_back else steps
        side[..., (axis + 1) % 3] = steps - across if is_back else across
        side[..., (axis + 2) % 3] = up
    places, index = np.unique(sides.reshape(-1, 3), axis=0, return_inverse=True)
    index = index.reshape(sides.shape[:3])
    quads = np.stack((index[:, :-1, :-1], index[:, 1:, :-1], index[:, 1:, 1:], index[:, :-1, 1:]), axis=-1)
    points = line[places] / np.linalg.norm(line[places], axis=1, keepdims=True)
    return Solid(points, quads.ravel().astype(np.int32), np.full(quads.size // 4, 4, np.int32))


def boulder(spec: PromptSpec, numbers: random.Random) -> Solid:
    """A rock of about radius 1 with broken faces and a flat foot."""
    solid = _sphere_of_squares(spec.steps(26))
    points = solid.points * (numbers.uniform(0.95, 1.25), numbers.uniform(0.8, 1.05), numbers.uniform(0.7, 0.9))
    for _ in range(15):
        normal = direction(numbers)
        reach = numbers.uniform(0.55, 0.86)
        over = points @ normal - reach
        points = points - np.where(over > 0, over * 0.93, 0.0)[:, None] * normal
    turn = numbers.uniform(0, 30)
    points *= (1 + bumps(points * 2.2 + turn) * 0.09 + bumps(points * 6.0 + turn) * 0.035)[:, None]
    low = np.quantile(points[:, 2], 0.06)
    points[:, 2] = np.where(points[:, 2] < low, low + (points[:, 2] - low) * 0.12, points[:, 2])
    return solid.with_points(points)


def _asteroid(spec: PromptSpec, numbers: random.Random) -> Solid:
    solid = _sphere_of_squares(spec.steps(34))
    ways = solid.points.copy()
    points = ways * (1 + bumps(ways * 1.3 + numbers.uniform(0, 20)) * 0.3)[:, None] * (1.25, 1.0, 0.9)
    for _ in range(spec.count("crater", 14, 40)):
        middle, size = direction(numbers), numbers.uniform(0.12, 0.4)
        away = np.arccos(np.clip(ways @ middle, -1, 1)) / size
        dent = np.where(away < 1, (away**2 - 1) * 0.34, 0.0) + 0.09 * np.exp(-(((away - 1.05) / 0.18) ** 2))
        points += ways * (dent * size)[:, None]
    return solid.with_points(points * (1 + bumps(ways * 9) * 0.025)[:, None])


_COLORS = {
    "ruby": "red", "sapphire": "blue", "emerald": "green", "diamond": "white", "amethyst": "purple", "quartz": "white",
}  # fmt: skip


def crystal(spec: PromptSpec) -> list[ModelPart]:
    """A cluster of pointed crystals on rock, or one cut gem."""
    surface = spec.surface("crystal", f"polished {_COLORS.get(spec.noun, 'turquoise')} crystal", main=True)
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
    turn = numbers.uniform(0, 1)
    flat = circle(6, np.array([numbers.uniform(0.85, 1.12) for _ in range(6)]) * 0.13 * size**0.7, turn)
    high = 0.75 * size
    tilt = flat @ np.array((numbers.uniform(-0.3, 0.3), numbers.uniform(-0.3, 0.3)))
    rings = [at_height(flat * 0.8, 0), at_height(flat, high * 0.75 + tilt), at_height(flat * 0.93, high * 0.79 + tilt)]
    rings.append(at_height(flat * 0.12 + (0.01, 0), high + 0.12 * size))
    return loft(np.stack(rings), end=(0.01, 0, high + 0.128 * size))


def _gem() -> Solid:
    """A brilliant cut: table, crown, girdle and pavilion."""
    rings = stacked(circle(16, 1.0), [(0.28, 0.26), (0.5, 0.43), (0.5, 0.455), (0.42, 0.54), (0.29, 0.6)])
    rings[3, ::2, :2] *= 1.06
    rings[0, ::2, :2] *= 1.08
    return loft(rings, start=(0, 0, 0))
