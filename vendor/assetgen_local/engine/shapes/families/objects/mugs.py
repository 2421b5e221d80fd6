"""Mugs, cups and tankards."""

from __future__ import annotations

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
        hoops = [
            ring(float(np.interp(z, outside[:, 1], outside[:, 0])) + 0.0008, 0.0016, segments, 8, 0.006).moved(z=z)
            for z in (0.018, 0.12)
        ]
        parts.append(made_of(spec, "hoops", "iron", *hoops))
    if spec.noun == "teacup" or spec.has("saucer", False):
        plate = [
            (0, -0.006), (0.03, -0.006), (0.032, -0.002), (0.05, 0.002), (0.072, 0.011), (0.0725, 0.013),
            (0.05, 0.0045), (0.03, 0.0), (0, -0.0005),
        ]  # fmt: skip
        parts.append(made_of(spec, "saucer", glaze, lathe(rounded(plate, 0.002), segments)))
    if spec.has("coffee", False) or spec.has("tea", False) or spec.has("beer", False):
        level = top * 0.86
        r = float(np.interp(level, outside[:, 1], outside[:, 0])) - wall + 0.0006
        drink = spec.surface("drink", "brown water" if not spec.says("beer") else "yellow water")
        parts.append(part("drink", drink, cylinder(r, 0.004, segments, 0.0008).moved(z=level - 0.004)))
    return parts
