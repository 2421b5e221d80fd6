"""Swords, daggers and katanas, and shields."""

from __future__ import annotations

import math

import numpy as np

from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball, box, circle, curve, lathe, loft, ring, tube

_BLADES = {  # length, width at the guard, width near the tip, grip
    "dagger": (0.32, 0.042, 0.026, 0.11),
    "knife": (0.2, 0.036, 0.026, 0.12),
    "katana": (0.74, 0.032, 0.026, 0.25),
    "rapier": (0.98, 0.022, 0.01, 0.12),
    "broadsword": (0.78, 0.075, 0.055, 0.14),
    "longsword": (0.95, 0.052, 0.03, 0.24),
    "saber": (0.82, 0.036, 0.028, 0.13),
    "sabre": (0.82, 0.036, 0.028, 0.13),
}


def sword(spec: PromptSpec) -> list[ModelPart]:
    """Swords standing on their point's opposite: blade up, the flat to the front."""
    long, wide, tip, grip = _BLADES.get(spec.noun, (0.82, 0.056, 0.036, 0.16))
    bent = {"katana": 0.055, "saber": 0.1, "sabre": 0.1}.get(spec.noun, 0.0)
    single = spec.noun in ("katana", "knife", "saber", "sabre")
    steel = spec.surface("blade", "polished steel", main=True)
    usual = "black iron" if spec.noun == "katana" else spec.choose("guard", "brass", "bronze", "steel")
    metal = spec.surface("guard", usual)
    parts = [part("blade", steel, _blade(spec, long, wide, tip, bent, single).moved(z=grip))]
    thick = max(wide * 0.3, 0.011)
    if spec.noun == "katana":
        handle = _wrapped(spec, grip, thick * 1.1, 0.75)
        disc = lathe([(0, -0.004), (0.04, -0.004), (0.04, 0.004), (0, 0.004)], spec.round(36), 0.002)
        line = [(0, -0.006), (thick * 1.25, -0.006), (thick * 1.25, 0.02), (0, 0.02)]
        end = lathe(line, spec.round(20), 0.006).scaled(1, 0.8, 1)
        collar = box(wide * 1.1, wide * 0.42, 0.03, 0.003).moved(z=grip + 0.002)
        return [
            *parts,
            part("guard", metal, disc.scaled(1.0, 0.82, 1.0).moved(z=grip)),
            made_of(spec, "grip", "black cloth", *handle),
            part("pommel", metal, end),
            made_of(spec, "collar", "brass", collar),
        ]
    if spec.has("guard", spec.noun != "knife") and spec.has("crossguard"):
        span = wide * (2.1 if spec.noun != "dagger" else 1.5) + 0.03
        droop = spec.choose("quillons", 0.025, -0.02, 0.0)
        shares = (-1, -0.55, 0, 0.55, 1), (1, 0.25, 0, 0.25, 1)
        line = curve([(span * x, 0, droop * z) for x, z in zip(*shares, strict=True)], spec.steps(5))
        share = np.abs(np.linspace(-1, 1, len(line)))
        bar = tube(line, 0.011 + 0.004 * (1 - share) + 0.006 * (share > 0.93), spec.round(12))
        block = box(wide * 0.95, wide * 0.52, 0.034, 0.006).moved(z=-0.017)
        knobs = [ball(0.0165, spec.round(16)).moved(s * span, 0, droop) for s in (1, -1)]
        parts.append(part("guard", metal, *[s.moved(z=grip) for s in (bar, block, *knobs)]))
        if spec.noun == "rapier":
            hoop = [ring(0.045, 0.0035, spec.round(28), 8).turned("x", turn).moved(z=grip - 0.01) for turn in (35, -35)]
            parts.append(part("basket", metal, *hoop))
    parts.append(made_of(spec, "grip", "brown leather", *_wrapped(spec, grip, thick, 0.85)))
    if spec.has("pommel", spec.noun != "knife"):
        knob = ball((thick * 1.75, thick * 1.25, thick * 1.6), spec.round(24)).moved(z=-0.006)
        parts.append(made_of(spec, "pommel", metal, knob, ball(thick * 0.5, spec.round(12)).moved(z=-thick * 1.65)))
    gem = next((word for word in ("gem", "ruby", "jewel", "emerald", "sapphire") if spec.has(word, False)), "")
    if gem:
        stone = {"emerald": "green crystal", "sapphire": "blue crystal"}.get(gem, "red crystal")
        stones = [ball((0.012, 0.009, 0.014), spec.round(14)).moved(y=s * wide * 0.26, z=grip) for s in (1, -1)]
        parts.append(part("gem", spec.surface(gem, stone), *stones))
    return parts


def _blade(spec: PromptSpec, long: float, wide: float, tip: float, bent: float, single: bool) -> Solid:
    """A blade with edges, ridge and fuller; the cross-section goes from the fuller to a diamond at the point."""
    rows = np.concatenate((np.linspace(0, 0.86, spec.steps(14) + 1), np.linspace(0.88, 0.995, spec.steps(7))))
    rings = []
    for at in rows:
        half = (wide + (tip - wide) * min(at / 0.86, 1.0)) / 2
        if at > 0.86:
            half *= math.sqrt(max(1 - ((at - 0.86) / 0.14) ** 2, 0.0)) * 0.98 + 0.02
        deep = max(min(wide * 0.14, half * 0.5), 0.0004) * (1 - 0.35 * at)
        if single:
            rim = [(-1, 0), (-0.1, 1), (0.82, 1), (1, 0.6), (1, -0.6), (0.82, -1), (-0.1, -1)]
        else:
            hollow = 1 - 0.55 * max(0.0, 1 - max(0.0, at - 0.6) / 0.12)
            upper = [(-1, 0), (-0.42, 0.85), (-0.2, 1), (0, hollow), (0.2, 1), (0.42, 0.85)]
            rim = [*upper, *((-x, -y) for x, y in upper)]
        shift = bent * at * at
        if single and at > 0.86:
            shift += (tip / 2 - half) * 0.9
        rings.append(np.array([(x * half + shift, y * deep, at * long) for x, y in rim]))
    end = float(rings[-1][:, 0].mean())
    return loft(np.stack(rings), end=(end + (0.004 if single else 0), 0, long))


def _wrapped(spec: PromptSpec, grip: float, thick: float, flat: float) -> list[Solid]:
    """A grip, and the cord wound around it."""
    line = [(0, 0, 0.004), (0, 0, grip * 0.5), (0, 0, grip - 0.006)]
    core = tube(line, [thick * 0.86, thick, thick * 0.86], spec.round(16)).scaled(1, flat, 1)
    turns = max(3, round(grip / 0.014))
    angles = np.linspace(0, turns * 2 * math.pi, spec.steps(turns * 10))
    share = angles / angles[-1]
    radius = thick * (0.86 + 0.14 * np.sin(share * math.pi)) + 0.0006
    path = np.column_stack((np.cos(angles) * radius, np.sin(angles) * radius * flat, 0.008 + share * (grip - 0.02)))
    return [core, tube(path, 0.0026, spec.round(6))]


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
    boss = lathe(line, spec.round(36), 0.016).moved(z=bulge)
    count = spec.count("rivet", 12, 40)
    nail, pin = ball((0.012, 0.012, 0.008), spec.round(10)), ball(0.009, spec.round(10))
    studs = [nail.moved(x, y, 0.024) for x, y in circle(count, radius * 0.9)]
    studs += [pin.moved(x, y, bulge + 0.022) for x, y in circle(6, radius * 0.26)]
    bands = []
    if spec.choose("bands", True, False) and spec.has("band"):
        for turn in (0, 90):
            x = np.linspace(-0.97, 0.97, spec.steps(12) + 1)
            flat = np.array([(0, -0.022, 0), (0, 0.022, 0), (0, 0.022, 0.009), (0, -0.022, 0.009)])
            rings = [flat + np.array((px * radius, 0, bulge * (1 - px * px) + 0.01)) for px in x]
            bands.append(loft(np.stack(rings)).turned("z", turn + 45))
    bow = [(0, -0.3, -0.002), (0, -0.2, -0.05), (0, 0.2, -0.05), (0, 0.3, -0.002)]
    grip = tube(np.array(bow) * (1, radius, 1), 0.013, spec.round(10)).moved(z=0.01)
    pieces = [
        part("board", face, board),
        part("rim", metal, rim),
        made_of(spec, "boss", metal, boss),
        made_of(spec, "rivets", "brass", *studs),
        part("bands", metal, *bands),
        made_of(spec, "grip", "brown leather", grip),
    ]
    return [part(entry.name, entry.surface, entry.solid.turned("x", 90).moved(z=radius)) for entry in pieces]


def _heater(spec: PromptSpec, metal: str) -> list[ModelPart]:
    face = spec.surface("shield", "blue paint", main=True)
    side = curve([(0.33, 0.86), (0.335, 0.6), (0.27, 0.3), (0.12, 0.08), (0.0, -0.02)], spec.steps(6))
    top = curve([(0.0, 0.885), (0.18, 0.862), (0.33, 0.86)], spec.steps(3))
    right = np.concatenate((top[:-1], side))
    rim = np.concatenate((right, right[-2:0:-1] * (-1, 1)))

    def domed(shares: list[tuple[float, float]]) -> Solid:
        rings = []
        for share, out in shares:
            flat = rim * share + np.array((0, 0.5)) * (1 - share)
            depth = -0.1 * (1 - (flat[:, 0] / 0.36) ** 2) - out
            rings.append(np.column_stack((flat[:, 0], depth, flat[:, 1])))
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
