"""Bottles, flasks and jars; vases, urns, jugs, pots and bowls."""

from __future__ import annotations

import math

import numpy as np

from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import curve, cylinder, lathe, rounded, tube

_BOTTLES: dict[str, list[tuple[float, float]]] = {
    "wine": [
        (0.036, 0.004), (0.0375, 0.012), (0.0375, 0.17), (0.034, 0.195), (0.018, 0.225), (0.0145, 0.245),
        (0.014, 0.295),
    ],
    "milk": [
        (0.042, 0.004), (0.044, 0.012), (0.044, 0.12), (0.036, 0.16), (0.022, 0.185), (0.02, 0.215), (0.021, 0.225),
    ],
    "flask": [
        (0.03, 0.004), (0.055, 0.02), (0.066, 0.055), (0.055, 0.095), (0.025, 0.118), (0.0165, 0.13),
        (0.016, 0.165),
    ],
    "jar": [(0.045, 0.004), (0.048, 0.012), (0.048, 0.1), (0.044, 0.115), (0.039, 0.12), (0.039, 0.135)],
    "vase": [
        (0.045, 0.004), (0.055, 0.03), (0.085, 0.12), (0.088, 0.18), (0.06, 0.25), (0.04, 0.285), (0.038, 0.31),
        (0.055, 0.34),
    ],
    "urn": [
        (0.05, 0.004), (0.042, 0.02), (0.035, 0.035), (0.085, 0.12), (0.1, 0.19), (0.075, 0.25), (0.045, 0.275),
        (0.06, 0.3),
    ],
    "jug": [(0.05, 0.004), (0.062, 0.03), (0.075, 0.09), (0.06, 0.15), (0.042, 0.185), (0.043, 0.21), (0.053, 0.235)],
    "pot": [(0.07, 0.004), (0.08, 0.05), (0.092, 0.13), (0.093, 0.14), (0.105, 0.142), (0.107, 0.175)],
    "bowl": [(0.04, 0.006), (0.065, 0.02), (0.09, 0.045), (0.105, 0.08)],
}  # fmt: skip


_OPEN = {"vase", "urn", "jug", "pot", "bowl"}


def bottle(spec: PromptSpec) -> list[ModelPart]:
    """Bottles, flasks and jars with a stopper; open vases, urns, jugs, pots and bowls."""
    noun = spec.noun
    if noun not in _BOTTLES:
        round_ = noun == "potion" or spec.says("round", "magic")
        noun = "flask" if round_ else "milk" if spec.says("milk") else "wine"
    material = {"wine": "green glass", "milk": "glass", "flask": "blue glass", "jar": "glass"}.get(noun, "terracotta")
    glass = spec.surface("body", material, main=True)
    segments, steps = spec.round(48), spec.steps(5)
    line = np.array(_BOTTLES[noun])
    if noun in ("vase", "flask", "urn"):
        line[1:-2, 0] *= spec.vary("belly", 0.88, 1.15)
    outside = curve([*line], steps)
    foot, high = outside[0][0], outside[-1][1]
    wall = 0.004 if noun in _OPEN else 0.0028
    inside = outside[::-1] - (wall, 0)
    inside = inside[inside[:, 1] > 0.012]
    rim, inner = outside[-1][0], inside[0][0]
    lip = rounded([outside[-1], (rim, high + 0.003), (inner, high + 0.003), inside[0]], 0.002)
    punt = 0.012 if noun == "wine" else 0.003
    profile = [(0, punt), (foot * 0.6, punt * 0.6), (foot * 0.8, 0.0), (foot * 0.93, 0.0), *outside[:-1], *lip]
    profile += [*inside[1:], (inside[-1][0] * 0.8, 0.011 + punt), (0, 0.012 + punt)]
    parts = [part("body", glass, lathe(profile, segments))]
    neck = outside[-1][0]
    if noun not in _OPEN:
        line = [(neck - 0.001, -0.012), (neck + 0.003, -0.012), (neck + 0.003, -0.003), (neck - 0.001, -0.003)]
        collar = lathe(rounded(line, 0.0015, closed=True), segments, loop=True).moved(z=high)
        parts.append(part("collar", glass, collar))
        if spec.has("cork") and spec.has("cap") and spec.has("lid") and spec.has("stopper"):
            if noun == "jar":
                top: Solid = cylinder(neck + 0.005, 0.022, segments, 0.003).moved(z=high - 0.004)
                parts.append(made_of(spec, "lid", "steel", top))
            else:
                bore = neck - wall
                top = cylinder(bore + 0.0004, 0.03, spec.round(24), 0.002, bore + 0.002).moved(z=high - 0.012)
                parts.append(made_of(spec, "cork", "cork", top))
    if noun == "wine" and spec.has("label"):
        parts.append(made_of(spec, "label", "cream paper", _band(0.0377, 0.05, 0.13, segments)))
    handles = spec.count("handle", {"jug": 1, "urn": 2}.get(noun, 0), 6)
    for index in range(handles):
        z0, z1 = high * 0.36, high * 0.9
        r0, r1 = (float(np.interp(z, outside[:, 1], outside[:, 0])) - 0.002 for z in (z0, z1))
        out = max(r0, r1) + 0.035
        side = curve([(r1, z1), (out - 0.012, z1 + 0.006), (out, (z0 + z1) / 2 + 0.02), (r0, z0)], spec.steps(7))
        path = np.column_stack((side[:, 0], np.zeros(len(side)), side[:, 1]))
        grip = tube(path, 0.0065, spec.round(12), flat=1.4).turned("z", 360 * index / handles)
        parts.append(made_of(spec, f"handle_{index + 1}", glass, grip))
    if noun == "vase" and spec.has("flower", False):
        parts += _flowers(spec, high)
    return parts


def _flowers(spec: PromptSpec, high: float) -> list[ModelPart]:
    parts = []
    numbers = spec.numbers("flowers")
    for index in range(spec.count("flower", 5, 12)):
        angle, lean = numbers.uniform(0, 6.28), numbers.uniform(0.03, 0.12)
        tip = np.array((math.cos(angle) * lean, math.sin(angle) * lean, high + numbers.uniform(0.1, 0.2)))
        path = curve([(0, 0, high * 0.4), (tip[0] * 0.35, tip[1] * 0.35, high), tuple(tip)], 5)
        leaf = lathe(rounded([(0, -0.004), (0.014, -0.002), (0.014, 0.002), (0, 0.004)], 0.002), 10)
        leaf = leaf.scaled(1, 0.6, 1).moved(x=0.018).turned("y", -20)
        petals = [leaf.turned("z", 60 * petal).moved(*tip) for petal in range(6)]
        heart = lathe([(0, -0.006), (0.009, -0.004), (0.009, 0.004), (0, 0.008)], 12).moved(*tip)
        parts += [
            made_of(spec, f"stem_{index + 1}", "green leaf", tube(path, 0.0022, 6)),
            made_of(spec, f"flower_{index + 1}", "pink paint", *petals),
            part(f"heart_{index + 1}", "yellow paint", heart),
        ]
    return parts


def _band(radius: float, low: float, high: float, segments: int) -> Solid:
    return lathe(
        [(radius - 0.001, low), (radius + 0.0006, low), (radius + 0.0006, high), (radius - 0.001, high)],
        segments,
        loop=True,
    )
