"""Lighthouses and skyscrapers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import box, cylinder, lathe, ring, rounded
from .masonry import arched


def lighthouse(spec: PromptSpec) -> list[ModelPart]:
    """A lighthouse in stripes, with a gallery and a lantern."""
    segments, bands = spec.round(48), spec.count("stripe", 6, 20) or 1
    high, foot, top = 9.0, 1.7, 1.05
    colors = (spec.surface("lighthouse", "white paint", main=True), spec.surface("stripe", "red paint"))
    stripes: tuple[list[Solid], list[Solid]] = ([], [])
    for index in range(bands):
        z = [0.5 + high * (index + i) / bands for i in (0, 1)]
        r = [foot + (top - foot) * ((v - 0.5) / high) ** 0.8 for v in z]
        stripes[index % 2].append(
            lathe(rounded([(0, z[0] + 0.002), (r[0], z[0] + 0.002), (r[1], z[1]), (0, z[1])], 0.02), segments)
        )
    z = high + 0.5
    base = lathe(rounded([(0, 0), (2.4, 0), (2.4, 0.3), (2.0, 0.5), (0, 0.52)], 0.08), segments)
    line = [(0, -0.05), (top, -0.05), (1.5, 0.12), (1.5, 0.24), (0, 0.24)]
    deck = lathe(rounded(line, 0.04), segments).moved(z=z)
    rail = [ring(1.42, 0.03, segments, 8).moved(z=z + h) for h in (0.5, 0.75)]
    posts = [
        cylinder(0.03, 0.6, 8).moved(1.42 * math.cos(a), 1.42 * math.sin(a), z + 0.2)
        for a in np.arange(16) * math.pi / 8
    ]
    glass = cylinder(0.75, 1.3, spec.round(24), 0.03).moved(z=z + 0.2)
    bars = [
        cylinder(0.035, 1.3, 8).moved(0.77 * math.cos(a), 0.77 * math.sin(a), z + 0.2)
        for a in np.arange(8) * math.pi / 4
    ]
    line = [(0, 1.48), (0.98, 1.45), (0.98, 1.56), (0.6, 1.95), (0.12, 2.2), (0.08, 2.5), (0, 2.65)]
    dome = lathe(rounded(line, 0.12), segments).moved(z=z)
    frames = [
        arched(0.5, 0.85, 0.3).moved(y=-(foot + (top - foot) * ((h - 0.5) / high) ** 0.8) + 0.02, z=h).turned("z", turn)
        for h, turn in zip(np.linspace(2.6, 7.4, spec.count("window", 4, 12)), np.arange(20) * 90.0, strict=False)
    ]
    parts = [
        part("stripes", colors[0], *stripes[0]),
        made_of(spec, "base", "stone", base),
        made_of(spec, "deck", "dark steel", deck, *rail, *posts),
        made_of(spec, "lantern", "yellow glass", glass),
        part("bars", "black iron", *bars),
        part("dome", spec.surface("roof", "red paint"), dome),
    ]
    if stripes[1]:
        parts.append(part("stripes_2", colors[1], *stripes[1]))
    if frames:
        parts.append(made_of(spec, "windows", "black glass", *frames))
    return [*parts, made_of(spec, "door", "planks", arched(0.95, 1.7, 0.4).moved(y=-foot + 0.02, z=0.45))]


def skyscraper(spec: PromptSpec) -> list[ModelPart]:
    """A tower of floors and glass in three steps."""
    concrete, glass = spec.surface("skyscraper", "concrete", main=True), spec.surface("window", "deep teal glass")
    floors = spec.count("story", 24, 60) or 24
    core: list[Solid] = []
    panes: list[Solid] = []
    z, width = 0.6, 6.0
    sections: Sequence[tuple[float, float]] = ((0.55, 1.0), (0.3, 0.8), (0.15, 0.58))
    core.append(box(width + 1.2, width + 1.2, 0.6, 0.06))
    for share, factor in sections:
        rows = max(1, round(floors * share))
        side = width * factor
        for _row in range(rows):
            panes.append(box(side - 0.25, side - 0.25, 0.62, 0.0).moved(z=z + 0.19))
            core.append(box(side, side, 0.24, 0.03).moved(z=z))
            z += 0.8
        core.append(box(side + 0.12, side + 0.12, 0.3, 0.04).moved(z=z - 0.01))
        for x in np.linspace(-0.5, 0.5, 7) * (side - 0.22):
            fin = box(0.16, 0.22, rows * 0.8 - 0.02, 0.02).moved(x=float(x), y=-side / 2 + 0.06, z=z - rows * 0.8)
            core += [fin.turned("z", turn) for turn in (0, 90, 180, 270)]
        z += 0.15
    mast = lathe(
        [(0, z - 0.1), (0.3, z - 0.1), (0.22, z + 0.8), (0.08, z + 1.0), (0.05, z + 3.6), (0, z + 3.9)], spec.round(16)
    )
    return [
        part("structure", concrete, *core),
        part("windows", glass, *panes),
        made_of(spec, "mast", "steel", mast),
    ]
