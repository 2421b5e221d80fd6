"""Shields."""

from __future__ import annotations

import math

import numpy as np

from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball, curve, lathe, loft, ring, rounded, tube


def shield(spec: PromptSpec) -> list[ModelPart]:
    """Round shields with a boss, and pointed ones with a cross; the outside to the front."""
    pointed = spec.says("knight", "heater", "kite", "triangular", "crusader", "pointed", "heraldic", "coat") or (
        not spec.says("round", "viking", "circular", "wooden")
        and spec.noun != "buckler"
        and spec.choose("form", True, False)
    )
    metal = spec.surface("rim", "steel")
    if pointed:
        return _heater(spec, metal)
    radius = 0.2 if spec.noun == "buckler" else 0.42
    face = spec.surface("shield", "red planks" if spec.noun != "buckler" else "steel", main=True)
    segments = spec.round(64)
    bulge = 0.05
    rows = np.linspace(1, 0, spec.steps(8) + 1)[:-1]
    outer = [(radius * r, bulge * (1 - r * r) + 0.012) for r in rows]
    inner = [(radius * r, bulge * (1 - r * r) - 0.008) for r in rows[::-1]]
    board = lathe([(0, bulge - 0.008), *inner, *outer, (0, bulge + 0.012)], segments)
    rim = ring(radius, 0.014, segments, 10).moved(z=0.003)
    line = [
        (0, 0), (0.3 * radius, 0), (0.3 * radius, 0.02), (0.22 * radius, 0.024), (0.19 * radius, 0.06),
        (0.1 * radius, 0.085), (0, 0.09),
    ]  # fmt: skip
    boss = lathe(rounded(line, 0.016), spec.round(36)).moved(z=bulge)
    count = spec.count("rivet", 12, 40)
    studs = [
        ball((0.012, 0.012, 0.008), spec.round(10)).moved(math.cos(a) * radius * 0.9, math.sin(a) * radius * 0.9, 0.024)
        for a in np.arange(count) * 2 * math.pi / max(count, 1)
    ]
    studs += [
        ball(0.009, spec.round(10)).moved(math.cos(a) * radius * 0.26, math.sin(a) * radius * 0.26, bulge + 0.022)
        for a in np.arange(6) * math.pi / 3
    ]
    bands = []
    if spec.choose("bands", True, False) and spec.has("band"):
        for turn in (0, 90):
            x = np.linspace(-0.97, 0.97, spec.steps(12) + 1)
            flat = np.array([(0, -0.022, 0), (0, 0.022, 0), (0, 0.022, 0.009), (0, -0.022, 0.009)])
            rings = [flat + np.array((px * radius, 0, bulge * (1 - px * px) + 0.01)) for px in x]
            bands.append(loft(np.stack(rings)).turned("z", turn + 45))
    grip = tube(
        [(0, -radius * 0.3, -0.002), (0, -radius * 0.2, -0.05), (0, radius * 0.2, -0.05), (0, radius * 0.3, -0.002)],
        0.013,
        spec.round(10),
    ).moved(z=0.01)
    pieces = [
        ("board", face, [board]),
        ("rim", metal, [rim]),
        ("boss", spec.surface("boss", metal), [boss]),
        ("rivets", spec.surface("rivet", "brass"), studs),
        ("bands", metal, bands),
        ("grip", spec.surface("grip", "brown leather"), [grip]),
    ]
    return [
        part(name, surface, *[s.turned("x", 90).moved(z=radius) for s in solids])
        for name, surface, solids in pieces
        if solids
    ]


def _heater(spec: PromptSpec, metal: str) -> list[ModelPart]:
    face = spec.surface("shield", "blue paint", main=True)
    side = curve([(0.33, 0.86), (0.335, 0.6), (0.27, 0.3), (0.12, 0.08), (0.0, -0.02)], spec.steps(6))
    top = curve([(0.0, 0.885), (0.18, 0.862), (0.33, 0.86)], spec.steps(3))
    right = np.concatenate((top[:-1], side))
    rim = np.concatenate((right, right[-2:0:-1] * (-1, 1)))

    def domed(shares: list[tuple[float, float]], x_scale: float = 1.0) -> Solid:
        rings = []
        for share, out in shares:
            flat = rim * share + np.array((0, 0.5)) * (1 - share)
            depth = -0.1 * (1 - (flat[:, 0] / 0.36) ** 2) - out
            rings.append(np.column_stack((flat[:, 0] * x_scale, depth, flat[:, 1])))
        return loft(np.stack(rings), start=(0, -0.1 - shares[0][1], 0.5), end=(0, -0.1 - shares[-1][1], 0.5))

    shares = [(0.3, -0.014), (0.65, -0.014), (0.985, -0.014), (1.0, -0.007)]
    board = domed([*shares, (1.0, 0.0), (0.985, 0.006), (0.65, 0.006), (0.3, 0.006)])
    edge = np.column_stack((rim[:, 0], -0.1 * (1 - (rim[:, 0] / 0.36) ** 2) + 0.003, rim[:, 1]))
    parts = [part("board", face, board), part("rim", metal, tube(edge, 0.016, spec.round(10), loop=True))]
    if spec.has("cross", True):
        color = spec.surface("cross", "gold" if "white" not in face else "red paint")
        z = np.linspace(0.03, 0.85, spec.steps(14) + 1)
        bar = np.array([(-0.04, -0.094, 0), (0.04, -0.094, 0), (0.04, -0.115, 0), (-0.04, -0.115, 0)])
        upright = loft(bar + np.column_stack((0 * z, 0 * z, z))[:, None])
        x = np.linspace(-0.31, 0.31, spec.steps(14) + 1)
        bar = np.array([(0, 0.01, 0.56), (0, 0.01, 0.64), (0, -0.0142, 0.64), (0, -0.0142, 0.56)])
        beam = loft(bar + np.column_stack((x, -0.1 * (1 - (x / 0.36) ** 2), 0 * x))[:, None])
        parts.append(part("cross", color, upright, beam))
    line = curve([(-0.2, -0.05, 0), (-0.08, 0.03, 0), (0.08, 0.03, 0), (0.2, -0.05, 0)], 5)
    straps = [tube(line, 0.012, spec.round(8), flat=2.0).moved(z=z) for z in (0.4, 0.62)]
    return [*parts, made_of(spec, "straps", "brown leather", *straps)]
