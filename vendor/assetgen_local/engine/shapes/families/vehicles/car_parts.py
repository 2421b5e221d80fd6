"""Lights, trim and wheels of cars."""

from __future__ import annotations

import math

import numpy as np

from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solids import ball, box, cylinder, lathe, ring, rounded, tube
from .car_kinds import Build


def lights(spec: PromptSpec, build: Build) -> list[ModelPart]:
    """Lamps, mirrors, bumpers, grille and plates."""
    half, tall = build.long / 2, build.waist - build.floor
    z = build.floor + tall * 0.6
    x = build.wide * 0.355
    mirror = build.cabin[0] + build.slope[0] * 0.3 + 0.1
    side, waist = build.wide / 2, build.waist
    lamp = ball((0.15, 0.09, 0.085), spec.round(20)).moved(x, -half + 0.07, z)
    collar = ring(1.0, 0.09, spec.round(24), 8).turned("x", 90).scaled(0.155, 0.05, 0.09).moved(x, -half + 0.03, z)
    rear_lamp = box(0.32, 0.1, 0.13, 0.03).moved(x + 0.02, half - 0.03, z - 0.05)
    handle = box(0.02, 0.17, 0.03, 0.008).moved(side - 0.002, 0.32 + sum(build.cabin) / 4, waist - 0.14)
    glass = ball((0.11, 0.06, 0.075), spec.round(16)).moved(side + 0.04, mirror, waist + 0.1)
    stay = tube([(side - 0.1, mirror + 0.02, waist + 0.02), (side + 0.03, mirror, waist + 0.08)], 0.02, 8)
    front, rear, trim, chrome = (
        [*solids, *(solid.mirrored() for solid in solids)]
        for solids in ([lamp], [rear_lamp], [glass, stay], [collar, handle])
    )
    bumpers = [
        box(build.wide * 0.97, 0.16, 0.15, 0.05, 3).moved(y=y, z=build.floor + 0.02)
        for y in (-half + 0.02, half - 0.02)
    ]
    slots = [
        box(build.wide * 0.58, 0.05, 0.022, 0.006).moved(y=-half + 0.015, z=build.floor + tall * (0.24 + 0.06 * i))
        for i in range(3)
    ]
    plates = [box(0.46, 0.02, 0.11, 0.006).moved(y=y, z=build.floor + 0.05) for y in (-half - 0.058, half + 0.058)]
    return [
        made_of(spec, "headlights", "white glass", *front),
        made_of(spec, "taillights", "red glass", *rear),
        made_of(spec, "mirrors", "black plastic", *trim),
        made_of(spec, "bumpers", "black plastic", *bumpers),
        made_of(spec, "chrome", "chrome", *chrome, *slots),
        part("plates", "white paint", *plates),
    ]


def wheels(spec: PromptSpec, build: Build) -> list[ModelPart]:
    """Tyres and rims; as many wheels as asked for."""
    count = spec.count("wheel", 2 * len(build.axles), 12)
    rows = math.ceil(count / 2)
    axles = (
        build.axles if rows == len(build.axles) else tuple(np.linspace(build.axles[0], build.axles[-1], max(rows, 1)))
    )
    if rows > 2:
        axles = (build.axles[0], *[build.axles[-1] - build.wheel * 2.15 * i for i in range(rows - 1)])
    radius, width = build.wheel, 0.235
    flank = [(0.62, -width / 2), (0.93, -width / 2), (1, -width * 0.32)]
    profile = [(radius * r, y) for r, y in (*flank, *((r, -y) for r, y in reversed(flank)))]
    tyre = lathe(rounded(profile, 0.03, closed=True), spec.round(40), loop=True)
    rim_line = [(0, -0.02), (0.2, -0.03), (0.24, -0.07), (0.6, -0.075), (0.655, -width * 0.52), (0.68, -width * 0.5)]
    rim_line += [(0.67, 0.05), (0, 0.05)]
    rim = lathe(rounded([(radius * r, -z) for r, z in rim_line], 0.012), spec.round(32))
    spokes = [
        box(radius * 0.13, radius * 0.46, 0.03, 0.01).moved(y=radius * 0.4, z=0.062).turned("z", 72 * i)
        for i in range(5)
    ]
    hub = cylinder(radius * 0.15, 0.075, spec.round(18), 0.012).moved(z=0.02)
    parts = []
    for number in range(count):
        row, side = divmod(number, 2)
        turn = 90 if side == 0 else -90
        x = (build.wide / 2 - width / 2 + 0.005) * (1 if side == 0 else -1)
        if count % 2 and number == count - 1:
            x = 0.0
        name = f"wheel_{number + 1}"
        place = (x, axles[row], radius)
        parts.append(made_of(spec, f"{name}_tyre", "rubber", tyre.turned("y", turn).moved(*place)))
        metal = [solid.turned("y", turn).moved(*place) for solid in (rim, hub, *spokes)]
        parts.append(part(f"{name}_rim", spec.surface("wheel", "steel"), *metal))
    return parts
