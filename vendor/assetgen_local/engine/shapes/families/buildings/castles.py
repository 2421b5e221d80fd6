"""Towers of all kinds, castles and fortresses."""

from __future__ import annotations

import math

import numpy as np

from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solids import box, cylinder
from .landmarks import lighthouse, skyscraper
from .masonry import arched, flag, round_tower


def tower(spec: PromptSpec) -> list[ModelPart]:
    """Round towers with battlements or a pointed roof, castles, lighthouses, skyscrapers."""
    if spec.noun == "skyscraper":
        return skyscraper(spec)
    if spec.noun == "lighthouse":
        return lighthouse(spec)
    stone = spec.surface("tower", "stone", main=True)
    if spec.noun in ("castle", "fortress"):
        return castle(spec, stone)
    pointed = spec.says("wizard", "pointed", "cone", "fairy", "magic", "witch") or (spec.has("roof", False))
    return round_tower(spec, stone, "", 1.6, 8.0, pointed, spec.count("window", 5, 24))


def castle(spec: PromptSpec, stone: str) -> list[ModelPart]:
    """Towers joined by walls with a gate, around a keep."""
    parts: list[ModelPart] = []
    size, high = 9.0, 4.2
    towers = spec.count("tower", 4, 8) or 4
    angles = np.arange(towers) * 2 * math.pi / towers + (math.pi / 4 if towers == 4 else math.pi / 2 + math.pi / towers)
    places = [(size * math.cos(a), size * math.sin(a)) for a in angles]
    pointed = spec.says("fairy", "magic", "princess", "pointed") or spec.choose("roofs", True, False)
    for index, (x, y) in enumerate(places):
        for entry in round_tower(spec, stone, f"tower_{index + 1}_", 1.7, 7.2, pointed, 3):
            parts.append(ModelPart(entry.name, entry.surface, entry.solid.moved(x, y)))
        nx, ny = places[(index + 1) % len(places)]
        length, turn = math.hypot(nx - x, ny - y), math.degrees(math.atan2(ny - y, nx - x))
        count = max(3, round(length / 1.3))
        teeth = [
            box(0.62, 0.5, 0.75, 0.05).moved(x=(i + 0.5 - count / 2) * length / count, y=-0.4, z=high - 0.05)
            for i in range(count)
        ]
        wall = box(length, 1.3, high, 0.06)
        built = [solid.turned("z", turn).moved((x + nx) / 2, (y + ny) / 2) for solid in (wall, *teeth)]
        parts.append(part(f"wall_{index + 1}", stone, *built))
    front = min(places, key=lambda place: place[1])[1]
    gate = [arched(3.0, 3.6, 1.9), box(4.4, 1.7, 5.4, 0.08).moved(y=0.1)]
    teeth = [box(0.62, 1.6, 0.7, 0.05).moved(x=(i - 1.5) * 1.15, y=0.1, z=5.35) for i in range(4)]
    parts.append(part("gatehouse", stone, *[s.moved(y=front) for s in (gate[1], *teeth)]))
    parts += [
        made_of(spec, "gate_frame", "stone", gate[0].moved(y=front)),
        made_of(spec, "gate", "planks", arched(2.4, 3.2, 2.05).moved(y=front)),
    ]
    keep = round_tower(spec, stone, "keep_", 2.6, 11.0, pointed, 8)
    parts += keep
    if spec.has("flag", True):
        top = 11.0 + (2.6 * 3.4 if pointed else 0.0)
        parts += [
            part("flagpole", "steel", cylinder(0.07, 2.4, spec.round(10), 0.02).moved(z=top - 0.1)),
            made_of(spec, "flag", "red cloth", flag(spec).scaled(1.4, 1.4, 1.3).moved(z=top + 1.3)),
        ]
    return parts
