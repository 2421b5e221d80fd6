"""Crates and chests."""

from __future__ import annotations

import math

import numpy as np

from ....array_types import Array
from ...model import ModelPart, both_sides, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import box, curve, cylinder, plate, tube


def crate(spec: PromptSpec) -> list[ModelPart]:
    """Wooden crates, and chests with a round lid, bands and a lock."""
    if spec.noun in ("chest", "treasure chest", "trunk"):
        return _chest(spec)
    wood, frame = spec.surface("crate", "pine", main=True), spec.surface("frame", "pine")
    size, bar = 0.8, 0.09
    plank, rise = box(size - 0.04, size - 0.04, (size - 0.09) / 6, 0.006), (size - 0.08) / 6
    rail, post = box(size, 0.035, bar, 0.008), box(bar, bar, size - 0.004, 0.008)
    brace = box(bar * 0.9, 0.03, size * 1.12, 0.006).moved(y=-size / 2 + 0.019, z=-size * 0.56)
    side = [rail.moved(y=-size / 2 + 0.0173, z=z) for z in (0.0, size - bar)]
    side.append(post.moved(-size / 2 + bar / 2 - 0.003, -size / 2 + bar / 2 - 0.003, 0.002))
    side.append(brace.turned("y", 45).moved(z=size / 2))
    beams = [solid.turned("z", turn) for turn in (0, 90, 180, 270) for solid in side]
    parts = [part("box", wood, *(plank.moved(z=0.04 + i * rise) for i in range(6)))]
    return [*parts, part("frame", frame, *beams)]


def _chest(spec: PromptSpec) -> list[ModelPart]:
    wood, metal = spec.surface("chest", "walnut planks", main=True), spec.surface("band", "brass")
    width, depth, high = 0.9, 0.55, 0.38
    angles = np.linspace(0, math.pi, spec.steps(14) + 1)

    def lid(radius: float, thick: float, length: float) -> Solid:
        outer = np.column_stack((np.cos(angles) * radius, np.sin(angles) * radius * 0.85))
        inner = outer[::-1] * ((radius - thick) / radius)
        rim: Array = np.concatenate((outer, inner)) if thick < radius else outer
        return plate(rim, length, 0.008).turned("x", 90).turned("z", 90).moved(x=-length / 2, z=high + 0.012)

    half = depth / 2
    parts = [
        part("box", wood, box(width, depth, high, 0.012)),
        made_of(spec, "lid", wood, lid(half, half + 1, width)),
    ]
    bands: list[Solid] = []
    for x in (-width * 0.36, 0.0, width * 0.36):
        bands.append(lid(half + 0.014, 0.03, 0.07).moved(x=x))
        bands += [box(0.07, 0.02, high - 0.01, 0.005).moved(x=x, y=s * (half + 0.004), z=0.005) for s in (1, -1)]
    edge = [box(width + 0.02, depth + 0.02, 0.05, 0.008).moved(z=z) for z in (-0.006, high - 0.046)]
    corners = [
        box(0.07, 0.07, high - 0.02, 0.012).moved(sx * (width / 2 - 0.022), sy * (half - 0.022), 0.01)
        for sx in (1, -1)
        for sy in (1, -1)
    ]
    lock = [
        box(0.13, 0.04, 0.15, 0.012).moved(y=-half - 0.03, z=high - 0.07),
        cylinder(0.022, 0.02, spec.round(18), 0.004).turned("x", 90).moved(y=-half - 0.045, z=high),
    ]
    parts += [part("bands", metal, *bands, *edge, *corners), made_of(spec, "lock", "gold", *lock)]
    out = width / 2 + 0.045
    line = [(width / 2, -0.1, 0.24), (out, -0.08, 0.2), (out, 0.08, 0.2), (width / 2, 0.1, 0.24)]
    parts += both_sides("handle", spec.surface("handle", "iron"), tube(curve(line, 5), 0.012, spec.round(10)))
    return parts
