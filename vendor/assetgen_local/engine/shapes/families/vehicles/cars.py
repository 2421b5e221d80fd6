"""Cars, vans, buses and trucks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...field import DistanceField
from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball, box, cylinder, lathe, loft, rectangle, ring, tube


@dataclass(frozen=True, slots=True)
class Build:
    """Sizes of a kind of car, metres. Roof and hood are (front y, rear y, height)."""

    long: float = 4.3
    wide: float = 1.8
    floor: float = 0.3
    waist: float = 0.86
    roof: float = 1.42
    cabin: tuple[float, float] = (-0.75, 1.55)
    slope: tuple[float, float] = (0.85, 0.6)
    wheel: float = 0.34
    axles: tuple[float, ...] = (-1.35, 1.3)
    bed: bool = False


KINDS = {
    "sports car": Build(4.3, 1.9, 0.2, 0.76, 1.17, (-0.35, 1.5), (1.0, 1.0), 0.295),
    "racing car": Build(4.4, 1.95, 0.18, 0.72, 1.08, (-0.25, 1.4), (0.95, 1.1), 0.28),
    "van": Build(4.9, 1.95, 0.32, 1.0, 2.05, (-1.8, 2.35), (0.7, 0.1), 0.35, (-1.6, 1.5)),
    "bus": Build(8.5, 2.4, 0.4, 1.15, 2.9, (-4.15, 4.15), (0.18, 0.08), 0.48, (-2.7, 2.4)),
    "truck": Build(5.6, 2.0, 0.48, 1.15, 1.9, (-1.3, 0.45), (0.6, 0.12), 0.42, (-1.75, 1.75), True),
    "pickup": Build(5.2, 1.95, 0.42, 1.02, 1.72, (-1.05, 0.6), (0.75, 0.2), 0.39, (-1.6, 1.55), True),
    "jeep": Build(4.0, 1.8, 0.45, 1.1, 1.8, (-0.6, 1.85), (0.3, 0.1), 0.41, (-1.2, 1.2)),
    "suv": Build(4.6, 1.9, 0.4, 1.0, 1.72, (-0.9, 2.15), (0.75, 0.35), 0.38, (-1.4, 1.4)),
}


def car(spec: PromptSpec) -> list[ModelPart]:
    """Cars, taxis, vans, buses, trucks: a body with wheel arches, windows, lights, wheels."""
    noun = "sports car" if spec.says("sports", "sport") else "racing car" if spec.says("racing", "race") else spec.noun
    build = KINDS.get(noun, Build())
    paint = spec.surface("body", "yellow paint" if noun in ("taxi", "bus") else "shiny red paint", main=True)
    step = 0.048 / spec.detail * (1.5 if noun == "bus" else 1.0)
    parts = [
        part("body", paint, _body(build, step)),
        made_of(spec, "windows", "black glass", _greenhouse(build, roof=False)),
        made_of(spec, "roof", paint, _greenhouse(build, roof=True), *_pillars(spec, build)),
        *lights(spec, build),
        *wheels(spec, build),
    ]
    if noun == "taxi":
        sign = box(0.5, 0.2, 0.14, 0.04).moved(y=sum(build.cabin) / 2, z=build.roof - 0.02)
        parts.append(part("sign", "white plastic", sign))
    if noun in ("sports car", "racing car") or spec.has("spoiler", False):
        y, z = build.long / 2 - 0.22, build.waist
        wing = box(build.wide * 0.86, 0.26, 0.04, 0.015).turned("x", 8).moved(y=y, z=z + 0.24)
        stays = [box(0.04, 0.16, 0.3, 0.012).moved(x=s * build.wide * 0.32, y=y, z=z - 0.05) for s in (1, -1)]
        parts.append(made_of(spec, "spoiler", paint, wing, *stays))
    return parts


def _body(build: Build, step: float) -> Solid:
    half, low, high = build.long / 2, build.floor, build.waist
    middle, tall = (low + high) / 2, high - low
    shape = DistanceField(0.16)
    shape.block((0, 0, middle - tall * 0.06), (build.wide, build.long, tall * 0.88), min(0.2, tall * 0.35))
    nose, tail = build.cabin[0], build.cabin[1]
    size = (build.wide * 0.96, tail - nose + 0.9, tall * 0.5)
    shape.block((0, (nose + tail) / 2 + 0.05, high - tall * 0.25), size, 0.12)
    if build.bed:
        front = build.cabin[1] + 0.12
        size = (build.wide * 0.84, half - front - 0.12, tall * 1.05)
        shape.block((0, (front + half) / 2 - 0.06, high + 0.1), size, 0.05, blend=0.03, cut=True)
    for y in build.axles:
        arch = build.wheel * 1.15
        inner, outer = (build.wide / 2 - 0.27, y, build.wheel), (build.wide, y, build.wheel)
        shape.limb(inner, outer, arch, arch, blend=0.04, cut=True, both=True)
        shape.block((0, y, build.wheel - 0.3), (build.wide * 1.2, build.wheel * 2.3, 0.6), 0.02, blend=0.03, cut=True)
        shape.block((0, y, build.floor + 0.16), (build.wide - 0.62, build.wheel * 3, 0.26), 0.05, blend=0.02)
    # A hollow line where the doors end, and the grille's mouth.
    shape.block((0, -half - 0.02, low + tall * 0.3), (build.wide * 0.62, 0.1, tall * 0.22), 0.04, blend=0.03, cut=True)
    return shape.surface(step)


def _cabin_at(build: Build, share: float) -> tuple[float, float, float]:
    """Front y, rear y and half width of the cabin at a height between waist (0) and roof (1)."""
    front = build.cabin[0] + build.slope[0] * share
    rear = build.cabin[1] - build.slope[1] * share
    return front, rear, build.wide / 2 * (0.93 - 0.16 * share)


def _greenhouse(build: Build, *, roof: bool) -> Solid:
    """The cabin: its glass, or the roof over it."""
    rings = []
    tall = build.roof - build.waist
    levels = [(s, 0.014) for s in (-0.25, 0.0, 0.3, 0.6, 0.9)]
    if roof:
        levels = [(0.86, 0.05), (0.88, -0.02), (0.93, -0.024), (0.985, 0.0), (1.015, 0.1), (1.022, 0.3)]
    for share, inset in levels:
        front, rear, half = _cabin_at(build, max(share, 0.0) if share < 1 else 1.0)
        outline = rectangle((half - inset) * 2, rear - front - 2 * inset, 0.17, 4)
        bow = 0.05 * (1 - (outline[:, 0] / half) ** 2)
        y = outline[:, 1] + (front + rear) / 2 + np.where(outline[:, 1] < 0, -bow, bow)
        rings.append(np.column_stack((outline[:, 0], y, np.full(len(outline), build.waist + share * tall))))
    return loft(np.stack(rings))


def _pillars(spec: PromptSpec, build: Build) -> list[Solid]:
    tall = build.roof - build.waist
    bars = []
    length = build.cabin[1] - build.cabin[0]
    places = [0.0, 0.52, 1.0] if length < 3.4 else [0.0, *np.linspace(0.12, 0.88, max(3, round(length / 1.3))), 1.0]
    for place in places:
        line = []
        for share in np.linspace(-0.08, 0.93, 5):
            front, rear, half = _cabin_at(build, max(share, 0.0))
            inset = 0.07 if place in (0.0, 1.0) else 0.0
            y = front + 0.05 + (rear - front - 0.1) * place
            line.append((half - inset + 0.002, y, build.waist + share * tall))
        bar = tube(line, 0.045 if place in (0.0, 1.0) else 0.03, spec.round(8))
        bars += [bar, bar.mirrored()]
    return bars


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
    bumper = box(build.wide * 0.97, 0.16, 0.15, 0.05, 3).moved(z=build.floor + 0.02)
    bumpers = [bumper.moved(y=y) for y in (-half + 0.02, half - 0.02)]
    slot = box(build.wide * 0.58, 0.05, 0.022, 0.006).moved(y=-half + 0.015, z=build.floor)
    slots = [slot.moved(z=tall * (0.24 + 0.06 * i)) for i in range(3)]
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
    axles = build.axles
    if rows > 2:
        axles = (build.axles[0], *[build.axles[-1] - build.wheel * 2.15 * i for i in range(rows - 1)])
    radius, width = build.wheel, 0.235
    flank = [(0.62, -width / 2), (0.93, -width / 2), (1, -width * 0.32)]
    profile = [(radius * r, y) for r, y in (*flank, *((r, -y) for r, y in reversed(flank)))]
    tyre = lathe(profile, spec.round(40), 0.03, loop=True)
    rim_line = [(0, -0.02), (0.2, -0.03), (0.24, -0.07), (0.6, -0.075), (0.655, -width * 0.52), (0.68, -width * 0.5)]
    rim_line += [(0.67, 0.05), (0, 0.05)]
    rim = lathe([(radius * r, -z) for r, z in rim_line], spec.round(32), 0.012)
    spoke = box(radius * 0.13, radius * 0.46, 0.03, 0.01).moved(y=radius * 0.4, z=0.062)
    spokes = [spoke.turned("z", 72 * i) for i in range(5)]
    hub = cylinder(radius * 0.15, 0.075, spec.round(18), 0.012).moved(z=0.02)
    parts = []
    for number in range(count):
        row, side = number // 2, 1 if number % 2 == 0 else -1
        is_alone = count % 2 == 1 and number == count - 1
        x = 0.0 if is_alone else (build.wide / 2 - width / 2 + 0.005) * side
        name, turn = f"wheel_{number + 1}", 90 * side
        place = (x, axles[row], radius)
        parts.append(made_of(spec, f"{name}_tyre", "rubber", tyre.turned("y", turn).moved(*place)))
        metal = [solid.turned("y", turn).moved(*place) for solid in (rim, hub, *spokes)]
        parts.append(part(f"{name}_rim", spec.surface("wheel", "steel"), *metal))
    return parts
