"""Barrels, oil drums and buckets; crates and chests."""

from __future__ import annotations

import math

import numpy as np

from ....array_types import Array
from ...model import ModelPart, both_sides, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid, at_corners
from ...solids import box, curve, cylinder, lathe, plate, ring, rounded, tube, wire


def barrel(spec: PromptSpec) -> list[ModelPart]:
    """Barrels of staves with hoops, oil drums and buckets."""
    if spec.noun in ("drum", "oil drum") or spec.says("oil"):
        return _drum(spec)
    if spec.noun == "bucket":
        return _bucket(spec)
    wood = spec.surface("stave", "oak", main=True)
    staves = spec.count("stave", 18, 40)
    high, belly, end = 0.9, 0.34, 0.275

    def radius(z: float | Array) -> Array:
        return np.asarray(end + (belly - end) * (1 - (2 * np.asarray(z) / high - 1) ** 2))

    rows = np.linspace(0, high, spec.steps(10) + 1)
    line = np.concatenate((np.column_stack((radius(rows), rows)), [(end - 0.03, high), (end - 0.036, high - 0.03)]))
    line = np.concatenate(([(end - 0.036, 0.03), (end - 0.03, 0.0)], line))
    solid = lathe([(0, 0.03), *line, (0, high - 0.03)], staves * 4)
    angle = np.arctan2(solid.points[:, 1], solid.points[:, 0])
    phase = np.round(angle / (2 * math.pi) * staves * 4).astype(int) % 4
    groove = np.where((phase == 0) & (np.hypot(solid.points[:, 0], solid.points[:, 1]) > end * 0.95), 0.978, 1.0)
    solid.points[:, :2] *= groove[:, None]
    parts = [part("staves", wood, solid)]
    hoops = spec.count("hoop", 4, 10)
    places = np.linspace(0.05, high - 0.05, hoops) if hoops != 4 else np.array((0.045, 0.25, high - 0.25, high - 0.045))
    for index, z in enumerate(places):
        low, up, w = float(radius(z - 0.022)), float(radius(z + 0.022)), 0.022
        outline = [(low - 0.012, z - w), (low + 0.006, z - w), (up + 0.006, z + w), (up - 0.012, z + w)]
        hoop = lathe(rounded(outline, 0.003, closed=True, steps=1), spec.round(56), loop=True)
        parts.append(made_of(spec, f"hoop_{index + 1}", "iron", hoop))
    if spec.has("tap", spec.noun == "keg"):
        spout = tube([(0, -end + 0.02, 0.16), (0, -end - 0.09, 0.16), (0, -end - 0.1, 0.12)], 0.014, spec.round(12))
        lever = cylinder(0.01, 0.06, spec.round(10), 0.003).moved(y=-end - 0.06, z=0.16)
        parts.append(made_of(spec, "tap", "brass", spout, lever))
    else:
        bung = cylinder(0.03, 0.03, spec.round(20), 0.005).turned("x", 90).moved(y=-belly + 0.012, z=high / 2)
        parts.append(made_of(spec, "bung", "cork", bung))
    return parts


def _drum(spec: PromptSpec) -> list[ModelPart]:
    paint = spec.surface("drum", "blue paint", main=True)
    ribs = [
        (0, 0.012), (0.27, 0.012), (0.275, 0.0), (0.29, 0.0), (0.29, 0.28), (0.3, 0.295), (0.3, 0.305),
        (0.29, 0.32), (0.29, 0.56), (0.3, 0.575), (0.3, 0.585), (0.29, 0.6), (0.29, 0.88), (0.275, 0.88),
        (0.27, 0.868), (0, 0.868),
    ]  # fmt: skip
    rims = [ring(0.287, 0.009, spec.round(48), 8).moved(z=z) for z in (0.004, 0.876)]
    cap = cylinder(0.035, 0.016, spec.round(20), 0.004).moved(y=-0.18, z=0.866)
    return [
        part("drum", paint, lathe(ribs, spec.round(48), 0.008)),
        made_of(spec, "rims", "steel", *rims),
        made_of(spec, "cap", "steel", cap),
    ]


def _bucket(spec: PromptSpec) -> list[ModelPart]:
    wood = spec.surface("bucket", "pine" if spec.says("wooden") else "steel", main=True)
    segments = spec.round(40)
    profile = [
        (0, 0.02), (0.095, 0.02), (0.1, 0.0), (0.108, 0.0), (0.15, 0.28), (0.143, 0.28), (0.102, 0.032), (0, 0.032),
    ]  # fmt: skip
    hoops = [ring(r, 0.004, segments, 8, 0.01).moved(z=z) for r, z in ((0.1145, 0.035), (0.143, 0.23))]
    loop = [(0.152, 0, 0.25), (0.14, 0, 0.38), (0, 0, 0.46), (-0.14, 0, 0.38), (-0.152, 0, 0.25)]
    grip = wire(loop, 0.0045, spec.round(10), spec.steps(6))
    parts = [
        part("bucket", wood, lathe(profile, segments, 0.004)),
        made_of(spec, "hoops", "iron", *hoops, ring(0.1465, 0.006, segments, 8).moved(z=0.28)),
    ]
    return [*parts, made_of(spec, "handle", "iron", grip)] if spec.has("handle") else parts


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
    parts = [part("box", wood, box(width, depth, high, 0.012)), made_of(spec, "lid", wood, lid(half, half + 1, width))]
    bands: list[Solid] = []
    for x in (-width * 0.36, 0.0, width * 0.36):
        bands.append(lid(half + 0.014, 0.03, 0.07).moved(x=x))
        bands += [box(0.07, 0.02, high - 0.01, 0.005).moved(x=x, y=s * (half + 0.004), z=0.005) for s in (1, -1)]
    edge = [box(width + 0.02, depth + 0.02, 0.05, 0.008).moved(z=z) for z in (-0.006, high - 0.046)]
    post = box(0.07, 0.07, high - 0.02, 0.012).moved(z=0.01)
    corners = at_corners(post, width / 2 - 0.022, half - 0.022)
    lock = [
        box(0.13, 0.04, 0.15, 0.012).moved(y=-half - 0.03, z=high - 0.07),
        cylinder(0.022, 0.02, spec.round(18), 0.004).turned("x", 90).moved(y=-half - 0.045, z=high),
    ]
    parts += [part("bands", metal, *bands, *edge, *corners), made_of(spec, "lock", "gold", *lock)]
    out = width / 2 + 0.045
    line = [(width / 2, -0.1, 0.24), (out, -0.08, 0.2), (out, 0.08, 0.2), (width / 2, 0.1, 0.24)]
    parts += both_sides("handle", spec.surface("handle", "iron"), tube(curve(line, 5), 0.012, spec.round(10)))
    return parts
