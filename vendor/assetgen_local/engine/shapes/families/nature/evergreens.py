"""Firs and palms."""

from __future__ import annotations

import math

import numpy as np

from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball, curve, loft, tube
from .foliage import leaf_words, rooted


def fir(spec: PromptSpec) -> list[ModelPart]:
    """Tiers of needles, smaller towards the top; balls and a star for Christmas."""
    bark = spec.surface("trunk", "bark")
    tiers = spec.count("tier", 7, 14)
    numbers = spec.numbers("fir")
    layers = []
    for index in range(tiers):
        share = index / max(tiers - 1, 1)
        low, radius = 0.42 + 1.95 * share, 0.85 * (1 - share) ** 0.9 + 0.16
        high = 0.62 - 0.18 * share
        segments = spec.round(40)
        angle = np.arange(segments) * 2 * math.pi / segments
        points = max(9, round(17 - 8 * share))
        jag = np.abs(((angle * points / (2 * math.pi) + index * 0.37) % 1.0) - 0.5) * 2
        rings = []
        for out, z in ((0.3, 0.12), (0.75, 0.03), (1.0, -0.03), (0.97, 0.04), (0.72, 0.16), (0.42, 0.42), (0.15, 0.8)):
            reach = radius * out * (1 - 0.24 * jag * (out > 0.6)) * numbers.uniform(0.97, 1.03)
            height = low + z * high - (1 - jag) * 0.07 * out
            rings.append(np.column_stack((np.cos(angle) * reach, np.sin(angle) * reach, height)))
        layers.append(loft(np.stack(rings), start=(0, 0, low + 0.16 * high), end=(0, 0, low + high)))
    trunk = rooted(
        tube([(0, 0, -0.02), (0, 0, 0.3), (0, 0, 1.2), (0, 0, 2.3)], [0.15, 0.11, 0.08, 0.03], spec.round(16)), numbers
    )
    parts = [part("trunk", bark, trunk), part("crown", leaf_words(spec, "dark green moss"), *layers)]
    if spec.noun == "christmas tree" or spec.says("christmas"):
        balls: dict[str, list[Solid]] = {"red": [], "gold": []}
        for index in range(tiers):
            share = index / max(tiers - 1, 1)
            radius, low = 0.85 * (1 - share) ** 0.9 + 0.16, 0.42 + 1.95 * share
            for number in range(max(3, round(7 - 4 * share))):
                angle = number * 6.283 / max(3, round(7 - 4 * share)) + index
                place = (math.cos(angle) * radius * 0.86, math.sin(angle) * radius * 0.86, low - 0.05)
                balls["red" if (index + number) % 2 else "gold"].append(ball(0.055, spec.round(12)).moved(*place))
        parts += [
            part("red_balls", "shiny red paint", *balls["red"]),
            part("gold_balls", "polished gold", *balls["gold"]),
        ]
        around = np.arange(10) * math.pi / 5 + math.pi / 2
        reach = np.where(np.arange(10) % 2 == 0, 0.16, 0.065)
        rim = np.column_stack((np.cos(around) * reach, np.zeros(10), np.sin(around) * reach))
        parts.append(
            part("star", "polished gold", loft(rim[None], start=(0, -0.04, 0), end=(0, 0.04, 0)).moved(z=2.98))
        )
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
