"""Mugs, cups and tankards; bottles, flasks and jars; vases, urns, jugs, pots and bowls."""

from __future__ import annotations

import math

import numpy as np

from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solids import curve, cylinder, lathe, ring, rounded, tube


def mug(spec: PromptSpec) -> list[ModelPart]:
    """Mugs, cups and tankards, with any number of handles."""
    glaze = spec.surface("body", "white ceramic" if spec.noun != "tankard" else "oak", main=True)
    segments = spec.round(48)
    cup = spec.noun in ("cup", "teacup")
    if cup:
        outside = curve([(0.024, 0.0), (0.026, 0.006), (0.036, 0.02), (0.048, 0.045), (0.054, 0.07)], spec.steps(5))
    elif spec.noun == "tankard":
        outside = curve([(0.052, 0.0), (0.05, 0.07), (0.046, 0.14)], spec.steps(6))
    else:
        belly = spec.vary("belly", 0.0, 0.006)
        outside = curve([(0.037, 0.0), (0.0405, 0.006), (0.041 + belly, 0.045), (0.041, 0.095)], spec.steps(5))
    wall = 0.0032
    inside = outside[::-1] - (wall, 0.0)
    inside[:, 1] = np.maximum(inside[:, 1], 0.006)
    inside = inside[inside[:, 1] > 0.0061]
    lip = [(outside[-1][0] - wall / 2, outside[-1][1] + wall * 0.5)]
    floor = inside[-1][0]
    foot = outside[0][0]
    profile = [(0, 0.002), (foot * 0.8, 0.002), (foot * 0.84, 0.0), *outside, *lip, *inside, (floor * 0.85, 0.006)]
    profile.append((0, 0.006))
    parts = [part("body", glaze, lathe(profile, segments))]
    top = outside[-1][1]
    high, low = (float(np.interp(top * z, outside[:, 1], outside[:, 0])) for z in (0.82, 0.3))
    count = spec.count("handle", 1, 8)
    for index in range(count):
        out = 0.034 if not cup else 0.026
        bow = [(high + 0.003, 0.82), (high + out * 0.7, 0.87), (high + out, 0.6), (low + out * 0.75, 0.34)]
        line = curve([*bow, (low + 0.003, 0.3)], spec.steps(6)) * (1, top)
        path = np.column_stack((line[:, 0], np.zeros(len(line)), line[:, 1]))
        grip = tube(path, 0.0048, spec.round(14), flat=1.45, up=(0, 0, 1)).turned("z", 360 * index / count)
        parts.append(part("handle" if count == 1 else f"handle_{index + 1}", spec.surface("handle", glaze), grip))
    if spec.noun == "tankard":
        sizes = [(z, float(np.interp(z, outside[:, 1], outside[:, 0])) + 0.0008) for z in (0.018, 0.12)]
        hoops = [ring(radius, 0.0016, segments, 8, 0.006).moved(z=z) for z, radius in sizes]
        parts.append(made_of(spec, "hoops", "iron", *hoops))
    if spec.noun == "teacup" or spec.has("saucer", False):
        plate = [
            (0, -0.006), (0.03, -0.006), (0.032, -0.002), (0.05, 0.002), (0.072, 0.011), (0.0725, 0.013),
            (0.05, 0.0045), (0.03, 0.0), (0, -0.0005),
        ]  # fmt: skip
        parts.append(made_of(spec, "saucer", glaze, lathe(plate, segments, 0.002)))
    if spec.has("coffee", False) or spec.has("tea", False) or spec.has("beer", False):
        level = top * 0.86
        r = float(np.interp(level, outside[:, 1], outside[:, 0])) - wall + 0.0006
        drink = spec.surface("drink", "brown water" if not spec.says("beer") else "yellow water")
        parts.append(part("drink", drink, cylinder(r, 0.004, segments, 0.0008).moved(z=level - 0.004)))
    return parts


_BOTTLES: dict[str, list[tuple[float, float]]] = {
    "wine": [(0.036, 0.004), (0.0375, 0.012), (0.0375, 0.17), (0.034, 0.195), (0.018, 0.225), (0.0145, 0.245),
             (0.014, 0.295)],
    "milk": [(0.042, 0.004), (0.044, 0.012), (0.044, 0.12), (0.036, 0.16), (0.022, 0.185), (0.02, 0.215),
             (0.021, 0.225)],
    "flask": [(0.03, 0.004), (0.055, 0.02), (0.066, 0.055), (0.055, 0.095), (0.025, 0.118), (0.0165, 0.13),
              (0.016, 0.165)],
    "jar": [(0.045, 0.004), (0.048, 0.012), (0.048, 0.1), (0.044, 0.115), (0.039, 0.12), (0.039, 0.135)],
    "vase": [(0.045, 0.004), (0.055, 0.03), (0.085, 0.12), (0.088, 0.18), (0.06, 0.25), (0.04, 0.285), (0.038, 0.31),
             (0.055, 0.34)],
    "urn": [(0.05, 0.004), (0.042, 0.02), (0.035, 0.035), (0.085, 0.12), (0.1, 0.19), (0.075, 0.25), (0.045, 0.275),
            (0.06, 0.3)],
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
    neck, inner = outside[-1][0], inside[0][0]
    lip = rounded([outside[-1], (neck, high + 0.003), (inner, high + 0.003), inside[0]], 0.002)
    punt = 0.012 if noun == "wine" else 0.003
    profile = [(0, punt), (foot * 0.6, punt * 0.6), (foot * 0.8, 0.0), (foot * 0.93, 0.0), *outside[:-1], *lip]
    profile += [*inside[1:], (inside[-1][0] * 0.8, 0.011 + punt), (0, 0.012 + punt)]
    parts = [part("body", glass, lathe(profile, segments))]
    if noun not in _OPEN:
        line = [(neck - 0.001, -0.012), (neck + 0.003, -0.012), (neck + 0.003, -0.003), (neck - 0.001, -0.003)]
        collar = lathe(line, segments, 0.0015, loop=True).moved(z=high)
        parts.append(part("collar", glass, collar))
        if spec.has("cork") and spec.has("cap") and spec.has("lid") and spec.has("stopper"):
            if noun == "jar":
                top = cylinder(neck + 0.005, 0.022, segments, 0.003).moved(z=high - 0.004)
                parts.append(made_of(spec, "lid", "steel", top))
            else:
                bore = neck - wall
                top = cylinder(bore + 0.0004, 0.03, spec.round(24), 0.002, bore + 0.002).moved(z=high - 0.012)
                parts.append(made_of(spec, "cork", "cork", top))
    if noun == "wine" and spec.has("label"):
        line = [(0.0377 - 0.001, 0.05), (0.0377 + 0.0006, 0.05), (0.0377 + 0.0006, 0.13), (0.0377 - 0.001, 0.13)]
        parts.append(made_of(spec, "label", "cream paper", lathe(line, segments, loop=True)))
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
        leaf = lathe([(0, -0.004), (0.014, -0.002), (0.014, 0.002), (0, 0.004)], 10, 0.002)
        leaf = leaf.scaled(1, 0.6, 1).moved(x=0.018).turned("y", -20)
        petals = [leaf.turned("z", 60 * petal).moved(*tip) for petal in range(6)]
        heart = lathe([(0, -0.006), (0.009, -0.004), (0.009, 0.004), (0, 0.008)], 12).moved(*tip)
        parts += [
            made_of(spec, f"stem_{index + 1}", "green leaf", tube(path, 0.0022, 6)),
            made_of(spec, f"flower_{index + 1}", "pink paint", *petals),
            part(f"heart_{index + 1}", "yellow paint", heart),
        ]
    return parts
