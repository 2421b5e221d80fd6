"""Mushrooms and toadstools."""

from __future__ import annotations

import math

from ...model import ModelPart, part
from ...prompt_spec import PromptSpec
from ...solid import joined
from ...solids import ball, curve, lathe, rounded


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
            ("stem", spec.surface("stem", "cream wax"), [foot, skirt]),
            ("cap", spec.surface("cap", "shiny red wax" if spotted else "brown wax", main=True), [cap]),
        ]
        if spotted and dots:
            pieces.append(("spots", spec.surface("spot", "white plaster"), dots))
        for name, surface, solids in pieces:
            parts.append(part(name + tag, surface, joined(solids).scaled(size).moved(*place)))
    return parts
