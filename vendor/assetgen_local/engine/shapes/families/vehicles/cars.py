"""Cars, vans, buses and trucks."""

from __future__ import annotations

import numpy as np

from ...field import DistanceField
from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import box, loft, rectangle, tube
from .car_kinds import KINDS, Build
from .car_parts import lights, wheels


def car(spec: PromptSpec) -> list[ModelPart]:
    """Cars, taxis, vans, buses, trucks: a body with wheel arches, windows, lights, wheels."""
    noun = "sports car" if spec.says("sports", "sport") else "racing car" if spec.says("racing", "race") else spec.noun
    build = KINDS.get(noun, Build())
    paint = spec.surface("body", "yellow paint" if noun in ("taxi", "bus") else "shiny red paint", main=True)
    step = 0.048 / spec.detail * (1.5 if noun == "bus" else 1.0)
    parts = [
        part("body", paint, _body(build, step)),
        made_of(spec, "windows", "black glass", _greenhouse(build, roof=False)),
    ]
    parts.append(made_of(spec, "roof", paint, _greenhouse(build, roof=True), *_pillars(spec, build)))
    parts += lights(spec, build)
    parts += wheels(spec, build)
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
    shape.block(
        (0, (nose + tail) / 2 + 0.05, high - tall * 0.25), (build.wide * 0.96, tail - nose + 0.9, tall * 0.5), 0.12
    )
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
    levels = (
        [(s, 0.0) for s in (-0.25, 0.0, 0.3, 0.6, 0.9)]
        if not roof
        else [(0.86, 0.05), (0.88, -0.02), (0.93, -0.024), (0.985, 0.0), (1.015, 0.1), (1.022, 0.3)]
    )
    for share, inset in levels:
        front, rear, half = _cabin_at(build, max(share, 0.0) if share < 1 else 1.0)
        inset += 0.014 if not roof else 0.0
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
