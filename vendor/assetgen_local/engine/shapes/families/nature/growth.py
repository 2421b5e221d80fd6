"""What grows: broad-leaved trees, firs and palms; mushrooms and toadstools."""

from __future__ import annotations

import math
import random

import numpy as np

from ....array_types import Array
from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid, bumps, direction
from ...solids import at_height, ball, circle, curve, lathe, loft, rounded, tube


def tree(spec: PromptSpec) -> list[ModelPart]:
    """Broad-leaved trees with branches, firs and palms; bare ones too."""
    evergreens = ("fir", "spruce", "conifer", "christmas tree", "pine tree")
    if spec.noun in evergreens or spec.says("pine", "fir", "christmas"):
        return fir(spec)
    if spec.noun in ("palm", "palm tree") or spec.says("palm", "tropical"):
        return palm(spec)
    numbers = spec.numbers("branches")
    bark = spec.surface("trunk", "bark")
    high = 1.7
    tips: list[tuple[Array, float]] = []
    lean = np.array((numbers.uniform(-0.12, 0.12), numbers.uniform(-0.12, 0.12), 0))
    trunk = curve([(0, 0, -0.02), lean * 0.3 + (0, 0, high * 0.4), lean * 1.2 + (0, 0, high)], spec.steps(7))
    share = np.linspace(0, 1, len(trunk))
    thick = 0.2 - 0.1 * share + 0.13 * np.exp(-share * 14)
    wood = [rooted(tube(trunk, thick, spec.round(18)), numbers)]

    def grow(start: Array, ahead: Array, thick: float, length: float, depth: int) -> None:
        """A branch, and on it smaller ones, as many times as ``depth`` says."""
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
                root = middle + (end - middle) * numbers.uniform(0.1, 0.5)
                grow(root, side, thick * 0.55, length * 0.62, depth - 1)

    count = spec.count("branch", 6, 14)
    for index in range(count):
        start = trunk[int(len(trunk) * (0.55 + 0.42 * index / max(count, 1)))]
        angle = index * 2.4 + numbers.uniform(-0.4, 0.4)
        up = 0.55 + 0.5 * index / max(count, 1)
        grow(start, np.array((math.cos(angle), math.sin(angle), up)), 0.085, 0.85, 2)
    grow(trunk[-1] - (0, 0, 0.06), np.array((0.1, 0.1, 1.0)), 0.1, 0.7, 2)
    parts = [part("trunk", bark, wood[0]), part("branches", bark, *wood[1:])]
    bare = spec.says("dead", "bare", "leafless", "winter", "withered") or not (spec.has("leaf") and spec.has("crown"))
    if not bare:
        clumps = [_clump(spec, middle, size, numbers) for middle, size in tips]
        parts.append(part("crown", leaf_words(spec, "green moss"), *clumps))
    fruit = next((word for word in ("apple", "cherry", "orange", "lemon", "fruit") if spec.has(word, False)), "")
    if fruit and not bare:
        color = {"orange": "orange paint", "lemon": "yellow paint"}.get(fruit, "red paint")
        berry = ball(0.045, spec.round(10))
        berries = [berry.moved(*(tip + direction(numbers) * size * 0.97)) for tip, size in tips for _ in range(3)]
        parts.append(part(f"{fruit}s", spec.surface(fruit, color), *berries))
    return parts


def _clump(spec: PromptSpec, middle: Array, size: float, numbers: random.Random) -> Solid:
    """A cloud of leaves: a ball with lumps, ragged at its edge."""
    solid = ball(1.0, spec.round(18))
    turn = numbers.uniform(0, 40)
    lumps = bumps(solid.points * 2.1 + turn) * 0.28 + bumps(solid.points * 6.5 + turn) * 0.13
    return solid.with_points(solid.points * (1 + lumps)[:, None] * (size, size, size * 0.8)).moved(*middle)


def fir(spec: PromptSpec) -> list[ModelPart]:
    """Tiers of needles, smaller towards the top; balls and a star for Christmas."""
    bark = spec.surface("trunk", "bark")
    tiers = spec.count("tier", 7, 14)
    numbers = spec.numbers("fir")
    festive = spec.noun == "christmas tree" or spec.says("christmas")
    layers = []
    balls: dict[str, list[Solid]] = {"red": [], "gold": []}
    for index in range(tiers):
        share = index / max(tiers - 1, 1)
        low, radius = 0.42 + 1.95 * share, 0.85 * (1 - share) ** 0.9 + 0.16
        high = 0.62 - 0.18 * share
        segments = spec.round(40)
        points = max(9, round(17 - 8 * share))
        jag = np.abs(((np.arange(segments) * points / segments + index * 0.37) % 1.0) - 0.5) * 2
        rings = []
        for out, z in ((0.3, 0.12), (0.75, 0.03), (1.0, -0.03), (0.97, 0.04), (0.72, 0.16), (0.42, 0.42), (0.15, 0.8)):
            reach = radius * out * (1 - 0.24 * jag * (out > 0.6)) * numbers.uniform(0.97, 1.03)
            height = low + z * high - (1 - jag) * 0.07 * out
            rings.append(at_height(circle(segments, reach), height))
        layers.append(loft(np.stack(rings), start=(0, 0, low + 0.16 * high), end=(0, 0, low + high)))
        hung = max(3, round(7 - 4 * share)) if festive else 0
        for number in range(hung):
            angle = number * 6.283 / hung + index
            place = (math.cos(angle) * radius * 0.86, math.sin(angle) * radius * 0.86, low - 0.05)
            balls["red" if (index + number) % 2 else "gold"].append(ball(0.055, spec.round(12)).moved(*place))
    line = [(0, 0, -0.02), (0, 0, 0.3), (0, 0, 1.2), (0, 0, 2.3)]
    trunk = rooted(tube(line, [0.15, 0.11, 0.08, 0.03], spec.round(16)), numbers)
    parts = [part("trunk", bark, trunk), part("crown", leaf_words(spec, "dark green moss"), *layers)]
    if festive:
        parts += [
            part("red_balls", "shiny red paint", *balls["red"]),
            part("gold_balls", "polished gold", *balls["gold"]),
        ]
        rim = at_height(circle(10, np.where(np.arange(10) % 2 == 0, 0.16, 0.065), math.pi / 2), 0.0)[:, [0, 2, 1]]
        star = loft(rim[None], start=(0, -0.04, 0), end=(0, 0.04, 0))
        parts.append(part("star", "polished gold", star.moved(z=2.98)))
    return parts


def palm(spec: PromptSpec) -> list[ModelPart]:
    """A leaning trunk with fronds and coconuts."""
    numbers = spec.numbers("palm")
    lean = numbers.uniform(0.25, 0.55)
    line = curve([(0, 0, -0.02), (lean * 0.15, 0, 0.8), (lean * 0.55, 0.03, 1.7), (lean, 0.05, 2.5)], spec.steps(9))
    share = np.linspace(0, 1, len(line))
    radii = 0.125 - 0.05 * share + 0.05 * np.exp(-share * 12) + 0.008 * (np.arange(len(line)) % 2)
    top = line[-1]
    leaves = []
    count = spec.count("leaf", 11, 24)
    for index in range(count):
        angle, rise = 360 * index / count + numbers.uniform(-9, 9), (0.42, 0.15, 0.3)[index % 3]
        spine = curve([(0, 0, 0), (0.42, 0, rise), (0.85, 0, rise * 0.75), (1.25, 0, rise - 0.5)], spec.steps(4))
        rows = []
        for at, place in zip(np.linspace(0, 1, len(spine)), spine, strict=True):
            half = 0.17 * math.sin(math.pi * min(at * 0.9 + 0.08, 1)) + 0.008
            ragged = 1 - 0.3 * (round(at * len(spine)) % 2)
            wide, low = half * ragged, -0.09 * half / 0.17
            rows.append(np.array([(0, -wide, low), (0, 0, 0.014), (0, wide, low), (0, 0, -0.008)]) + place)
        leaves.append(loft(np.stack(rows)).turned("z", angle).moved(*top))
    nuts = [
        ball(0.075, spec.round(14)).moved(*(top + np.array((0.1 * math.cos(a), 0.1 * math.sin(a), -0.07))))
        for a in (0.3, 2.3, 4.4)
    ]
    return [
        made_of(spec, "trunk", "bark", tube(line, radii, spec.round(16))),
        part("leaves", leaf_words(spec, "green leaf"), *leaves),
        made_of(spec, "coconuts", "brown fur", *nuts),
    ]


def leaf_words(spec: PromptSpec, default: str) -> str:
    """The words for the surface of leaves: by season and by what the prompt says."""
    season = {"autumn": "orange moss", "fall": "orange moss", "cherry": "pink moss", "sakura": "pink moss"}
    default = next((surface for word, surface in season.items() if spec.says(word)), default)
    kinds = ("oak", "pine", "birch", "walnut", "mahogany")
    said = " ".join(word for word in spec.described("").split() if word not in kinds)
    return spec.described("leaf") or spec.described("crown") or (f"{said} moss" if said else default)


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


def mushroom(spec: PromptSpec) -> list[ModelPart]:
    """Mushrooms and toadstools; several when a number is given."""
    spotted = spec.noun == "toadstool" or spec.says("fly", "spotted", "red") or spec.has("spot", False)
    numbers = spec.numbers("mushrooms")
    parts: list[ModelPart] = []
    count = max(1, min(spec.number("", 1), 12))
    for index in range(count):
        size = 1.0 if index == 0 else numbers.uniform(0.4, 0.75)
        angle, away = index * 2.4, 0.0 if index == 0 else 0.62 + 0.05 * index
        place = (math.cos(angle) * away, math.sin(angle) * away, 0.0)
        tag = "" if count == 1 else f"_{index + 1}"
        stem = curve([(0.15, 0.0), (0.155, 0.08), (0.11, 0.3), (0.1, 0.62)], spec.steps(4))
        dome = curve([(0.5, 0.575), (0.46, 0.7), (0.33, 0.85), (0.15, 0.93)], spec.steps(4))
        cap_line = [(0, 0.6), (0.12, 0.585), (0.42, 0.54), (0.5, 0.55), *dome, (0, 0.95)]
        cap = lathe(cap_line, spec.round(40), 0.015)
        frill = rounded([(0.09, 0.46), (0.2, 0.41), (0.205, 0.418), (0.09, 0.48)], 0.004, closed=True)
        skirt = lathe(frill, spec.round(30), loop=True)
        foot = lathe([(0, 0), *stem, (0, 0.62)], spec.round(28))
        dots = []
        for spot in range(spec.count("spot", 14, 40)):
            around, rise = spot * 2.399, 0.06 + 0.9 * spot / 14
            reach = 0.48 * math.cos(min(rise, 1) * math.pi / 2 * 0.9)
            z = 0.575 + 0.375 * math.sin(min(rise, 1) * math.pi / 2)
            dot = ball(0.05, spec.round(12)).scaled(1 - 0.4 * (spot % 3) / 3)
            dots.append(dot.moved(math.cos(around) * reach, math.sin(around) * reach, z - 0.018))
        pieces = [
            made_of(spec, "stem", "cream wax", foot, skirt),
            part("cap", spec.surface("cap", "shiny red wax" if spotted else "brown wax", main=True), cap),
            made_of(spec, "spots", "white plaster", *(dots if spotted else ())),
        ]
        parts += [part(entry.name + tag, entry.surface, entry.solid.scaled(size).moved(*place)) for entry in pieces]
    return parts
