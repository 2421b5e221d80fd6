"""What stands in for things that the engine does not know: a seeded sculpture on a plinth."""

from __future__ import annotations

import math

import numpy as np

from ....mesh.turns import about
from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import bumps
from ...solids import at_height, ball, box, cylinder, loft, rectangle, tube


def abstract(spec: PromptSpec) -> list[ModelPart]:
    """A knot, a twisted column, a pebble stack or a soft body; the seed decides which."""
    form = spec.choose("form", "knot", "twist", "soft", "stack")
    usual = spec.choose("surface", "bronze", "marble", "terracotta", "white plaster", "turquoise ceramic")
    surface = spec.surface("form", usual, main=True)
    plinth = box(0.5, 0.5, 0.12, 0.015)
    solids = []
    if form == "knot":
        p, q = spec.choose("knot", (2, 3), (3, 2), (2, 5), (3, 4))
        t = np.arange(spec.steps(180)) * 2 * math.pi / spec.steps(180)
        reach = 0.26 + 0.11 * np.cos(q * t)
        path = np.column_stack((reach * np.cos(p * t), 0.13 * np.sin(q * t), reach * np.sin(p * t)))
        solids.append(tube(path, spec.vary("thick", 0.045, 0.065), spec.round(20), loop=True).moved(z=0.55))
    elif form == "twist":
        rim = rectangle(0.3, 0.24, 0.05, 4)
        turn, waist = spec.vary("turn", 1.5, 4.5), spec.vary("waist", 0.3, 0.6)
        rings = []
        for t in np.linspace(0, 1, spec.steps(40)):
            size = 1 - waist * math.sin(math.pi * t) * (0.7 + 0.3 * math.sin(5 * t))
            flat = rim @ about(2, math.degrees(turn * t))[:2, :2].T * size
            rings.append(at_height(flat, 0.11 + 0.95 * t))
        solids.append(loft(np.stack(rings)))
    elif form == "soft":
        solid = ball(0.33, spec.round(72))
        shift = spec.vary("shift", 0, 40)
        points = solid.points * (1 + 0.3 * bumps(solid.points * 4.5 + shift))[:, None]
        solids.append(solid.with_points(points).moved(z=0.55))
    else:
        z = 0.11
        numbers = spec.numbers("stack")
        for index in range(spec.count("stone", 4, 9)):
            r = 0.24 * 0.8**index
            high = r * numbers.uniform(0.4, 0.65)
            pebble = ball((r * numbers.uniform(0.9, 1.1), r, high), spec.round(36))
            x, y = numbers.uniform(-0.02, 0.02), numbers.uniform(-0.02, 0.02)
            solids.append(pebble.moved(x, y, z + high * 0.97))
            z += high * 1.92
    return [
        part("form", surface, *solids),
        made_of(spec, "plinth", "basalt", plinth, cylinder(0.19, 0.02, spec.round(40), 0.004).moved(z=0.108)),
    ]
