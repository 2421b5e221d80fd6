"""Barrels, oil drums and buckets."""

from __future__ import annotations

import math

import numpy as np

from ....array_types import Array
from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solids import curve, cylinder, lathe, ring, rounded, tube


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
        part("drum", paint, lathe(rounded(ribs, 0.008), spec.round(48))),
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
    grip = tube(
        curve([(0.152, 0, 0.25), (0.14, 0, 0.38), (0, 0, 0.46), (-0.14, 0, 0.38), (-0.152, 0, 0.25)], spec.steps(6)),
        0.0045,
        spec.round(10),
    )
    parts = [
        part("bucket", wood, lathe(rounded(profile, 0.004), segments)),
        made_of(spec, "hoops", "iron", *hoops, ring(0.1465, 0.006, segments, 8).moved(z=0.28)),
    ]
    return [*parts, made_of(spec, "handle", "iron", grip)] if spec.has("handle") else parts
